//! Background jobs, through the tools, the worker and the database, on SQLite and on PostgreSQL.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

#[path = "../support/databases.rs"]
mod databases;
#[path = "../support/worker_process.rs"]
mod worker_process;

mod commands;
mod ends;
mod kills;
mod lists;
mod load;
mod lost;
mod messages;
mod respawns;
mod results;
mod waits;
mod world;
