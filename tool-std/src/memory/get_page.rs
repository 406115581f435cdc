//! The tool `get_page`: a page, piece by piece if it is long.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolError, ToolErrorKind, ToolParams, worker_tool};

use super::page::{Page, PageFound, PageName, shortened};
use super::{Memory, MemoryError};

/// The longest text of an answer, in bytes as JSON.
const MAX_TEXT: usize = 40_000;

/// What the model asks.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub struct GetPageParams {
    /// The slug of a page, or its title.
    #[schemars(length(min = 1))]
    reference: String,
    /// Where to begin, in bytes: the `next_offset` of the answer before.
    #[serde(default)]
    offset: usize,
}

/// A page, or the pages that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct GetPageResult {
    /// The page that was meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<PageText>,
    /// The pages of which one may be meant, if it is not clear which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub candidates: Option<Vec<PageName>>,
}

/// A piece of a page, or all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct PageText {
    /// The slug of the page.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// The text from `offset` on.
    pub text: String,
    /// Where the text begins in the page, in bytes.
    pub offset: usize,
    /// Where the next piece begins, if there is more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// Gives a whole page by its slug or its title, a long one in pieces.
///
/// `recall` names pages. If it is not clear which page is meant, those that may be are named in `candidates`: ask again with
/// the slug of one.
#[worker_tool(read_only, parallel, open_world = false, activity = "Reading {reference}")]
pub async fn get_page(
    #[state] memory: Memory,
    params: GetPageParams,
) -> Result<Json<GetPageResult>, ToolError> {
    let reference = params.reference.trim();
    let found = memory.page(reference).await.map_err(MemoryError::into_tool_error)?;
    let result = match found {
        PageFound::Page(page) => GetPageResult { page: Some(piece(page, params.offset)?), candidates: None },
        PageFound::Candidates(none) if none.is_empty() => {
            let message =
                format!("no page is called `{}`, or like it; find one with `recall`", shortened(reference));
            return Err(ToolError::new(message).with_kind(ToolErrorKind::NotFound));
        }
        PageFound::Candidates(candidates) => GetPageResult { page: None, candidates: Some(candidates) },
    };
    Ok(Json(result))
}

fn piece(page: Page, offset: usize) -> Result<PageText, ToolError> {
    let invalid = |message: String| ToolError::new(message).with_kind(ToolErrorKind::InvalidArguments);
    let length = page.body.len();
    if offset > length {
        return Err(invalid(format!("`offset` is {offset} and the page ends at {length}")));
    }
    let Some(rest) = page.body.get(offset..) else {
        return Err(invalid(format!(
            "`offset` {offset} is within a character; use the `next_offset` of the answer before"
        )));
    };
    let text = rest.get(..fitting(rest)).unwrap_or_default();
    let next = offset + text.len();
    Ok(PageText {
        slug: page.slug,
        title: page.title,
        text: text.to_owned(),
        offset,
        next_offset: (next < length).then_some(next),
    })
}

/// How much of a text has room: whole lines, unless one alone has none.
fn fitting(text: &str) -> usize {
    let mut used = 0;
    let over = text.char_indices().find(|&(_, c)| {
        used += bytes_of_json(c);
        used > MAX_TEXT
    });
    let Some((end, _)) = over else { return text.len() };
    let line = text.get(..end).and_then(|start| start.rfind('\n')).map(|at| at + 1);
    line.filter(|&line| line >= end / 2).unwrap_or(end)
}

/// How long a character is within a text of JSON.
fn bytes_of_json(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn joined(body: &str) -> String {
        let (mut joined, mut offset) = (String::new(), Some(0));
        while let Some(at) = offset {
            let page = Page { slug: "p".to_owned(), title: "P".to_owned(), body: body.to_owned() };
            let piece = piece(page, at).unwrap();
            assert!(serde_json::to_string(&piece.text).unwrap().len() <= MAX_TEXT + 2);
            joined += &piece.text;
            assert!(piece.next_offset.is_none_or(|next| next > at));
            offset = piece.next_offset;
        }
        joined
    }

    #[test]
    fn long_pages_join_exactly() {
        for body in
            ["", "short", &"a".repeat(90_000), &"\u{1f600}\u{e9}\n\"".repeat(20_000), &"\u{1}".repeat(9_000)]
        {
            assert_eq!(joined(body), *body);
        }
    }

    #[test]
    fn a_piece_ends_with_a_line() {
        let body = format!("{}\n{}", "a".repeat(30_000), "b".repeat(30_000));
        let page = Page { slug: String::new(), title: String::new(), body };
        assert_eq!(piece(page, 0).unwrap().next_offset, Some(30_001));
    }

    #[test]
    fn a_wrong_offset_says_what_is_wrong() {
        let page = || Page { slug: String::new(), title: String::new(), body: "\u{e9}".to_owned() };
        let message = |offset| piece(page(), offset).unwrap_err().message().to_owned();
        assert_eq!(message(3), "`offset` is 3 and the page ends at 2");
        assert_eq!(
            message(1),
            "`offset` 1 is within a character; use the `next_offset` of the answer before"
        );
        assert_eq!(piece(page(), 2).unwrap().text, "");
    }

    proptest! {
        #[test]
        fn any_page_joins_exactly(parts in proptest::collection::vec(any::<String>(), 0..100)) {
            let body = parts.concat().repeat(20);
            prop_assert_eq!(joined(&body), body);
        }
    }
}
