//! Objects, and what becomes of them when a model garbles them.

use proptest::prelude::*;

use super::super::Node;

/// Text with all that could be mistaken for structure.
fn texts() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a", "bc", " ", "\"", "'", "“", "”", "\\", "\\n", "\\d", "{", "}", "[", "]", ",", ":", "//", "/*",
        "*/", "#", "\n", "\t", "```", "<|x|>", "é", "😀", "true", "12", "\u{feff}",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..8).prop_map(|pieces| pieces.concat())
}

fn values() -> impl Strategy<Value = Node> {
    let scalars = prop_oneof![
        Just(Node::Null),
        any::<bool>().prop_map(Node::Bool),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?".prop_map(Node::Number),
        texts().prop_map(Node::String),
    ];
    scalars.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Node::Array),
            prop::collection::vec((texts(), inner), 0..4).prop_map(Node::Object),
        ]
    })
}

pub(super) fn objects() -> impl Strategy<Value = Node> {
    prop::collection::vec((texts(), values()), 0..5).prop_map(Node::Object)
}

/// Almost-JSON: pieces that models put together, right and wrong.
pub(super) fn almost_json() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "'b'",
        "“c”",
        "d",
        "\"",
        "'",
        "\\",
        "\\n",
        "\\d",
        "\\u00",
        "1",
        ".5",
        "0",
        "-",
        "True",
        "null",
        "...",
        " ",
        "\n",
        "// x\n",
        "/* y */",
        "# z\n",
        "\u{a0}",
        "x",
        "\"a\":1",
        "\"b\":\"c\"",
    ];
    prop::collection::vec(prop::sample::select(PIECES), 0..24)
        .prop_map(|pieces| format!("{{{}", pieces.concat()))
}

/// An object as a model may garble it: pieces put in, and characters left out.
pub(super) fn garbled() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "", "\"", "'", ",", ":", "{", "}", "[", "]", " ", "\n", "\\", "\\n", "\\d", "x", " \"k\":1",
        "// x\n", "/* y */", "”", "{}",
    ];
    let change = (any::<prop::sample::Index>(), 0_usize..3, prop::sample::select(PIECES));
    (objects(), prop::collection::vec(change, 1..4), prop::sample::select(&["\"", "\"", "'", "”"][..]))
        .prop_map(|(object, changes, quote)| {
            let mut characters: Vec<char> = object.to_string().replace('"', quote).chars().collect();
            for (place, left_out, piece) in changes {
                let at = place.index(characters.len().max(1)).min(characters.len());
                let end = (at + left_out).min(characters.len());
                characters.splice(at..end, piece.chars());
            }
            characters.into_iter().collect()
        })
}
