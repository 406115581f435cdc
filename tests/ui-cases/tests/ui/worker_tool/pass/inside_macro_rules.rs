use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolContext, ToolError, ToolParams, WorkerAgentTool, tools, worker_tool};

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: u32,
}

macro_rules! add_tool {
    ($name:ident, $params:ident, $about:expr, $state:ty, $field:ident: $ty:ty, $label:literal, $timeout:literal) => {
        #[derive(Clone, Deserialize, JsonSchema, ToolParams)]
        struct $params {
            $field: $ty,
        }

        #[worker_tool(
            description = $about,
            activity = $label,
            completed_activity = "Added {details.sum}",
            timeout = $timeout,
            crate = ::tool_runtime
        )]
        async fn $name(
            #[state] base: $state,
            #[state] _more: (),
            params: $params,
            cx: ToolContext,
        ) -> Result<Json<Sum>, ToolError> {
            let _ = cx.call_id();
            Ok(Json(Sum { sum: base + params.$field }))
        }
    };
}

add_tool!(add, Add, "Adds.", u32, n: u32, "Adding {n}", "3s");

macro_rules! inline_tool {
    ($name:ident($($param:ident: $ty:ty),*) $body:block) => {
        /// Made by a macro.
        #[worker_tool(function = plain, activity = "Adding {a}")]
        async fn $name(#[state] extra: u32, $(#[param] $param: $ty),*) -> u32 {
            let inner: u32 = $body;
            inner + extra
        }
    };
}

inline_tool!(inline(a: u32, b: u32) { a + b });

macro_rules! list {
    ($($entry:tt)*) => { tools![$($entry)*] };
}

macro_rules! one {
    ($entry:expr, $path:path, $condition:expr) => { tools![$entry, $path, if $condition => inline(4)] };
}

/// Does nothing.
#[worker_tool]
async fn nothing() {}

fn main() {
    let list: Vec<WorkerAgentTool> = list![add(1, ()), if true => inline(2), ..one!(inline(3), nothing, 1 < 2)];
    assert_eq!(list.len(), 5);
}
