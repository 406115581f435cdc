//! The same turn through every format, streamed and not, against servers that refuse what their provider would refuse: two
//! calls at once of which one fails, a call that builds on the first, a text.

mod anthropic;
mod chat;
mod gemini;
mod responses;

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::loopback::{Answer, Request, Server, events, json as json_answer, whole};
use tool_runtime::http::{ApiKey, HttpModelBuilder};
use tool_runtime::{
    Agent, CancellationToken, Ending, EventKind, Namespace, Outcome, ToolError, event_channel, tools,
    worker_tool,
};

/// A format, and the server of a provider that speaks it. One row a format.
struct Format {
    client: fn(Streamed) -> HttpModelBuilder,
    /// Where requests go, and the header that holds the key.
    target: fn(Streamed) -> &'static str,
    key: (&'static str, &'static str),
    /// Everything in a request that the provider would refuse.
    complaints: fn(&Request, Streamed) -> Vec<String>,
    /// The results in a request: the id of the call and the text, in order.
    results: fn(&Value) -> Vec<(String, String)>,
    /// A response of these calls (id, namespace, name, arguments), or of a text.
    response: fn(Response) -> Value,
    /// The same, in events.
    events: fn(Response) -> Vec<String>,
}

const FORMATS: [(&str, Format); 4] = [
    ("responses", responses::FORMAT),
    ("chat", chat::FORMAT),
    ("anthropic", anthropic::FORMAT),
    ("gemini", gemini::FORMAT),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Streamed {
    Yes,
    No,
}

/// What the model answers.
#[derive(Clone, Copy)]
enum Response {
    Calls(&'static [Call]),
    Text(&'static [&'static str]),
}

struct Call {
    id: &'static str,
    namespace: Option<&'static str>,
    name: &'static str,
    arguments: &'static str,
}

const KEY: &str = "sk-test-0123456789";

const SCRIPT: [Response; 3] = [
    Response::Calls(&[
        Call {
            id: "call_1",
            namespace: Some("weather"),
            name: "temperature",
            arguments: r#"{"city":"Oslo"}"#,
        },
        Call {
            id: "call_2",
            namespace: Some("weather"),
            name: "temperature",
            arguments: r#"{"city":"Atlantis"}"#,
        },
    ]),
    Response::Calls(&[Call {
        id: "call_3",
        namespace: None,
        name: "to_fahrenheit",
        arguments: r#"{"celsius": 7.5}"#,
    }]),
    Response::Text(&["Oslo has 7.5 °C, ", "which is 45.5 °F."]),
];

const WEATHER: Namespace = Namespace::new("weather", "Weather of cities.");

/// Tells the temperature of a city, in degrees Celsius.
#[worker_tool(read_only, parallel, strict, namespace = WEATHER)]
async fn temperature(
    /// The city.
    #[param]
    city: String,
) -> Result<String, ToolError> {
    match city.as_str() {
        "Oslo" => Ok("7.5".to_owned()),
        _ => Err(ToolError::new("no city of this name")),
    }
}

/// Turns degrees Celsius into degrees Fahrenheit.
#[worker_tool(read_only, parallel)]
async fn to_fahrenheit(
    /// The temperature.
    #[param]
    celsius: f64,
) -> String {
    (celsius * 1.8 + 32.0).to_string()
}

/// Runs the turn. What the server had to complain about comes with it.
async fn run(format: &'static Format, streamed: Streamed) -> (Outcome, Vec<String>, Vec<Request>) {
    let complaints: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&complaints);
    let mut round = 0;
    let mut server = Server::start(move |request| {
        let found = complaints_of(format, request, streamed);
        if !found.is_empty() {
            let refusal =
                json!({ "error": { "message": found.join("; "), "type": "invalid_request_error" } });
            noted.lock().unwrap().extend(found);
            return whole("400 Bad Request", &[("content-type", "application/json")], refusal.to_string());
        }
        let response = SCRIPT[round];
        round += 1;
        answer(format, response, streamed)
    })
    .await;
    let client = (format.client)(streamed).base_url(server.url()).key(ApiKey::new(KEY)).without_proxy();
    let (sender, mut receiver) = event_channel(1_000);
    let agent = Agent::new(client.build().unwrap(), tools![temperature, to_fahrenheit]).unwrap();
    let agent = agent.instructions("Use the tools.").events(sender);
    let outcome = agent.run("How warm is it in Oslo and Atlantis?", &CancellationToken::new()).await.unwrap();
    let mut shown = Vec::new();
    while let Some(event) = receiver.next().await {
        if let EventKind::Text(text) = event.kind {
            shown.push(text);
        }
    }
    let complaints = complaints.lock().unwrap().clone();
    assert_eq!(complaints, Vec::<String>::new());
    (outcome, shown, server.requests())
}

fn complaints_of(format: &Format, request: &Request, streamed: Streamed) -> Vec<String> {
    let mut complaints = Vec::new();
    let target = format!("/v1/{}", (format.target)(streamed));
    let (header, before) = format.key;
    for (is_right, what) in [
        (request.method == "POST", "the method is not POST"),
        (request.target == target, "no such path"),
        (request.header("content-type") == Some("application/json"), "the body is no JSON"),
        (request.header(header) == Some(&format!("{before}{KEY}")), "the key is missing"),
    ] {
        if !is_right {
            complaints.push(what.to_owned());
        }
    }
    complaints.extend((format.complaints)(request, streamed));
    complaints
}

fn answer(format: &Format, response: Response, streamed: Streamed) -> Answer {
    match streamed {
        Streamed::Yes => events(&(format.events)(response)),
        Streamed::No => json_answer((format.response)(response).to_string()),
    }
}

async fn check(name: &str, streamed: Streamed) {
    let (_, format) = FORMATS.iter().find(|(known, _)| *known == name).unwrap();
    let (outcome, shown, requests) = run(format, streamed).await;
    assert!(matches!(outcome.ending, Ending::Finished), "{name}: {:?}", outcome.ending);
    assert_eq!(outcome.text, "Oslo has 7.5 °C, which is 45.5 °F.");
    assert_eq!(shown.concat(), outcome.text);
    assert_eq!(
        shown.len(),
        if streamed == Streamed::Yes { 2 } else { 1 },
        "text is shown in the pieces in which it comes"
    );
    let results: Vec<String> = outcome.results.iter().map(tool_runtime::ToolResult::model_text).collect();
    assert_eq!(results, ["7.5", "error: no city of this name", "45.5"]);
    assert_eq!((outcome.usage.input_tokens, outcome.usage.output_tokens), (30, 15));

    let told: Vec<_> = requests.iter().map(|request| (format.results)(&request.json())).collect();
    let told: Vec<Vec<(&str, &str)>> =
        told.iter().map(|told| told.iter().map(|(id, text)| (&**id, &**text)).collect()).collect();
    let (first, second) = (("call_1", "7.5"), ("call_2", "error: no city of this name"));
    assert_eq!(told, [vec![], vec![first, second], vec![first, second, ("call_3", "45.5")]]);
}

macro_rules! formats {
    ($($name:ident: $format:literal, $streamed:expr;)*) => {
        $(#[tokio::test]
        async fn $name() {
            check($format, $streamed).await;
        })*
    };
}

formats! {
    responses_whole: "responses", Streamed::No;
    responses_streamed: "responses", Streamed::Yes;
    chat_whole: "chat", Streamed::No;
    chat_streamed: "chat", Streamed::Yes;
    anthropic_whole: "anthropic", Streamed::No;
    anthropic_streamed: "anthropic", Streamed::Yes;
    gemini_whole: "gemini", Streamed::No;
    gemini_streamed: "gemini", Streamed::Yes;
}

/// Fields of a request that the provider does not know.
fn unknown_fields(body: &Value, known: &[&str]) -> Vec<String> {
    let fields = body.as_object().into_iter().flat_map(|body| body.keys());
    fields
        .filter(|field| !known.contains(&field.as_str()))
        .map(|field| format!("unknown field {field:?}"))
        .collect()
}

/// What is wrong with the schema of a tool's parameters, by the rules that all providers share.
fn schema_complaints(parameters: &Value, strict: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    let properties = parameters["properties"].as_object();
    let mut expect = |is_right: bool, what: &str| {
        if !is_right {
            complaints.push(format!("invalid schema: {what}"));
        }
    };
    expect(parameters["type"] == "object", "the root is no object");
    expect(properties.is_some(), "object schema missing properties");
    if strict {
        expect(parameters["additionalProperties"] == false, "additionalProperties is required to be false");
        let required = parameters["required"].as_array().map_or(0, Vec::len);
        expect(
            properties.is_some_and(|properties| properties.len() == required),
            "required is not all properties",
        );
    }
    complaints
}
