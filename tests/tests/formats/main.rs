//! The formats of Anthropic and Gemini, both ways. The fixtures were composed for this project.

mod anthropic;
mod gemini;
mod names;

use serde_json::json;
use tests::wire::{text_tool, tool};
use tool_runtime::{
    AllowedCallers, GrammarSyntax, Namespace, TextFormat, ToolSet, ToolSpec, WorkerAgentTool,
};

/// The text of a fixture.
macro_rules! fixture {
    ($path:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/", $path))
    };
}
pub(crate) use fixture;

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
