//! From the text that a model wrote to arguments that fit.
//!
//! Two stages, kept apart: [`readings`] makes of a text no object, exactly one, or several; what follows works on that one
//! object and its schema. A text that has two readings is never run.

#[allow(dead_code, reason = "the second stage, which uses the readings, is not there yet")]
mod ladder;
#[allow(dead_code, reason = "the second stage, which uses the readings, is not there yet")]
mod lenient;
#[allow(dead_code, reason = "the second stage, which uses the readings, is not there yet")]
pub(crate) mod readings;

use std::borrow::Cow;

use serde_json::Value;

use crate::call::Repair;
use crate::check::Checks;
use crate::error::ArgumentError;

/// Whether a tool changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It does not.
    ReadOnly,
    /// It may.
    Writes,
}

/// Limits on what is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// bytes
    pub max_repaired: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_repaired: 256 * 1024 }
    }
}

/// What came of an arguments text.
#[derive(Debug)]
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    pub repairs: Vec<Repair>,
}

pub(crate) fn decode<'a>(
    raw: &'a str,
    _schema: &Value,
    _checks: &Checks,
    _effect: Effect,
    _limits: &Limits,
) -> Result<Decoded<'a>, ArgumentError> {
    let raw = if raw.trim().is_empty() { "{}" } else { raw };
    Ok(Decoded { text: Cow::Borrowed(raw), repairs: Vec::new() })
}
