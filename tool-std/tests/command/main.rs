//! The tool `command`, with real shells, real processes and real sandboxes.
//!
//! Sizes are such that all of it takes seconds. At full size (ten gibibytes of output, minutes):
//! `ATTACK=full cargo test --release -p tool-std --test command -- --nocapture`.
//!
//! A test that needs bubblewrap fails without it where `CI` is set; elsewhere it says so and tries the rest.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

mod bomb;
mod environment;
mod escape;
mod flood;
mod lifetime;
mod output;
mod sandboxes;
mod stage;
