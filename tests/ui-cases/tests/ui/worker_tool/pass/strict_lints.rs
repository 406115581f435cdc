//! `tests/fixtures/strict_lints` has every form, under clippy too.
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, single_use_lifetimes)]
#![forbid(unsafe_code)]

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

/// What to read.
#[derive(Clone, Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool(activity = "Reading {path}", completed_activity = "Read")]
async fn read_file(#[state] _root: String, params: ReadFile) -> String {
    params.path
}

/// Adds.
#[worker_tool(function = plain)]
async fn add(#[param] a: u32) -> u32 {
    a
}

fn main() {
    let _ = plain(1);
    assert_eq!(tools![read_file(String::new()), add, if true => ..tools![add]].len(), 3);
}
