//! Clients against a server on loopback that misbehaves on purpose. The format is that of Responses unless a test is about
//! another one.

mod refusals;
mod requests;
mod secrets;
mod sizes;
mod streams;
mod times;
mod tls;
mod turns;

use std::sync::Mutex;

use serde_json::{Value, json};
use tests::loopback::Server;
use tool_runtime::http::{HttpModel, HttpModelBuilder};
use tool_runtime::provider::responses::Settings;
use tool_runtime::{Delta, Item, Model, ModelError, ModelRequest, ModelResponse, ToolSet};

/// A client that asks for whole answers.
fn client(server: &Server) -> HttpModelBuilder {
    HttpModel::responses(Settings::new("m")).base_url(server.url()).without_proxy()
}

/// A client that asks for streams.
fn streaming(server: &Server) -> HttpModelBuilder {
    HttpModel::responses(Settings::new("m").streamed()).base_url(server.url()).without_proxy()
}

/// What a client says to one question, and the pieces of text that it showed.
async fn ask_watched(client: HttpModelBuilder) -> (Result<ModelResponse, ModelError>, Vec<String>) {
    let model = client.build().unwrap();
    let set = ToolSet::new(Vec::new()).unwrap();
    let shown = Mutex::new(Vec::new());
    let on_delta = |delta: Delta| {
        let Delta::Text(text) = delta else { panic!("not a text: {delta:?}") };
        shown.lock().unwrap().push(text);
    };
    let answer = model.respond(ModelRequest::new(&set, &[Item::user("hi")]), &on_delta).await;
    (answer, shown.into_inner().unwrap())
}

async fn ask(client: HttpModelBuilder) -> Result<ModelResponse, ModelError> {
    ask_watched(client).await.0
}

async fn error_of(client: HttpModelBuilder) -> ModelError {
    ask(client).await.unwrap_err()
}

/// A response object that says `text`.
fn saying(text: &str) -> Value {
    let content = json!([{ "type": "output_text", "text": text }]);
    let message = json!({ "type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content });
    json!({ "id": "r1", "status": "completed", "output": [message] })
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
}

/// A piece of text, as an event.
fn text_event(text: &str) -> String {
    event(
        &json!({ "type": "response.output_text.delta", "output_index": 0, "item_id": "m1", "content_index": 0, "delta": text }),
    )
}

/// The event that ends a response.
fn end_event(text: &str) -> String {
    event(&json!({ "type": "response.completed", "response": saying(text) }))
}
