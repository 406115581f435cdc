//! Runs a turn with a file journal until it is killed: the other half of the kill test.
//!
//! `journal_child FOLDER`: the journal is `FOLDER/journal.jsonl`. Each call of `effect` adds a line to `FOLDER/effects` and
//! nothing else; the line is its argument. The turn goes on where the journal ends, until the model is done.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;
use tests::script::{results, says};
use tool_runtime::{
    Agent, BoxFuture, CancellationToken, Delta, ExecutionMode, FileJournal, Item, Model, ModelError,
    ModelRequest, ModelResponse, ToolCall, ToolSpec, WorkerAgentTool,
};

/// How many rounds of calls the model asks for.
const ROUNDS: usize = 40;

/// Asks for two parallel effects and a sequential one a round, each under a number of its own, by what stands in the
/// conversation already. Knows nothing else, so it goes on after a kill.
struct Counting;

impl Model for Counting {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        _: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        let round = results(request.items).len() / 3;
        let response = if round >= ROUNDS {
            says("done")
        } else {
            let call = |index: usize, name: &str| {
                let number = round * 3 + index;
                Item::call(ToolCall::new(format!("call_{number}"), name, format!(r#"{{"number":{number}}}"#)))
            };
            ModelResponse::new(vec![call(0, "effect"), call(1, "effect"), call(2, "effect_alone")])
        };
        Box::pin(std::future::ready(Ok(response)))
    }
}

fn effect(name: &'static str, mode: ExecutionMode, file: PathBuf) -> WorkerAgentTool {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"number": {"type": "integer"}},
        "required": ["number"],
        "additionalProperties": false
    });
    ToolSpec::new(name, "Has an effect.").execution_mode(mode).schema::<Value>(schema).execute(
        move |arguments, cx| {
            let file = file.clone();
            async move {
                let line = format!("{}\n", arguments["number"]);
                let write = move || {
                    OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
                };
                cx.run_blocking(write).await??;
                Ok::<_, tool_runtime::ToolError>(format!("effect {}", arguments["number"]))
            }
        },
    )
}

async fn turn(folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let (journal, recovered) = FileJournal::open(folder.join("journal.jsonl"))?;
    let mut items = recovered.items;
    if items.is_empty() {
        items.push(Item::user("go"));
    }
    let effects = folder.join("effects");
    let tools = vec![
        effect("effect", ExecutionMode::Parallel, effects.clone()),
        effect("effect_alone", ExecutionMode::Sequential, effects),
    ];
    let agent = Agent::new(Counting, tools)?.journal(journal).iteration_limit(u32::MAX);
    agent.run(items, &CancellationToken::new()).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: journal_child FOLDER");
        return ExitCode::from(2);
    };
    match turn(Path::new(&folder)).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
