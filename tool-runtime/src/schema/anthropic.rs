//! The schema as Anthropic takes it when it is not asked to enforce it.

use serde_json::Value;

use super::inline::written_out;
use super::one_object::one_object;
use super::recursion::containing_itself;
use super::wire::to_wire;

/// What `author` means, with one plain object at the root.
pub(super) fn to_anthropic(author: &Value) -> Value {
    let wire = to_wire(author);
    match &wire {
        Value::Object(root) => Value::Object(one_object(root, &wire)),
        _ => wire,
    }
}

/// The same for tools that programs may call: those take no schema that contains itself.
pub(super) fn to_anthropic_finite(author: &Value) -> Value {
    match containing_itself(author) {
        Some(_) => to_anthropic(&written_out(author)),
        None => to_anthropic(author),
    }
}
