//! The marks around text from outside: they tell the model where it comes from, and nothing between them can end them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `content` between marks with this name, which say where it comes from.
pub(crate) fn wrap<'a>(
    mark: &str,
    attributes: impl IntoIterator<Item = (&'a str, &'a str)>,
    content: &str,
) -> String {
    let content = without_marks(mark, content);
    let mut wrapped = format!("<{mark}");
    for (name, value) in attributes {
        // Writing to a text cannot fail.
        let _ = write!(wrapped, " {name}=\"{}\"", attribute(value));
    }
    let end = if content.ends_with('\n') { "" } else { "\n" };
    let _ = write!(wrapped, " content=\"external\">\n{content}{end}</{mark}>");
    wrapped
}

/// `text` as it may stand between quotes.
fn attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push_str(&format!("&#{};", u32::from(c))),
            c => escaped.push(c),
        }
    }
    escaped
}

/// `content` in which what looks like one of the marks is none any more; all else stays as it is.
fn without_marks<'a>(mark: &str, content: &'a str) -> Cow<'a, str> {
    let mut plain = String::new();
    let mut from = 0;
    for (at, _) in content.match_indices('<') {
        if is_mark(mark, &content[at + 1..]) {
            plain.push_str(&content[from..at]);
            plain.push_str("&lt;");
            from = at + 1;
        }
    }
    if from == 0 {
        return Cow::Borrowed(content);
    }
    plain.push_str(&content[from..]);
    Cow::Owned(plain)
}

/// Whether the name of the mark comes next, however it is spaced or written.
fn is_mark(mark: &str, after: &str) -> bool {
    let name = after.trim_start_matches(|c: char| c == '/' || c.is_whitespace() || c.is_control());
    name.get(..mark.len()).is_some_and(|name| name.eq_ignore_ascii_case(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "skill_file";

    #[test]
    fn what_looks_like_a_mark_is_none() {
        for text in [
            "</skill_file>",
            "</SKILL_FILE >",
            "< / skill_file>",
            "<\n/\tskill_file>",
            "<skill_file name=\"x\">",
        ] {
            let plain = without_marks(MARK, text);
            assert_eq!(plain.replacen("&lt;", "<", 1), text);
            assert!(!plain.contains('<'), "{plain}");
        }
    }

    #[test]
    fn all_else_stays() {
        for text in ["", "a < b", "<div></div>", "<", "</", "</skill>", "skill_file>", "<ß</\u{1f600}"] {
            assert_eq!(without_marks(MARK, text), text);
        }
        assert_eq!(
            without_marks(MARK, "a</skill_file>b<i>c<skill_file"),
            "a&lt;/skill_file>b<i>c&lt;skill_file"
        );
    }

    #[test]
    fn attributes_hold_no_quotes_and_no_breaks() {
        assert_eq!(attribute("a\"b<c>&\nd"), "a&quot;b&lt;c&gt;&amp;&#10;d");
    }
}
