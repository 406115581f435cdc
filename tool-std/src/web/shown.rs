//! How numbers and foreign texts are written for the model.

pub(super) use crate::computer::shown::{counted, number};

/// A text on one line, at most `most` characters of it.
pub(super) fn line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let (mut len, mut gap) = (0, false);
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            gap = true;
            continue;
        }
        if turns(c) {
            continue;
        }
        if gap && !line.is_empty() {
            line.push(' ');
            len += 1;
        }
        gap = false;
        if len >= most {
            line.push('…');
            break;
        }
        line.push(c);
        len += 1;
    }
    line
}

/// Whether a character shows nothing and turns the direction of what comes behind it.
fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn one_line_of_so_many_characters() {
        assert_eq!(line("  a\n\tb \u{1b}[1m c\u{202e}d ", 100), "a b [1m cd");
        assert_eq!(line("äöüß", 4), "äöüß");
        assert_eq!(line("äöüßx", 4), "äöüß…");
        assert_eq!(line(" \n", 4), "");
    }
}
