//! `worker-tools workflow`: runs workflows, looks at them, cancels them.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tool_runtime::CancellationToken;
use tool_std::workflow::{NewWorkflow, WorkflowError, Workflows};

use crate::attend::{block_on, until_stopped};
use crate::failure::Failure;
use crate::model_options::ModelOptions;
use crate::paper;
use crate::progress::Progress;
use crate::screen::one_line;
use crate::state::{kept_workflows_of, workflows_in};
use crate::turn_options::TurnOptions;
use crate::worker::workflow_worker;

const EXAMPLES: &str = "Examples:
  worker-tools workflow run review.js --model gpt-5.4
  worker-tools workflow --state ~/.agent run review.js --args items.json --model gpt-5.4
  worker-tools workflow --state ~/.agent list --over
  worker-tools workflow --state ~/.agent show 1000 --result
  worker-tools workflow --state ~/.agent cancel 1000

A script is the body of an async function: `const found = await agent('Find …'); return found;`. One that was broken off goes on
where it was when the same script is run again with the same arguments and the same state.";

/// Run workflows, look at them, cancel them
///
/// A workflow is a program that hands out work to isolated tasks and makes one result of what they give.
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct WorkflowCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Run a script to its end and print its result
    Run(Box<RunOne>),
    /// Show how far a workflow is, as JSON
    Show {
        /// Its number
        #[arg(value_name = "RUN")]
        run: i64,
        /// Print the exact result of a workflow that is completed, and nothing else
        #[arg(long)]
        result: bool,
    },
    /// List the workflows that go on, the newest first
    List {
        /// List those that are over
        #[arg(long)]
        over: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Cancel a workflow for good
    Cancel {
        /// Its number
        #[arg(value_name = "RUN")]
        run: i64,
    },
}

#[derive(Args)]
struct RunOne {
    /// The script
    #[arg(value_name = "FILE")]
    script: PathBuf,

    /// File with the arguments of the script: a JSON object
    #[arg(long, value_name = "FILE")]
    args: Option<PathBuf>,

    /// What it is called in lists [default: the name of the file]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// How many tasks run at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    concurrency: Option<u32>,

    #[command(flatten)]
    model: ModelOptions,
}

impl WorkflowCommand {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let space = || turn.state.workflows(&turn.state.space()?);
        match self.what {
            What::Run(run) => run.run(turn),
            What::Show { run, result } => {
                let workflows = kept_workflows_of(&space()?);
                block_on(show(&workflows, run, result))?
            }
            What::List { over, json } => {
                let workflows = kept_workflows_of(&space()?);
                block_on(list(&workflows, !over, json))?
            }
            What::Cancel { run } => {
                let workflows = kept_workflows_of(&space()?);
                let state = block_on(workflows.cancel(run))?.map_err(said)?;
                writeln!(io::stdout(), "{}", state.status.as_str())?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

impl RunOne {
    fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let model = self.model.job_model()?;
        let new = self.asked()?;
        // Without a state of its own it leaves nothing behind.
        let is_kept = turn.state.is_named();
        let (space, _folder) = if is_kept {
            (turn.state.workflows(&turn.state.space()?)?, None)
        } else {
            let folder = tempfile::tempdir()?;
            (workflows_in(folder.path())?, Some(folder))
        };
        let workflows = kept_workflows_of(&space);
        let stop = CancellationToken::new();
        let worker = workflow_worker(&space, &model, turn.task_tools()?);
        block_on(async {
            let id = begin(&workflows, &new).await?;
            let watch = async {
                let ended = watch(&workflows, id, &stop).await;
                stop.cancel();
                ended
            };
            let both = async { tokio::join!(watch, worker.run(&stop)).0 };
            let ended = until_stopped(both, &stop).await??;
            let Some(ended) = ended else {
                let hint = if is_kept {
                    "; run it again to go on"
                } else {
                    ", and without `--state` nothing is kept"
                };
                say!("worker-tools: the workflow {id} was broken off{hint}");
                return Ok(ExitCode::from(130));
            };
            tell_failures(&ended);
            match ended["status"].as_str() {
                Some("completed") => {
                    let result = workflows.whole_result(id).await.map_err(said)?.unwrap_or_default();
                    writeln!(io::stdout(), "{}", paper::for_stdout(&result))?;
                    Ok(ExitCode::SUCCESS)
                }
                Some("failed") => {
                    let summary = ended["error"]["summary"].as_str().unwrap_or_default();
                    say!("worker-tools: the workflow {id} has failed: {}", paper::for_stderr(summary));
                    Ok(ExitCode::FAILURE)
                }
                _ => {
                    say!("worker-tools: the workflow {id} was cancelled");
                    Ok(ExitCode::FAILURE)
                }
            }
        })?
    }

    fn asked(&self) -> Result<NewWorkflow, Failure> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| Failure::about(path.display(), error))
        };
        let args = match &self.args {
            None => None,
            Some(path) => {
                let args: Value = serde_json::from_str(&read(path)?)
                    .map_err(|error| Failure::about(path.display(), error))?;
                Some(args)
            }
        };
        let name =
            self.script.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Ok(NewWorkflow {
            title: self.title.clone().unwrap_or(name),
            script: read(&self.script)?,
            args,
            concurrency: self.concurrency,
            ..NewWorkflow::default()
        })
    }
}

/// Says why tasks have failed: the program may have gone on without them.
fn tell_failures(ended: &Value) {
    let failures = ended["failure_summaries"].as_array().map(Vec::as_slice).unwrap_or_default();
    for failure in failures {
        let seq = failure["call_seq"].as_i64().unwrap_or_default();
        let label = failure["label"].as_str().map(|label| format!(" ({label})")).unwrap_or_default();
        let summary = failure["summary"].as_str().unwrap_or_default();
        let line = one_line(&format!("the task {seq}{label} has failed: {summary}"));
        say!("worker-tools: {}", paper::for_stderr(&line));
    }
}

/// Starts a run, or finds the live one of the same script and arguments.
async fn begin(workflows: &Workflows, new: &NewWorkflow) -> Result<i64, Failure> {
    let args = new.args.as_ref().map(Value::to_string).unwrap_or_default();
    let hash = Sha256::new().chain_update(&new.script).chain_update([0]).chain_update(args).finalize();
    let name: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    for time in 0_u64.. {
        let state = workflows.start(&format!("{name}/{time}"), new).await.map_err(said)?;
        if state.status.is_live() {
            return Ok(state.run_id);
        }
    }
    Err("the workflow was run too often".to_owned().into())
}

/// Shows a run until it is over; gives what is shown of it then, or nothing if it was to stop.
async fn watch(workflows: &Workflows, id: i64, stop: &CancellationToken) -> Result<Option<Value>, Failure> {
    /// How often it is looked how far it is.
    const LOOK: Duration = Duration::from_millis(150);
    let mut progress = Progress::new(id);
    loop {
        let shown = workflows.show(id).await.map_err(said)?;
        progress.show(&shown);
        if shown["status"] != "running" {
            progress.end();
            return Ok(Some(shown));
        }
        tokio::select! {
            () = tokio::time::sleep(LOOK) => {}
            () = stop.cancelled() => {
                progress.end();
                return Ok(None);
            }
        }
    }
}

async fn show(workflows: &Workflows, run: i64, result: bool) -> Result<ExitCode, Failure> {
    let mut out = io::stdout();
    if result {
        let result = workflows.whole_result(run).await.map_err(said)?;
        let Some(result) = result else {
            return Err(format!("the workflow {run} is not completed, so it has no result").into());
        };
        writeln!(out, "{}", paper::for_stdout(&result))?;
    } else {
        let shown = workflows.show(run).await.map_err(said)?;
        writeln!(out, "{}", paper::for_stdout(&format!("{shown:#}")))?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(workflows: &Workflows, live: bool, as_json: bool) -> Result<ExitCode, Failure> {
    let (mut all, mut page) = (Vec::new(), None);
    loop {
        let next = workflows.list(live, page.as_deref()).await.map_err(said)?;
        all.extend(next.workflows);
        page = next.next_page;
        if page.is_none() {
            break;
        }
    }
    let mut out = io::stdout();
    if as_json {
        paper::json(&mut out, &all.iter().map(|run| json!(run)).collect::<Value>())?;
    } else {
        let rows = all.iter().map(|run| {
            let title = crate::screen::one_line(&run.title);
            vec![run.run_id.to_string(), run.status.as_str().to_owned(), title]
        });
        paper::table(&mut out, &["workflow", "status", "title"], rows)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn said(error: WorkflowError) -> Failure {
    error.to_string().into()
}
