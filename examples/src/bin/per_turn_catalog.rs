//! A catalog that changes with the turn: what is bound, enabled or allowed decides which tools the model gets.
//!
//! `cargo run -p examples --bin per_turn_catalog`

use std::error::Error;

use examples::print_names;
use tool_runtime::{ToolOutput, ToolSet, WorkerAgentTool, tools, worker_tool};

/// Something that a tool works with. A real one holds a client, behind an `Arc`.
#[derive(Clone, Copy)]
struct Provider(&'static str);

/// What one turn has. Nothing here is global: the host fills it for each turn anew.
#[derive(Clone, Copy, Default)]
struct TurnContext {
    search: Option<Provider>,
    fetch: Option<Provider>,
    jobs: Option<Provider>,
    is_job: bool,
}

/// Lists the files of the agent's home.
#[worker_tool(read_only, parallel)]
async fn list_files() -> &'static str {
    "notes.md"
}

/// Searches the web.
#[worker_tool(read_only, parallel, activity = "Searching for {query}")]
async fn web_search(#[state] search: Provider, #[param] query: String) -> String {
    format!("{}: results for `{query}`", search.0)
}

/// Reads a page of the web.
#[worker_tool(read_only, parallel, activity = "Reading {url}")]
async fn web_fetch(#[state] fetch: Provider, #[param] url: String) -> String {
    format!("{}: the text of `{url}`", fetch.0)
}

/// Starts a job that goes on behind the turn.
#[worker_tool(destructive = false, activity = "Starting a job")]
async fn start_job(#[state] jobs: Provider, #[param] task: String) -> String {
    format!("{}: took `{task}`", jobs.0)
}

/// Lists the jobs that are not done.
#[worker_tool(read_only, parallel)]
async fn list_jobs(#[state] jobs: Provider) -> String {
    format!("{}: no jobs", jobs.0)
}

/// Submits the result of a job, which ends its turn.
#[worker_tool(destructive = false)]
async fn submit_result(#[param] result: String) -> ToolOutput {
    ToolOutput::text(result).ends_turn()
}

/// A category is a function from the turn's context to tools; without a provider it has none.
fn web_tools(turn: &TurnContext) -> Vec<WorkerAgentTool> {
    tools![
        if let Some(search) = turn.search => web_search(search),
        if let Some(fetch) = turn.fetch => web_fetch(fetch),
    ]
}

fn job_tools(jobs: Provider) -> Vec<WorkerAgentTool> {
    tools![start_job(jobs), list_jobs(jobs)]
}

/// The whole catalog, in the order in which the model gets it. What is not in this list is not there.
fn tools_of_turn(turn: &TurnContext) -> Vec<WorkerAgentTool> {
    tools![
        list_files,
        ..web_tools(turn),
        if let Some(jobs) = turn.jobs && !turn.is_job => ..job_tools(jobs),
        if turn.is_job => submit_result,
    ]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let bare = TurnContext::default();
    let search = TurnContext { search: Some(Provider("search")), ..bare };
    let all = TurnContext { fetch: Some(Provider("fetch")), jobs: Some(Provider("queue")), ..search };
    for (what, turn) in [
        ("Nothing is bound", bare),
        ("A search provider is bound", search),
        ("Everything is bound, and jobs are enabled", all),
        (
            "The turn of a job: it starts no other jobs, and has to submit",
            TurnContext { is_job: true, ..all },
        ),
    ] {
        println!("{what}");
        print_names(ToolSet::new(tools_of_turn(&turn))?.tools());
    }

    println!("\nA tool that this turn does not have is answered, not run");
    let set = ToolSet::new(tools_of_turn(&bare))?;
    if let Err(error) = set.call("web_search", r#"{"query": "rust"}"#).await {
        println!("  web_search -> {error}");
    }
    println!("\nTwo tools of one name are an error of the list; neither replaces the other");
    if let Err(error) = ToolSet::new(tools![..tools_of_turn(&all), list_files]) {
        println!("  {}", error.to_string().replace('\n', "\n  "));
    }
    Ok(())
}
