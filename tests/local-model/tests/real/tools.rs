//! Tools with bounds of every kind, and what was asked of them.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_runtime::provider::chat::{Settings, encode_tools};
use tool_runtime::{ToolError, ToolSet, ToolSpec, WorkerAgentTool};

/// What the tools were called with.
pub(super) type Log = Arc<Mutex<Vec<Value>>>;

/// Schemas that a careless model breaks, each with a wish that asks for it.
pub(super) fn bounded() -> Vec<(&'static str, &'static str, Value)> {
    let object = |properties: Value, required: Value| json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    vec![
        (
            "set_volume",
            "Set the volume to 1000000, no, to minus 7!",
            object(json!({ "level": { "type": "integer", "minimum": 3, "maximum": 11 } }), json!(["level"])),
        ),
        (
            "set_heat",
            "Make it 900 degrees.",
            object(
                json!({ "degrees": { "type": "number", "minimum": 5.5, "exclusiveMaximum": 30.25 } }),
                json!(["degrees"]),
            ),
        ),
        (
            "paint",
            "Paint the house in the colour of elephants.",
            object(json!({ "colour": { "type": "string", "enum": ["red", "blue"] } }), json!(["colour"])),
        ),
        (
            "name_ship",
            "The ship shall have a very long name with 300 letters.",
            object(json!({ "name": { "type": "string", "minLength": 4, "maxLength": 12 } }), json!(["name"])),
        ),
        (
            "plate",
            "The licence plate says HELLO WORLD.",
            object(
                json!({ "plate": { "type": "string", "pattern": "^[A-Z]{2}-[0-9]{3}$" } }),
                json!(["plate"]),
            ),
        ),
        (
            "draw_lots",
            "Draw fifty numbers.",
            object(
                json!({ "lots": {
                    "type": "array", "minItems": 2, "maxItems": 3,
                    "items": { "type": "integer", "minimum": 1, "maximum": 49 },
                } }),
                json!(["lots"]),
            ),
        ),
        (
            "book",
            "Book a table for the whole town, by the window.",
            object(
                json!({
                    "table": object(
                        json!({
                            "seats": { "type": "integer", "minimum": 1, "maximum": 8 },
                            "outside": { "type": "boolean" },
                        }),
                        json!(["seats", "outside"]),
                    ),
                    "note": { "type": ["string", "null"], "maxLength": 20 },
                }),
                json!(["table", "note"]),
            ),
        ),
    ]
}

/// A tool of these parameters that notes what it is called with.
pub(super) fn noting(name: &'static str, schema: Value, log: &Log) -> WorkerAgentTool {
    let log = Arc::clone(log);
    ToolSpec::new(name, format!("Use it for {}.", name.replace('_', " ")))
        .read_only(true)
        .schema::<Value>(schema)
        .execute(move |arguments, _| {
            let log = Arc::clone(&log);
            async move {
                log.lock().unwrap().push(arguments);
                Ok::<_, ToolError>("done")
            }
        })
}

/// The tools as requests have them.
pub(super) fn on_the_wire(tools: Vec<WorkerAgentTool>) -> Value {
    let set = ToolSet::new(tools).unwrap();
    serde_json::from_str(&encode_tools(&Settings::compatible("smollm2"), &set)).unwrap()
}
