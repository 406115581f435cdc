//! When two JSON values are the same value.

use std::fmt::Write;

use serde_json::Value;

use super::number::Decimal;
use crate::json::Node;

/// One text for each value, whatever the order of its keys and the spelling of its numbers.
pub(crate) fn canonical(node: &Node) -> String {
    let mut out = String::new();
    write_canonical(node, &mut out);
    out
}

/// A value of a schema as a node.
pub(super) fn node_of(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => Node::Number(number.to_string()),
        Value::String(text) => Node::String(text.clone()),
        Value::Array(items) => Node::Array(items.iter().map(node_of).collect()),
        Value::Object(members) => {
            Node::Object(members.iter().map(|(key, value)| (key.clone(), node_of(value))).collect())
        }
    }
}

fn write_canonical(node: &Node, out: &mut String) {
    match node {
        Node::Number(spelling) => out.push_str(&Decimal::parse(spelling).canonical()),
        Node::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Node::Object(members) => {
            let mut members: Vec<&(String, Node)> = members.iter().collect();
            members.sort_by(|left, right| left.0.cmp(&right.0));
            out.push('{');
            for (key, value) in members {
                // The debug form of a text is quoted and escaped, so no text can look like structure.
                let _ = write!(out, "{key:?}:");
                write_canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Node::String(text) => {
            let _ = write!(out, "{text:?}");
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}
