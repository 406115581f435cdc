//! `worker-tools worker`: runs background jobs and fires schedules.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use tool_runtime::{CancellationToken, WorkerAgentTool};
use tool_std::jobs::{JobBrief, JobKit, JobWorker};
use tool_std::turn::main_turn_tools;
use tool_std::workflow::{Replayer, TaskKit, WorkflowSpace, WorkflowWorker};

use crate::attend::{block_on, until_stopped};
use crate::failure::Failure;
use crate::model_options::{AnyModel, ModelOptions};
use crate::scheduled_jobs::ScheduledJobs;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools worker --state ~/.agent --model gpt-5.4
  worker-tools worker --state ~/.agent --recording answers.jsonl
  DATABASE_URL=postgres://agent@db/agent worker-tools worker --job-files /srv/jobs --model gpt-5.4 --concurrency 8

Any number of workers share the jobs: on one machine by a state directory, on several by PostgreSQL and a folder that all
reach under one path. One that is killed loses nothing: another goes on with its jobs after the lease.";

/// Run background jobs and workflows, and begin the jobs that schedules ask for, until the program is stopped
///
/// A schedule that is due becomes a background job with its instruction as the task.
///
/// Ctrl-C, and the signal to end, give the jobs in hand back: they go on in another worker, or in the next one.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Worker {
    #[command(flatten)]
    model: ModelOptions,

    /// How many jobs this worker runs at a time
    #[arg(long, value_name = "N", default_value_t = tool_std::jobs::CONCURRENCY, help_heading = "The worker")]
    concurrency: usize,

    /// Seconds after which a worker that gives no sign is held to be dead
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(2..=3_600), help_heading = "The worker")]
    lease: u64,

    /// What the model of each job is told before its task
    #[arg(
        long,
        value_name = "TEXT",
        help_heading = "The worker",
        default_value = "You work on your own in the background. Do the task with the tools and answer with what came out."
    )]
    instructions: String,
}

impl Worker {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let space = turn.state.space()?;
        let (schedules, begin) = (turn.state.schedules()?, ScheduledJobs::of(&space));
        let model = self.model.job_model()?;
        // What cannot be had is told now and not by each job.
        drop(turn.context_in(std::path::Path::new("."))?);
        let (instructions, of_jobs, job_model) =
            (self.instructions, Arc::new(turn.clone()), Arc::clone(&model));
        let kit = move |brief: JobBrief| {
            let kit = kit(&of_jobs, &brief, &job_model, &instructions);
            async move { kit }
        };
        let worker = JobWorker::new(&space, kit)
            .concurrency(self.concurrency)
            .lease(Duration::from_secs(self.lease))
            .notify(|event| async move {
                say!("job {} {}: {}", event.job, event.kind.as_str(), event.title.escape_debug());
                Ok(())
            })
            .problems(|problem| say!("worker-tools: {problem}"));
        let workflows = turn.state.workflows(&space)?;
        let workflows = workflow_worker(&workflows, &model, turn.task_tools()?)
            .lease(Duration::from_secs(self.lease))
            .notify(|event| async move {
                say!("workflow {} {}: {}", event.run, event.kind.as_str(), event.title.escape_debug());
                Ok(())
            });
        say!("worker-tools: works on jobs in {}", space.folder().display());
        let stop = CancellationToken::new();
        let work = async {
            let fire = schedules.fire(&begin, 1, &|problem| say!("worker-tools: {problem}"), &stop);
            tokio::join!(worker.run(&stop), workflows.run(&stop), fire);
        };
        block_on(until_stopped(work, &stop))??;
        Ok(ExitCode::SUCCESS)
    }
}

/// A worker of workflows: their tasks have the model, these tools, and those that end them.
pub(crate) fn workflow_worker(
    space: &WorkflowSpace,
    model: &AnyModel,
    tools: Vec<WorkerAgentTool>,
) -> WorkflowWorker {
    let model = Arc::clone(model);
    let kit = move |_| {
        let kit = TaskKit::new(Arc::clone(&model)).tools(tools.iter().cloned());
        async move { Ok(kit) }
    };
    WorkflowWorker::new(space, Replayer::of_this_program(), kit)
        .problems(|problem| say!("worker-tools: {problem}"))
}

/// What a job runs with: the tools of a turn in its own directory.
fn kit(turn: &TurnOptions, brief: &JobBrief, model: &AnyModel, instructions: &str) -> Result<JobKit, String> {
    let context = turn.context_in(&brief.workspace).map_err(Failure::into_words)?;
    let instructions = format!("{instructions}\n\n{}", context.instructions()).trim_end().to_owned();
    let kit = JobKit::new(Arc::clone(model), main_turn_tools(&context));
    Ok(kit.agent(move |agent| agent.instructions(&instructions)))
}
