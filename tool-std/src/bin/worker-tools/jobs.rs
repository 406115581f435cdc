//! `worker-tools jobs`: asks for background jobs, looks at them, talks to them, stops them.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tool_std::jobs::{JobError, Jobs};

use crate::attend::block_on;
use crate::failure::Failure;
use crate::paper;
use crate::state::jobs_of;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools jobs --state ~/.agent create 'Read the logs' 'Find what failed last night in /var/log and say why.'
  worker-tools jobs --state ~/.agent list
  worker-tools jobs --state ~/.agent show 1000 --result
  DATABASE_URL=postgres://agent@db/agent worker-tools jobs --job-files /srv/jobs stop 1000";

/// Ask for background jobs, look at them, talk to them, stop them
///
/// They are run by `worker-tools worker` with the same state.
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct JobsCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Ask for a job; prints its number
    Create {
        /// What it is called
        #[arg(value_name = "TITLE")]
        title: String,
        /// What is to be done; `-` reads it from standard input
        #[arg(value_name = "TASK")]
        task: String,
    },
    /// List the jobs that can still change, the one that changed last first
    List {
        /// List those that are over
        #[arg(long)]
        over: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show how far a job is, as JSON
    Show {
        /// Its number
        #[arg(value_name = "JOB")]
        job: i64,
        /// Print the exact result of a job that has succeeded, and nothing else
        #[arg(long)]
        result: bool,
    },
    /// Say something to a live job; the answer to one that has asked
    Send {
        /// Its number
        #[arg(value_name = "JOB")]
        job: i64,
        /// What it shall read; `-` reads it from standard input
        #[arg(value_name = "MESSAGE")]
        message: String,
    },
    /// Continue a job that is over as a new one; prints its number
    Respawn {
        /// The number of the job that is over
        #[arg(value_name = "JOB")]
        job: i64,
        /// What is to be done now; `-` reads it from standard input
        #[arg(value_name = "MESSAGE")]
        message: String,
    },
    /// Stop a job for good
    Stop {
        /// Its number
        #[arg(value_name = "JOB")]
        job: i64,
    },
}

impl JobsCommand {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let jobs = jobs_of(&turn.state.space()?);
        block_on(run(self.what, &jobs))??;
        Ok(ExitCode::SUCCESS)
    }
}

async fn run(what: What, jobs: &Jobs) -> Result<(), Failure> {
    let mut out = io::stdout();
    match what {
        What::Create { title, task } => {
            let asked = jobs.create("create", &title, &text(task)?, None, None).await.map_err(said)?;
            writeln!(out, "{}", asked.job_id)?;
        }
        What::List { over, json } => list(&mut out, jobs, !over, json).await?,
        What::Show { job, result: false } => {
            let details = jobs.details(job).await.map_err(said)?;
            writeln!(out, "{}", paper::for_stdout(&format!("{details:#}")))?;
        }
        What::Show { job, result: true } => {
            let result = jobs.whole_result(job).await.map_err(said)?;
            let Some(result) = result else {
                return Err(format!("the job {job} has not succeeded, so it has no result").into());
            };
            writeln!(out, "{}", paper::for_stdout(&result))?;
        }
        What::Send { job, message } => {
            jobs.send("send", job, &text(message)?).await.map_err(said)?;
        }
        What::Respawn { job, message } => {
            let next = jobs.respawn("respawn", job, &text(message)?).await.map_err(said)?;
            writeln!(out, "{}", next.job_id)?;
        }
        What::Stop { job } => {
            let state = jobs.stop(job).await.map_err(said)?;
            writeln!(out, "{}", state.status.as_str())?;
        }
    }
    Ok(())
}

async fn list(out: &mut impl Write, jobs: &Jobs, live: bool, as_json: bool) -> Result<(), Failure> {
    let (mut all, mut page) = (Vec::new(), None);
    loop {
        let next = jobs.list(live, page.as_deref()).await.map_err(said)?;
        all.extend(next.jobs);
        page = next.next_page;
        if page.is_none() {
            break;
        }
    }
    if as_json {
        paper::json(out, &all.iter().map(|job| json!(job)).collect::<Value>())?;
        return Ok(());
    }
    let rows = all.iter().map(|job| {
        let title = crate::screen::one_line(&job.title);
        vec![job.job_id.to_string(), job.status.as_str().to_owned(), title]
    });
    Ok(paper::table(out, &["job", "status", "title"], rows)?)
}

fn text(given: String) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

fn said(error: JobError) -> Failure {
    error.to_string().into()
}
