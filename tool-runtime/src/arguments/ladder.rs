//! Text that is no JSON object, to readings: rungs tried in order, the first that knows the text decides.

mod around;
mod copies;
mod embedded;

use crate::json::{JsonError, JsonFault, Node};

use super::{
    lenient,
    readings::{ReadOptions, Readings, Truncated},
};

/// A text on its way up.
pub(super) struct Climber<'t> {
    pub(super) text: &'t str,
    /// What strict JSON makes of it.
    pub(super) whole: Result<Node, JsonError>,
    pub(super) options: &'t ReadOptions,
}

/// One way to read a text that is not an object as it stands.
struct Rung {
    /// Reported when the rung gives a reading; `None` if the rung reports what it did itself.
    name: Option<&'static str>,
    /// `None` if the text is not of the kind that the rung knows.
    read: fn(&Climber<'_>) -> Option<Readings>,
}

/// Tried in order. A rung never picks between readings.
const LADDER: &[Rung] = &[
    Rung { name: Some("no_text"), read: no_text },
    Rung { name: Some("null_text"), read: null_text },
    Rung { name: Some("decoded_twice"), read: decoded_twice },
    Rung { name: None, read: other_json },
    Rung { name: None, read: embedded::object_in_text },
];

pub(super) fn climb(climber: &Climber<'_>) -> Readings {
    for rung in LADDER {
        match (rung.name, (rung.read)(climber)) {
            (_, None) => {}
            (Some(name), Some(Readings::One { node, mut rungs })) => {
                rungs.insert(0, name);
                return Readings::One { node, rungs };
            }
            (_, Some(readings)) => return readings,
        }
    }
    Readings::None("there is no JSON object in it".to_owned())
}

pub(super) use embedded::wrapped;

/// Why a long text is not repaired.
pub(super) fn too_long(options: &ReadOptions) -> String {
    format!(
        "it is not JSON, and longer than the {} bytes up to which a text is repaired",
        options.max_repair_bytes
    )
}

/// Nothing or only white space: no arguments.
fn no_text(climber: &Climber<'_>) -> Option<Readings> {
    lenient::is_blank(climber.text).then(no_arguments)
}

/// `null`: no arguments.
fn null_text(climber: &Climber<'_>) -> Option<Readings> {
    matches!(climber.whole, Ok(Node::Null)).then(no_arguments)
}

fn no_arguments() -> Readings {
    Readings::One { node: Node::Object(Vec::new()), rungs: Vec::new() }
}

/// The object encoded as a JSON string once too often, with real line breaks in that string or not.
fn decoded_twice(climber: &Climber<'_>) -> Option<Readings> {
    let (inner, mut used) = match &climber.whole {
        Ok(Node::String(inner)) => (inner.clone(), Vec::new()),
        Err(JsonError { fault: JsonFault::Ended, .. }) if begins_encoded(climber.text) => {
            let cut = Some("the text in which the object is encoded".to_owned());
            return Some(Readings::Truncated(Truncated { cut, ..Truncated::default() }));
        }
        Err(_) if climber.text.len() <= climber.options.max_repair_bytes => {
            lenient::whole_string(climber.text)?
        }
        _ => return None,
    };
    if !inner.trim_start().starts_with('{') {
        return None;
    }
    let readings = match Node::parse(&inner) {
        Ok(node) => Readings::One { node, rungs: Vec::new() },
        whole => embedded::object_in_text(&Climber { text: &inner, whole, options: climber.options })?,
    };
    let Readings::One { node, rungs } = readings else { return Some(readings) };
    for rung in rungs {
        if !used.contains(&rung) {
            used.push(rung);
        }
    }
    Some(Readings::One { node, rungs: used })
}

/// Whether it is a string that begins like an encoded object.
fn begins_encoded(text: &str) -> bool {
    let inner = text.trim_start().strip_prefix('"');
    inner.is_some_and(|inner| inner.trim_start().starts_with('{'))
}

/// A list or a scalar is what it is; no object is looked for inside.
fn other_json(climber: &Climber<'_>) -> Option<Readings> {
    let node = climber.whole.as_ref().ok()?;
    Some(Readings::None(format!("it is {}, and the arguments of a call are one JSON object", node.kind())))
}
