//! The libraries, each as it is meant to be used.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use tool_runtime::{ArgumentDecoder, Effect};

use crate::Row;

/// A way to read arguments.
pub struct Reader {
    pub name: &'static str,
    /// The name with its version and language.
    pub shown: &'static str,
    /// The JSON text that it makes of the row; `None` if it refuses.
    pub read: fn(&Row) -> Option<String>,
}

pub const READERS: &[Reader] = &[
    Reader { name: "tool-runtime", shown: "`tool-runtime`", read: ours },
    Reader { name: "serde_json", shown: "`serde_json` 1, no repair", read: plain },
    Reader { name: "llm_json", shown: "`llm_json` 1.0 (Rust)", read: llm_json },
    Reader { name: "jsonrepair", shown: "`jsonrepair` 0.1 (Rust)", read: jsonrepair },
    Reader { name: "jsonrepair-rs", shown: "`jsonrepair-rs` 0.2 (Rust)", read: jsonrepair_rs },
    Reader { name: "json-repair", shown: "`json-repair` 0.64 (Python)", read: json_repair },
];

/// The readers that can be asked here. One that is not installed would seem to refuse every text.
pub fn installed() -> Vec<&'static Reader> {
    let python = Command::new("python3").args(["-c", "import json_repair"]).stderr(Stdio::null()).status();
    let is_there = python.is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("without a column for Python: `python3 -m pip install json-repair`");
    }
    READERS.iter().filter(|reader| is_there || reader.name != "json-repair").collect()
}

fn ours(row: &Row) -> Option<String> {
    let decoder = ArgumentDecoder::new(&row.schema).ok()?;
    let effect = if row.read_only { Effect::ReadOnly } else { Effect::Writes };
    decoder.decode(&row.raw, effect).ok().map(|decoded| decoded.text.into_owned())
}

fn plain(row: &Row) -> Option<String> {
    serde_json::from_str::<Value>(&row.raw).is_ok().then(|| row.raw.clone())
}

fn llm_json(row: &Row) -> Option<String> {
    plain(row).or_else(|| llm_json::repair_json(&row.raw, &llm_json::RepairOptions::default()).ok())
}

fn jsonrepair(row: &Row) -> Option<String> {
    plain(row).or_else(|| jsonrepair::repair_json(&row.raw, &jsonrepair::Options::default()).ok())
}

fn jsonrepair_rs(row: &Row) -> Option<String> {
    plain(row).or_else(|| jsonrepair_rs::jsonrepair(&row.raw).ok())
}

/// Python's library reads the text as JSON first by itself.
fn json_repair(row: &Row) -> Option<String> {
    const PROGRAM: &str = "import sys, json_repair; sys.stdout.buffer.write(\
        json_repair.repair_json(sys.stdin.buffer.read().decode(), ensure_ascii=False).encode())";
    let mut child = Command::new("python3")
        .args(["-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 starts");
    child.stdin.take().expect("a pipe").write_all(row.raw.as_bytes()).expect("the text is taken");
    let output = child.wait_with_output().expect("python3 ends");
    // An exception is an answer; a signal is not.
    assert!(output.status.code().is_some(), "python3 was ended");
    String::from_utf8(output.stdout).ok().filter(|_| output.status.success())
}
