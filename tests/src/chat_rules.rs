//! What the Chat Completions API demands of the `messages` of a request. Written from the provider's rules, not from our
//! encoder.

use std::collections::HashSet;

use serde_json::Value;

/// Everything in `messages` that the provider would refuse.
#[must_use]
pub fn complaints(messages: &[Value]) -> Vec<String> {
    let mut checker = Checker::default();
    for (index, message) in messages.iter().enumerate() {
        checker.message(index, message);
    }
    checker.all_answered(messages.len());
    checker.complaints
}

#[derive(Default)]
struct Checker {
    complaints: Vec<String>,
    call_ids: HashSet<String>,
    /// Calls of the last message of the model that have no tool message yet.
    open: Vec<String>,
}

impl Checker {
    fn message(&mut self, index: usize, message: &Value) {
        let role = message["role"].as_str().unwrap_or("");
        if role != "tool" {
            self.all_answered(index);
        }
        match role {
            "system" | "developer" | "user" if !has_content(&message["content"]) => {
                self.complain(index, "a message without content");
            }
            "system" | "developer" | "user" => {}
            "assistant" => self.assistant(index, message),
            "tool" => self.tool(index, message),
            other => self.complain(index, &format!("unknown role {other:?}")),
        }
    }

    fn assistant(&mut self, index: usize, message: &Value) {
        let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
        if message.get("tool_calls").is_some() && calls.is_empty() {
            self.complain(index, "an empty list of tool calls");
        }
        let says = has_content(&message["content"]) || message.get("refusal").is_some();
        if calls.is_empty() && !says {
            self.complain(index, "neither content nor tool calls");
        }
        if calls.len() > 128 {
            self.complain(index, "more than 128 tool calls");
        }
        for call in calls {
            let id = call["id"].as_str().unwrap_or("");
            if !(1..=40).contains(&id.chars().count()) || !self.call_ids.insert(id.to_owned()) {
                self.complain(
                    index,
                    &format!("the id {id:?} of a tool call is empty, too long or not unique"),
                );
            }
            self.open.push(id.to_owned());
            match call["type"].as_str() {
                Some("function") => self.function(index, &call["function"]),
                Some("custom") if call["custom"]["input"].is_string() => self.name(index, &call["custom"]),
                _ => self.complain(index, "a tool call of no known type"),
            }
        }
    }

    fn function(&mut self, index: usize, function: &Value) {
        self.name(index, function);
        let arguments = function["arguments"].as_str().map(serde_json::from_str::<Value>);
        if !matches!(arguments, Some(Ok(Value::Object(_)))) {
            self.complain(index, "arguments are no text of a JSON object");
        }
    }

    fn name(&mut self, index: usize, call: &Value) {
        let name = call["name"].as_str().unwrap_or("");
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(legal) {
            self.complain(index, &format!("illegal name {name:?}"));
        }
    }

    fn tool(&mut self, index: usize, message: &Value) {
        let id = message["tool_call_id"].as_str().unwrap_or("");
        match self.open.iter().position(|open| open == id) {
            Some(at) => drop(self.open.remove(at)),
            None => self.complain(index, &format!("a tool message for {id:?} follows no such tool call")),
        }
        let texts_only = match &message["content"] {
            Value::Array(parts) => parts.iter().all(|part| part["type"] == "text"),
            content => content.is_string(),
        };
        if !texts_only || !has_content(&message["content"]) {
            self.complain(index, "a tool message holds text, and some of it");
        }
    }

    fn all_answered(&mut self, index: usize) {
        for id in std::mem::take(&mut self.open) {
            self.complain(index, &format!("the tool call {id:?} is not followed by a tool message"));
        }
    }

    fn complain(&mut self, index: usize, what: &str) {
        self.complaints.push(format!("messages[{index}]: {what}"));
    }
}

fn has_content(content: &Value) -> bool {
    match content {
        Value::String(text) => !text.is_empty(),
        Value::Array(parts) => !parts.is_empty(),
        _ => false,
    }
}
