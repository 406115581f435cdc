//! The Chat Completions format: a request read and checked as strictly as its inventor does, a prompt, an answer.
//!
//! # What is not looked at
//!
//! `temperature`, `top_p`, `seed` and the like: the likeliest token is always taken, so that a turn can be repeated. `model`:
//! there is one; by the name [`EAGER`] it answers each message of the user with a call, where tools are offered. `parallel_tool_calls`: a response has one call at most. `strict`: arguments always fit.

mod answer;
mod prompt;
mod request;

pub use answer::{Answer, Said, Splitter};
pub use prompt::{Prompt, prompt};
pub use request::{Call, EAGER, Message, Request, Tool, read};

use serde_json::{Value, json};

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The status of the answer.
    pub status: u16,
    /// The kind of mistake, as one word.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
}

impl Refusal {
    /// A mistake in the request.
    pub fn request(code: &'static str, message: impl Into<String>) -> Self {
        Self { status: 400, code, message: message.into() }
    }

    /// As the format has it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let kind = if self.status < 500 { "invalid_request_error" } else { "server_error" };
        json!({ "error": { "message": self.message, "type": kind, "param": null, "code": self.code } })
    }
}
