//! The schema as OpenAI takes it when it is not asked to enforce it.

use serde_json::Value;

use super::anthropic::to_anthropic;
use super::description;
use super::words::code;

/// What else may not stand at the root.
const REFUSED: [&str; 3] = ["enum", "const", "not"];

/// What `author` means, with one plain object at the root, and in words what only another root could say.
pub(super) fn to_openai(author: &Value) -> Value {
    let mut wire = to_anthropic(author);
    if let Value::Object(root) = &mut wire {
        for keyword in REFUSED {
            if let Some(value) = root.remove(keyword) {
                description::append(root, &format!("The whole has to fit `{keyword}`: {}.", code(&value)));
            }
        }
    }
    wire
}
