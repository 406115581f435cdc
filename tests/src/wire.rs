//! Small parts that the tests of all formats need: JSON, events, tools, the answers of a turn.

use serde_json::{Value, json};
use tool_runtime::provider::sse::Parser;
use tool_runtime::{
    CancellationToken, Delta, DispatchOptions, Events, Item, ModelError, ModelErrorKind, ModelResponse,
    TextFormat, ToolError, ToolResult, ToolSet, ToolSpec, WorkerAgentTool, dispatch,
};

/// The JSON of a text.
#[must_use]
pub fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The data of a stream's events.
#[must_use]
pub fn events(stream: &str) -> Vec<String> {
    let mut parser = Parser::new();
    let mut events = parser.push(stream.as_bytes()).unwrap();
    events.extend(parser.finish().unwrap());
    events.into_iter().map(|event| event.data).collect()
}

/// What an answer that cannot be read is refused with.
#[must_use]
pub fn refused(read: Result<ModelResponse, ModelError>) -> String {
    let error = read.unwrap_err();
    assert_eq!(error.kind, ModelErrorKind::Response, "{error}");
    error.to_string()
}

/// What only the provider of a format understands.
#[must_use]
pub fn opaque<'a>(format: &str, item: &'a Item) -> Option<&'a Value> {
    match item {
        Item::Opaque(native) => native.of_format(format),
        _ => None,
    }
}

/// Adds the text that an event brought.
pub fn add(said: &mut String, delta: Option<Delta>) {
    match delta {
        Some(Delta::Text(text)) => said.push_str(&text),
        Some(other) => panic!("{other:?}"),
        None => {}
    }
}

/// A tool with these properties, all of them required. It gives its arguments back.
pub fn tool(spec: ToolSpec, properties: &Value) -> WorkerAgentTool {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    });
    with_schema(spec, schema)
}

/// A tool with this schema. It gives its arguments back.
pub fn with_schema(spec: ToolSpec, schema: Value) -> WorkerAgentTool {
    spec.schema::<Value>(schema).execute(|arguments, _| async move { arguments.to_string() })
}

/// A tool that takes any object, and gives it back.
pub fn any_arguments(name: &'static str) -> WorkerAgentTool {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": true});
    with_schema(ToolSpec::new(name, "Echoes."), schema)
}

/// A free-text tool that gives its text back.
pub fn text_tool(spec: ToolSpec, format: TextFormat) -> WorkerAgentTool {
    spec.text(format).execute(|text, _| async move { Ok::<_, ToolError>(text) })
}

/// Answers the calls of a response and gives the conversation that follows.
pub async fn answer(set: &ToolSet, mut response: ModelResponse) -> (Vec<Item>, Vec<ToolResult>) {
    let calls = response.calls().cloned().collect();
    let cancel = CancellationToken::new();
    let results = dispatch(set, calls, &DispatchOptions::new(), &Events::none(), &cancel).await;
    let asked = response.items.iter_mut().filter_map(|item| match item {
        Item::Call(item) => Some(item),
        _ => None,
    });
    asked.zip(&results).for_each(|(item, result)| item.settle(result));
    let answers = results.iter().map(Item::result);
    (response.items.into_iter().chain(answers).collect(), results)
}
