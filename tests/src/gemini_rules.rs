//! What the Gemini API demands of the `contents` of a request. Written from the provider's rules, not from our encoder.

use serde_json::Value;

/// Everything in `contents` that the provider would refuse. Whose content is the last one is left to the caller, since a
/// conversation that is over ends with the model's.
#[must_use]
pub fn complaints(contents: &[Value]) -> Vec<String> {
    let mut checker = Checker::default();
    for (index, content) in contents.iter().enumerate() {
        checker.content(index, content);
    }
    if !checker.open.is_empty() {
        checker.complain(contents.len(), "the last calls are not answered");
    }
    checker.complaints
}

/// What a part may hold; one of it.
const DATA: [&str; 8] = [
    "text",
    "inlineData",
    "fileData",
    "functionCall",
    "functionResponse",
    "executableCode",
    "codeExecutionResult",
    "toolCall",
];

#[derive(Default)]
struct Checker<'a> {
    complaints: Vec<String>,
    /// The calls of the last content of the model.
    open: Vec<&'a Value>,
}

impl<'a> Checker<'a> {
    fn content(&mut self, index: usize, content: &'a Value) {
        let role = content["role"].as_str().unwrap_or("");
        if role != ["user", "model"][index % 2] {
            self.complain(index, "roles alternate, and the user's is the first");
        }
        let parts = content["parts"].as_array().map_or(&[][..], Vec::as_slice);
        if parts.is_empty() {
            self.complain(index, "there are no parts");
        }
        for part in parts {
            let held: Vec<&str> = DATA.into_iter().filter(|key| part.get(key).is_some()).collect();
            if held.len() != 1 {
                self.complain(index, &format!("a part holds one kind of data, not {held:?}"));
            }
            let is_signed = part.get("thoughtSignature").is_some();
            if is_signed && (role != "model" || !part["thoughtSignature"].is_string()) {
                self.complain(index, "a signature stands on parts of the model, as text");
            }
        }
        let of_kind =
            |kind: &str| -> Vec<&'a Value> { parts.iter().filter_map(|part| part.get(kind)).collect() };
        let (calls, answers) = (of_kind("functionCall"), of_kind("functionResponse"));
        if role == "model" && !answers.is_empty() || role == "user" && !calls.is_empty() {
            self.complain(index, "calls are the model's, and answers are the user's");
        }
        self.answers(index, &answers);
        for call in &calls {
            self.call(index, call);
        }
        self.open = calls;
    }

    /// One part for each call of the content before, in their order.
    fn answers(&mut self, index: usize, answers: &[&Value]) {
        let open = std::mem::take(&mut self.open);
        if open.len() != answers.len() {
            let what =
                "the number of function response parts is not equal to the number of function call parts";
            self.complain(index, what);
        }
        for (call, answer) in open.iter().zip(answers) {
            if call["name"] != answer["name"] || call.get("id") != answer.get("id") {
                self.complain(index, "a function response has another name or id than its call");
            }
        }
        if answers.iter().any(|answer| !answer["response"].is_object()) {
            self.complain(index, "the response of a function is no object");
        }
    }

    fn call(&mut self, index: usize, call: &Value) {
        let name = call["name"].as_str().unwrap_or("");
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let legal = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-');
        // Older documents say 64.
        if !begins || name.len() > 64 || !name.chars().all(legal) {
            self.complain(index, &format!("illegal name {name:?}"));
        }
        if !call["args"].is_object() {
            self.complain(index, "args are no object");
        }
    }

    fn complain(&mut self, index: usize, what: &str) {
        self.complaints.push(format!("contents[{index}]: {what}"));
    }
}
