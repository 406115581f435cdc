//! The pieces of work that are counted.

use std::hint::black_box;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ArgumentDecoder, Effect, ParametersSchema, ToolParams};

const TEXT: &str = r#"{"path":"src/lib.rs","offset":1,"limit":200}"#;

#[derive(Deserialize, JsonSchema, ToolParams)]
#[expect(dead_code, reason = "only read from texts")]
struct ReadFile {
    /// Text file to read.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// First line, counted from 1.
    #[schemars(range(min = 1))]
    offset: Option<u32>,
    /// The most lines to give.
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
}

static DECODER: LazyLock<ArgumentDecoder> = LazyLock::new(|| {
    let schema = ParametersSchema::of::<ReadFile>().expect("an object");
    ArgumentDecoder::new(schema.as_value()).expect("a schema without faults")
});

/// The piece of this name.
pub fn named(name: &str) -> fn() {
    match name {
        "parse" => || drop(black_box(parse(black_box(TEXT)))),
        "check and parse" => || {
            let decoded = DECODER.decode(black_box(TEXT), Effect::ReadOnly).expect("it fits");
            drop(black_box(parse(&decoded.text)));
        },
        other => panic!("no work is named `{other}`"),
    }
}

fn parse(text: &str) -> ReadFile {
    serde_json::from_str(text).expect("it fits")
}
