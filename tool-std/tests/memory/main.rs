//! The memory: what is kept, what is found for which question, what hostile input does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

#[cfg(feature = "web")]
mod book;
#[path = "../support/databases.rs"]
mod databases;
mod hostile;
mod pages;
mod quality;
mod questions;
mod recall;
mod references;
mod world;
mod writers;
