//! Text that stands where a list or an object is wanted.

use super::{Container, Node, ReadOptions, Readings, read_nested};

fn nested(text: &str, container: Container) -> Readings {
    read_nested(text, container, &ReadOptions::default())
}

#[test]
fn lists_and_objects_are_read_with_the_repairs() {
    for (text, container, json, rungs) in [
        ("[1, 2]", Container::List, "[1,2]", vec![]),
        (" ['a', 'b',] ", Container::List, r#"["a","b"]"#, vec!["single_quotes", "trailing_comma"]),
        ("{a: [1}", Container::Object, r#"{"a":[1]}"#, vec!["bare_key", "missing_bracket"]),
        ("\n{\"a\":1}", Container::Object, r#"{"a":1}"#, vec![]),
        ("```json\n[1]\n```", Container::List, "[1]", vec!["fence"]),
        ("<tags>['a']</tags>", Container::List, r#"["a"]"#, vec!["tag", "single_quotes"]),
        ("{\"a\":1}<|end|>", Container::Object, r#"{"a":1}"#, vec!["template_mark"]),
        ("[[1]]]", Container::List, "[[1]]", vec!["surplus_bracket"]),
    ] {
        let node = Node::parse(json).unwrap();
        assert_eq!(nested(text, container), Readings::One { node, rungs });
    }
}

#[test]
fn all_of_the_text_must_be_the_value() {
    for text in [
        "",
        "a, b",
        "[1] and more",
        "[1][1]",
        "[1], [2]",
        "}[1]",
        "call([1])",
        "[1]\"",
        "{\"a\":1}",
        "see [1]",
        "[a]",
        "[NaN]",
        "17",
    ] {
        assert!(matches!(nested(text, Container::List), Readings::None(_)), "{text}");
    }
    assert!(matches!(nested("[1]", Container::Object), Readings::None(_)));
}

#[test]
fn doubts_and_cuts_are_told_apart() {
    assert!(matches!(nested(r#"["a" "b"]"#, Container::List), Readings::Many(_)));
    assert!(matches!(nested("[[1],[2]],[3]]", Container::List), Readings::None(_)));
    assert!(matches!(nested("```\n[1", Container::List), Readings::Truncated(_)));
    assert!(matches!(nested(r#"["a", "b"#, Container::List), Readings::Truncated(_)));
    assert!(matches!(nested(r#"["a", ["#, Container::List), Readings::Truncated(_)));
}
