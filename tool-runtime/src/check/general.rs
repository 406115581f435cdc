//! The general validator, for schemas with keywords that the compiled checks do not know.
//!
//! It is asked besides them, never instead. It fetches nothing, matches patterns in linear time, and enforces the same
//! formats as the checks do.

use std::fmt;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::Value;

use super::format::Format;
use super::path::shown;
use crate::error::SchemaProblem;
use crate::error::{Problem, quoted};
use crate::json::Node;

/// Formats that the validator would enforce and that only describe here.
const DESCRIBING: &[&str] = &[
    "duration",
    "hostname",
    "idn-email",
    "idn-hostname",
    "iri",
    "iri-reference",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "uri",
    "uri-reference",
    "uri-template",
];

/// Formats that are enforced.
const ENFORCED: &[&str] = &["date-time", "date", "time", "uuid", "ipv4", "ipv6", "email"];

/// A schema as the general validator sees it.
pub(super) struct General {
    validator: Validator,
}

impl General {
    /// # Errors
    ///
    /// What the validator refuses: references that lead out of the schema, patterns that need more than linear time.
    pub(super) fn compile(schema: &Value) -> Result<Self, Vec<SchemaProblem>> {
        let mut options = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true);
        for name in DESCRIBING {
            options = options.with_format(*name, |_: &str| true);
        }
        for name in ENFORCED {
            if let Some(format) = Format::named(name) {
                options = options.with_format(*name, move |text: &str| format.admits(text));
            }
        }
        let mut schema = schema.clone();
        widen_nullable(&mut schema);
        match options.build(&schema) {
            Ok(validator) => Ok(Self { validator }),
            Err(error) => Err(vec![SchemaProblem::new(
                error.schema_path().to_string(),
                format!("the schema cannot be enforced: {error}"),
            )]),
        }
    }

    pub(super) fn fits(&self, text: &str) -> bool {
        serde_json::from_str::<Value>(text).is_ok_and(|value| self.validator.is_valid(&value))
    }

    pub(super) fn problems(&self, node: &Node) -> Vec<Problem> {
        let Ok(value) = serde_json::from_str::<Value>(&node.to_string()) else {
            return vec![Problem::new(String::new(), "a value that can be read", shown(node))];
        };
        let problem = |error: jsonschema::ValidationError<'_>| {
            let found = error.instance().to_string();
            let mut problem = Problem::new(
                String::new(),
                format!("what `{}` of the schema asks", error.kind().keyword()),
                quoted(&found),
            );
            problem.path = error.instance_path().to_string();
            let hint: String = error.masked().to_string().chars().take(200).collect();
            problem.with_hint(hint)
        };
        self.validator.iter_errors(&value).take(100).map(problem).collect()
    }
}

impl fmt::Debug for General {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("General")
    }
}

/// Says `nullable: true` of OpenAPI in JSON Schema. Goes through everything that may hold a schema; what only looks like
/// one (a value under `const`, `enum`, `default`, `examples`) stays as it is.
fn widen_nullable(schema: &mut Value) {
    match schema {
        Value::Array(schemas) => schemas.iter_mut().for_each(widen_nullable),
        Value::Object(keywords) => {
            let null = Value::from("null");
            if keywords.get("nullable") == Some(&Value::Bool(true)) {
                match keywords.get_mut("type") {
                    Some(Value::Array(types)) if !types.contains(&null) => types.push(null),
                    Some(single @ Value::String(_)) if *single != null => {
                        *single = Value::from(vec![single.take(), null])
                    }
                    _ => {}
                }
            }
            for (keyword, value) in keywords {
                match keyword.as_str() {
                    "const" | "enum" | "default" | "example" | "examples" => {}
                    "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas" => {
                        if let Value::Object(named) = value {
                            named.values_mut().for_each(widen_nullable);
                        }
                    }
                    _ => widen_nullable(value),
                }
            }
        }
        _ => {}
    }
}
