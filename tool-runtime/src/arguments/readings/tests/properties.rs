//! What holds for every text.

use proptest::prelude::*;

use super::{Node, Readings, reading};
use garbled::{almost_json, garbled, objects};

mod garbled;

/// Every beginning of the text that holds its first bracket and not its last character.
fn cuts_inside(raw: &str) -> Vec<&str> {
    let Some(start) = raw.find('{') else { return Vec::new() };
    raw.char_indices().map(|(at, _)| at).filter(|at| *at > start).filter_map(|at| raw.get(..at)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// (a) JSON is never changed, however it is spaced.
    #[test]
    fn json_is_never_changed(object in objects(), spaces in prop::sample::select(&["", " ", "\r\n\t"][..])) {
        let text = format!("{spaces}{object}{spaces}");
        prop_assert_eq!(reading(&text), Readings::One { node: object, rungs: Vec::new() });
    }

    /// Strict JSON is what `serde_json` takes for JSON.
    #[test]
    fn strict_reading_agrees_with_serde_json(text in prop_oneof![almost_json(), garbled()], object in objects(), cut in any::<prop::sample::Index>()) {
        let whole = object.to_string();
        let at = (0..=cut.index(whole.len() + 1)).rev().find(|at| whole.is_char_boundary(*at)).unwrap_or_default();
        for text in [text.as_str(), &whole[..at]] {
            let expected = serde_json::from_str::<serde_json::Value>(text);
            let in_range = !expected.as_ref().is_err_and(|error| error.to_string().contains("out of range"));
            if in_range {
                prop_assert_eq!(Node::parse(text).is_ok(), expected.is_ok(), "{}", text);
            }
        }
    }

    /// (b) What was read once reads the same when it is written out.
    #[test]
    fn a_reading_is_stable(text in prop_oneof![almost_json(), garbled()]) {
        if let Readings::One { node, .. } = reading(&text) {
            prop_assert_eq!(reading(&node.to_string()), Readings::One { node, rungs: Vec::new() });
        }
    }

    /// (c) An object that is cut off anywhere before its last bracket is never read as a whole one.
    #[test]
    fn a_cut_json_object_is_truncated(object in objects()) {
        let text = object.to_string();
        for cut in cuts_inside(&text) {
            prop_assert!(matches!(reading(cut), Readings::Truncated(_)), "{} gives {:?}", cut, reading(cut));
        }
    }

    /// (c) The same for repaired objects: whatever stands before the end of the object that was accepted is not accepted.
    #[test]
    fn a_cut_repaired_object_is_never_read(text in prop_oneof![almost_json(), garbled()]) {
        if let Readings::One { rungs, .. } = reading(&text) {
            let cuts = if rungs.contains(&"repeated_object") { Vec::new() } else { cuts_inside(first_object(&text)) };
            for cut in cuts {
                prop_assert!(!matches!(reading(cut), Readings::One { .. }), "{} of {}", cut, text);
            }
        }
    }

    /// Deviations that say nothing do not change the value.
    #[test]
    fn wrapping_and_spacing_change_nothing(object in objects(), around in 0_usize..6) {
        let (before, behind) = [
            ("```json\n", "\n```"), ("<args>", "</args>"), ("Here: ", "\nDone."), ("\u{feff}", ""), ("", "}"), ("", "<|end|>"),
        ][around];
        let text = format!("{before}{object}{behind}");
        match reading(&text) {
            Readings::One { node, rungs } => {
                prop_assert_eq!(node, object);
                prop_assert_eq!(rungs.len(), 1);
            }
            // The surplus bracket may also be one that stands doubled further ahead.
            Readings::Many(_) if behind == "}" => {}
            other => prop_assert!(false, "{} gives {:?}", text, other),
        }
    }

    /// (e) Any text at all gives an answer.
    #[test]
    fn no_text_panics(text in any::<String>(), almost in almost_json()) {
        reading(&text);
        reading(&almost);
        reading(&format!("{text}{almost}"));
        reading(&format!("{almost}{text}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: fewer(), failure_persistence: None, ..ProptestConfig::default() })]

    /// One character of the syntax is lost: what is read then is what was meant, or nothing is.
    #[test]
    fn a_lost_character_is_never_guessed(object in objects()) {
        let text = object.to_string();
        for (at, character) in text.char_indices() {
            let escaped = text[..at].ends_with('\\');
            let escapes_quote = text[at..].starts_with("\\\"");
            if escaped || !"{}[],:\"".contains(character) && !escapes_quote {
                continue;
            }
            let damaged = format!("{}{}", &text[..at], &text[at + character.len_utf8()..]);
            if let Readings::One { node, rungs } = reading(&damaged) {
                let data = rungs.is_empty();
                prop_assert!(data || node == object, "{} read as {} by {:?}", damaged, node, rungs);
            }
        }
    }

    /// One character of the syntax is doubled: the same.
    #[test]
    fn a_doubled_character_is_never_guessed(object in objects()) {
        let text = object.to_string();
        for (at, character) in text.char_indices() {
            if text[..at].ends_with('\\') || !"{}[],:\"".contains(character) {
                continue;
            }
            let damaged = format!("{}{}{}", &text[..at], character, &text[at..]);
            if let Readings::One { node, rungs } = reading(&damaged) {
                let data = rungs.is_empty();
                prop_assert!(data || node == object, "{} read as {} by {:?}", damaged, node, rungs);
            }
        }
    }
}

/// These damage an object in every place.
fn fewer() -> u32 {
    ProptestConfig::default().cases / 4
}

/// The text up to the bracket that closes its first object.
fn first_object(text: &str) -> &str {
    let start = text.find('{').unwrap_or_default();
    let mut cursor = crate::arguments::lenient::Cursor::new(&text[start..]);
    let mut notes = crate::arguments::lenient::Notes::default();
    crate::arguments::lenient::read(&mut cursor, &mut notes);
    &text[..text.len() - cursor.rest().len()]
}
