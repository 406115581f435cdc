//! The formats of Anthropic and Gemini, both ways. The fixtures were composed for this project.

mod anthropic;
mod arbitrary;
mod gemini;

use serde_json::{Value, json};
use tool_runtime::provider::sse::Parser;
use tool_runtime::{
    AllowedCallers, CancellationToken, Delta, DispatchOptions, Events, GrammarSyntax, Item, ModelResponse,
    Namespace, TextFormat, ToolError, ToolResult, ToolSet, ToolSpec, WorkerAgentTool, dispatch,
};

/// The text of a fixture.
macro_rules! fixture {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/", $path))
    };
}
pub(crate) use fixture;

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The data of a stream's events.
fn events(stream: &str) -> Vec<String> {
    let mut parser = Parser::new();
    let mut events = parser.push(stream.as_bytes()).unwrap();
    events.extend(parser.finish().unwrap());
    events.into_iter().map(|event| event.data).collect()
}

/// Adds the text that an event brought.
fn add(said: &mut String, delta: Option<Delta>) {
    match delta {
        Some(Delta::Text(text)) => said.push_str(&text),
        Some(other) => panic!("{other:?}"),
        None => {}
    }
}

fn tool(spec: ToolSpec, properties: &Value) -> WorkerAgentTool {
    let required: Vec<&String> = properties.as_object().unwrap().keys().collect();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false
    });
    with_schema(spec, schema)
}

fn with_schema(spec: ToolSpec, schema: Value) -> WorkerAgentTool {
    spec.schema::<Value>(schema).execute(|arguments, _| async move { arguments.to_string() })
}

fn text_tool(spec: ToolSpec, format: TextFormat) -> WorkerAgentTool {
    spec.text(format).execute(|text, _| async move { Ok::<_, ToolError>(text) })
}

fn any_arguments(name: &'static str) -> WorkerAgentTool {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": true});
    with_schema(ToolSpec::new(name, "Echoes."), schema)
}

fn set(tools: Vec<WorkerAgentTool>) -> ToolSet {
    ToolSet::new(tools).unwrap()
}

fn read_file() -> WorkerAgentTool {
    let spec = ToolSpec::new("read_file", "Reads a text file.").strict(true);
    tool(spec, &json!({"path": {"type": "string", "minLength": 1}}))
}

const CRM: Namespace = Namespace::new("crm", "Customer records.");

/// One tool of each kind.
fn catalog() -> ToolSet {
    let nothing = json!({});
    let lark = TextFormat::Grammar { syntax: GrammarSyntax::Lark, definition: "start: \"x\"\n".into() };
    set(vec![
        read_file(),
        tool(ToolSpec::new("find", "Finds a customer.").namespace(CRM), &json!({"q": {"type": "string"}})),
        text_tool(ToolSpec::new("apply_patch", "Changes files."), lark),
        tool(
            ToolSpec::new("delete", "Deletes a customer.").namespace(CRM).defer_loading(true),
            &json!({"id": {"type": "integer", "exclusiveMinimum": 0}}),
        ),
        tool(ToolSpec::new("stock", "Counts.").allowed_callers(AllowedCallers::Programmatic), &nothing),
        tool(
            ToolSpec::new("price", "Tells a price.")
                .allowed_callers(AllowedCallers::Any)
                .output_schema(json!({"type": "object"})),
            &nothing,
        ),
        text_tool(ToolSpec::new("sql", "Runs a query.").namespace(CRM), TextFormat::Any),
    ])
}

/// Answers the calls of a response and gives the conversation that follows.
async fn answer(set: &ToolSet, mut response: ModelResponse) -> (Vec<Item>, Vec<ToolResult>) {
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
