//! Compares the reading of arguments with the libraries that repair JSON, over the rows of `tests/cases/arguments.jsonl`.
//!
//! Prints the page `docs/repair-comparison.md`. Each text is read in a process of its own, since some libraries can end it.

#[path = "../../../src/exact.rs"]
mod exact;
mod readers;

use std::process::Command;

use exact::Exact;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use readers::{READERS, Reader};

const ROWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cases/arguments.jsonl");

/// One reported fault.
#[derive(Deserialize)]
pub struct Row {
    id: String,
    why: String,
    pub schema: Value,
    pub raw: String,
    expect: Expect,
    #[serde(default)]
    pub read_only: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expect {
    Ok(Box<RawValue>),
    Err(String),
}

/// What came of a row.
#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    /// As it must be.
    Right,
    /// A value that differs from what was meant, or any where there must be none.
    Wrong,
    /// No value where there is one.
    Refused,
    /// The process ended.
    Crashed,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "**wrong**",
            Self::Refused => "refused",
            Self::Crashed => "**crashed**",
        }
    }
}

fn main() {
    let rows: Vec<Row> = std::fs::read_to_string(ROWS)
        .expect("the rows")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    let mut arguments = std::env::args().skip(1);
    if let (Some(reader), Some(id)) = (arguments.next(), arguments.next()) {
        let reader = READERS.iter().find(|known| known.name == reader).expect("a known reader");
        let row = rows.iter().find(|row| row.id == id).expect("a known row");
        print!("{}", (reader.read)(row).unwrap_or_default());
        return;
    }
    page(&rows);
}

/// What the reader makes of the row, behind it the schema: a value that does not fit is no value.
fn judge(reader: &Reader, row: &Row) -> Verdict {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args([reader.name, &row.id]).output().expect("this program starts");
    if !output.status.success() {
        return Verdict::Crashed;
    }
    let text = String::from_utf8(output.stdout).expect("text");
    let fits = jsonschema::validator_for(&row.schema).expect("a schema");
    let value = serde_json::from_str::<Value>(&text).ok().filter(|value| fits.is_valid(value));
    match (&row.expect, value) {
        (Expect::Ok(_), None) => Verdict::Refused,
        (Expect::Err(_), None) => Verdict::Right,
        (Expect::Ok(meant), Some(_)) if Exact::parse(meant.get()) == Exact::parse(&text) => Verdict::Right,
        _ => Verdict::Wrong,
    }
}

fn page(rows: &[Row]) {
    let readers = readers::installed();
    let verdicts: Vec<Vec<Verdict>> =
        readers.iter().map(|reader| rows.iter().map(|row| judge(reader, row)).collect()).collect();
    println!("# Repair libraries compared\n");
    println!(
        "Each of the {} rows of [`tests/cases/arguments.jsonl`](../tests/cases/arguments.jsonl) is a text as a model wrote it, with the",
        rows.len()
    );
    println!(
        "schema of the tool and what must come of it. Each library reads the text first as JSON and repairs it if it is"
    );
    println!(
        "none; what it gives is then checked against the schema by the general validator, so that a value that does not fit"
    );
    println!("counts as refused. Numbers are compared digit by digit. This page is written by\n");
    println!("```sh\n(cd tests/bench/repair && cargo run --quiet) > docs/repair-comparison.md\n```\n");
    println!(
        "Where a text may be read at all is what [arguments.md](arguments.md) says; the libraries have other aims, and most say"
    );
    println!("that they guess. The column of Python needs its package `json-repair`.\n");
    println!("- *right*: the value that was meant, or none where there must be none");
    println!(
        "- *wrong*: another value than was meant, or a value where the text has two readings, is cut off or does not fit"
    );
    println!("- *refused*: no value where there is one\n");
    println!("| reader | right | wrong | refused | crashed |\n|---|---|---|---|---|");
    for (reader, verdicts) in readers.iter().zip(&verdicts) {
        let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
        println!(
            "| {} | {} | {} | {} | {} |",
            reader.shown,
            count(Verdict::Right),
            count(Verdict::Wrong),
            count(Verdict::Refused),
            count(Verdict::Crashed)
        );
    }
    println!("\n## Row by row\n");
    let names: Vec<&str> = readers.iter().map(|reader| reader.name).collect();
    println!("| row | what it is about | must be | {} |", names.join(" | "));
    println!("|---|---|---|{}", "---|".repeat(names.len()));
    for (at, row) in rows.iter().enumerate() {
        let must = match &row.expect {
            Expect::Ok(_) => "read",
            Expect::Err(class) => class,
        };
        let words: Vec<&str> = verdicts.iter().map(|verdicts| verdicts[at].word()).collect();
        println!("| {} | {} | {must} | {} |", row.id, row.why.replace('|', "\\|"), words.join(" | "));
    }
}
