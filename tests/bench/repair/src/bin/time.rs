//! What it takes to read five kinds of malformed arguments into the type of a tool: `tool-runtime` and the libraries that
//! repair JSON. See `tests/bench/run`.

use std::hint::black_box;

use bench_common::Bench;
use serde::Deserialize;
use serde_json::json;
use tool_runtime::{ArgumentDecoder, Effect};

/// The parameters of every tool of the benches.
#[derive(Deserialize, PartialEq)]
struct Slice {
    path: String,
    offset: Option<u32>,
    limit: Option<u32>,
}

/// What is wrong, and the text; all mean the same call.
const TEXTS: [(&str, &str); 5] = [
    ("a comma before the end", r#"{"path":"src/lib.rs","offset":1,"limit":200,}"#),
    ("single quotes and bare keys", "{path:'src/lib.rs',offset:1,limit:200}"),
    ("in a code fence", "```json\n{\"path\":\"src/lib.rs\",\"offset\":1,\"limit\":200}\n```"),
    ("encoded twice", r#""{\"path\":\"src/lib.rs\",\"offset\":1,\"limit\":200}""#),
    ("numbers as texts", r#"{"path":"src/lib.rs","offset":"1","limit":"200"}"#),
];

/// Reads a text into the type; `None` where it is refused.
type Read = fn(&str) -> Option<Slice>;

const LIBRARIES: [(&str, Read); 3] = [
    ("llm_json", |text| typed(&llm_json::repair_json(text, &llm_json::RepairOptions::default()).ok()?)),
    ("jsonrepair", |text| typed(&jsonrepair::repair_json(text, &jsonrepair::Options::default()).ok()?)),
    ("jsonrepair-rs", |text| typed(&jsonrepair_rs::jsonrepair(text).ok()?)),
];

fn typed(text: &str) -> Option<Slice> {
    serde_json::from_str(text).ok()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(run());
}

async fn run() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": {"type": "string", "minLength": 1, "maxLength": 4096},
            "offset": {"type": ["integer", "null"], "minimum": 1, "maximum": u32::MAX},
            "limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 2000},
        },
        "required": ["path"],
    });
    let decoder = ArgumentDecoder::new(&schema).expect("a schema without faults");
    let ours = |text: &str| typed(&decoder.decode(text, Effect::Writes).ok()?.text);
    rows("ours", ours).await;
    for (name, read) in LIBRARIES {
        rows(name, read).await;
    }
}

async fn rows(reader: &'static str, read: impl Fn(&str) -> Option<Slice>) {
    let bench = Bench::new(reader);
    let meant = Slice { path: "src/lib.rs".to_owned(), offset: Some(1), limit: Some(200) };
    for (what, text) in TEXTS {
        let right = read(text).as_ref() == Some(&meant);
        bench.malformed(what, right, async || read(black_box(text))).await;
    }
}
