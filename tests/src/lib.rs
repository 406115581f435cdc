//! Shared parts of the tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests stop at what must not be")]

pub mod chat_rules;
pub mod exact;
pub mod responses_rules;
pub mod script;
