//! From the text that a model wrote to arguments that fit the schema.
//!
//! A text that is JSON and fits passes as it is. Any other goes through two stages that are kept apart: what the text can
//! be read as ([`readings`]), and exact coercions of the one value by its schema ([`coerce`]). A text that has two
//! readings is never run.

mod coerce;
mod coercions;
mod ladder;
mod lenient;
pub(crate) mod readings;

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

use self::readings::{ReadOptions, Readings, Truncated};
use crate::call::Repair;
use crate::check::{Checks, Path, oddities};
use crate::error::{ArgumentError, SchemaProblem};
use crate::json::Node;

/// What came of an arguments text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// One JSON object that fits the schema. It is the text itself where nothing had to be done.
    pub text: Cow<'a, str>,
    /// What had to be done, in order.
    pub repairs: Vec<Repair>,
}

/// Whether a call may change something. What is cut off is completed only for calls that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effect {
    /// The tool only reads.
    ReadOnly,
    /// The tool may write.
    #[default]
    Writes,
}

/// How far the reading of arguments goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the longest text that is repaired, 256 KiB by default. A longer one must be JSON as it stands.
    pub max_repair_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_repair_bytes: ReadOptions::default().max_repair_bytes }
    }
}

/// Reads the arguments of a call, for programs that have a schema and no tool.
///
/// ```
/// use tool_runtime::{ArgumentClass, ArgumentDecoder, Effect};
///
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": { "depth": { "type": "integer", "minimum": 1 } },
///     "required": ["depth"],
///     "additionalProperties": false,
/// });
/// let decoder = ArgumentDecoder::new(&schema).unwrap();
///
/// let decoded = decoder.decode(r#"{"depth":"3"}"#, Effect::Writes).unwrap();
/// assert_eq!(decoded.text, r#"{"depth":3}"#);
/// assert_eq!(decoded.repairs[0].name, "number_from_text");
///
/// let error = decoder.decode(r#"{"depth":0}"#, Effect::Writes).unwrap_err();
/// assert_eq!(error.class(), ArgumentClass::Invalid);
/// assert!(error.to_string().ends_with("`/depth`: expected an integer that is at least 1, found `0`"));
/// ```
#[derive(Debug)]
pub struct ArgumentDecoder {
    checks: Checks,
    limits: Limits,
}

impl ArgumentDecoder {
    /// Compiles the schema once for many texts.
    ///
    /// # Errors
    ///
    /// Every fault of the schema with its path. Without the feature `validator` also every keyword beyond those that
    /// params types produce.
    pub fn new(schema: &Value) -> Result<Self, Vec<SchemaProblem>> {
        Ok(Self { checks: Checks::compile(schema)?, limits: Limits::default() })
    }

    /// The same decoder with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads one text.
    ///
    /// # Errors
    ///
    /// If the text is cut off, cannot be read as exactly one object, or does not fit the schema.
    pub fn decode<'a>(&self, raw: &'a str, effect: Effect) -> Result<Decoded<'a>, ArgumentError> {
        decode(raw, &self.checks, effect, &self.limits)
    }
}

/// Reads the arguments of a call by the checks of its tool. A text that fits as it is costs one walk over it.
///
/// # Errors
///
/// If the text is cut off, cannot be read as exactly one object, or does not fit the schema.
#[inline]
pub(crate) fn decode<'a>(
    raw: &'a str,
    checks: &Checks,
    effect: Effect,
    limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    if fits(raw, checks) {
        return Ok(Decoded { text: Cow::Borrowed(raw), repairs: Vec::new() });
    }
    read_and_coerce(raw, checks, effect, limits)
}

/// Whether the text is an object that fits as it is.
#[inline]
pub(crate) fn fits(raw: &str, checks: &Checks) -> bool {
    // A schema may admit more than objects; arguments are one.
    begins_object(raw) && checks.fits(raw)
}

fn begins_object(text: &str) -> bool {
    text.bytes().find(|byte| !matches!(byte, b' ' | b'\n' | b'\r' | b'\t')) == Some(b'{')
}

#[cold]
fn read_and_coerce<'a>(
    raw: &'a str,
    checks: &Checks,
    effect: Effect,
    limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    let options = ReadOptions { max_repair_bytes: limits.max_repair_bytes };
    let (mut node, rungs) = one_reading(raw, effect, &options)?;
    let mut repairs: Vec<Repair> = rungs.into_iter().map(|name| Repair::new(name, "")).collect();
    // As for a text that came clean: what fits is not coerced, nor is it judged as a value once more.
    if !repairs.is_empty()
        && let Some(text) = fitting_text(&node, checks, raw.len())
    {
        return Ok(Decoded { text: Cow::Owned(text), repairs });
    }
    let of_reading = repairs.len();
    repairs.extend(coerce::merge(&mut node, &Path::Root));
    let problems = oddities(&node);
    if !problems.is_empty() {
        return Err(ArgumentError::invalid(problems));
    }
    repairs.extend(coerce::coerce(&mut node, checks, &options));
    if repairs.len() > of_reading
        && let Some(text) = fitting_text(&node, checks, raw.len())
    {
        return Ok(Decoded { text: Cow::Owned(text), repairs });
    }
    // Once more, since a text that was read as a list or an object brings its own keys and numbers.
    let problems = oddities(&node);
    if !problems.is_empty() {
        return Err(ArgumentError::invalid(problems));
    }
    let problems = checks.problems(&node);
    if !problems.is_empty() {
        return Err(ArgumentError::invalid(problems));
    }
    let text = if repairs.is_empty() { Cow::Borrowed(raw) } else { Cow::Owned(written(&node, raw.len())) };
    Ok(Decoded { text, repairs })
}

/// The value as compact JSON, if it is seen at once that this fits. `None` does not say that it does not.
fn fitting_text(node: &Node, checks: &Checks, length: usize) -> Option<String> {
    let text = written(node, length);
    checks.fits(&text).then_some(text)
}

/// The value as compact JSON, which is mostly about as long as the text that it was read from, with a few quotes more.
fn written(node: &Node, length: usize) -> String {
    const A_FEW: usize = 32;
    let mut text = String::with_capacity(length + A_FEW);
    // Writing into a text does not fail.
    let _ = write!(text, "{node}");
    if text.len() < length / 2 {
        // It lives as long as the turn.
        text.shrink_to_fit();
    }
    text
}

/// A way to read a text that was cut off.
struct Ending {
    name: &'static str,
    /// For which calls.
    effect: Effect,
    read: fn(&mut Truncated) -> Option<Node>,
}

const ENDINGS: &[Ending] = &[Ending { name: "closed_at_end", effect: Effect::ReadOnly, read: closed_at_end }];

/// The object with all that is open closed, if the cut falls right after a value whose end is certain.
fn closed_at_end(truncated: &mut Truncated) -> Option<Node> {
    truncated.closable.take()
}

fn one_reading(
    raw: &str,
    effect: Effect,
    options: &ReadOptions,
) -> Result<(Node, Vec<&'static str>), ArgumentError> {
    match readings::read(raw, options) {
        Readings::One { node, rungs } => Ok((node, rungs)),
        Readings::None(reason) | Readings::Many(reason) => Err(ArgumentError::malformed(reason)),
        Readings::Truncated(mut truncated) => {
            for ending in ENDINGS.iter().filter(|ending| ending.effect == effect) {
                if let Some(node) = (ending.read)(&mut truncated) {
                    truncated.rungs.push(ending.name);
                    return Ok((node, truncated.rungs));
                }
            }
            Err(ArgumentError::truncated(truncated.complete, truncated.cut))
        }
    }
}

#[cfg(test)]
mod tests;
