//! The pieces of work that are counted.

use std::hint::black_box;
use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{
    ArgumentDecoder, Effect, ParametersSchema, ToolParams, ToolSet, WorkerAgentTool, tools, worker_tool,
};

const TEXT: &str = r#"{"path":"src/lib.rs","offset":1,"limit":200}"#;

#[derive(Deserialize, JsonSchema, ToolParams)]
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

/// Reads a file.
#[worker_tool(read_only, parallel, function = read_bare)]
async fn read_file(params: ReadFile) -> String {
    let mut text = params.path;
    text.truncate((params.offset.unwrap_or(1) + params.limit.unwrap_or(1)) as usize);
    text
}

static DECODER: LazyLock<ArgumentDecoder> = LazyLock::new(|| {
    let schema = ParametersSchema::of::<ReadFile>().expect("an object");
    ArgumentDecoder::new(schema.as_value()).expect("a schema without faults")
});
static ONE: LazyLock<ToolSet> = LazyLock::new(|| ToolSet::new(tools![read_file]).expect("no faults"));
static MANY: LazyLock<ToolSet> = LazyLock::new(|| ToolSet::new(many()).expect("no faults"));
static MANY_TEXT: LazyLock<String> = LazyLock::new(|| encode_tools(&MANY));

/// The piece of this name.
pub fn named(name: &str) -> fn() {
    match name {
        "parse" => || drop(black_box(parse(black_box(TEXT)))),
        "check and parse" => || {
            let decoded = DECODER.decode(black_box(TEXT), Effect::ReadOnly).expect("it fits");
            drop(black_box(parse(&decoded.text)));
        },
        "check, parse and run" => || {
            let decoded = DECODER.decode(black_box(TEXT), Effect::ReadOnly).expect("it fits");
            drop(black_box(ready(read_bare(parse(&decoded.text)))));
        },
        "parse and run" => || drop(black_box(ready(read_bare(parse(black_box(TEXT)))))),
        "call" => || drop(black_box(ready(ONE.call("read_file", black_box(TEXT))))),
        "copy" => || drop(black_box(MANY_TEXT.clone())),
        "text again" => || drop(black_box(encode_tools(&MANY))),
        "turn" => || {
            let set = ToolSet::new(many()).expect("no faults");
            drop(black_box(encode_tools(&set)));
        },
        other => panic!("no work is named `{other}`"),
    }
}

fn parse(text: &str) -> ReadFile {
    serde_json::from_str(text).expect("it fits")
}

/// What a future gives that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

/// How many tools a turn has.
pub const TOOLS: f64 = 32.0;

macro_rules! many {
    ($($name:ident)*) => {
        $(
            /// Reads a file: the lines from `offset` on, `limit` of them at most.
            #[worker_tool(read_only, parallel)]
            async fn $name(params: ReadFile) -> String {
                params.path
            }
        )*

        fn many() -> Vec<WorkerAgentTool> {
            tools![$($name),*]
        }
    };
}

many! {
    read_00 read_01 read_02 read_03 read_04 read_05 read_06 read_07 read_08 read_09 read_10 read_11 read_12
    read_13 read_14 read_15 read_16 read_17 read_18 read_19 read_20 read_21 read_22 read_23 read_24 read_25
    read_26 read_27 read_28 read_29 read_30 read_31
}
