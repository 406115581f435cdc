//! What is sent: where to, and with which headers.

use tests::loopback::{Request, Server, json};
use tool_runtime::Model;
use tool_runtime::http::{ApiKey, HttpModel, HttpModelBuilder};
use tool_runtime::provider::{gemini, responses};

use super::{ask, client, saying, streaming};

async fn sent(client: impl Fn(&Server) -> HttpModelBuilder) -> Request {
    let mut server = Server::answering([json(saying("a").to_string())]).await;
    // What the answer is does not matter here.
    let _ = ask(client(&server)).await;
    server.requests().pop().unwrap()
}

#[tokio::test]
async fn a_request_is_one_json_object() {
    let request = sent(client).await;
    assert_eq!((&*request.method, &*request.target), ("POST", "/v1/responses"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("accept"), Some("application/json"));
    assert_eq!(request.header("authorization"), None);
    assert!(request.header("user-agent").unwrap().starts_with("tool-runtime/"));
    assert_eq!(request.json()["model"], "m");
    let request = sent(streaming).await;
    assert_eq!(request.header("accept"), Some("text/event-stream, application/json"));
    assert_eq!(request.json()["stream"], true);
}

#[tokio::test]
async fn a_base_address_may_end_in_a_slash_or_a_query() {
    let client = |behind: &'static str| {
        move |server: &Server| {
            let url = server.url() + behind;
            HttpModel::responses(responses::Settings::new("m")).base_url(url).without_proxy()
        }
    };
    assert_eq!(sent(client("/")).await.target, "/v1/responses");
    assert_eq!(sent(client("/deep/")).await.target, "/v1/deep/responses");
    assert_eq!(sent(client("?api-version=1")).await.target, "/v1/responses?api-version=1");
    let with_own_query = |server: &Server| {
        let settings = gemini::Settings::new("m").streamed();
        HttpModel::gemini(settings).base_url(server.url() + "?region=eu").without_proxy()
    };
    let target = sent(with_own_query).await.target;
    assert_eq!(target, "/v1/models/m:streamGenerateContent?region=eu&alt=sse");
}

#[tokio::test]
async fn headers_can_be_added_and_replaced() {
    let request = sent(|server| client(server).header("X-Org", "o").header("user-agent", "mine")).await;
    assert_eq!(request.header("x-org"), Some("o"));
    assert_eq!(request.header("user-agent"), Some("mine"));
}

#[test]
fn a_client_says_what_it_asks_but_not_with_which_key() {
    let settings = gemini::Settings::new("gemini-3-pro");
    let model = HttpModel::gemini(settings).key(ApiKey::new("sk-0123456789")).build().unwrap();
    let info = Model::info(&model);
    assert_eq!(
        (info.provider, info.model, info.operation),
        ("gcp.gemini", Some("gemini-3-pro"), "generate_content")
    );
    assert_eq!(info.server, Some(("generativelanguage.googleapis.com", 443)));
    let local =
        HttpModel::responses(responses::Settings::new("m")).base_url("http://[::1]:8080/v1").build().unwrap();
    assert_eq!(Model::info(&local).server, Some(("[::1]", 8080)));
}
