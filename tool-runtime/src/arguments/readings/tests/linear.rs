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
    // What looks ahead looks at a bounded number of characters, but not beyond the end.
    const EDGE: usize = 16_000;
    for before in BEFORE {
        for piece in REPEATED {
            let count = |length: usize| {
                let text = format!("{before}{}", piece.repeat(length));
                steps(|| drop(reading(&text)))
            };
            let (once, twice) = (count(2_000), count(4_000));
            assert!(twice <= 2 * once + EDGE, "`{before}` and `{piece}`: {once} steps, then {twice}");
            assert!(twice <= 50 * 4_000 * piece.len() + EDGE, "`{before}` and `{piece}`: {twice} steps");
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
