//! The tool `apply_patch`, on real folders, through the tool as a model calls it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

mod any;
mod bytes;
mod cancelling;
mod folder;
mod format;
mod nobody;
mod operations;
mod oracle;
mod paths;
mod placing;
mod privileges;
mod racing;
mod report;
mod sizes;
mod writing;
