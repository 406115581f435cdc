//! The first tool: annotate a function, list it, answer the calls of a model with it.
//!
//! `cargo run -p examples --bin first_tool`

use std::error::Error;

use examples::{print_event, print_result};
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::{
    CancellationToken, DispatchOptions, Events, ToolCall, ToolError, ToolParams, ToolSet, dispatch, tools,
    worker_tool,
};

// The model sees the field's comment and its bounds, and both are enforced before the function runs.
#[derive(Deserialize, JsonSchema, ToolParams)]
struct Multiples {
    /// The number to multiply.
    of: i64,
    /// How many multiples.
    #[schemars(range(min = 1, max = 10))]
    count: Option<i64>,
}

/// Lists the first multiples of a number.
#[worker_tool(read_only, parallel, activity = "Multiplying {of}")]
async fn multiples(params: Multiples) -> Result<String, ToolError> {
    let count = params.count.unwrap_or(3);
    let products = (1..=count).map(|factor| params.of.checked_mul(factor).map(|product| product.to_string()));
    let products: Option<Vec<String>> = products.collect();
    Ok(products
        .ok_or_else(|| ToolError::new("the products are too large; take a smaller number"))?
        .join(", "))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A tool exists for a turn because it stands in this list.
    let set = ToolSet::new(tools![multiples])?;

    println!("What the model is told");
    for tool in set.tools() {
        println!("  {}: {}", tool.spec().name, tool.spec().description);
        let schema = serde_json::to_string_pretty(tool.definition().parameters().as_value())?;
        schema.lines().for_each(|line| println!("  {line}"));
    }

    // What a model might answer. The second text can be read in one way only; the last three calls have mistakes.
    let calls = vec![
        ToolCall::new("call_1", "multiples", r#"{"of": 7}"#),
        ToolCall::new("call_2", "multiples", r#"{"of": 12, "count": "5",}"#),
        ToolCall::new("call_3", "multiples", r#"{"of": 12, "count": 500}"#),
        ToolCall::new("call_4", "multiple", r#"{"of": 12}"#),
        ToolCall::new("call_5", "multiples", r#"{"of": 9223372036854775807}"#),
    ];

    println!("\nWhat a person sees");
    let events = Events::to(print_event);
    let results = dispatch(&set, calls, &DispatchOptions::new(), &events, &CancellationToken::new()).await;

    println!("\nWhat the model reads: one answer for each call");
    results.iter().for_each(print_result);
    Ok(())
}
