//! Shared parts of the tests.

pub mod anthropic_rules;
pub mod arbitrary;
pub mod chat_rules;
pub mod exact;
pub mod gemini_rules;
pub mod latch;
#[cfg(feature = "http")]
pub mod loopback;
pub mod responses_rules;
pub mod script;
pub mod wire;
