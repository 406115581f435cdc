//! Search of deferred tools without a provider's help: the model has one tool, finds the others with it, and calls what it found.
//!
//! `cargo run -p examples --bin tool_search`

use std::error::Error;

use examples::print_result;
use serde_json::Value;
use tool_runtime::provider::{RecordedModel, chat};
use tool_runtime::{
    Agent, CancellationToken, Namespace, ToolCatalog, ToolSet, ToolSpec, WorkerAgentTool, tools, worker_tool,
};

/// Tells the time.
#[worker_tool(read_only, parallel)]
async fn clock() -> &'static str {
    "noon"
}

/// Thirty tools of three services, as another program might give them: known only when the program runs.
fn imported() -> Vec<WorkerAgentTool> {
    let services = [("crm", "Customers."), ("shop", "Products and orders."), ("desk", "Tickets.")];
    let verbs = ["find", "list", "create", "archive", "export"];
    let things = ["customer", "order"];
    let mut tools = Vec::new();
    for (service, about) in services {
        for verb in verbs {
            for thing in things {
                let spec = ToolSpec::new(
                    format!("{verb}_{thing}"),
                    format!("Can {verb} an entry of the kind {thing}."),
                );
                let spec = spec
                    .namespace(Namespace::new(service, about))
                    .defer_loading(true)
                    .read_only(verb != "archive");
                tools.push(
                    spec.no_parameters().execute(move |_, _| async move { format!("{service}: 1 {thing}") }),
                );
            }
        }
    }
    tools
}

/// What a model answers: it searches, calls what was found, and is done.
const RECORDING: &str = r#"
{"output":[{"type":"function_call","call_id":"c1","name":"tool_search","arguments":"{\"query\":\"list orders\",\"namespace\":\"shop\",\"limit\":1}"},{"type":"function_call","call_id":"c2","name":"tool_search","arguments":"{\"names\":[\"desk.find_custmer\"]}"}]}
{"output":[{"type":"function_call","call_id":"c3","namespace":"shop","name":"list_order","arguments":"{}"}]}
{"output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"There is one order."}]}]}
"#;

/// The names in the `tools` of a request, as a provider without namespaces gets them.
fn names_on_the_wire(set: &ToolSet) -> Result<Vec<String>, Box<dyn Error>> {
    let entries: Vec<Value> = serde_json::from_str(&chat::encode_tools(&chat::Settings::new("any"), set))?;
    Ok(entries.iter().filter_map(|entry| entry["function"]["name"].as_str()).map(str::to_owned).collect())
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // Once for the program: the index belongs to the catalog.
    let catalog = ToolCatalog::new(imported())?;

    // For each turn: handles are cloned, nothing is indexed again.
    let agent = Agent::new(RecordedModel::from_text(RECORDING)?, tools![clock, ..catalog.tools()])?;
    println!(
        "{} tools in the turn; the first request lists {:?}",
        agent.tools().len(),
        names_on_the_wire(agent.tools())?
    );

    println!("\nThe turn");
    let outcome = agent.run("How many orders are there?", &CancellationToken::new()).await?;
    outcome.results.iter().for_each(print_result);
    println!("  {}", outcome.text);

    println!("\nA loop of your own loads what was found with `load_found`");
    let mut set = ToolSet::new(tools![clock, ..catalog.tools()])?;
    set.load_found(&outcome.results);
    println!("  the next request lists {:?}", names_on_the_wire(&set)?);

    println!("\nA turn that changes nothing finds no tool that writes");
    let reading = catalog.tools().into_iter().filter(|tool| tool.spec().read_only).collect();
    let output = ToolSet::new(reading)?.call("tool_search", r#"{"names": ["crm.archive_order"]}"#).await?;
    println!("  {}", output.text());
    Ok(())
}
