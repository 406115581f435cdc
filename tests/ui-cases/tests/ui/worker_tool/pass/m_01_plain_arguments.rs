//! Nothing is imported but the attribute; `tests/fixtures/runtime_only` shows the same without serde in the manifest.

/// Adds.
#[tool_runtime::worker_tool]
async fn add(#[param] a: u32, #[param] b: Option<u32>) -> u32 {
    a + b.unwrap_or_default()
}

fn main() {
    assert_eq!(tool_runtime::tools![add].len(), 1);
}
