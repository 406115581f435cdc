//! What the derives of serde and schemars with a match by hand cost, beside the floors: see `tests/bench/run`.

mod tools;

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, TARGET, TOOLS};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("bare");
    let definitions = tools::definitions();
    assert_eq!(definitions.len(), TOOLS);

    bench
        .definitions(Form::Best, "kept values, to_string", || {
            serde_json::to_string(&definitions).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "schemas made anew, to_string", || {
            serde_json::to_string(&tools::definitions()).expect("JSON")
        })
        .await;

    bench
        .call(Form::Only, "a match on the name", async || {
            tools::call(black_box(TARGET), black_box(ARGUMENTS)).await.expect("it works")
        })
        .await;
}
