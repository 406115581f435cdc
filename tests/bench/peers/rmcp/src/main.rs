//! What rmcp costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use futures_util::future::join_all;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, JsonObject, NumberOrString};
use rmcp::service::{RequestContext, RoleServer, serve_directly};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};

use tools::Server;

// As the macro writes it, the router is made anew for each request.
#[tool_handler]
impl ServerHandler for Server {}

#[derive(Clone)]
struct Sleeper;

#[tool_router]
impl Sleeper {
    /// Sleep one millisecond.
    #[tool]
    async fn nap(&self, Parameters(p): Parameters<tools::P000>) -> String {
        tokio::time::sleep(NAP).await;
        black_box((&p.path, p.offset, p.limit));
        String::from("ok")
    }
}

impl ServerHandler for Sleeper {}

fn request(name: &'static str) -> CallToolRequestParams {
    let arguments: JsonObject = serde_json::from_str(black_box(ARGUMENTS)).expect("an object");
    CallToolRequestParams::new(black_box(name)).with_arguments(arguments)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("rmcp");
    let (_pipe, end) = tokio::io::duplex(4096);
    let peer = serve_directly::<RoleServer, _, _, _, _>(Server, end, None).peer().clone();
    let context = || RequestContext::new(NumberOrString::Number(1), peer.clone());

    let router = Server::tool_router();
    assert_eq!(router.list_all().len(), TOOLS);
    bench
        .definitions(Form::Best, "kept router, list_all, to_string", || {
            serde_json::to_string(&router.list_all()).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "#[tool_handler], list_all, to_string", || {
            serde_json::to_string(&Server::tool_router().list_all()).expect("JSON")
        })
        .await;

    bench
        .call(Form::Best, "kept router, call", async || {
            router.call(ToolCallContext::new(&Server, request(TARGET), context())).await.expect("it works")
        })
        .await;
    bench
        .call(Form::Documented, "#[tool_handler], call_tool", async || {
            Server.call_tool(request(TARGET), context()).await.expect("it works")
        })
        .await;

    let (near, far) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(async move { Server.serve(far).await.expect("a client") });
    let client = ().serve(near).await.expect("a server");
    let _server = server.await.expect("it runs");
    bench
        .call(Form::Documented, "a client and a server over a pipe in memory", async || {
            client.call_tool(request(TARGET)).await.expect("it works")
        })
        .await;

    let (_pipe, end) = tokio::io::duplex(4096);
    let peer = serve_directly::<RoleServer, _, _, _, _>(Sleeper, end, None).peer().clone();
    let context = || RequestContext::new(NumberOrString::Number(1), peer.clone());
    let naps = Sleeper::tool_router();
    bench
        .parallel(Form::Only, "kept router, joined by hand", async || {
            join_all(
                (0..PARALLEL).map(|_| naps.call(ToolCallContext::new(&Sleeper, request("nap"), context()))),
            )
            .await
        })
        .await;
}
