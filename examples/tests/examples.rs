//! Each example runs offline, exits with 0 and shows what it is about.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of tests stop at what must not be")]

use std::process::Command;

/// What a program prints.
fn run(program: &str) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Whether the lines stand in `text` in this order.
fn assert_lines(text: &str, lines: &[&str]) {
    let mut rest = text.lines();
    for line in lines {
        assert!(
            rest.any(|printed| printed.trim() == *line),
            "`{line}` is missing, or stands elsewhere:\n{text}"
        );
    }
}

#[test]
fn first_tool() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_first_tool")),
        &[
            "multiples: Lists the first multiples of a number.",
            r#""maximum": 10,"#,
            "done  Multiplying 7",
            "repaired  trailing_comma, number_from_text",
            r#"multiples({"of": 7})"#,
            "-> 7, 14, 21",
            "-> 12, 24, 36, 48, 60",
            "-> error: the products are too large; take a smaller number",
        ],
    );
}

#[test]
fn state() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_state")),
        &[
            r#"ada, read_notes() -> "water the plants\ncall Bob""#,
            r#"bob, read_notes() -> "there are no notes""#,
            r#"result "1", label Some("Noting"), then Some("Noted buy bread")"#,
            r#"add(bob, "buy milk") -> 2"#,
        ],
    );
}

#[test]
fn per_turn_catalog() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_per_turn_catalog")),
        &[
            "list_files",
            "list_files, web_search",
            "list_files, web_search, web_fetch, start_job, list_jobs",
            "list_files, web_search, web_fetch, submit_result",
            "- `list_files`: two tools are named `list_files`: entries 1 and 6 of the list",
        ],
    );
}

#[test]
fn raw_schema() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_raw_schema")),
        &[
            r#""multipleOf": 5"#,
            r#""strict": true"#,
            "-> the volume is 40",
            "-> - `/result/stars`: expected an integer from 1 to 5, found `6`",
            "-> accepted",
            "the turn has ended",
        ],
    );
}

#[test]
fn deferred_tools() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_deferred_tools")),
        &[
            "function list_orders, defer_loading",
            "tool_search",
            "crm.list_orders -> customer 7 has no orders",
            "function find_customer",
            "crm.find_customer -> customer 7 is named Ada",
        ],
    );
}

#[test]
fn cancellation() {
    let printed = run(env!("CARGO_BIN_EXE_cancellation"));
    for (tool, verdict) in [
        ("look_up", "ran to its end"),
        ("download", "ran to its end"),
        ("negotiate", "was stopped, may have had effects"),
        ("send_letter", "did not start"),
    ] {
        let row = printed.lines().find(|line| line.trim().starts_with(tool)).unwrap();
        assert!(row.contains(verdict), "{row}");
    }
}

#[test]
fn turn() {
    let printed = run(env!("CARGO_BIN_EXE_turn"));
    assert!(readme_block("error: the arguments of").lines().all(|line| printed.contains(line)), "{printed}");
}

#[test]
fn the_readme_quotes_a_list_of_two_equal_tools() {
    let printed = run(env!("CARGO_BIN_EXE_per_turn_catalog"));
    assert!(readme_block("the tools cannot be used").lines().all(|line| printed.contains(line)), "{printed}");
}

/// The text block of the README that begins like this.
fn readme_block(begin: &str) -> String {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    let mut blocks = readme.split("\n```text\n").skip(1).map(|block| block.split("\n```").next().unwrap());
    blocks.find(|block| block.starts_with(begin)).unwrap().to_owned()
}

#[test]
fn tool_search() {
    assert_lines(
        &run(env!("CARGO_BIN_EXE_tool_search")),
        &[
            r#"32 tools in the turn; the first request lists ["clock", "tool_search"]"#,
            "-> - shop.list_order: Can list an entry of the kind order.",
            "-> shop: 1 order",
            r#"the next request lists ["clock", "tool_search", "shop__list_order"]"#,
        ],
    );
}
