//! Pages in pieces: paragraphs that stand under one heading, up to a size.

/// How long a piece grows, in bytes. A paragraph that is longer is cut.
const MAX: usize = 1_200;
/// The longest heading of a piece, in bytes.
const MAX_HEADING: usize = 300;

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The headings that it stands under, the outermost first.
    pub(super) heading: Option<String>,
    pub(super) text: String,
}

/// The pieces of a page in Markdown, in order. A heading that only repeats the title is left out of theirs.
pub(super) fn pieces(title: &str, body: &str) -> Vec<Piece> {
    let mut pieces = taken_apart(title, body);
    if pieces.made.is_empty() {
        // A page of headings alone can still be found by them.
        let heading = pieces.heading();
        pieces.made.push(Piece { heading, text: String::new() });
    }
    pieces.made
}

/// The heading that a page begins with, to be its title.
pub(super) fn first_heading(body: &str) -> Option<String> {
    taken_apart("", body).first.filter(|heading| !heading.is_empty())
}

fn taken_apart(title: &str, body: &str) -> Pieces {
    let mut pieces = Pieces { title: title.to_owned(), ..Pieces::default() };
    let mut fence: Option<(char, usize)> = None;
    let mut lines = body.lines().map(str::trim_end).peekable();
    while let Some(line) = lines.next() {
        let mark = fence_mark(line);
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some((sign, length)), Some((other, by))) if sign == other && by >= length => fence = None,
            _ => {}
        }
        if fence.is_none() && mark.is_none() {
            if let Some((level, heading)) = heading(line) {
                pieces.begin_section(level, heading);
                continue;
            }
            if let Some(level) = lines.peek().and_then(|next| underline(next))
                && pieces.paragraph.is_empty()
                && line.chars().any(char::is_alphanumeric)
            {
                pieces.begin_section(level, line.trim());
                lines.next();
                continue;
            }
            if line.is_empty() {
                pieces.end_paragraph();
                continue;
            }
        }
        pieces.paragraph.push_str(line);
        pieces.paragraph.push('\n');
    }
    pieces.end_section();
    pieces
}

/// What is being made.
#[derive(Default)]
struct Pieces {
    title: String,
    made: Vec<Piece>,
    /// The heading before any text.
    first: Option<String>,
    /// The headings that are open, with their levels.
    headings: Vec<(usize, String)>,
    /// Paragraphs that make the next piece.
    text: String,
    paragraph: String,
}

impl Pieces {
    fn begin_section(&mut self, level: usize, heading: &str) {
        self.end_section();
        if self.made.is_empty() && self.first.is_none() {
            self.first = Some(heading.to_owned());
        }
        self.headings.retain(|&(outer, _)| outer < level);
        self.headings.push((level, heading.to_owned()));
    }

    fn end_section(&mut self) {
        self.end_paragraph();
        self.end_piece();
    }

    fn end_paragraph(&mut self) {
        if !self.text.is_empty() && self.text.len() + self.paragraph.len() > MAX {
            self.end_piece();
        }
        if !self.text.is_empty() && !self.paragraph.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&std::mem::take(&mut self.paragraph));
        while self.text.len() > MAX {
            let end = cut(&self.text);
            let rest = self.text.split_off(end);
            self.end_piece();
            self.text = rest.trim_start_matches(['\n', ' ']).to_owned();
        }
    }

    fn end_piece(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_matches('\n').trim_end();
        if !text.is_empty() {
            self.made.push(Piece { heading: self.heading(), text: text.to_owned() });
        }
    }

    fn heading(&self) -> Option<String> {
        let told = self.headings.iter().map(|(_, heading)| heading.as_str());
        let told: Vec<_> = told.filter(|heading| !heading.is_empty() && *heading != self.title).collect();
        let mut heading = told.join(" > ");
        heading.truncate(heading.floor_char_boundary(MAX_HEADING));
        (!heading.is_empty()).then_some(heading)
    }
}

/// Where a text that is too long is cut: behind a line, else behind a word, else behind a character.
fn cut(text: &str) -> usize {
    let end = text.floor_char_boundary(MAX);
    let start = text.get(..end).unwrap_or_default();
    let behind = |sign: char| start.rfind(sign).map(|at| at + sign.len_utf8()).filter(|&at| at >= MAX / 3);
    behind('\n').or_else(|| behind(' ')).unwrap_or(end)
}

/// The sign of a code fence, and how often it stands there.
fn fence_mark(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let length = line.chars().take_while(|c| *c == sign).count();
    // Code within a line may begin it.
    (length >= 3 && !(sign == '`' && line.chars().skip(length).any(|c| c == '`'))).then_some((sign, length))
}

/// The level and text of a heading that begins with `#`.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let text = line.get(level..)?;
    let is_heading = (1..=6).contains(&level) && (text.is_empty() || text.starts_with([' ', '\t']));
    is_heading.then(|| (level, text.trim().trim_end_matches('#').trim_end()))
}

/// The level of a heading that a line underlines.
fn underline(line: &str) -> Option<usize> {
    let sign = line.chars().next()?;
    let is_line = line.len() >= 3 && line.chars().all(|c| c == sign);
    match sign {
        '=' if is_line => Some(1),
        '-' if is_line => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn headings(pieces: &[Piece]) -> Vec<Option<&str>> {
        pieces.iter().map(|piece| piece.heading.as_deref()).collect()
    }

    #[test]
    fn a_page_comes_apart_at_headings_and_between_paragraphs() {
        let body = format!(
            "Begin.\n\n# One #\n\nText.\n```\n# no heading\n\n```\n## Two\n{}\n\nLast.\n\nNext\n====\nEnd.",
            "word ".repeat(300)
        );
        let pieces = pieces("The page", &body);
        let expected = [None, Some("One"), Some("One > Two"), Some("One > Two"), Some("Next")];
        assert_eq!(headings(&pieces), expected);
        assert!(pieces[1].text.contains("# no heading"));
        assert!(pieces.iter().all(|piece| piece.text.len() <= MAX && !piece.text.is_empty()));
        assert_eq!(pieces[3].text.lines().last(), Some("Last."));
    }

    #[test]
    fn the_heading_that_is_the_title_is_not_said_again() {
        let pieces = pieces("Jobs", "# Jobs\nText.\n## States\nMore.\n# Other\nEnd.");
        assert_eq!(headings(&pieces), [None, Some("States"), Some("Other")]);
    }

    #[test]
    fn paragraphs_share_a_piece_while_there_is_room() {
        let body = format!("{}\n\n{}\n\n{}", "a".repeat(500), "b".repeat(500), "c".repeat(500));
        let texts: Vec<_> = pieces("", &body).iter().map(|piece| piece.text.len()).collect();
        assert_eq!(texts, [1_002, 500]);
    }

    #[test]
    fn headings_alone_make_a_piece() {
        assert_eq!(headings(&pieces("", "# A\n## B\n")), [Some("A > B")]);
        assert_eq!(headings(&pieces("", "")), [None]);
    }

    #[test]
    fn a_title_is_the_first_heading() {
        assert_eq!(first_heading("# Jobs #\ntext").as_deref(), Some("Jobs"));
        assert_eq!(first_heading("\nJobs\n----\ntext").as_deref(), Some("Jobs"));
        assert_eq!(first_heading("text\n\n# Later"), None);
        assert_eq!(first_heading("```\n# code\n```"), None);
    }

    proptest! {
        #[test]
        fn nothing_of_any_text_is_lost(body in "([#=\\-`~ \\n]|[a-c]|\u{e9}|\u{1f600}){0,1500}") {
            let pieces = pieces("t", &body);
            prop_assert!(pieces.iter().all(|piece| piece.text.len() <= MAX));
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            // A heading stands over several pieces, or over none, so what is lost there is not counted.
            if !body.contains(['#', '=', '-']) {
                prop_assert_eq!(pieces.iter().map(|piece| letters(&piece.text)).sum::<usize>(), letters(&body));
            }
        }
    }
}
