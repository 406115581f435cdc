//! The coercions, one row each. A row knows nothing of the others, and none changes a value into another one: it only
//! reads what stands there in the way that the schema says it is meant.

use super::readings::{self, Container, ReadOptions, Readings};
use crate::check::{Decimal, Types, is_loose_integer, merge_repeats};
use crate::json::Node;

/// One way to make a value fit that does not.
pub(super) struct Coercion {
    /// How it is named in what is reported.
    pub(super) name: &'static str,
    pub(super) step: Step,
}

/// Where a coercion applies.
pub(super) enum Step {
    /// To a value as it was written, before it is looked at with the schema: the places that were changed.
    Whole(fn(&mut Node) -> Vec<String>),
    /// To a value of a kind that cannot fit: the value that is meant.
    Value(fn(&Value<'_>) -> Option<Read>),
    /// To a member that is declared, optional and does not fit: whether it says that nothing is there.
    Member(fn(&Member<'_>) -> bool),
    /// To an object that does not fit: the one value that it wraps.
    Object(for<'a> fn(&Object<'a>) -> Option<&'a Node>),
}

/// A value that does not fit.
pub(super) struct Value<'a> {
    pub(super) node: &'a Node,
    /// The kinds that can fit.
    pub(super) accepts: Types,
    /// How many levels of lists and objects fit in here.
    pub(super) room: usize,
    pub(super) options: &'a ReadOptions,
}

/// What a value was read as, and the repairs that its text needed.
pub(super) struct Read {
    pub(super) node: Node,
    pub(super) rungs: Vec<&'static str>,
}

/// A member that is declared and optional.
pub(super) struct Member<'a> {
    pub(super) value: &'a Node,
    /// The kinds that can fit.
    pub(super) accepts: Types,
    /// Whether the value fits as it is.
    pub(super) fits: bool,
}

/// An object that does not fit.
pub(super) struct Object<'a> {
    pub(super) members: &'a [(String, Node)],
    /// Whether the schema names the key.
    pub(super) declares: &'a dyn Fn(&str) -> bool,
}

/// Tried in this order.
pub(super) const COERCIONS: &[Coercion] = &[
    Coercion { name: "repeat_merged", step: Step::Whole(merge_repeats) },
    Coercion { name: "list_from_text", step: Step::Value(list_from_text) },
    Coercion { name: "object_from_text", step: Step::Value(object_from_text) },
    Coercion { name: "number_from_text", step: Step::Value(number_from_text) },
    Coercion { name: "boolean_from_text", step: Step::Value(boolean_from_text) },
    Coercion { name: "integer_from_whole_float", step: Step::Value(integer_from_whole_float) },
    Coercion { name: "null_left_out", step: Step::Member(null_left_out) },
    Coercion { name: "empty_text_left_out", step: Step::Member(empty_text_left_out) },
    Coercion { name: "wrapper_taken_off", step: Step::Object(wrapper_taken_off) },
];

/// Keys under which models put all arguments once more: the fields in which the formats of calls hold them, and the one in
/// which a schema holds its properties.
const WRAPPERS: &[&str] =
    &["arguments", "parameters", "input", "properties", "args", "params", "kwargs", "tool_input"];

/// The text, where only something else than a text fits.
fn text_for<'a>(value: &Value<'a>, wanted: Types) -> Option<&'a str> {
    match value.node {
        Node::String(text) if !value.accepts.meets(Types::STRING) && value.accepts.meets(wanted) => {
            Some(text)
        }
        _ => None,
    }
}

fn list_from_text(value: &Value<'_>) -> Option<Read> {
    nested(value, text_for(value, Types::ARRAY)?, Container::List)
}

fn object_from_text(value: &Value<'_>) -> Option<Read> {
    nested(value, text_for(value, Types::OBJECT)?, Container::Object)
}

fn nested(value: &Value<'_>, text: &str, container: Container) -> Option<Read> {
    match readings::read_nested(text, container, value.options) {
        Readings::One { node, rungs } if levels(&node) <= value.room => Some(Read { node, rungs }),
        _ => None,
    }
}

/// How deep its lists and objects nest.
fn levels(node: &Node) -> usize {
    match node {
        Node::Array(items) => 1 + items.iter().map(levels).max().unwrap_or_default(),
        Node::Object(members) => 1 + members.iter().map(|(_, value)| levels(value)).max().unwrap_or_default(),
        _ => 0,
    }
}

/// A text that is spelled exactly as a JSON number.
fn number_from_text(value: &Value<'_>) -> Option<Read> {
    let text = text_for(value, Types::NUMBER)?;
    let node = Node::parse(text).ok()?;
    let Node::Number(spelling) = &node else { return None };
    let is_exact = spelling.len() == text.len();
    let kind = if Decimal::parse(spelling).is_whole() { Types::INTEGER } else { Types::FRACTION };
    (is_exact && value.accepts.meets(kind)).then_some(Read { node, rungs: Vec::new() })
}

fn boolean_from_text(value: &Value<'_>) -> Option<Read> {
    let node = match text_for(value, Types::BOOLEAN)? {
        "true" => Node::Bool(true),
        "false" => Node::Bool(false),
        _ => return None,
    };
    Some(Read { node, rungs: Vec::new() })
}

/// `40.0` and `4e1` are the integer 40; serde would refuse them for one.
fn integer_from_whole_float(value: &Value<'_>) -> Option<Read> {
    match value.node {
        Node::Number(spelling) if value.accepts.is_integral() && is_loose_integer(spelling) => {
            let integer = Decimal::parse(spelling).to_integer()?;
            Some(Read { node: Node::Number(integer), rungs: Vec::new() })
        }
        _ => None,
    }
}

fn null_left_out(member: &Member<'_>) -> bool {
    matches!(member.value, Node::Null) && !member.fits
}

fn empty_text_left_out(member: &Member<'_>) -> bool {
    matches!(member.value, Node::String(text) if text.is_empty()) && !member.accepts.meets(Types::STRING)
}

fn wrapper_taken_off<'a>(object: &Object<'a>) -> Option<&'a Node> {
    match object.members {
        [(key, inner)] if WRAPPERS.contains(&key.as_str()) && !(object.declares)(key) => Some(inner),
        _ => None,
    }
}
