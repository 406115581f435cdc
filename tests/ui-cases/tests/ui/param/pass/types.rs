use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolContext as Context, tools, worker_tool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Slow(u32),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Range {
    start: u32,
}

/// A type that is called like the context, but is a parameter.
#[derive(Debug, Deserialize, JsonSchema)]
struct ToolContext {
    line: u32,
}

/// Takes everything.
#[worker_tool(
    activity = "{text} {path} {count} {flag} {list} {map} {range.start} {maybe} {around.line} {boxed} {value}",
    completed_activity = "{list} {details}"
)]
async fn all(
    #[param] text: String,
    #[param] path: PathBuf,
    #[param] count: u64,
    #[param] flag: bool,
    #[param] list: Vec<Option<Mode>>,
    #[param] map: BTreeMap<String, f64>,
    #[param] range: Range,
    #[param] maybe: Option<char>,
    #[param] around: ToolContext,
    #[param] boxed: Box<str>,
    #[param] value: serde_json::Value,
    cx: Context,
) -> tool_runtime::Json<Vec<u32>> {
    let _ = (text, path, count, flag, list, map, range, maybe, around, boxed, value, cx);
    tool_runtime::Json(vec![1])
}

fn main() {
    assert_eq!(tools![all].len(), 1);
}
