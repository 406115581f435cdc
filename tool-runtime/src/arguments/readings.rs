//! What a text can be read as: nothing, exactly one value, several, or the beginning of one.
//!
//! A text that is JSON is data and stays as it is. Any other text climbs the [`ladder`]; a repair counts only if it leaves
//! exactly one reading, and is reported by name.

use crate::json::Node;

use super::ladder::{self, Climber};

/// What came of a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Readings {
    /// No object can be read from it; why, as a clause for the model.
    None(String),
    /// Exactly one.
    One {
        node: Node,
        /// The repairs that were needed, by name, in the order of the text and each once. Empty for clean JSON.
        rungs: Vec<&'static str>,
    },
    /// More than one; why, as a clause for the model.
    Many(String),
    /// All of it reads as the beginning of an object, which goes on.
    Truncated(Truncated),
}

/// What arrived of an object that was cut off.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Truncated {
    /// The object with its open lists and objects closed, if the cut falls right after a complete text, `true`, `false`,
    /// `null`, list or object. For tools that only read.
    pub(crate) closable: Option<Node>,
    /// The top-level keys whose values arrived whole, in order.
    pub(crate) complete: Vec<String>,
    /// What was cut and how much of it arrived, such as "`content` (23 characters arrived)".
    pub(crate) cut: Option<String>,
    /// The repairs that the part before the cut needed.
    pub(crate) rungs: Vec<&'static str>,
}

/// How far a reading may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadOptions {
    /// Bytes of the longest text that is repaired; a longer one must be JSON as it stands.
    pub(crate) max_repair_bytes: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { max_repair_bytes: 256 * 1024 }
    }
}

/// Which kind of value a text within the arguments is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    List,
    Object,
}

/// Reads the arguments of a call. Takes time linear in the length of `text`.
pub(crate) fn read(text: &str, options: &ReadOptions) -> Readings {
    match Node::parse(text) {
        Ok(node @ Node::Object(_)) => Readings::One { node, rungs: Vec::new() },
        whole => ladder::climb(&Climber { text, whole, options }),
    }
}

/// Reads a text that stands where the schema wants a list or an object. All of it must be that value, but for fences, tags
/// and brackets too many around it; prose is not taken off here, since the text is itself data.
pub(crate) fn read_nested(text: &str, container: Container, options: &ReadOptions) -> Readings {
    let opener = match container {
        Container::List => '[',
        Container::Object => '{',
    };
    if !text.contains(opener) {
        return Readings::None(format!("no `{opener}` stands in it"));
    }
    match Node::parse(text) {
        Ok(node) if text.trim_start().starts_with(opener) => Readings::One { node, rungs: Vec::new() },
        Ok(node) => Readings::None(format!("it is {}", node.kind())),
        Err(_) if text.len() > options.max_repair_bytes => Readings::None(ladder::too_long(options)),
        Err(_) => ladder::wrapped(text, opener),
    }
}

#[cfg(test)]
mod tests;
