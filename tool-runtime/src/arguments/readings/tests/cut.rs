//! Texts that end before the object does.

use super::{Node, truncated};

/// One test a group: raw text => what was whole, what was cut, and the object with its brackets closed if it can be.
macro_rules! cuts {
    ($($group:ident { $($raw:expr => [$($whole:literal),*], $cut:expr, $closed:expr;)+ })+) => {$(
        #[test]
        fn $group() {
            $(
                let cut = truncated($raw);
                assert_eq!(cut.complete, Vec::<&str>::from([$($whole),*]), "{}", $raw);
                assert_eq!(cut.cut.as_deref(), $cut, "{}", $raw);
                assert_eq!(cut.closable.map(|node| node.to_string()).as_deref(), $closed, "{}", $raw);
            )+
        }
    )+};
}

cuts! {
    after_a_value {
        r#"{"a":"x""# => ["a"], None, Some(r#"{"a":"x"}"#);
        "{\"a\":\"x\" \n" => ["a"], None, Some(r#"{"a":"x"}"#);
        r#"{"a":["x","y""# => [], Some("`a` (2 items arrived)"), Some(r#"{"a":["x","y"]}"#);
        r#"{"a":[{"b":true"# => [], Some("`a/0` (1 member arrived)"), Some(r#"{"a":[{"b":true}]}"#);
        r#"{"a":null"# => ["a"], None, Some(r#"{"a":null}"#);
        r#"{"a":False"# => ["a"], None, Some(r#"{"a":false}"#);
        r#"{"a":[]"# => ["a"], None, Some(r#"{"a":[]}"#);
        r#"{"a":{}"# => ["a"], None, Some(r#"{"a":{}}"#);
        r#"{"a":{"b":{"c":1}}"# => ["a"], None, Some(r#"{"a":{"b":{"c":1}}}"#);
        "{'a': 'x'" => ["a"], None, Some(r#"{"a":"x"}"#);
        "```json\n{\"a\":\"x\"" => ["a"], None, Some(r#"{"a":"x"}"#);
    }
    in_a_text {
        r#"{"a":"b","c":"de"# => ["a"], Some("`c` (2 characters arrived)"), None;
        r#"{"a":"x\"# => [], Some("`a` (1 character arrived)"), None;
        r#"{"a":"x\u00"# => [], Some("`a` (1 character arrived)"), None;
        r#"{"a":"\ud83d"# => [], Some("`a` (0 characters arrived)"), None;
        r#"{"a":"\ud83d\ude0"# => [], Some("`a` (0 characters arrived)"), None;
        r#"{"a":[{"b":"x"# => [], Some("`a/0/b` (1 character arrived)"), None;
        r#"{"a":[1,"x"# => [], Some("`a/1` (1 character arrived)"), None;
        r#"{"a":"x}"# => [], Some("`a` (2 characters arrived)"), None;
        r#"{"a":"Hello Robin,I hop"# => [], Some("`a` (17 characters arrived)"), None;
        "{'a': 'it's" => [], Some("`a` (4 characters arrived)"), None;
        r#"{"a":"say "hi {x} to"# => [], Some("`a` (14 characters arrived)"), None;
        r#"{"a":{"b":"x" 3}"# => [], Some("`a/b` (5 characters arrived)"), None;
        r#"{"a":"if "x" { y } else { z"# => [], Some("`a` (21 characters arrived)"), None;
        r#"{"a":"say "hi" to"# => [], Some("`a` (11 characters arrived)"), None;
        "{“a”: “x" => [], Some("`a` (1 character arrived)"), None;
    }
    in_a_number_or_word {
        r#"{"a":100"# => [], Some("`a` (3 characters arrived)"), None;
        r#"{"a":"x","b":100 "# => ["a", "b"], None, None;
        r#"{"a": -"# => [], Some("`a` (1 character arrived)"), None;
        r#"{"a": 1."# => [], Some("`a` (2 characters arrived)"), None;
        r#"{"a": 1e+"# => [], Some("`a` (3 characters arrived)"), None;
        r#"{"a": ."# => [], Some("`a` (1 character arrived)"), None;
        r#"{"a": tru"# => [], Some("`a` (3 characters arrived)"), None;
        r#"{"a": [N"# => [], Some("`a/0` (1 character arrived)"), None;
    }
    between_tokens {
        "{" => [], None, None;
        "{\n" => [], None, None;
        r#"{"a":"x","# => ["a"], None, None;
        r#"{"a":"# => [], Some("`a` (nothing arrived)"), None;
        r#"{"a""# => [], Some("`a` (nothing arrived)"), None;
        r#"{"a":["# => [], Some("`a/0` (0 items arrived)"), None;
        r#"{"a":"x",\"# => ["a"], None, None;
        r#"{"a":"x" /"# => ["a"], None, None;
        r#"{"a":"x" #"# => ["a"], None, None;
        r#"{"a":"x" // note"# => ["a"], None, None;
        r#"{"a":"x" /* note"# => ["a"], None, None;
        r#"{"a":1, //"b":2}"# => ["a"], None, None;
    }
    in_a_key {
        r#"{"a":1,"# => ["a"], None, None;
        r#"{"a":1,"b"# => ["a"], Some("a key after 1 character"), None;
        r#"{"a":1,""# => ["a"], None, None;
        "{a: 1, bc" => ["a"], Some("a key after 2 characters"), None;
        r#"{"a":"x" "b"# => ["a"], Some("a key after 1 character"), None;
    }
    where_the_wrapping_ends {
        "```json\n{\"a\":1,\"b\":[2\n```" => ["a"], Some("`b` (1 item arrived)"), None;
        "<call>{\"a\":true</call>" => ["a"], None, None;
        "<call>{\"a\":\"x\"}, {\"a\":[]</call><|end|>" => ["a"], None, None;
        "{\"a\":<|im_end|>" => [], Some("`a` (nothing arrived)"), None;
    }
    in_doubt_or_beside_others {
        r#"{"a":"a 12" ruler""# => ["a"], None, None;
        r#"{"a":"\d\n","b":"x""# => ["a", "b"], None, None;
        r#"{"a":1}{"a":"x""# => ["a"], None, None;
        r#"{}{"a":"x""# => ["a"], None, None;
        r#"{"a":1} and {"# => [], None, None;
        r#"{"a":"C:\dir\"}"# => [], Some("`a` (8 characters arrived)"), None;
        r#""{\"n\": 4"# => [], Some("the text in which the object is encoded"), None;
        r#""{\"n\": \"x"# => [], Some("the text in which the object is encoded"), None;
        "use {x" => [], Some("a key after 1 character"), None;
    }
}

/// What the part before the cut needed is reported too.
#[test]
fn repairs_before_the_cut_are_named() {
    let cut = truncated("{'a': True, b: 'x'");
    assert_eq!(cut.rungs, ["single_quotes", "python_word", "bare_key"]);
    assert_eq!(cut.closable, Some(Node::parse(r#"{"a":true,"b":"x"}"#).unwrap()));
}
