//! Schedules: when they are due, what the tools do, how they fire.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

mod check_backs;
#[path = "../support/databases.rs"]
mod databases;
mod firing;
mod kill;
mod limits;
mod rules;
mod times;
mod world;
mod zones;
