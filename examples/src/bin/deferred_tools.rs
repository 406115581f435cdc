//! Deferred tools: a large catalog in a namespace, whose parameters the model gets only when it asks for them.
//!
//! `cargo run -p examples --bin deferred_tools`

use std::error::Error;

use examples::print_names;
use serde_json::Value;
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{Namespace, ToolSet, tools, worker_tool};

/// One constant for all tools of the group, so that two of them cannot describe it differently.
const CRM: Namespace = Namespace::new("crm", "Customers, their orders and invoices.");

/// Finds a customer by name.
#[worker_tool(read_only, parallel, namespace = CRM, defer_loading)]
async fn find_customer(
    /// A part of the name.
    #[param]
    name: String,
) -> String {
    format!("customer 7 is named {name}")
}

/// Lists the orders of a customer.
#[worker_tool(read_only, parallel, namespace = CRM, defer_loading, search_text = "orders purchases history")]
async fn list_orders(#[param] customer: u64) -> String {
    format!("customer {customer} has no orders")
}

/// Tells the time.
#[worker_tool(read_only, parallel)]
async fn clock() -> &'static str {
    "noon"
}

/// What the model has, and the list as the OpenAI Responses API gets it. The entry `tool_search` is added by the format as long
/// as something is deferred; the provider then keeps the parameters of deferred tools from the model until a search finds them.
fn print_state(set: &ToolSet) -> Result<(), Box<dyn Error>> {
    println!("before the model:");
    print_names(set.loaded());
    println!("behind tool search:");
    print_names(set.deferred());
    println!("on the wire:");
    let entries: Vec<Value> = serde_json::from_str(&encode_tools(set))?;
    for entry in &entries {
        println!("  {}", describe(entry));
        for tool in entry["tools"].as_array().into_iter().flatten() {
            println!("    {}", describe(tool));
        }
    }
    Ok(())
}

fn describe(entry: &Value) -> String {
    let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let deferred = if entry["defer_loading"] == true { ", defer_loading" } else { "" };
    format!("{} {}{deferred}", text("type"), text("name")).trim_end().to_owned()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut set = ToolSet::new(tools![find_customer, list_orders, clock])?;

    println!("At the beginning of the turn");
    print_state(&set)?;

    println!("\nA call before the tool is loaded is answered, not run");
    if let Err(error) = set.call("crm.list_orders", r#"{"customer": 7}"#).await {
        println!("  crm.list_orders -> {error}");
    }

    println!(
        "\nThe provider's tool search found `list_orders`: it may be called, and the list on the wire stays the same"
    );
    set.mark_found(Some("crm"), "list_orders");
    print_state(&set)?;
    println!(
        "  crm.list_orders -> {}",
        set.call("crm.list_orders", r#"{"customer": 7}"#).await?.model_text()
    );

    println!("\nThe host loads `find_customer` itself: it is listed with its parameters from now on");
    set.load(Some("crm"), "find_customer");
    print_state(&set)?;
    println!(
        "  crm.find_customer -> {}",
        set.call("crm.find_customer", r#"{"name": "Ada"}"#).await?.model_text()
    );
    Ok(())
}
