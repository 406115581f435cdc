//! What the Messages API of Anthropic demands of the `messages` of a request. Written from the provider's rules, not from our
//! encoder.

use std::collections::HashSet;

use serde_json::{Value, json};

/// Everything in `messages` that the provider would refuse. Whose message is the last one is left to the caller, since a
/// conversation that is over ends with the model's.
#[must_use]
pub fn complaints(messages: &[Value]) -> Vec<String> {
    let mut checker = Checker::default();
    for (index, message) in messages.iter().enumerate() {
        checker.message(index, message);
    }
    if !checker.open.is_empty() {
        let open = std::mem::take(&mut checker.open);
        checker.complain(messages.len(), &format!("{open:?} are not answered"));
    }
    checker.complaints
}

#[derive(Default)]
struct Checker {
    complaints: Vec<String>,
    /// Ids of calls, those of the provider's own tools too.
    ids: HashSet<String>,
    /// Calls of the provider's own tools that have no result yet.
    server_calls: HashSet<String>,
    /// Calls of the last message of the model.
    open: Vec<String>,
    /// Whether a program of the model waits for their results.
    is_pending: bool,
}

impl Checker {
    fn message(&mut self, index: usize, message: &Value) {
        let role = message["role"].as_str().unwrap_or("");
        if role != ["user", "assistant"][index % 2] {
            self.complain(index, "roles alternate, and the user's is the first");
        }
        let text = [json!({ "type": "text", "text": message["content"] })];
        let blocks = match &message["content"] {
            Value::String(_) => &text[..],
            Value::Array(blocks) => blocks,
            _ => &[],
        };
        if blocks.is_empty() {
            self.complain(index, "content is empty");
        }
        match role {
            "user" => self.user(index, blocks),
            "assistant" => self.assistant(index, blocks),
            other => self.complain(index, &format!("unknown role {other:?}")),
        }
    }

    fn user(&mut self, index: usize, blocks: &[Value]) {
        let mut results_are_over = false;
        for block in blocks {
            let kind = block["type"].as_str().unwrap_or("");
            if kind != "tool_result" {
                results_are_over = true;
                if !self.is_pending && !self.server_calls.is_empty() {
                    let calls = std::mem::take(&mut self.server_calls);
                    self.complain(index, &format!("the `server_tool_use` {calls:?} has no result"));
                }
                if self.is_pending {
                    self.complain(index, "while a program waits only results may be sent");
                }
                self.content(index, block, &["text", "image", "document", "search_result"]);
                continue;
            }
            let id = block["tool_use_id"].as_str().unwrap_or("");
            match self.open.iter().position(|open| open == id) {
                Some(_) if results_are_over => self.complain(index, "results stand before everything else"),
                Some(at) => drop(self.open.remove(at)),
                None => self.complain(index, &format!("unexpected `tool_use_id` {id:?} in a `tool_result`")),
            }
            if !matches!(block.get("is_error"), None | Some(Value::Bool(_))) {
                self.complain(index, "`is_error` is no boolean");
            }
            for inner in block["content"].as_array().into_iter().flatten() {
                self.content(index, inner, &["text", "image", "document", "search_result", "tool_reference"]);
            }
            if !matches!(block.get("content"), None | Some(Value::String(_) | Value::Array(_))) {
                self.complain(index, "the content of a result is neither text nor blocks");
            }
        }
        if !self.open.is_empty() {
            let open = std::mem::take(&mut self.open);
            let what = "`tool_use` ids were found without `tool_result` blocks immediately after";
            self.complain(index, &format!("{what}: {open:?}"));
        }
        self.is_pending = false;
    }

    fn content(&mut self, index: usize, block: &Value, kinds: &[&str]) {
        let kind = block["type"].as_str().unwrap_or("");
        if !kinds.contains(&kind) {
            self.complain(index, &format!("a block {kind:?} cannot stand here"));
        }
        if kind == "text" && block["text"].as_str().is_none_or(|text| text.trim().is_empty()) {
            self.complain(index, "text content blocks must contain non-whitespace text");
        }
        let has_source = || block["source"]["type"].is_string();
        if matches!(kind, "image" | "document") && !has_source() {
            self.complain(index, &format!("a block {kind:?} without a source"));
        }
    }

    fn assistant(&mut self, index: usize, blocks: &[Value]) {
        if blocks.last().is_some_and(is_thinking) {
            self.complain(index, "the final block in an assistant message cannot be `thinking`");
        }
        for block in blocks {
            let kind = block["type"].as_str().unwrap_or("");
            match kind {
                "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                    self.call(index, block, kind == "tool_use")
                }
                "thinking" => {
                    let is_text = |key: &str| block[key].as_str().is_some_and(|text| !text.is_empty());
                    if !block["thinking"].is_string() || !is_text("signature") {
                        self.complain(index, "thinking without its text or its signature");
                    }
                }
                "redacted_thinking" if !block["data"].is_string() => {
                    self.complain(index, "redacted thinking without its data");
                }
                "redacted_thinking" => {}
                _ if kind.ends_with("_tool_result") => {
                    let id = block["tool_use_id"].as_str().unwrap_or("");
                    if !self.server_calls.remove(id) {
                        self.complain(index, &format!("a {kind} without its server_tool_use {id:?}"));
                    }
                }
                _ => self.content(index, block, &["text"]),
            }
        }
    }

    fn call(&mut self, index: usize, block: &Value, is_ours: bool) {
        let legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let id = block["id"].as_str().unwrap_or("");
        if !(1..=64).contains(&id.len()) || !id.chars().all(legal) || !self.ids.insert(id.to_owned()) {
            self.complain(index, &format!("the id {id:?} of a call is not legal or not unique"));
        }
        let name = block["name"].as_str().unwrap_or("");
        if !(1..=64).contains(&name.len()) || !name.chars().all(legal) {
            self.complain(index, &format!("illegal name {name:?}"));
        }
        if !block["input"].is_object() {
            self.complain(index, "the input of a call is no object");
        }
        if is_ours {
            self.open.push(id.to_owned());
            self.is_pending |= block["caller"]["type"].as_str().is_some_and(|kind| kind != "direct");
        } else {
            self.server_calls.insert(id.to_owned());
        }
    }

    fn complain(&mut self, index: usize, what: &str) {
        self.complaints.push(format!("messages[{index}]: {what}"));
    }
}

fn is_thinking(block: &Value) -> bool {
    matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
}
