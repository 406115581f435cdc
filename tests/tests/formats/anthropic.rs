//! Anthropic Messages.

mod decode;
mod messages;
mod properties;
mod request;
mod stream;
mod tools;
