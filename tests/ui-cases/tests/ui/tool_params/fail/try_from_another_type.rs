use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{ToolParams, tools, worker_tool};

#[derive(Deserialize, JsonSchema, ToolParams)]
#[serde(rename_all = "camelCase", try_from = "u32")]
struct Even {
    number: u32,
}

impl TryFrom<u32> for Even {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        if number % 2 == 0 { Ok(Self { number }) } else { Err("odd".to_owned()) }
    }
}

/// Takes it.
#[worker_tool]
async fn take(params: Even) {
    drop(params);
}

fn main() {
    tools![take];
}
