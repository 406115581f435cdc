//! What each format sends: nothing of a tool before it is found, all of it afterwards.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::responses_rules;
use tests::script::{calls, says};
use tests::wire::parse;
use tool_runtime::provider::responses::EncodedRequest;
use tool_runtime::provider::{anthropic, chat, gemini, responses};
use tool_runtime::{
    Agent, BoxFuture, CancellationToken, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    Outcome, ToolCall, ToolChoice, ToolName, ToolSet,
};

use super::listed;

/// Plays answers, and keeps what `encode` makes of each request.
struct Encoding<E> {
    encode: E,
    answers: Mutex<Vec<ModelResponse>>,
    bodies: Arc<Mutex<Vec<Vec<String>>>>,
}

impl<E: Fn(&ModelRequest<'_>) -> Result<Vec<EncodedRequest>, ModelError> + Send + Sync> Model
    for Encoding<E>
{
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let bodies = (self.encode)(&request)?.into_iter().map(|request| request.body).collect();
            self.bodies.lock().unwrap().push(bodies);
            Ok(self.answers.lock().unwrap().remove(0))
        })
    }
}

/// Runs a turn, and gives what each of its requests was.
async fn turn(
    encode: impl Fn(&ModelRequest<'_>) -> Result<Vec<EncodedRequest>, ModelError> + Send + Sync + 'static,
    answers: Vec<ModelResponse>,
) -> (Vec<Vec<String>>, Outcome) {
    let bodies = Arc::default();
    let model = Encoding { encode, answers: Mutex::new(answers), bodies: Arc::clone(&bodies) };
    let outcome = Agent::new(model, listed()).unwrap().run("go", &CancellationToken::new()).await.unwrap();
    let bodies = bodies.lock().unwrap().clone();
    (bodies, outcome)
}

fn in_all_formats(request: &ModelRequest<'_>) -> Result<Vec<EncodedRequest>, ModelError> {
    Ok(vec![
        responses::encode_request(&responses::Settings::new("m"), request)?,
        chat::encode_request(&chat::Settings::new("m"), request)?,
        chat::encode_request(&chat::Settings::compatible("m"), request)?,
        anthropic::encode_request(&anthropic::Settings::new("m"), request)?,
        gemini::encode_request(&gemini::Settings::new("m"), request)?,
    ])
}

/// The `tools` of a request.
fn tools(body: &str) -> String {
    parse(body)["tools"].to_string()
}

#[tokio::test]
async fn no_format_tells_of_a_tool_before_it_is_found_and_each_does_afterwards() {
    let answers = vec![
        calls(&[("c1", "tool_search", r#"{"names":["crm.find_customer"]}"#)]),
        calls(&[("c2", "crm__find_customer", r#"{"name_part":"Ada"}"#)]),
        says("done"),
    ];
    let (bodies, outcome) = turn(in_all_formats, answers).await;
    assert_eq!(outcome.results[1].model_text(), "customer 7 is Ada");
    for (first, second) in bodies[0].iter().zip(&bodies[1]) {
        let (first, second) = (tools(first), tools(second));
        assert!(first.contains("tool_search") && !first.contains("find_customer"), "{first}");
        assert!(second.contains("find_customer") && second.contains("name_part"), "{second}");
        for request in [&first, &second] {
            for absent in ["list_orders", "defer_loading", "tool_search_tool_", r#""type":"tool_search""#] {
                assert!(!request.contains(absent), "{absent}: {request}");
            }
        }
    }
}

#[test]
fn a_provider_that_searches_itself_is_told_of_deferred_tools_unless_we_search() {
    let catalog = super::catalog();
    let ours = ToolSet::new(catalog.tools()).unwrap();
    let theirs = ToolSet::new(catalog.tools().split_off(1)).unwrap();
    let settings = anthropic::Settings::new("m");
    for (ours, theirs) in [
        (responses::encode_tools(&ours), responses::encode_tools(&theirs)),
        (anthropic::encode_tools(&settings, &ours), anthropic::encode_tools(&settings, &theirs)),
    ] {
        assert!(theirs.contains("find_customer") && theirs.contains("defer_loading"), "{theirs}");
        assert!(!ours.contains("find_customer") && !ours.contains("defer_loading"), "{ours}");
    }
}

#[test]
fn a_tool_that_is_not_found_yet_cannot_be_forced() {
    let set = ToolSet::new(listed()).unwrap();
    let items = [Item::user("go")];
    let mut request = ModelRequest::new(&set, &items);
    request.tool_choice = ToolChoice::Tool(ToolName::bare("GitHubPullRequest"));
    let error = anthropic::encode_request(&anthropic::Settings::new("m"), &request).unwrap_err();
    assert!(error.message.contains("deferred"), "{error}");
    let error = responses::encode_request(&responses::Settings::new("m"), &request).unwrap_err();
    assert!(error.message.contains("deferred"), "{error}");
}

/// A search as the model asks for it where it knows tool search.
fn searched(id: &str, arguments: &Value) -> ModelResponse {
    let call = json!({
        "type": "tool_search_call", "id": format!("tsc_{id}"), "call_id": id, "execution": "client",
        "arguments": arguments, "status": "completed",
    });
    responses::decode_response(&json!({"status": "completed", "output": [call]}).to_string()).unwrap()
}

/// The requests of a turn in the Responses format, with a search that stands in the conversation.
async fn client_searched(
    settings: responses::Settings,
    answers: Vec<ModelResponse>,
) -> (Vec<Value>, Outcome) {
    let encode = move |request: &ModelRequest<'_>| Ok(vec![responses::encode_request(&settings, request)?]);
    let (bodies, outcome) = turn(encode, answers).await;
    (bodies.iter().map(|bodies| parse(&bodies[0])).collect(), outcome)
}

#[tokio::test]
async fn where_the_model_knows_tool_search_what_is_found_stands_in_the_conversation() {
    let names = json!({"names": ["crm.find_customer", "GitHubPullRequest", "crm.list_orders"]});
    let found = ToolCall::new("c2", "find_customer", r#"{"name_part":"Ada"}"#).in_namespace("crm");
    let answers = vec![searched("c1", &names), ModelResponse::new(vec![Item::call(found)]), says("done")];
    let (bodies, outcome) = client_searched(responses::Settings::new("m").client_search(), answers).await;
    assert_eq!(outcome.results[1].model_text(), "customer 7 is Ada");
    let search = &bodies[0]["tools"][1];
    assert_eq!((&search["type"], &search["execution"]), (&json!("tool_search"), &json!("client")));
    assert!(search["parameters"]["properties"]["query"].is_object());
    assert_eq!(bodies[0]["tools"].as_array().unwrap().len(), 2);
    for body in &bodies {
        assert_eq!(body["tools"], bodies[0]["tools"], "the beginning of the request stays as it is");
        let input = body["input"].as_array().unwrap();
        assert_eq!(responses_rules::complaints(input), Vec::<String>::new());
    }
    let [_, call, output] = bodies[1]["input"].as_array().unwrap().as_slice() else {
        panic!("{}", bodies[1])
    };
    assert_eq!((&call["type"], &call["arguments"]), (&json!("tool_search_call"), &names));
    assert_eq!(output["tools"][0]["name"], "crm");
    let members: Vec<&Value> =
        output["tools"][0]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
    assert_eq!(members, ["find_customer", "list_orders"]);
    assert_eq!(output["tools"][1]["name"], "GitHubPullRequest");
}

#[tokio::test]
async fn a_search_that_finds_nothing_says_so_behind_all_results() {
    let mut asked = searched("c1", &json!({"query": "zzz"}));
    asked.items.push(Item::call(ToolCall::new("c2", "clock", "{}")));
    let (bodies, _) =
        client_searched(responses::Settings::new("m").client_search(), vec![asked, says("done")]).await;
    let input = bodies[1]["input"].as_array().unwrap();
    assert_eq!(responses_rules::complaints(input), Vec::<String>::new());
    let kinds: Vec<&str> = input.iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "message",
            "tool_search_call",
            "function_call",
            "tool_search_output",
            "function_call_output",
            "message"
        ]
    );
    assert_eq!(input[3]["tools"], json!([]));
    assert!(input[5]["content"].as_str().unwrap().starts_with("No tool matches `zzz`"), "{}", input[5]);
}

#[tokio::test]
async fn a_provider_that_keeps_the_conversation_gets_the_definitions_alone() {
    let mut asked = searched("c1", &json!({"names": ["crm.find_customer"]}));
    asked.id = Some("r1".to_owned());
    let settings = responses::Settings::new("m").client_search().stored();
    let (bodies, _) = client_searched(settings, vec![asked, says("done")]).await;
    assert_eq!(bodies[1]["previous_response_id"], "r1");
    let input = bodies[1]["input"].as_array().unwrap();
    assert_eq!((input.len(), &input[0]["type"]), (1, &json!("tool_search_output")));
    assert_eq!(input[0]["tools"][0]["tools"][0]["name"], "find_customer");
}

#[test]
fn a_tool_search_cannot_be_forced() {
    let set = ToolSet::new(listed()).unwrap();
    let items = [Item::user("go")];
    let mut request = ModelRequest::new(&set, &items);
    request.tool_choice = ToolChoice::Tool(ToolName::bare("tool_search"));
    let function = responses::encode_request(&responses::Settings::new("m"), &request);
    assert!(function.is_ok());
    let search = responses::encode_request(&responses::Settings::new("m").client_search(), &request);
    assert!(search.unwrap_err().message.contains("cannot be forced"));
}
