//! The rows of `docs/arguments.md`, run.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tool_runtime::testing::{self, TestCall};
use tool_runtime::{ToolSpec, WorkerAgentTool};

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/arguments.md")).unwrap()
}

/// A tool with the schema of the page; gives back what it gets.
fn tool(read_only: bool) -> WorkerAgentTool {
    let page = page();
    let schema = page.split("\n```json\n").nth(1).unwrap().split("\n```").next().unwrap();
    let spec = ToolSpec::new("read", "Reads.").read_only(read_only);
    let tool = spec.schema::<Value>(serde_json::from_str(schema).unwrap());
    tool.execute(|arguments, _| async move { arguments.to_string() })
}

/// The rows of all tables with this header, as the texts of their cells.
fn rows(header: &str) -> Vec<Vec<String>> {
    let page = page();
    let before = format!("\n{header}\n");
    let tables = page.split(&before).skip(1);
    let lines = tables.flat_map(|table| table.lines().skip(1).take_while(|line| line.starts_with('|')));
    lines.map(cells).collect()
}

/// The cells of a row. A code span of any number of backticks is its content, `⏎` a line break, `\\|` a bar.
fn cells(line: &str) -> Vec<String> {
    let text = |cell: &str| {
        let cell = cell.trim();
        let ticks = "`".repeat(cell.chars().take_while(|c| *c == '`').count());
        let inner = cell.strip_prefix(&ticks).and_then(|cell| cell.strip_suffix(&ticks)).unwrap();
        // A span that begins or ends with a backtick has spaces around it.
        let inner = if ticks.len() > 1 { inner.trim() } else { inner };
        inner.replace('⏎', "\n").replace("\\|", "|")
    };
    line.trim().trim_matches('|').split(" | ").map(text).collect()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn names(call: &TestCall) -> Vec<&str> {
    call.repairs.iter().map(|repair| repair.name).collect()
}

#[tokio::test]
async fn untouched_rows_are_untouched() {
    let rows = rows("| the model writes | the tool gets |");
    assert_eq!(rows.len(), 4);
    for row in rows {
        let call = testing::call_text(&tool(false), &row[0]).await;
        assert_eq!(json(&call.text()), json(&row[1]), "{row:?}");
        assert_eq!((row[0] == row[1], names(&call)), (true, Vec::new()), "{row:?}");
    }
}

#[tokio::test]
async fn repaired_rows_are_repaired_and_reported() {
    let rows = rows("| the model writes | the tool gets | reported as |");
    assert_eq!(rows.len(), 28);
    for row in rows {
        let call = testing::call_text(&tool(false), &row[0]).await;
        assert!(call.outcome.is_ok(), "{row:?}: {}", call.text());
        assert_eq!(json(&call.text()), json(&row[1]), "{row:?}");
        assert_eq!(names(&call), [row[2].as_str()], "{row:?}");
    }
}

#[tokio::test]
async fn cut_rows_run_only_what_reads() {
    let rows = rows("| the model writes | a tool that may write | a `read_only` tool |");
    assert_eq!(rows.len(), 4);
    for row in rows {
        for (cell, read_only) in [(&row[1], false), (&row[2], true)] {
            let call = testing::call_text(&tool(read_only), &row[0]).await;
            match (cell.as_str(), &call.outcome) {
                ("refused", Err(error)) => assert_eq!(error.kind(), "truncated", "{row:?}"),
                (expected, Ok(output)) => assert_eq!(json(&output.text()), json(expected), "{row:?}"),
                _ => panic!("{row:?}: {}", call.text()),
            }
        }
    }
}

#[tokio::test]
async fn refused_rows_are_refused_with_their_message() {
    let rows = rows("| the model writes | class | the message holds |");
    assert_eq!(rows.len(), 18);
    for row in rows {
        let call = testing::call_text(&tool(true), &row[0]).await;
        let error = call.outcome.unwrap_err();
        assert_eq!(error.kind(), row[1], "{row:?}: {error}");
        assert!(error.to_string().contains(&row[2]), "{row:?}: {error}");
    }
}

/// The kind of the refusal, if it is one.
async fn refusal(text: &str) -> Option<&'static str> {
    testing::call_text(&tool(false), text).await.outcome.err().map(|error| error.kind())
}

#[tokio::test]
async fn the_limits_are_those_of_the_page() {
    let page = page();
    assert!(page.contains("| 127 levels, the object itself counted |"));
    let nested =
        |levels: usize| format!(r#"{{"path": {}1{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    assert_eq!(refusal(&nested(127)).await, Some("invalid"));
    assert_eq!(refusal(&nested(128)).await, Some("malformed"));

    assert!(page.contains("| 256 KiB, "));
    let with_comma =
        |length: usize| format!(r#"{{"path": "{}",}}"#, "x".repeat(length - r#"{"path": "",}"#.len()));
    assert_eq!(refusal(&with_comma(256 * 1024)).await, None);
    assert_eq!(refusal(&with_comma(256 * 1024 + 1)).await, Some("malformed"));
    assert_eq!(refusal(&format!(r#"{{"path": "{}"}}"#, "x".repeat(1024 * 1024))).await, None);

    assert!(page.contains("| a message | 2,000 characters |"));
    let many: Vec<String> = (0..500).map(|number| format!(r#""unknown_{number}": 1"#)).collect();
    let call = testing::call_text(&tool(false), &format!("{{{}}}", many.join(","))).await;
    let prefix = "the arguments of `read` ".chars().count();
    let message = call.text().chars().count();
    assert!((1_500..=2_000 + prefix).contains(&message), "{message}");
}

#[tokio::test]
async fn every_format_of_the_page_is_enforced() {
    let page = page();
    let sentence =
        page.split("Of the values of `format`, ").nth(1).unwrap().split(" are enforced").next().unwrap();
    let formats: Vec<&str> = sentence.split('`').skip(1).step_by(2).collect();
    assert_eq!(formats.len(), 7);
    for format in formats {
        let schema = serde_json::json!({
            "type": "object",
            "properties": {"value": {"type": "string", "format": format}},
            "required": ["value"],
            "additionalProperties": false
        });
        let spec = ToolSpec::new("read", "Reads.");
        let tool = spec.schema::<Value>(schema).execute(|_, _| async { "ok" });
        let call = testing::call_text(&tool, r#"{"value": "none of them"}"#).await;
        assert!(call.outcome.is_err(), "{format}");
    }
}
