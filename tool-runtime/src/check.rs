//! A schema compiled once into checks.
//!
//! The checks cover JSON Schema draft 2020-12 as far as params types produce it: `type`, `enum`, `const`, all bounds of
//! numbers, texts, lists and objects, `pattern`, `properties`, `required`, `additionalProperties`, `patternProperties`,
//! `propertyNames`, `items`, `prefixItems`, `uniqueItems`, `allOf`, `anyOf`, `oneOf`, `not`, `$ref` within the schema, and
//! `nullable` as OpenAPI means it. `format` is enforced for `date-time`, `date`, `time`, `uuid`, `ipv4`, `ipv6` and
//! `email`; other formats describe. Any other keyword sends the whole schema to the general validator as well (feature
//! `validator`) or is an error; none is passed over.
//!
//! There are two ways to ask. [`Checks::fits`] walks a text once and builds no value. [`Checks::problems`] takes a value
//! that was read and lists everything wrong with it.

mod bounds;
mod compile;
mod describe;
mod equal;
mod format;
#[cfg(feature = "validator")]
mod general;
mod keywords;
mod near;
mod number;
mod oddity;
mod outline;
mod path;
mod pattern;
mod rule;
mod text;
mod value;

use serde_json::Value;

use crate::error::{Problem, SchemaProblem};
use crate::json::Node;

pub(crate) use bounds::admits_literal;
pub(crate) use near::nearest_names;
pub(crate) use number::Decimal;
pub(crate) use oddity::{has_loose_integer, is_loose_integer, merge_repeats, oddities};
pub(crate) use path::Path;
pub(crate) use rule::{Rule, RuleId, Rules, Types, Union};
pub(crate) use value::{Judge, kind_of, size, text_size};

/// A schema compiled once into checks.
#[derive(Debug)]
pub(crate) struct Checks {
    rules: Rules,
    root: RuleId,
    #[cfg(feature = "validator")]
    general: Option<general::General>,
}

/// Checks that nothing fits.
impl Default for Checks {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            root: rule::NOTHING,
            #[cfg(feature = "validator")]
            general: None,
        }
    }
}

impl Checks {
    /// Compiles a schema.
    ///
    /// # Errors
    ///
    /// Every fault of the schema with its path. Without the feature `validator` also every keyword that these checks do
    /// not know.
    pub(crate) fn compile(schema: &Value) -> Result<Self, Vec<SchemaProblem>> {
        let compile::Compiled { rules, root, uncovered } = compile::compile(schema)?;
        #[cfg(feature = "validator")]
        {
            let general = if uncovered.is_empty() { None } else { Some(general::General::compile(schema)?) };
            Ok(Self { rules, root, general })
        }
        #[cfg(not(feature = "validator"))]
        if uncovered.is_empty() {
            Ok(Self { rules, root })
        } else {
            let needs_validator = |uncovered: compile::Uncovered| {
                let message = format!(
                    "`{}` as it is used here needs the general validator: turn on the feature `validator` of `tool-runtime`, or leave the keyword out",
                    uncovered.keyword
                );
                SchemaProblem::new(uncovered.path, message)
            };
            Err(uncovered.into_iter().map(needs_validator).collect())
        }
    }

    /// Whether the text is JSON that fits as it is, with nothing to coerce.
    ///
    /// Walks the text once; only a value that several rules decide about is read. Yes means yes; no may also mean "not
    /// sure": a key given twice, a whole float where an integer is wanted, a huge number.
    pub(crate) fn fits(&self, text: &str) -> bool {
        text::fits(&self.rules, self.root, text) && self.general_fits(text)
    }

    /// All that is wrong with a value, at most 100 problems.
    pub(crate) fn problems(&self, node: &Node) -> Vec<Problem> {
        let problems = Judge::new(&self.rules, node).problems(node, self.root);
        if problems.is_empty() { self.general_problems(node) } else { problems }
    }

    /// The rules, for who works on a value by its schema. Where the general validator decides too, they admit more than
    /// it does, never less.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rule of the arguments as a whole.
    pub(crate) fn root(&self) -> RuleId {
        self.root
    }

    #[cfg(feature = "validator")]
    fn general_fits(&self, text: &str) -> bool {
        self.general.as_ref().is_none_or(|general| general.fits(text))
    }

    #[cfg(not(feature = "validator"))]
    #[expect(clippy::unused_self, reason = "the same call with and without the feature")]
    fn general_fits(&self, _text: &str) -> bool {
        true
    }

    #[cfg(feature = "validator")]
    fn general_problems(&self, node: &Node) -> Vec<Problem> {
        self.general.as_ref().map_or_else(Vec::new, |general| general.problems(node))
    }

    #[cfg(not(feature = "validator"))]
    #[expect(clippy::unused_self, reason = "the same call with and without the feature")]
    fn general_problems(&self, _node: &Node) -> Vec<Problem> {
        Vec::new()
    }
}

#[cfg(test)]
pub(crate) mod tests;
