//! The parameters of a tool as OpenAI's formats list them.

use serde_json::Value;

use crate::error::SchemaProblem;
use crate::tool::Definition;

/// The parameters, and whether the provider is asked to enforce them.
pub(super) struct Parameters {
    /// The schema on the wire.
    pub(super) schema: Value,
    /// Whether the provider is asked to enforce it. Always sent: left out it would not mean `false` everywhere.
    pub(super) strict: bool,
    /// Why it is not, although the author wants it.
    pub(super) strict_dropped: Option<String>,
}

impl Parameters {
    pub(super) fn of(definition: &Definition) -> Self {
        let parameters = definition.parameters();
        let plain = || parameters.to_openai();
        if definition.spec().strict {
            Self::enforced_or_plain(parameters.to_strict(), plain)
        } else {
            Self { schema: plain(), strict: false, strict_dropped: None }
        }
    }

    fn enforced_or_plain(strict: Result<Value, Vec<SchemaProblem>>, plain: impl FnOnce() -> Value) -> Self {
        match strict {
            Ok(schema) => Self { schema, strict: true, strict_dropped: None },
            Err(problems) => {
                let reasons: Vec<String> = problems.iter().map(ToString::to_string).collect();
                Self { schema: plain(), strict: false, strict_dropped: Some(reasons.join("; ")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_that_cannot_be_enforced_is_sent_plain_with_the_reason() {
        let problems =
            vec![SchemaProblem::new("/properties/a", "is too deep"), SchemaProblem::new("", "is too big")];
        let sent = Parameters::enforced_or_plain(Err(problems), || json!("plain"));
        assert_eq!((sent.schema, sent.strict), (json!("plain"), false));
        assert_eq!(
            sent.strict_dropped.unwrap(),
            "at `/properties/a`: is too deep; at `the root`: is too big"
        );
    }
}
