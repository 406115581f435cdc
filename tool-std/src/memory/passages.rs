//! Pages in pieces: paragraphs under one heading, up to a size.

/// How long a piece grows, in bytes. A paragraph that is longer is cut.
const MAX: usize = 1_200;

/// A piece of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) heading: Option<String>,
    pub(super) text: String,
}

/// The pieces of a page in Markdown, in order.
pub(super) fn pieces(body: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut heading, mut text, mut is_code) = (None::<String>, String::new(), false);
    let mut push = |heading: &Option<String>, text: &mut String| {
        let mut rest = text.trim();
        while !rest.is_empty() {
            let end = rest.floor_char_boundary(MAX);
            let (piece, behind) = rest.split_at(end);
            pieces.push(Piece { heading: heading.clone(), text: piece.trim().to_owned() });
            rest = behind.trim_start();
        }
        text.clear();
    };
    for line in body.lines() {
        let line = line.trim_end();
        is_code ^= line.trim_start().starts_with("```");
        let mark = line.bytes().take_while(|byte| *byte == b'#').count();
        if !is_code && (1..=6).contains(&mark) && line.as_bytes().get(mark) == Some(&b' ') {
            push(&heading, &mut text);
            heading = line.get(mark..).map(|heading| heading.trim().trim_end_matches('#').trim().to_owned());
            continue;
        }
        if line.is_empty() && !is_code && text.len() >= MAX / 2 {
            push(&heading, &mut text);
            continue;
        }
        text.push_str(line);
        text.push('\n');
    }
    push(&heading, &mut text);
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn a_page_comes_apart_at_headings_and_between_paragraphs() {
        let body = format!(
            "Begin.\n\n# One #\n\nText.\n```\n# no heading\n```\n## Two\n{}\n\nLast.",
            "word ".repeat(300)
        );
        let pieces = pieces(&body);
        let headings: Vec<_> = pieces.iter().map(|piece| piece.heading.as_deref()).collect();
        assert_eq!(headings, [None, Some("One"), Some("Two"), Some("Two"), Some("Two")]);
        assert!(pieces[1].text.contains("# no heading"));
        assert!(pieces.iter().all(|piece| piece.text.len() <= super::MAX && !piece.text.is_empty()));
        assert_eq!(pieces.last().unwrap().text, "Last.");
    }

    #[test]
    fn a_blank_page_has_no_pieces() {
        assert!(pieces(" \n\n").is_empty());
    }
}
