//! What every bench shares: the work that is compared, the floors below it, and how it is measured.
//!
//! A bench is a program with one `main` that hands its cases to a [`Bench`]. Without arguments the program measures them and
//! prints one line of JSON for each; with `instructions` it counts what the cases of definitions and calls take under
//! callgrind.

mod allocations;
mod callgrind;
mod floor;
mod measure;

pub use allocations::allocations;
pub use measure::{Bench, Form, Line, median, processor_time};

use std::time::Duration;

/// Tools of a turn, named `tool_000` and on.
pub const TOOLS: usize = 32;
/// The tool that is called: neither the first nor the last.
pub const TARGET: &str = "tool_017";
/// The arguments of a call, as a model writes them.
pub const ARGUMENTS: &str = r#"{"path":"src/lib.rs","offset":1,"limit":200}"#;
/// What a call gives.
pub const OUTPUT: &str = "ok";
/// Calls at once.
pub const PARALLEL: usize = 64;
/// What each of them takes.
pub const NAP: Duration = Duration::from_millis(1);
