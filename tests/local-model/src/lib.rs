//! A small model that runs on this machine, behind the Chat Completions format: for turns with a model that nobody wrote
//! the answers of. It is a part of the tests and no server for others.
//!
//! ```text
//! server      HTTP -> chat::Request -> generate::Job ... pieces of text -> chat::Answer -> HTTP
//! chat        what a request asks and whether it may; messages as a prompt; text as an answer or as a call
//! constrain   the tools of a request as a grammar
//! generate    the thread that writes: prompt -> token after token -> text
//! model       the network, and what it has read already
//! vocabulary  text <-> tokens
//! ```

pub mod chat;
pub mod constrain;
pub mod generate;
pub mod model;
pub mod server;
pub mod vocabulary;

/// Why something could not be done, in a sentence.
pub type Error = Box<dyn std::error::Error + Send + Sync>;
