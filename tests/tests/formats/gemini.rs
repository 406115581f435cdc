//! Gemini.

mod contents;
mod decode;
mod properties;
mod request;
mod stream;
mod tools;
