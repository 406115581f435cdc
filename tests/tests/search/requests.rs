//! What each format sends: nothing of a tool before it is found, all of it afterwards.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tests::script::{calls, says};
use tool_runtime::provider::{anthropic, chat, gemini, responses};
use tool_runtime::{
    Agent, BoxFuture, CancellationToken, Delta, Item, Model, ModelError, ModelRequest, ModelResponse,
    ToolChoice, ToolName, ToolSet,
};

use super::listed;

/// Keeps the body of every request in all formats.
struct InAllFormats {
    answers: Mutex<Vec<ModelResponse>>,
    bodies: Arc<Mutex<Vec<[String; 5]>>>,
}

impl Model for InAllFormats {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            self.bodies.lock().unwrap().push([
                responses::encode_request(&responses::Settings::new("m"), &request)?.body,
                chat::encode_request(&chat::Settings::new("m"), &request)?.body,
                chat::encode_request(&chat::Settings::compatible("m"), &request)?.body,
                anthropic::encode_request(&anthropic::Settings::new("m"), &request)?.body,
                gemini::encode_request(&gemini::Settings::new("m"), &request)?.body,
            ]);
            Ok(self.answers.lock().unwrap().remove(0))
        })
    }
}

/// The `tools` of a request.
fn tools(body: &str) -> String {
    serde_json::from_str::<Value>(body).unwrap()["tools"].to_string()
}

#[tokio::test]
async fn no_format_tells_of_a_tool_before_it_is_found_and_each_does_afterwards() {
    let bodies = Arc::default();
    let answers = vec![
        calls(&[("c1", "tool_search", r#"{"names":["crm.find_customer"]}"#)]),
        calls(&[("c2", "crm__find_customer", r#"{"name_part":"Ada"}"#)]),
        says("done"),
    ];
    let model = InAllFormats { answers: Mutex::new(answers), bodies: Arc::clone(&bodies) };
    let agent = Agent::new(model, listed()).unwrap();
    let outcome = agent.run("go", &CancellationToken::new()).await.unwrap();
    assert_eq!(outcome.results[1].model_text(), "customer 7 is Ada");
    let bodies = bodies.lock().unwrap();
    for format in 0..5 {
        let [first, second] = [tools(&bodies[0][format]), tools(&bodies[1][format])];
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
