//! A long result in pieces that join to the exact text.

use serde_json::{Value, json};

/// The longest answer with a piece of a result, in bytes of its JSON.
pub(crate) const MAX_SLICE: usize = 8_000;

/// The answer with the longest piece of `text` from `offset` (in bytes of UTF-8) that fits, around `frame`'s other fields.
///
/// # Errors
///
/// When the offset is behind the end, or within a character.
pub(crate) fn slice(frame: &Value, text: &str, offset: usize) -> Result<Value, String> {
    if offset > text.len() {
        return Err(format!("`result_offset` is {offset} and the result ends at {}", text.len()));
    }
    let Some(rest) = text.get(offset..) else {
        return Err(format!(
            "`result_offset` {offset} is within a character; use the `next_offset` of the answer before"
        ));
    };
    let answer = |len: usize| {
        let end = offset + len;
        let next = (end < text.len()).then_some(end);
        let mut answer = frame.clone();
        answer["result"] = json!({ "offset": offset, "output_text": rest.get(..len).unwrap_or_default(), "next_offset": next });
        answer
    };
    let fits = |len: usize| answer(len).to_string().len() <= MAX_SLICE;
    if fits(rest.len()) {
        return Ok(answer(rest.len()));
    }
    // How long an escaped text is rises with its length, so the longest that fits is found by halves.
    let (mut good, mut bad) = (0, rest.len().min(MAX_SLICE));
    while bad - good > 1 {
        let middle = rest.floor_char_boundary(good + (bad - good) / 2);
        if middle <= good {
            // The characters in between are longer than what is left to try.
            let next = rest.ceil_char_boundary(good + 1);
            if next < bad && fits(next) {
                good = next;
                continue;
            }
            break;
        }
        if fits(middle) { good = middle } else { bad = middle }
    }
    if good == 0 {
        // One character always has room; without this a loop over the pieces would not end.
        good = rest.ceil_char_boundary(1);
    }
    Ok(answer(good))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All pieces, and that each is as long as may be.
    fn joined(text: &str) -> String {
        let frame = json!({ "title": "A title with \"quotes\"", "status": "succeeded" });
        let (mut joined, mut offset) = (String::new(), Some(0));
        while let Some(at) = offset {
            let piece = slice(&frame, text, at).unwrap();
            assert!(piece.to_string().len() <= MAX_SLICE);
            joined += piece["result"]["output_text"].as_str().unwrap();
            let next = piece["result"]["next_offset"].as_u64().map(|next| usize::try_from(next).unwrap());
            assert!(next.is_none_or(|next| next > at));
            offset = next;
        }
        joined
    }

    #[test]
    fn long_texts_join_exactly() {
        for text in
            ["", "short", &"a".repeat(30_000), &"\u{1F600}é\n\"".repeat(9_000), &"\u{0}".repeat(5_000)]
        {
            assert_eq!(joined(text), *text);
        }
    }

    proptest! {
        #[test]
        fn any_text_joins_exactly(parts in proptest::collection::vec(any::<String>(), 0..400)) {
            let text = parts.concat().repeat(4);
            prop_assert_eq!(joined(&text), text);
        }
    }

    #[test]
    fn a_wrong_offset_says_what_is_wrong() {
        let error = slice(&json!({}), "é", 1).unwrap_err();
        assert_eq!(
            error,
            "`result_offset` 1 is within a character; use the `next_offset` of the answer before"
        );
        let error = slice(&json!({}), "é", 3).unwrap_err();
        assert_eq!(error, "`result_offset` is 3 and the result ends at 2");
    }
}
