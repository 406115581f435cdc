//! Long texts and texts that are made to be slow.

use super::{Readings, assert_reads, reading};
use crate::arguments::lenient::steps;

/// (e) Twice the text takes at most twice the steps, for texts that are made to be slow.
#[test]
fn steps_are_linear_in_the_text() {
    const REPEATED: &[&str] = &[
        "\"",
        "\" ",
        "'",
        "\\",
        "\\\\",
        "{",
        "[",
        "{}",
        "{x}",
        "{a # }",
        "{a /* }",
        "{{",
        "}",
        "`",
        "```",
        "<",
        "<a",
        "<|",
        "//",
        "/*",
        "/**",
        "# ",
        "\" // ",
        "\" /* ",
        "\"„",
        "\"“",
        "\"'",
        "' \"",
        "\"a\":",
        "{\"a\":1}",
        "{\"a\":1} ",
        "\"a\" ",
        "a ",
        "a: ",
        "[[1} ",
        "\\n",
        "\n",
        "1",
        "\u{a0}",
        ",",
        "\"x\" // y\n",
        "\" b",
        "\", \"",
        "{\"a\":\"b\" \"",
        "{'",
        "“",
        "\"“x",
        "\\u",
        "\\ud83d",
    ];
    const BEFORE: &[&str] =
        &["", "{", "{\"a\":", "{\"a\":\"", "{\"a\":[\"", "{'a':'x ", "{“a”:“", "{\"a\":1} ", "\""];
    const BEHIND: &[&str] = &["", "\n!", "\n\"}"];
    // What looks ahead looks at a bounded number of characters, but not beyond the end.
    const EDGE: usize = 16_000;
    for (before, behind) in BEFORE.iter().flat_map(|before| BEHIND.iter().map(move |behind| (before, behind)))
    {
        for piece in REPEATED {
            let count = |length: usize| {
                let text = format!("{before}{}{behind}", piece.repeat(length));
                steps(|| drop(reading(&text)))
            };
            let (once, twice) = (count(500), count(1_000));
            let name = format!("`{before}`, `{piece}` and `{behind}`: {once} steps, then {twice}");
            assert!(twice <= 2 * once + EDGE, "{name}");
            assert!(twice <= 50 * 1_000 * piece.len() + EDGE, "{name}");
        }
    }
}

/// A text as long as the limit, of nothing but backslashes.
#[test]
fn backslashes_up_to_the_limit_are_read() {
    let pairs = "\\\\".repeat(100_000);
    assert_reads(&format!("{{\"a\":\"{pairs}\",}}"), &["trailing_comma"], &format!("{{\"a\":\"{pairs}\"}}"));
}

#[test]
fn large_texts_are_answered() {
    let body = "x\\n".repeat(3_500_000);
    assert!(matches!(reading(&format!("{{\"a\":\"{body}\"}}")), Readings::One { .. }));
    assert!(matches!(reading(&format!("{{\"a\":\"{body}")), Readings::Truncated(_)));
    assert!(matches!(reading(&format!("{{\"a\":\"{body}\",}}")), Readings::None(_)));
}
