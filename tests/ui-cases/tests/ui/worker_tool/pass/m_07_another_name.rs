pub extern crate tool_runtime as wt;

mod my_prelude {
    pub use wt;
}

use wt::{ToolParams, tools};

#[derive(serde::Deserialize, schemars::JsonSchema, ToolParams)]
#[tool_params(crate = ::wt)]
struct Add {
    a: u32,
}

/// Adds.
#[wt::worker_tool(crate = ::wt, activity = "Adding {a}")]
async fn add(params: Add) -> u32 {
    params.a
}

/// Adds.
#[wt::worker_tool(crate = crate::my_prelude::wt, activity = "Adding {a}")]
async fn add_inline(#[param] a: u32) -> u32 {
    a
}

fn main() {
    assert_eq!(tools![add, add_inline].len(), 2);
    assert_eq!(my_prelude::wt::tools![add].len(), 1);
}
