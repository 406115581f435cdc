//! Responses that come in events. The streams in `fixtures/streams` were composed for this project.

mod chat;
mod properties;
mod responses;
mod sse;

use serde_json::{Value, json};
use tests::wire::add;
use tool_runtime::{
    AllowedCallers, ModelError, ModelResponse, Namespace, TextFormat, ToolError, ToolSet, ToolSpec,
};

/// The text of a stream.
macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/streams/", $name, ".sse"))
    };
}
pub(crate) use stream;

fn catalog() -> ToolSet {
    const CRM: Namespace = Namespace::new("crm", "Customer records.");
    let tool =
        |spec: ToolSpec| spec.schema::<Value>(json!({"type": "object"})).execute(|_, _| async { "done" });
    let sql = ToolSpec::new("sql", "Runs a query.").namespace(CRM).text(TextFormat::Any);
    ToolSet::new(vec![
        tool(ToolSpec::new("read", "Reads.")),
        tool(ToolSpec::new("list", "Lists.")),
        tool(ToolSpec::new("search", "Searches.")),
        tool(ToolSpec::new("find", "Finds a customer.").namespace(CRM)),
        tool(ToolSpec::new("stock", "Counts.").allowed_callers(AllowedCallers::Programmatic)),
        sql.execute(|text, _| async move { Ok::<_, ToolError>(text) }),
    ])
    .unwrap()
}

/// What comes of a stream in the Responses format, and the text that was given on the way.
fn responses<S: AsRef<str>>(events: &[S]) -> Result<(ModelResponse, String), ModelError> {
    let mut decoder = tool_runtime::provider::responses::StreamDecoder::new();
    let mut said = String::new();
    for event in events {
        add(&mut said, decoder.event(event.as_ref())?);
    }
    Ok((decoder.finish()?, said))
}

/// What comes of a stream in the Chat format, and the text that was given on the way.
fn chat<S: AsRef<str>>(events: &[S]) -> Result<(ModelResponse, String), ModelError> {
    let set = catalog();
    let mut decoder = tool_runtime::provider::chat::StreamDecoder::new(&set);
    let mut said = String::new();
    for event in events {
        add(&mut said, decoder.event(event.as_ref())?);
    }
    Ok((decoder.finish()?, said))
}
