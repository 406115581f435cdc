//! `worker-tools`, run as a person would run it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "cli")]

mod call;
mod look;
mod memory;
mod program;
mod readme;
mod schedules;
mod turns;
#[cfg(unix)]
mod web;
