//! Whole turns with a real model. What it says is not known beforehand, so the tests are about what must hold whatever it
//! says. `tests/local-model/run` runs them all; without a model they say so and pass.

mod answers;
mod programs;
mod refusals;
mod tools;
mod turns;

use std::io::Write;
use std::path::PathBuf;
use std::sync::OnceLock;

use local_model::generate::Engine;
use local_model::server::serve;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tool_runtime::http::{HttpModel, HttpModelBuilder};
use tool_runtime::provider::chat::Settings;

/// A server in this process.
struct Local {
    engine: Engine,
    address: String,
}

impl Local {
    /// The one that most tests share; `None` where there is no model.
    fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<Option<Local>> = OnceLock::new();
        SHARED.get_or_init(Self::start).as_ref()
    }

    /// One more, for a test that looks at what its model does.
    fn start() -> Option<Self> {
        let engine = Engine::load(&variable("LOCAL_MODEL")?).unwrap();
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let of_server = engine.clone();
        // Tests have a runtime each, and the server outlives them.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            runtime
                .unwrap()
                .block_on(async { serve(TcpListener::from_std(listener).unwrap(), of_server).await })
        });
        Some(Self { engine, address })
    }

    fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The client of the runtime, as for any such server.
    fn client(&self, streamed: bool) -> HttpModelBuilder {
        let settings = Settings::compatible("smollm2");
        HttpModel::chat(if streamed { settings.streamed() } else { settings })
            .base_url(self.base_url())
            .without_proxy()
    }

    /// Sends a body; gives the status, and what came back.
    async fn post(&self, body: String) -> (u16, String) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("{}/chat/completions", self.base_url());
        let response =
            client.post(url).header("content-type", "application/json").body(body).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Asks for a whole answer.
    async fn ask(&self, body: Value) -> Value {
        let (status, text) = self.post(body.to_string()).await;
        assert_eq!(status, 200, "{body}: {text}");
        serde_json::from_str(&text).unwrap()
    }
}

/// A path in a variable of the environment. Without it a test is left out, which is said.
fn variable(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(name).map(PathBuf::from);
    if path.is_none() {
        assert!(std::env::var_os("LOCAL_MODEL_REQUIRED").is_none(), "`{name}` is not set");
        // Past the capture of tests, so that it is seen.
        let _ =
            writeln!(std::io::stderr(), "left out: `{name}` is not set; `tests/local-model/run` sets all");
    }
    path
}

/// A request that says `text`, with these tools.
fn saying(text: &str, tools: Value, choice: Value) -> Value {
    let mut body = json!({ "model": "smollm2", "messages": [{ "role": "user", "content": text }] });
    if tools != json!([]) {
        body["tools"] = tools;
        body["tool_choice"] = choice;
    }
    body
}

/// A tool that takes a text of at least 2,000 characters, so that a call of it takes the model longer than any test.
fn endless() -> Value {
    json!({ "type": "function", "function": {
        "name": "write_book",
        "description": "Writes a book.",
        "parameters": {
            "type": "object",
            "properties": { "text": { "type": "string", "minLength": 2000 } },
            "required": ["text"],
            "additionalProperties": false,
        },
    } })
}
