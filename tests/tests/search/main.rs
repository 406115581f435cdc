//! Search of deferred tools by our own means, through the agent and in all formats.

mod answers;
mod requests;
mod turns;

use std::sync::LazyLock;

use tests::script::ScriptedModel;
use tool_runtime::{
    Agent, CancellationToken, Namespace, Outcome, ToolCatalog, ToolSpec, WorkerAgentTool, tools, worker_tool,
};

const CRM: Namespace = Namespace::new("crm", "Customers and their orders.");
const SHOP: Namespace = Namespace::new("shop", "The products of the shop.");

/// Finds a customer by a part of the name.
#[worker_tool(read_only, parallel, namespace = CRM, defer_loading)]
async fn find_customer(
    /// A part of the name.
    #[param]
    name_part: String,
) -> String {
    format!("customer 7 is {name_part}")
}

/// Lists the orders of a customer.
#[worker_tool(read_only, parallel, namespace = CRM, defer_loading, search_text = "purchases history")]
async fn list_orders(#[param] customer: u64) -> String {
    format!("customer {customer} has no orders")
}

/// Changes a price.
#[worker_tool(namespace = SHOP, defer_loading)]
async fn set_price(#[param] product: u64, #[param] cents: u64) -> String {
    format!("product {product} costs {cents}")
}

/// Finds a product.
#[worker_tool(read_only, parallel, namespace = SHOP, defer_loading)]
async fn find_product(#[param] word: String) -> String {
    format!("no product has {word}")
}

/// Opens a pull request.
#[worker_tool(name = "GitHubPullRequest", defer_loading)]
async fn pull_request(#[param] branch: String) -> String {
    format!("opened for {branch}")
}

/// Tells the time.
#[worker_tool(read_only, parallel)]
async fn clock() -> &'static str {
    "noon"
}

fn catalog() -> ToolCatalog {
    ToolCatalog::new(tools![find_customer, list_orders, set_price, find_product, pull_request]).unwrap()
}

fn listed() -> Vec<WorkerAgentTool> {
    tools![clock, ..catalog().tools()]
}

/// A catalog of 5,000 deferred tools in 50 namespaces.
static LARGE: LazyLock<ToolCatalog> = LazyLock::new(|| ToolCatalog::new(large()).unwrap());

fn large() -> Vec<WorkerAgentTool> {
    let tool = |number: usize| {
        let namespace = Namespace {
            name: format!("service_{}", number / 100).into(),
            description: format!("The service number {}.", number / 100).into(),
        };
        let spec = ToolSpec::new(format!("do_{number}"), format!("Does the work with the number {number}."));
        let spec = spec.namespace(namespace).defer_loading(true).read_only(true);
        spec.no_parameters().execute(move |_, _| async move { format!("done {number}") })
    };
    (0..5_000).map(tool).collect()
}

fn agent(model: &ScriptedModel, tools: Vec<WorkerAgentTool>) -> Agent {
    Agent::new(model.clone(), tools).unwrap()
}

async fn run(agent: Agent) -> Outcome {
    agent.run("go", &CancellationToken::new()).await.unwrap()
}
