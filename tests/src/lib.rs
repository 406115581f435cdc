//! Shared parts of the tests.

pub mod chat_rules;
pub mod exact;
#[cfg(feature = "http")]
pub mod loopback;
pub mod responses_rules;
pub mod script;
