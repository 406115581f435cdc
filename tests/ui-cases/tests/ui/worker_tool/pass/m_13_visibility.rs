#![deny(warnings)]

use tool_runtime::{ToolError, tools, worker_tool};

mod inner {
    use super::{ToolError, worker_tool};

    #[derive(Clone)]
    pub(super) struct State;

    /// Gives the number.
    #[worker_tool(function = plain)]
    pub(crate) async fn f(#[state] _: State, #[param] n: u32) -> Result<u32, ToolError> {
        Ok(n)
    }

    pub(super) mod grep {
        /// Finds.
        #[tool_runtime::worker_tool]
        pub(in super::super) async fn grep() {}
    }
}

use inner::f;
use inner::grep::grep;

fn main() {
    let _ = inner::plain(inner::State, 1);
    assert_eq!(tools![f(inner::State), inner::f(inner::State {}), grep, self::inner::grep::grep].len(), 4);
}
