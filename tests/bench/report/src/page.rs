//! The page.

use std::fmt::Write;

use bench_common::{Form, PARALLEL, TOOLS};

use crate::goals;
use crate::results::{Case, Results};

pub(crate) fn page(results: &Results) -> String {
    let mut page = String::new();
    let sections =
        [head, goals_table, notes, definitions, calls, parallel, growth, malformed, turns, builds, versions];
    for section in sections {
        page.push_str(&section(results));
    }
    page.trim_end().to_owned() + "\n"
}

fn head(results: &Results) -> String {
    let Results { when, rounds, .. } = results;
    format!(
        "# Benchmarks

What `tool-runtime` costs beside the libraries that one would take instead, and beside the floor: what nothing can do
without. Measured on {when}, on 2 cores of a virtual machine, by

```sh
bash tests/bench/run
```

which builds everything from the lock files, runs it, and writes this page and the chart. Times are medians of {rounds} rounds in
which all programs ran one after the other. Within a program each case runs in turn with its floor, batch by batch, so that the
ratio *times the floor* holds on a busy machine; times of different programs compare only roughly. Instructions are counted by
callgrind and do not depend on the load. Times are those of the program's thread on a processor; (c) is by the clock on the wall. Allocations are those of one run, growing included.

The same {TOOLS} tools everywhere: a text and two optional numbers, each described, and a body that does nothing. *Documented* is the
way that a library's documentation or macro leads to, *best* the cheapest that its public face allows, *only* stands where there
is one way. Ours alone checks the arguments against the bounds that the schema tells the model, refuses what does not fit, and
catches panics in the figures below; `rmcp`, `rig`, `llm-tool`, `swiftide`, `adk-rust` and `tools-rs` enforce no constraint beyond
the Rust types. *bare* is serde, schemars and a `match` by hand.

![Calls and definitions, times the floor](benchmarks.svg)

"
    )
}

fn goals_table(results: &Results) -> String {
    let mut text = String::from("## Goals\n\n| row | goal | measured | |\n|---|---|---|---|\n");
    for goal in goals::all(results) {
        let verdict = if goal.met { "met" } else { "**missed**" };
        let _ = writeln!(text, "| ({}) | {} | {} | {verdict} |", goal.row, goal.what, goal.measured);
    }
    text + "\n"
}

/// What the profiles show about goals that are missed, written by hand.
fn notes(_: &Results) -> String {
    include_str!("../notes.md").to_owned() + "\n"
}

fn definitions(results: &Results) -> String {
    let text = format!(
        "## (a) Definitions of {TOOLS} tools, as text\n\nThe floor is a copy of that same text. *Ready values written* is what serde_json takes for \
         values that are there already.\n\n"
    );
    text + &table(results, 'a')
}

fn calls(results: &Results) -> String {
    "## (b) One call by name, from the text of its arguments to its result\n\nThe floor is `serde_json::from_str` into the \
     struct and the function called.\n\n"
        .to_owned()
        + &table(results, 'b')
}

fn parallel(results: &Results) -> String {
    let mut text = format!(
        "## (c) {PARALLEL} calls of 1 ms at once\n\nThe floor is `join_all` by hand. The timer of tokio makes 1 ms about 2.\n\n\
         | library | form | how | ms | times the floor | µs of a processor a call above it | allocations |\n|---|---|---|---:|---:|---:|---:|\n"
    );
    for case in results.row('c') {
        let above = case.above(PARALLEL);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.3} | {:.3} | {above:.2} | {:.0} |",
            case.peer,
            form(case.form),
            case.what,
            case.time / 1e6,
            case.ratio,
            case.allocations
        );
    }
    text + "\n"
}

fn table(results: &Results, row: char) -> String {
    let mut text = String::from(
        "| library | form | how | time | times the floor | allocations | more than the floor | instructions | times the floor |\n\
         |---|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut cases: Vec<&Case> = results.row(row).collect();
    cases.sort_by(|one, other| one.ratio.total_cmp(&other.ratio));
    for case in cases {
        let instructions = case
            .instructions
            .map_or_else(|| "| |".to_owned(), |(work, floor)| format!("{work:.0} | {:.2} |", work / floor));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.2} | {:.0} | {:+.0} | {instructions}",
            case.peer,
            form(case.form),
            case.what,
            time(case.time),
            case.ratio,
            case.allocations,
            case.allocations - case.floor_allocations
        );
    }
    text + "\n"
}

fn growth(results: &Results) -> String {
    let mut text = String::from(
        "## (d) Many tools\n\nThe tools are there; a set is made of them, and its text, anew and again; then one is called. \
         The floor of a text is its copy.\n\n\
         | what | time | times the floor | allocations |\n|---|---:|---:|---:|\n",
    );
    for case in results.row('d') {
        let times = if case.floor > 0.0 { format!("{:.2}", case.ratio) } else { String::new() };
        let _ = writeln!(text, "| {} | {} | {times} | {:.0} |", case.what, time(case.time), case.allocations);
    }
    if !results.search.is_empty() {
        let _ = write!(
            text,
            "\nA search among deferred tools (`tests/bench/search`):\n\n{}",
            results.search.trim()
        );
        text.push('\n');
    }
    text + "\n"
}

fn malformed(results: &Results) -> String {
    if results.row('e').next().is_none() {
        return String::new();
    }
    let mut text = String::from(
        "## (e) Malformed arguments\n\nFive texts that mean the same call, read into the struct; beside the libraries that repair \
         JSON. The floor is the typed parse of the good text and the function called. More texts, with what each library makes of \
         them: [repair-comparison.md](repair-comparison.md).\n\n\
         | what is wrong | library | what comes of it | time | times the floor | allocations | instructions |\n\
         |---|---|---|---:|---:|---:|---:|\n",
    );
    let mut cases: Vec<&Case> = results.row('e').collect();
    cases.sort_by(|one, other| (&one.what, &one.peer != "ours").cmp(&(&other.what, &other.peer != "ours")));
    for case in cases {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {:.1} | {:.0} | {} |",
            case.what,
            case.peer,
            if case.right == Some(true) { "right" } else { "not what was meant" },
            time(case.time),
            case.ratio,
            case.allocations,
            case.instructions.map_or_else(String::new, |(work, _)| format!("{work:.0}"))
        );
    }
    text + "\n"
}

fn turns(results: &Results) -> String {
    let mut text = String::from(
        "## (f) A turn of 20 rounds with 3 calls each\n\nThe model is in the process and answers at once. What its answers \
         themselves take is not counted.\n\n| what | time | allocations |\n|---|---:|---:|\n",
    );
    for case in results.row('f') {
        let _ = writeln!(text, "| {} | {} | {:.0} |", case.what, time(case.time), case.allocations);
    }
    text + "\n"
}

fn builds(results: &Results) -> String {
    if results.builds.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "## (g) Building\n\nA program with one tool, and the same with 100. Crates are those of `cargo tree` beside the program's own. \
         CPU seconds are the compiler's and the linker's, of all cores.\n\n\
         | library | crates | clean debug build, CPU s | again with 1 tool, CPU s | with 100 | ms a tool | release, 1 tool, bytes | with 100 | \
         bytes a tool |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for build in &results.builds {
        let _ = writeln!(
            text,
            "| {} | {} | {:.1} | {:.2} | {:.2} | {:.1} | {} | {} | {:.0} |",
            build.library,
            build.crates,
            build.clean,
            build.edit_1,
            build.edit_100,
            build.edit(),
            build.size_1,
            build.size_100,
            build.size()
        );
    }
    text + "\n"
}

fn versions(results: &Results) -> String {
    format!("## Versions\n\n{}\n", results.versions)
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Documented => "documented",
        Form::Best => "best",
        Form::Only => "only",
    }
}

/// Nanoseconds in the unit that reads best.
pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e5 => format!("{:.2} µs", time / 1e3),
        time if time < 1e6 => format!("{:.0} µs", time / 1e3),
        time => format!("{:.2} ms", time / 1e6),
    }
}
