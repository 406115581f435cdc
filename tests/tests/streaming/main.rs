//! Responses that come in events. The streams in `fixtures/streams` were composed for this project.

mod chat;
mod properties;
mod responses;
mod sse;

use serde_json::{Value, json};
use tool_runtime::provider::sse::Parser;
use tool_runtime::{
    AllowedCallers, Delta, ModelError, ModelResponse, Namespace, TextFormat, ToolError, ToolSet, ToolSpec,
};

/// The text of a stream.
macro_rules! stream {
    ($name:literal) => {
        include_str!(concat!("../../fixtures/streams/", $name, ".sse"))
    };
}
pub(crate) use stream;

/// The data of a stream's events.
fn events(stream: &str) -> Vec<String> {
    let mut parser = Parser::new();
    let mut events = parser.push(stream.as_bytes()).unwrap();
    events.extend(parser.finish().unwrap());
    events.into_iter().map(|event| event.data).collect()
}

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

/// Adds the text that an event brought.
fn add(said: &mut String, delta: Option<Delta>) {
    match delta {
        Some(Delta::Text(text)) => said.push_str(&text),
        Some(other) => panic!("{other:?}"),
        None => {}
    }
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
