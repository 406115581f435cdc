use std::rc::Rc;

use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[worker_tool]
async fn read_file(files: Rc<u32>, params: ReadFile) -> String {
    drop(files);
    params.path
}

fn main() {}
