//! Code that must build, and mistakes with the messages they get.
//!
//! `TRYBUILD=overwrite cargo test -p ui-cases` writes the messages anew. Read each change: is it one error, at the
//! right token, and would a newcomer know what to type?

#![allow(clippy::unwrap_used, reason = "a test stops at what must not be")]

use std::fs;
use std::path::{Path, PathBuf};

const AREAS: [&str; 4] = ["worker_tool", "tool_params", "param", "tools"];

/// The one case with more than one mistake.
const ALL_AT_ONCE: &str = "all_mistakes_at_once";

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    for area in AREAS {
        cases.pass(format!("tests/ui/{area}/pass/*.rs"));
        cases.compile_fail(format!("tests/ui/{area}/fail/*.rs"));
    }
}

/// The messages of all cases that must not build.
fn messages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let files = AREAS.iter().flat_map(|area| fs::read_dir(root.join(area).join("fail")).unwrap());
    let paths = files.map(|file| file.unwrap().path());
    let messages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "stderr"));
    messages.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn errors(message: &str) -> usize {
    message.lines().filter(|line| line.starts_with("error")).count()
}

#[test]
fn one_mistake_is_one_error() {
    let messages = messages();
    assert!(messages.len() >= 45, "{}", messages.len());
    for (path, message) in messages {
        let expected = if path.file_stem().unwrap() == ALL_AT_ONCE { 8 } else { 1 };
        assert_eq!(errors(&message), expected, "{}", path.display());
        assert!(!message.lines().any(|line| line.starts_with("warning")), "{}", path.display());
    }
}

#[test]
fn every_message_points_into_the_case() {
    for (path, message) in messages() {
        let case = path.with_extension("rs");
        let case = case.file_name().unwrap().to_str().unwrap();
        let first = message.lines().find(|line| line.contains("-->")).unwrap();
        assert!(first.contains(&format!("/{case}:")), "{first}");
    }
}
