//! How far a job is, read from its conversation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::{CallInput, Content, ResultItem, ToolCall};

/// The most paths that are listed.
const MAX_PATHS: usize = 32;
/// The most bytes of paths that are listed.
const MAX_PATH_BYTES: usize = 8 * 1024;
/// The most tools and skills that are counted by name.
const MAX_NAMES: usize = 64;
/// The longest plan that is shown, in bytes of JSON.
const MAX_PLAN: usize = 8 * 1024;

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Texts of the model and calls with a result.
    pub(crate) completed_items: u64,
    /// Calls with a result.
    pub(crate) tool_calls: u64,
    /// The same, by tool.
    pub(crate) tools_used: BTreeMap<String, u64>,
    /// Where the tools run: in the worker, not at the provider.
    pub(crate) execution: Execution,
    /// Files that patches have changed.
    pub(crate) files_changed: Vec<String>,
    /// Skills that were loaded.
    pub(crate) skills_used: Vec<String>,
    /// Tools that run now.
    pub(crate) active: Vec<String>,
    /// The plan, as `todo` last gave it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plan: Option<Value>,
}

/// Where tools run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Execution {
    #[default]
    LocalDynamic,
}

impl Progress {
    /// The model wrote a text.
    pub(crate) fn said(&mut self) {
        self.completed_items += 1;
    }

    /// A call has its result.
    pub(crate) fn answered(&mut self, call: &ToolCall, result: &ResultItem) {
        self.completed_items += 1;
        self.tool_calls += 1;
        let tool = call.display_name();
        if self.tools_used.len() < MAX_NAMES || self.tools_used.contains_key(&tool) {
            *self.tools_used.entry(tool).or_default() += 1;
        }
        if result.is_error {
            return;
        }
        match call.name.as_str() {
            "apply_patch" => self.changed(&call.input),
            "skill_view" => self.loaded(&call.input),
            "todo" => self.planned(result),
            _ => {}
        }
    }

    /// The files that a patch names.
    fn changed(&mut self, input: &CallInput) {
        let text = match input {
            CallInput::Text(text) => text.clone(),
            CallInput::Json(json) => argument(json, "input").unwrap_or_default(),
            _ => return,
        };
        for line in text.lines() {
            let headers = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "];
            let path = headers.iter().find_map(|header| line.strip_prefix(header)).map(str::trim);
            let Some(path) = path.filter(|path| !self.files_changed.iter().any(|known| known == path)) else {
                continue;
            };
            let bytes: usize = self.files_changed.iter().map(String::len).sum();
            if self.files_changed.len() < MAX_PATHS && bytes + path.len() <= MAX_PATH_BYTES {
                self.files_changed.push(path.to_owned());
            }
        }
    }

    fn loaded(&mut self, input: &CallInput) {
        let CallInput::Json(json) = input else { return };
        let name = argument(json, "name").filter(|name| !self.skills_used.contains(name));
        self.skills_used.extend(name.filter(|_| self.skills_used.len() < MAX_NAMES));
    }

    fn planned(&mut self, result: &ResultItem) {
        let text: String = result.content.iter().filter_map(Content::as_text).collect();
        if text.len() > MAX_PLAN {
            return;
        }
        let Ok(plan) = serde_json::from_str::<Value>(&text) else { return };
        self.plan = plan.get("todos").cloned().or(self.plan.take());
    }
}

fn argument(json: &str, key: &str) -> Option<String> {
    let arguments: Value = serde_json::from_str(json).ok()?;
    arguments.get(key)?.as_str().map(str::to_owned)
}
