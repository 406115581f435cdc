//! The Responses format, both ways. The fixtures were composed for this project.

mod decode;
mod input;
mod properties;
mod recording;
mod request;
mod tools;

use serde_json::json;
use tests::wire::{text_tool, tool};
use tool_runtime::{
    AllowedCallers, GrammarSyntax, Namespace, TextFormat, ToolSet, ToolSpec, WorkerAgentTool,
};

/// The text of a fixture.
macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/responses/", $name, ".json"))
    };
}
pub(crate) use fixture;

fn read_file() -> WorkerAgentTool {
    let spec = ToolSpec::new("read_file", "Reads a text file.").strict(true);
    tool(spec, &json!({"path": {"type": "string"}}))
}

const CRM: Namespace = Namespace::new("crm", "Customer \"records\".");

fn grammar(syntax: GrammarSyntax, definition: &'static str) -> TextFormat {
    TextFormat::Grammar { syntax, definition: definition.into() }
}

/// One tool of each kind, those of the namespace apart from each other.
fn catalog() -> ToolSet {
    let nothing = json!({});
    let stock = ToolSpec::new("stock", "Counts the stock.")
        .output_schema(json!({"type": "object", "properties": {"count": {"type": "integer"}}}))
        .allowed_callers(AllowedCallers::Programmatic);
    ToolSet::new(vec![
        read_file(),
        tool(ToolSpec::new("find", "Finds a customer.").namespace(CRM), &json!({"q": {"type": "string"}})),
        text_tool(
            ToolSpec::new("apply_patch", "Changes files."),
            grammar(GrammarSyntax::Lark, "start: \"x\"\n"),
        ),
        tool(
            ToolSpec::new("delete", "Deletes a customer.").namespace(CRM).defer_loading(true),
            &json!({"id": {"type": "integer"}}),
        ),
        text_tool(
            ToolSpec::new("cron", "Sets the timer.").defer_loading(true),
            grammar(GrammarSyntax::Regex, "^\\d+$"),
        ),
        tool(stock, &nothing),
        tool(ToolSpec::new("price", "Tells a price.").allowed_callers(AllowedCallers::Any), &nothing),
        text_tool(ToolSpec::new("sql", "Runs a query.").namespace(CRM), TextFormat::Any),
        tool(ToolSpec::new("get_weather", "Tells the weather.").defer_loading(true), &nothing),
    ])
    .unwrap()
}
