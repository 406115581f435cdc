//! The tools that read and search files, as a model calls them, on real trees.
//!
//! What hostile trees do stands in `attacks`; its sizes fit a test run, and `ATTACK=full` gives the full ones:
//!
//! ```sh
//! ATTACK=full cargo test -p tool-std --test files -- --nocapture
//! ```
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

mod attacks;
mod boundary;
mod cancel;
mod find;
mod grep;
mod ls;
#[path = "../patch/nobody.rs"]
mod nobody;
mod outside;
mod read_file;
mod reply_attachment;
mod size;
mod tree;
