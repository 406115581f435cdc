//! What the Responses API demands of the `input` of a request. Written from the provider's rules, not from our encoder.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// Everything in `input` that the provider would refuse.
#[must_use]
pub fn complaints(input: &[Value]) -> Vec<String> {
    let mut checker = Checker::default();
    for (index, item) in input.iter().enumerate() {
        checker.item(index, item, input.get(index + 1));
    }
    let open = checker.open.drain().map(|(id, _)| format!("no tool output found for call {id}"));
    let mut complaints: Vec<String> = open.collect();
    complaints.extend(checker.complaints);
    complaints
}

#[derive(Default)]
struct Checker {
    complaints: Vec<String>,
    call_ids: HashSet<String>,
    item_ids: HashSet<String>,
    /// Calls without output so far, and the type that the output has to have.
    open: HashMap<String, &'static str>,
}

impl Checker {
    fn item(&mut self, index: usize, item: &Value, next: Option<&Value>) {
        let kind = item["type"].as_str().unwrap_or("");
        if let Some(id) = item["id"].as_str()
            && !self.item_ids.insert(id.to_owned())
        {
            self.complain(index, &format!("duplicate item id {id}"));
        }
        match kind {
            "message" => self.message(index, item),
            "function_call" => {
                self.call(index, item, "function_call_output");
                let arguments = item["arguments"].as_str().map(serde_json::from_str::<Value>);
                if !matches!(arguments, Some(Ok(Value::Object(_)))) {
                    self.complain(index, "arguments are no text of a JSON object");
                }
            }
            "custom_tool_call" => {
                self.call(index, item, "custom_tool_call_output");
                if !item["input"].is_string() {
                    self.complain(index, "input is no text");
                }
            }
            "function_call_output" | "custom_tool_call_output" => self.output(index, item, kind),
            "reasoning" => {
                let follows = next.is_some_and(|next| match next["type"].as_str().unwrap_or("") {
                    "message" => next["role"] == "assistant",
                    kind => !kind.ends_with("_call_output"),
                });
                if !follows {
                    self.complain(index, "reasoning without its required following item");
                }
            }
            "tool_search_call" if item["execution"] == "client" => self.search(index, item),
            "tool_search_output" if item["execution"] == "client" => self.found(index, item),
            "program" | "program_output" | "tool_search_call" | "tool_search_output" => {}
            other => self.complain(index, &format!("unknown item type {other:?}")),
        }
    }

    fn message(&mut self, index: usize, item: &Value) {
        let role = item["role"].as_str().unwrap_or("");
        if !matches!(role, "user" | "assistant") {
            self.complain(index, &format!("unknown role {role:?}"));
        }
        // Every call has to be answered before the next turn of the conversation begins.
        if role == "user" && !self.open.is_empty() {
            self.complain(index, "the user speaks before the calls are answered");
        }
        let is_empty = match &item["content"] {
            Value::String(text) => text.is_empty(),
            Value::Array(parts) => parts.is_empty(),
            _ => true,
        };
        if is_empty {
            self.complain(index, "a message without content");
        }
    }

    /// A search that the client executes. Its arguments are an object, not text.
    fn search(&mut self, index: usize, item: &Value) {
        let id = item["call_id"].as_str().unwrap_or("");
        if id.is_empty() || !self.call_ids.insert(id.to_owned()) {
            self.complain(index, &format!("call_id {id:?} of a search is empty or not unique"));
        }
        self.open.insert(id.to_owned(), "tool_search_output");
        if !item["arguments"].is_object() {
            self.complain(index, "the arguments of a search are no object");
        }
    }

    fn found(&mut self, index: usize, item: &Value) {
        let id = item["call_id"].as_str().unwrap_or("");
        if self.open.remove(id) != Some("tool_search_output") {
            self.complain(index, &format!("no search found for the definitions {id:?}"));
        }
        let tools = item["tools"].as_array();
        let members = |tool: &Value| tool["tools"].as_array().cloned().unwrap_or_else(|| vec![tool.clone()]);
        let mut functions = tools.into_iter().flatten().flat_map(members);
        if tools.is_none()
            || item["status"] != "completed"
            || !functions.all(|tool| tool["defer_loading"] == true)
        {
            self.complain(index, "the output of a search holds a list of definitions that are deferred");
        }
    }

    fn call(&mut self, index: usize, item: &Value, answered_by: &'static str) {
        let id = item["call_id"].as_str().unwrap_or("");
        if id.is_empty() || id.chars().count() > 64 {
            self.complain(index, &format!("call_id {id:?} has not 1 to 64 characters"));
        }
        if !self.call_ids.insert(id.to_owned()) {
            self.complain(index, &format!("call_id {id:?} is not unique"));
        }
        self.open.insert(id.to_owned(), answered_by);
        for key in ["name", "namespace"] {
            let Some(name) = item[key].as_str() else {
                if key == "name" {
                    self.complain(index, "a call without a name");
                }
                continue;
            };
            let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || name.len() > 64 || !name.chars().all(legal) {
                self.complain(index, &format!("illegal {key} {name:?}"));
            }
        }
    }

    fn output(&mut self, index: usize, item: &Value, kind: &str) {
        let id = item["call_id"].as_str().unwrap_or("");
        match self.open.remove(id) {
            None => self.complain(index, &format!("no tool call found for output {id:?}")),
            Some(wanted) if wanted != kind => {
                self.complain(index, &format!("the call {id:?} wants a {wanted}"));
            }
            Some(_) => {}
        }
        let is_empty = match &item["output"] {
            Value::String(text) => text.is_empty() || text.chars().count() > 10_485_760,
            Value::Array(parts) => parts.is_empty(),
            _ => true,
        };
        if is_empty {
            self.complain(index, "an output that is empty, too long or no text");
        }
    }

    fn complain(&mut self, index: usize, what: &str) {
        self.complaints.push(format!("input[{index}]: {what}"));
    }
}
