//! `worker-tools schedules`: looks at schedules, pauses, resumes and removes them.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tool_std::schedule::{CheckBack, CronRule, ScheduleError, Schedules};

use crate::attend::block_on;
use crate::failure::Failure;
use crate::paper;
use crate::screen::one_line;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools schedules --state ~/.agent list
  worker-tools schedules --state ~/.agent show morning-report
  worker-tools schedules --state ~/.agent pause morning-report
  DATABASE_URL=postgres://agent@db/agent worker-tools schedules remove 1000";

/// How many runs of a rule are shown.
const RUNS: u32 = 20;

/// Look at schedules, pause, resume and remove them
///
/// A schedule is named by the name of its rule, or by the number of its check-back. They are made with the tools `cron` and
/// `check_back_later`, and fired by `worker-tools worker` with the same state.
#[derive(Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct SchedulesCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List rules and check-backs
    List {
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a rule with its last runs, or a check-back, as JSON
    Show {
        #[arg(value_name = "SCHEDULE")]
        name: String,
    },
    /// Stop a rule from firing until it is resumed
    Pause {
        #[arg(value_name = "RULE")]
        name: String,
    },
    /// Let a paused rule fire again, from now on
    Resume {
        #[arg(value_name = "RULE")]
        name: String,
    },
    /// Remove a rule, or cancel a check-back
    Remove {
        #[arg(value_name = "SCHEDULE")]
        name: String,
    },
}

impl SchedulesCommand {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let schedules = turn.state.schedules()?;
        block_on(run(self.what, &schedules))??;
        Ok(ExitCode::SUCCESS)
    }
}

async fn run(what: What, schedules: &Schedules) -> Result<(), Failure> {
    let mut out = io::stdout();
    match what {
        What::List { json } => {
            let rules = schedules.rules().await.map_err(said)?;
            let check_backs = schedules.check_backs().await.map_err(said)?;
            match json {
                true => paper::json(&mut out, &json!({ "rules": rules, "check_backs": check_backs }))?,
                false => table(&mut out, &rules, &check_backs)?,
            }
        }
        What::Show { name } => {
            let shown = match number(schedules, &name).await {
                Some(id) => json!(schedules.check_back(id).await.map_err(said)?),
                None => with_runs(schedules, &name).await.map_err(said)?,
            };
            writeln!(out, "{}", paper::for_stdout(&format!("{shown:#}")))?;
        }
        What::Pause { name } => state(&mut out, &schedules.pause(&name).await.map_err(said)?)?,
        What::Resume { name } => state(&mut out, &schedules.resume(&name).await.map_err(said)?)?,
        What::Remove { name } => match number(schedules, &name).await {
            Some(id) => {
                schedules.cancel(id).await.map_err(said)?;
                writeln!(out, "cancelled")?;
            }
            None => state(&mut out, &schedules.remove(&name).await.map_err(said)?)?,
        },
    }
    Ok(())
}

/// The check-back that `name` is the number of. A rule may have digits as its name.
async fn number(schedules: &Schedules, name: &str) -> Option<i64> {
    let id = name.parse().ok()?;
    schedules.check_back(id).await.is_ok().then_some(id)
}

async fn with_runs(schedules: &Schedules, name: &str) -> Result<Value, ScheduleError> {
    let mut shown = json!(schedules.rule(name).await?);
    if let Some(members) = shown.as_object_mut() {
        members.insert("runs".to_owned(), json!(schedules.runs(name, RUNS).await?));
    }
    Ok(shown)
}

fn state(out: &mut impl Write, rule: &CronRule) -> io::Result<()> {
    match &rule.next_at {
        Some(next) => writeln!(out, "{}, next at {next}", word(json!(rule.state))),
        None => writeln!(out, "{}", word(json!(rule.state))),
    }
}

fn table(out: &mut impl Write, rules: &[CronRule], check_backs: &[CheckBack]) -> io::Result<()> {
    let rule = |rule: &CronRule| {
        let schedule = &rule.schedule;
        let when = match (&schedule.expression, schedule.every_ms) {
            (Some(expression), _) => expression.clone(),
            (None, every) => format!("every {} ms", every.unwrap_or_default()),
        };
        let next = rule.next_at.clone().unwrap_or_default();
        vec![one_line(&rule.name), word(json!(rule.state)), next, when]
    };
    let check_back = |one: &CheckBack| {
        vec![one.checkback_id.to_string(), word(json!(one.state)), one.due_at.clone(), one_line(&one.reason)]
    };
    let rows = rules.iter().map(rule).chain(check_backs.iter().map(check_back));
    paper::table(out, &["schedule", "state", "due", "what"], rows)
}

/// A state as a word.
fn word(state: Value) -> String {
    state.as_str().unwrap_or_default().to_owned()
}

fn said(error: ScheduleError) -> Failure {
    error.to_string().into()
}
