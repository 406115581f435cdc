//! What nothing can do without: the floors that each process measures beside its own cases.

use std::hint::black_box;

use futures_util::future::join_all;
use serde::Deserialize;

use crate::{ARGUMENTS, NAP, OUTPUT, PARALLEL};

/// The parameters of every tool.
#[derive(Deserialize)]
struct Parameters {
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
}

/// The body of every tool.
#[expect(clippy::unused_async, reason = "a tool is asynchronous")]
async fn body(parameters: Parameters) -> String {
    black_box((&parameters.path, parameters.offset, parameters.limit));
    String::from(OUTPUT)
}

fn parse() -> Parameters {
    serde_json::from_str(black_box(ARGUMENTS)).expect("it fits")
}

/// One call: the arguments read into the type, and the function called.
pub(crate) async fn call() -> String {
    body(parse()).await
}

/// Calls at once, joined by hand.
pub(crate) async fn parallel() -> Vec<String> {
    join_all((0..PARALLEL).map(|_| async {
        let parameters = parse();
        tokio::time::sleep(NAP).await;
        body(parameters).await
    }))
    .await
}
