//! The same over pages that nobody here has written: The Rust Programming Language, as the toolchain brings it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use dom_query::Document;
use tool_std::memory::NewPage;

use crate::questions::{Question, ask};
use crate::world::worlds;

/// Written from the list of chapters, before anything was asked.
const QUESTIONS: &[Question] = &[
    (
        "borrow checker complains that I cannot have two mutable references",
        "ch04-02-references-and-borrowing",
    ),
    ("why can't I use a String after assigning it to another variable", "ch04-01-what-is-ownership"),
    ("part of a string without copying", "ch04-03-slices"),
    ("indexing into a string to get its first character fails", "ch08-02-strings"),
    ("count how often each word occurs", "ch08-03-hash-maps"),
    ("question mark operator to hand errors to the caller", "ch09-02-recoverable-errors-with-result"),
    ("show a backtrace when the program crashes", "ch09-01-unrecoverable-errors-with-panic"),
    ("when is it fine to call unwrap or expect", "ch09-03-to-panic-or-not-to-panic"),
    ("write one function for many types", "ch10-01-syntax"),
    ("what does 'a mean in a function signature", "ch10-03-lifetime-syntax"),
    ("interface with default implementations", "ch10-02-traits"),
    ("run only one test by its name", "ch11-02-running-tests"),
    ("where do integration tests go", "ch11-03-test-organization"),
    ("check in a test that code panics", "ch11-01-writing-tests"),
    ("read arguments that were given on the command line", "ch12-01-accepting-command-line-arguments"),
    ("print error messages to standard error", "ch12-06-writing-to-stderr-instead-of-stdout"),
    ("anonymous function that captures its environment", "ch13-01-closures"),
    ("are iterators slower than loops", "ch13-04-performance"),
    ("optimization level of release builds", "ch14-01-release-profiles"),
    ("put my crate on crates.io", "ch14-02-publishing-to-crates-io"),
    ("several packages that share one Cargo.lock", "ch14-03-cargo-workspaces"),
    ("install a program from crates.io", "ch14-04-installing-binaries"),
    ("recursive type has infinite size", "ch15-01-box"),
    ("run code when a value goes out of scope", "ch15-03-drop"),
    ("several owners of the same data", "ch15-04-rc"),
    ("memory leak because two values point at each other", "ch15-06-reference-cycles"),
    ("mutate data behind an immutable reference", "ch15-05-interior-mutability"),
    ("send data between threads through a channel", "ch16-02-message-passing"),
    ("counter shared by many threads with a lock", "ch16-03-shared-state"),
    ("difference between threads and tasks", "ch17-06-futures-tasks-threads"),
    ("call a C function from Rust", "ch20-01-unsafe-rust"),
    ("write a derive macro", "ch20-05-macros"),
    ("store values of different types that share a trait in a vector", "ch18-02-trait-objects"),
    ("ignore the remaining fields of a struct in a pattern", "ch19-03-pattern-syntax"),
    ("stop the web server cleanly and join its worker threads", "ch21-03-graceful-shutdown-and-cleanup"),
    ("format code automatically", "appendix-04-useful-development-tools"),
    ("what is an edition", "appendix-05-editions"),
    ("use a feature that is only on nightly", "appendix-07-nightly-rust"),
    ("integer overflow in debug and in release mode", "ch03-02-data-types"),
    ("label on a loop to break out of the outer one", "ch03-05-control-flow"),
];

/// The chapters, if this toolchain brings them.
fn pages() -> Option<Vec<NewPage>> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let sysroot = PathBuf::from(String::from_utf8(sysroot.stdout).ok()?.trim());
    let mut pages = Vec::new();
    for entry in fs::read_dir(sysroot.join("share/doc/rust/html/book")).ok()? {
        let path = entry.ok()?.path();
        let name = path.file_stem()?.to_str()?.to_owned();
        let is_chapter = name.starts_with("ch") || name.starts_with("appendix");
        if !is_chapter || path.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let document = Document::from(fs::read_to_string(&path).ok()?);
        let text = Document::from(document.select("main").html()).md(None);
        // A chapter that moved leaves a page that leads on.
        if text.len() > 200 {
            pages.push(NewPage::from_text(&name, text.to_string()));
        }
    }
    Some(pages)
}

/// The questions whose chapter comes later: it says `multiple` for `several`, `generic` for what is meant by many types, and
/// `slice` for a part.
const LATER: &[&str] = &[
    "part of a string without copying",
    "write one function for many types",
    "several owners of the same data",
];

#[tokio::test]
async fn the_chapter_that_answers_is_among_the_first_three() {
    let Some(pages) = pages().filter(|pages| pages.len() > 80) else {
        eprintln!("left out: the toolchain has no book; `rustup component add rust-docs` brings it");
        return;
    };
    for world in worlds().await {
        let missed = ask(world.name, &world.memory, &pages, QUESTIONS).await;
        let unexpected: Vec<_> =
            missed.iter().filter(|missed| !LATER.iter().any(|known| missed.contains(known))).collect();
        assert!(unexpected.is_empty(), "{unexpected:#?}");
    }
}
