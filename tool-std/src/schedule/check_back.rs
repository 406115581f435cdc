//! The tool `check_back_later`: the model wakes itself up, once.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use super::error::ScheduleError;
use super::given::{Given, trimmed};
use super::once::OnceSchedule;
use super::receipt;
use super::scope::Schedules;
use super::store::check_backs::{Changes, NewCheckBack};
use super::view::CheckBack;

/// What the model asks of its check-backs.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct CheckBackParams {
    /// What to do.
    action: CheckBackAction,
    /// The number of the check-back: for `get`, `update` and `cancel`.
    checkback_id: Option<i64>,
    /// Why you want to come back: for `create`, and `update` if it changes.
    #[schemars(length(min = 1, max = 2_000))]
    reason: Option<String>,
    /// What to look at then, so that it can be done without asking: for `create`, and `update` if it changes.
    #[schemars(length(min = 1, max = 4_000))]
    check: Option<String>,
    /// What is known now and will be needed then: for `create` and `update`, where null takes it away.
    #[schemars(with = "Option<String>", length(max = 8_000))]
    #[serde(default, deserialize_with = "given")]
    context_summary: Option<Option<String>>,
    /// When: for `create`, and `update` if it changes. At least 1 second and at most 366 days from now.
    schedule: Option<OnceSchedule>,
    /// Whether nothing shall be sent if all is well then: for `create` and `update`.
    quiet_success: Option<bool>,
    /// The automation job that takes it in place of you: for `create` and `update`, where null takes it away.
    #[schemars(with = "Option<String>", length(min = 1, max = 200))]
    #[serde(default, deserialize_with = "given")]
    automation_job_id: Option<Option<String>>,
    /// The most to give: for `list`; 10 if left out.
    #[schemars(range(min = 1, max = 25))]
    limit: Option<u32>,
}

/// What to do with check-backs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum CheckBackAction {
    Create,
    List,
    Get,
    Update,
    Cancel,
}

impl CheckBackAction {
    fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::List => "list",
            Self::Get => "get",
            Self::Update => "update",
            Self::Cancel => "cancel",
        }
    }
}

/// What came of it: one check-back, or those of a list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CheckBackResult {
    /// The one that was asked for, made or changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkback: Option<CheckBack>,
    /// Of `list`: those that wait by time, then the others, the latest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checkbacks: Option<Vec<CheckBack>>,
}

/// Wakes you up once, later, in this conversation.
///
/// Use it when you must look at something again at a known time: a build that runs, an answer that may come, a date. Say in
/// `check` all that you will need, and in `context_summary` what you know now. For something that recurs use `cron`. Actions:
/// `create`, `list`, `get`, `update` (gives a new number), `cancel`.
#[worker_tool(destructive = false, open_world = false, activity = activity)]
pub async fn check_back_later(
    #[state] schedules: Schedules,
    params: CheckBackParams,
    context: ToolContext,
) -> Result<ToolOutput<CheckBackResult>, ToolError> {
    let call_id = context.call_id().to_owned();
    run(&schedules, params, &call_id).await.map_err(ScheduleError::into_tool_error)
}

fn activity(params: &CheckBackParams) -> &'static str {
    match params.action {
        CheckBackAction::Create => "Planning a follow-up",
        CheckBackAction::List | CheckBackAction::Get => "Looking at follow-ups",
        CheckBackAction::Update => "Changing a follow-up",
        CheckBackAction::Cancel => "Cancelling a follow-up",
    }
}

const TEXTS: [&str; 6] =
    ["reason", "check", "context_summary", "schedule", "quiet_success", "automation_job_id"];

async fn run(
    schedules: &Schedules,
    params: CheckBackParams,
    call_id: &str,
) -> Result<ToolOutput<CheckBackResult>, ScheduleError> {
    let is_update = params.action == CheckBackAction::Update;
    // A null says something only where it takes something away.
    let nullable = |given: &Option<Option<String>>| {
        if is_update { given.is_some() } else { matches!(given, Some(Some(_))) }
    };
    let given = Given {
        action: params.action.as_str(),
        fields: &[
            ("checkback_id", params.checkback_id.is_some()),
            ("reason", params.reason.is_some()),
            ("check", params.check.is_some()),
            ("context_summary", nullable(&params.context_summary)),
            ("schedule", params.schedule.is_some()),
            ("quiet_success", params.quiet_success.is_some()),
            ("automation_job_id", nullable(&params.automation_job_id)),
            ("limit", params.limit.is_some()),
        ],
    };
    let reason = params.reason.map(|text| trimmed("reason", text)).transpose()?;
    let check = params.check.map(|text| trimmed("check", text)).transpose()?;
    // A blank one is none.
    let context_summary = params
        .context_summary
        .map(|text| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()));
    let id = params.checkback_id.unwrap_or_default();
    let asked = params.schedule.clone();
    let (done, shown) = match params.action {
        CheckBackAction::List => {
            given.check(&[], &["limit"])?;
            let found = schedules.list_check_backs(i64::from(params.limit.unwrap_or(10))).await?;
            return Ok(output(CheckBackResult { checkbacks: Some(found), ..CheckBackResult::default() }));
        }
        CheckBackAction::Get => {
            given.check(&["checkback_id"], &[])?;
            return Ok(one(schedules.get_check_back(id).await?));
        }
        CheckBackAction::Create => {
            given.check(
                &["reason", "check", "schedule"],
                &["context_summary", "quiet_success", "automation_job_id"],
            )?;
            let new = NewCheckBack {
                reason: reason.unwrap_or_default(),
                check: check.unwrap_or_default(),
                context_summary: context_summary.flatten(),
                schedule: params.schedule.unwrap_or_default(),
                quiet_success: params.quiet_success.unwrap_or_default(),
                automation: params.automation_job_id.flatten(),
            };
            ("created", schedules.create_check_back(new).await?)
        }
        CheckBackAction::Update => {
            given.check(&["checkback_id"], &TEXTS)?;
            given.check_change(&TEXTS)?;
            let changes = Changes {
                reason,
                check,
                context_summary,
                schedule: params.schedule,
                quiet_success: params.quiet_success,
                automation: params.automation_job_id,
            };
            ("updated", schedules.update_check_back(id, changes).await?)
        }
        CheckBackAction::Cancel => {
            given.check(&["checkback_id"], &[])?;
            ("cancelled", schedules.cancel_check_back(id).await?)
        }
    };
    let receipt = receipt::check_back(call_id, done, &shown, asked.as_ref());
    Ok(one(shown).present(receipt))
}

fn one(shown: CheckBack) -> ToolOutput<CheckBackResult> {
    output(CheckBackResult { checkback: Some(shown), ..CheckBackResult::default() })
}

fn output(result: CheckBackResult) -> ToolOutput<CheckBackResult> {
    ToolOutput::from_content(Vec::new()).with_details(result)
}

/// A value that was given, null too; [`None`] stands for one that was left out.
pub(super) fn given<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}
