//! The standard tools of the web, against servers on loopback that are reached by names of the tests.

mod budget;
mod content;
mod fallback;
mod hostile;
mod reach;
mod repeats;
mod robots;
mod search;
mod tls;

use std::collections::{HashMap, VecDeque};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::loopback::{Answer, Request, Server, whole};
use tool_runtime::testing::{self, TestCall};
use tool_runtime::{BoxFuture, ToolErrorKind};
use tool_std::web::{HttpFetch, HttpFetchBuilder, Resolver, Schemes, Web, web_fetch};

/// Where the servers of the tests are, which counts as public. All of 127.0.0.0/8 is this machine, and the rest of it does not.
const OPEN: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// An address of this machine that does not.
const INNER: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));

/// The names of the tests. Each look-up takes the next answer; the last one stays.
#[derive(Clone, Default)]
struct Names {
    answers: Arc<Mutex<HashMap<String, VecDeque<Vec<SocketAddr>>>>>,
}

impl Names {
    /// The same with a name that always leads to one address.
    fn with(self, name: &str, address: SocketAddr) -> Self {
        self.changing(name, [vec![address]])
    }

    /// The same with a name that leads somewhere else each time.
    fn changing(self, name: &str, answers: impl IntoIterator<Item = Vec<SocketAddr>>) -> Self {
        self.answers.lock().unwrap().insert(name.to_owned(), answers.into_iter().collect());
        self
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<SocketAddr>>> {
        let mut answers = self.answers.lock().unwrap();
        let answer = answers.get_mut(name).map(|answers| match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop_front().unwrap(),
        });
        let answer = answer.ok_or_else(|| io::Error::other(format!("no test has the name `{name}`")));
        Box::pin(async { answer })
    }
}

/// A fetcher that knows these names and reaches the servers of the tests.
fn fetcher(names: &Names) -> HttpFetchBuilder {
    HttpFetch::builder().schemes(Schemes::HttpAndHttps).resolver(names.clone()).reach(OPEN)
}

/// The web with `site.test` at `server`.
fn web(server: &Server) -> Web {
    let names = Names::default().with("site.test", server.address());
    Web::new().fetch(fetcher(&names).build().unwrap())
}

/// One call of `web_fetch`.
async fn fetch(web: &Web, urls: &[&str]) -> TestCall {
    testing::call(&web_fetch(web.clone()), json!({ "urls": urls })).await
}

/// The details of the only page of a call that went well.
fn page(call: &TestCall) -> Value {
    let details: Value = call.details().unwrap();
    let results = details["results"].as_array().unwrap();
    assert_eq!(results.len(), 1, "{details}");
    results[0].clone()
}

/// The text of the only page, without what stands around it.
fn text(call: &TestCall) -> String {
    let text = call.text();
    let (_, inside) = text.split_once("content=\"external\">\n").unwrap_or_else(|| panic!("{text}"));
    inside.strip_suffix("\n</web_page>").unwrap_or_else(|| panic!("{text}")).to_owned()
}

/// What a call says that got no page, and the kind of the failure.
fn refusal(call: &TestCall) -> (String, ToolErrorKind) {
    use tool_runtime::CallError;
    match &call.outcome {
        Err(CallError::Tool(error)) => (error.message().to_owned(), error.kind()),
        other => panic!("no failure: {other:?}"),
    }
}

/// What a call of `http://site.test/` says that gets no page from this answer.
async fn refused(answer: Answer) -> String {
    let server = Server::answering([answer]).await;
    said_of(&fetch(&web(&server), &["http://site.test/"]).await)
}

/// What is said of `http://site.test/`, which was not fetched.
fn said_of(call: &TestCall) -> String {
    let (message, _) = refusal(call);
    let before = "`http://site.test/` was not fetched: ";
    message.strip_prefix(before).unwrap_or_else(|| panic!("{message}")).to_owned()
}

/// A good answer.
fn good(kind: &str, body: impl AsRef<[u8]>) -> Answer {
    whole("200 OK", &[("content-type", kind)], body)
}

fn html(body: impl AsRef<str>) -> Answer {
    good("text/html; charset=utf-8", body.as_ref())
}

fn redirect(to: &str) -> Answer {
    whole("302 Found", &[("location", to)], "")
}

/// The paths that were asked for.
fn paths(requests: Vec<Request>) -> Vec<String> {
    requests.into_iter().map(|request| request.target).collect()
}
