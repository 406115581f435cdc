use tool_runtime::{ToolError, tools, worker_tool};

/// Matches.
#[worker_tool(activity = "Matching {type} in {in}", function = r#fn)]
async fn r#match(#[state] r#mod: u32, #[param] r#type: String, #[param] r#in: u32) -> Result<String, ToolError> {
    Ok(format!("{type}{in}{mod}", type = r#type, in = r#in, mod = r#mod))
}

fn main() {
    assert_eq!(tools![r#match(1)][0].spec().name, "match");
}
