//! Shared parts of the tests.

pub mod chat_rules;
pub mod exact;
pub mod responses_rules;
pub mod script;
