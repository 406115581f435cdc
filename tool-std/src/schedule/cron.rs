//! The tool `cron`: rules that recur.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use super::check_back::given;
use super::error::ScheduleError;
use super::given::{Given, trimmed};
use super::receipt;
use super::rule::CronSchedule;
use super::scope::Schedules;
use super::store::rules::{Changes, NewRule, has_task};
use super::view::{CronRule, CronRun};

/// The largest payload, in bytes of JSON.
const MAX_PAYLOAD: usize = 32_768;
/// How many runs are given if nothing is said.
const RUNS: u32 = 20;

/// What the model asks of its rules.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct CronParams {
    /// What to do.
    action: CronAction,
    /// The name of the rule: for all actions but `list`.
    #[schemars(length(min = 1, max = 100))]
    name: Option<String>,
    /// When it is due: for `add`, and `update` if it changes.
    schedule: Option<CronSchedule>,
    /// What it is to do: for `add`, and `update` if it changes.
    payload: Option<Payload>,
    /// How its answers are delivered: for `add` and `update`.
    delivery: Option<DeliveryChoice>,
    /// The automation job that takes it in place of you: for `add` and `update`, where null takes it away.
    #[schemars(with = "Option<String>", length(min = 1, max = 200))]
    #[serde(default, deserialize_with = "given")]
    automation_job_id: Option<Option<String>>,
    /// The most to give: for `runs`; 20 if left out.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

/// What a rule is to do.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Payload {
    /// The whole instruction: it stands alone in a conversation of its own, which knows nothing of this one.
    #[schemars(length(min = 1, max = 16_000))]
    task: Option<String>,
    /// Data of your own, beside it.
    #[serde(flatten)]
    data: Map<String, Value>,
}

/// How answers are delivered.
#[derive(Deserialize, JsonSchema)]
pub(super) struct DeliveryChoice {
    /// Whether nothing shall be sent if all is well and nothing has changed.
    quiet_success: Option<bool>,
}

/// What to do with rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CronAction {
    List,
    Get,
    Runs,
    Add,
    Update,
    Pause,
    Resume,
    Remove,
    Run,
}

impl CronAction {
    fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Get => "get",
            Self::Runs => "runs",
            Self::Add => "add",
            Self::Update => "update",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Remove => "remove",
            Self::Run => "run",
        }
    }
}

/// What came of it: one rule, those of a list, or runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CronResult {
    /// The one that was asked for, made or changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<CronRule>,
    /// Of `list`: those that are active or paused, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<CronRule>>,
    /// Of `runs`: what a rule was due for, the latest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<Vec<CronRun>>,
}

/// Keeps rules by which you are woken up again and again, each in a conversation of its own.
///
/// Use it for what recurs: a report each morning, a check each hour. For a single time use `check_back_later`. Put the whole
/// instruction into `payload.task`. Actions: `list`, `get`, `runs` (what it was due for), `add`, `update`, `pause`, `resume`
/// (from now on), `remove`, `run` (once, now, beside its ticks).
#[worker_tool(destructive = false, open_world = false, activity = activity)]
pub async fn cron(
    #[state] schedules: Schedules,
    params: CronParams,
    context: ToolContext,
) -> Result<ToolOutput<CronResult>, ToolError> {
    let call_id = context.call_id().to_owned();
    run(&schedules, params, &call_id).await.map_err(ScheduleError::into_tool_error)
}

fn activity(params: &CronParams) -> &'static str {
    match params.action {
        CronAction::List | CronAction::Get | CronAction::Runs => "Looking at scheduled work",
        CronAction::Add => "Scheduling work",
        CronAction::Update | CronAction::Pause | CronAction::Resume => "Changing scheduled work",
        CronAction::Remove => "Removing scheduled work",
        CronAction::Run => "Starting scheduled work",
    }
}

const CHANGES: [&str; 4] = ["schedule", "payload", "delivery", "automation_job_id"];

async fn run(
    schedules: &Schedules,
    params: CronParams,
    call_id: &str,
) -> Result<ToolOutput<CronResult>, ScheduleError> {
    let is_update = params.action == CronAction::Update;
    let given = Given {
        action: params.action.as_str(),
        fields: &[
            ("name", params.name.is_some()),
            ("schedule", params.schedule.is_some()),
            ("payload", params.payload.is_some()),
            ("delivery", params.delivery.is_some()),
            // A null says something only where it takes something away.
            (
                "automation_job_id",
                params.automation_job_id.as_ref().is_some_and(|id| is_update || id.is_some()),
            ),
            ("limit", params.limit.is_some()),
        ],
    };
    match params.action {
        CronAction::List => given.check(&[], &[])?,
        CronAction::Runs => given.check(&["name"], &["limit"])?,
        CronAction::Add => given.check(&["name", "schedule"], &CHANGES)?,
        CronAction::Update => {
            given.check(&["name"], &CHANGES)?;
            given.check_change(&CHANGES)?;
        }
        _ => given.check(&["name"], &[])?,
    }
    let name = params.name.map(named).transpose()?.unwrap_or_default();
    let payload = params.payload.map(payload).transpose()?;
    let quiet_success = params.delivery.and_then(|delivery| delivery.quiet_success);
    let (done, rule) = match params.action {
        CronAction::List => return list(schedules).await,
        CronAction::Get => return Ok(one(schedules.rule(&name).await?)),
        CronAction::Runs => return runs(schedules, &name, params.limit).await,
        CronAction::Add => {
            let automation = params.automation_job_id.flatten();
            let payload = payload.unwrap_or_default();
            if automation.is_none() && !has_task(&payload) {
                return Err(ScheduleError::invalid(
                    "the action `add` needs the instruction as `payload.task`, unless there is an `automation_job_id`",
                ));
            }
            let schedule = params.schedule.unwrap_or_default();
            let quiet_success = quiet_success.unwrap_or_default();
            (
                "added",
                schedules.add_rule(NewRule { name, schedule, payload, quiet_success, automation }).await?,
            )
        }
        CronAction::Update => {
            let (schedule, automation) = (params.schedule, params.automation_job_id);
            (
                "updated",
                schedules
                    .update_rule(&name, Changes { schedule, payload, quiet_success, automation })
                    .await?,
            )
        }
        CronAction::Pause => ("paused", schedules.pause(&name).await?),
        CronAction::Resume => ("resumed", schedules.resume(&name).await?),
        CronAction::Remove => ("removed", schedules.remove(&name).await?),
        CronAction::Run => ("run", schedules.run_rule(&name, call_id).await?),
    };
    let receipt = receipt::cron(call_id, done, &rule);
    Ok(one(rule).present(receipt))
}

/// What the model asks of rules in a turn that one of them began.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct CronLookParams {
    /// What to do.
    action: CronLook,
    /// The name of the rule; left out, it is the one that began this turn.
    #[schemars(length(max = 100))]
    #[serde(default)]
    name: String,
    /// The most to give: for `runs`; 20 if left out.
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
}

/// What to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CronLook {
    List,
    Get,
    Runs,
}

/// Looks at the rules by which you are woken up again and again; one of them began this turn.
///
/// Actions: `list`, `get`, `runs` (what a rule was due for). Rules cannot be changed in this turn.
#[worker_tool(name = "cron", destructive = true, open_world = false, activity = "Looking at scheduled work")]
pub async fn cron_look(
    #[state] schedules: Schedules,
    params: CronLookParams,
) -> Result<ToolOutput<CronResult>, ToolError> {
    look(&schedules, params).await.map_err(ScheduleError::into_tool_error)
}

async fn look(
    schedules: &Schedules,
    params: CronLookParams,
) -> Result<ToolOutput<CronResult>, ScheduleError> {
    let action = match params.action {
        CronLook::List => "list",
        CronLook::Get => "get",
        CronLook::Runs => "runs",
    };
    let given = Given { action, fields: &[("limit", params.limit.is_some())] };
    let name = params.name.trim();
    match params.action {
        CronLook::List => {
            given.check(&[], &[])?;
            list(schedules).await
        }
        CronLook::Get => {
            given.check(&[], &[])?;
            Ok(one(schedules.rule(name).await?))
        }
        CronLook::Runs => runs(schedules, name, params.limit).await,
    }
}

async fn list(schedules: &Schedules) -> Result<ToolOutput<CronResult>, ScheduleError> {
    let rules = schedules.rules().await?;
    Ok(output(CronResult { rules: Some(rules), ..CronResult::default() }))
}

async fn runs(
    schedules: &Schedules,
    name: &str,
    limit: Option<u32>,
) -> Result<ToolOutput<CronResult>, ScheduleError> {
    let runs = schedules.runs(name, limit.unwrap_or(RUNS)).await?;
    Ok(output(CronResult { runs: Some(runs), ..CronResult::default() }))
}

fn one(rule: CronRule) -> ToolOutput<CronResult> {
    output(CronResult { rule: Some(rule), ..CronResult::default() })
}

fn output(result: CronResult) -> ToolOutput<CronResult> {
    ToolOutput::from_content(Vec::new()).with_details(result)
}

fn named(name: String) -> Result<String, ScheduleError> {
    let name = trimmed("name", name)?;
    match name.contains(char::is_control) {
        true => Err(ScheduleError::invalid(
            "`name` has control characters; write it on one line, as `morning-report`",
        )),
        false => Ok(name),
    }
}

fn payload(given: Payload) -> Result<Map<String, Value>, ScheduleError> {
    let mut payload = Map::new();
    if let Some(task) = given.task {
        payload.insert("task".to_owned(), Value::String(trimmed("payload.task", task)?));
    }
    payload.extend(given.data);
    let bytes = serde_json::to_string(&payload).map_or(usize::MAX, |text| text.len());
    if bytes > MAX_PAYLOAD {
        return Err(ScheduleError::invalid(format!(
            "`payload` has {bytes} bytes and may have {MAX_PAYLOAD}; put long data into a file and name it in `task`"
        )));
    }
    Ok(payload)
}
