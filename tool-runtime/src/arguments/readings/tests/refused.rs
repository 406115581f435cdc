//! Texts with no reading, or with two.

use super::refusals;

refusals! {
    no_object = None {
        "list the files" => "no JSON object";
        "use {x} here" => "no JSON object";
        "```json\n```" => "no JSON object";
        "[1,2" => "no JSON object";
        "None" => "no JSON object";
        "<path>a</path>" => "no JSON object";
    }
    other_json_is_no_object = None {
        "[1]" => "a list";
        r#"[{"a":1}]"# => "a list";
        "17" => "a number";
        "true" => "a boolean";
        r#""list the files""# => "a text";
        r#""use {} here""# => "a text";
        r#""\"{}\"""# => "a text";
        r#""""# => "a text";
    }
    objects_inside_a_list = None {
        r#"[{"a":1},]"# => "inside a list";
        r#"[{"a":1}"# => "inside a list";
        r#"[1, {"a":1},]"# => "inside a list";
        r#"[TOOL_CALLS] [{"a":1}]"# => "inside a list";
    }
    different_objects = Many {
        r#"{"a":1}{"a":2}"# => "2 objects";
        r#"{"a":1}{"a":1.0}"# => "differ";
        r#"{"a":1}{"b":1}"# => "differ";
        r#"{"a":[1,2]}, {"a":[2,1]}"# => "differ";
        r#"{"a":1}{}"# => "differ";
        r#"{}{"a":1}"# => "differ";
        r#"{}{"a":1}{"b":1}"# => "differ";
        "{\"a\":1}\nor {\"a\":1,\"b\":null}" => "differ";
        r#"{"a":1}{"a":1}{"a":2}"# => "3 objects";
        "<tool_call>{\"a\":1}</tool_call>\n<tool_call>{\"a\":2}</tool_call>" => "differ";
        r#"{"a":1,"a":2}{"a":2,"a":1}"# => "differ";
        r#"{"a":1} /* {"a":2} */"# => "differ";
    }
    data_outside_of_the_object = None {
        r#"{"a":1}[1,2]"# => "a list stands beside";
        "[\"x\"]\n{\"a\":1}" => "a list stands beside";
        r#"{"a":1}, "b":2}"# => "after the object comes a comma";
        r#"{"a":1} "b":2}"# => "a key with its colon";
        r#""a":1, "b":{"c":2}}"# => "a key with its colon";
        "'a': {'c':2}" => "a key with its colon";
        r#"{"a":1} b: 2}"# => "outside of the object";
        r#"{"cmd":"echo "x"}"}"# => "outside of the object";
        r#"} {"a":1}"# => "outside of the object";
        r#"{"a":1},,"# => "comma";
        r#"{"a":1}, and so on"# => "comma";
    }
    broken_object_beside_a_whole_one = None {
        r#"{"a": foo, "b": {"c": 1}}"# => "`foo`";
        r#"{"a":1} {"b": foo}"# => "`foo`";
        r#"{"b" foo} {"a":1}"# => "";
        "{a, \"b\"} {\"a\":1}" => "colon";
    }
    mixed_escapes = Many {
        r#"{"a":"match \d+\nnext"}"# => "mixes";
        r#"{"a":"C:\bin\Tool.exe"}"# => "mixes";
        r#"{"a":"\t\d"}"# => "mixes";
        r#"{"a":"\d\f"}"# => "mixes";
        r#"{"a":"\r\n\x"}"# => "mixes";
        r#"{"a":"\d","b":["\q\n"]}"# => "mixes";
        r#"{"\d\n":1}"# => "mixes";
    }
    other_doubtful_backslashes = Many {
        r#"{"a":"\\server\share"}"# => "two backslashes";
        r"{'a': '\x1b[0m'}" => "Python";
        r#"'{"a":"it\'s"}'"# => "in quotes";
        r#"'{"a":"x\\ny"}'"# => "in quotes";
    }
    lost_quotes = None {
        r#"{"name":"Kim","city":"Bergen, "role":"admin"}"# => "unclear where a text ends";
        r#"{"a":"x, "b":"y"}"# => "unclear where a text ends";
        r#"{"a":"x}, "b":"y"}"# => "unclear where a text ends";
        r#"{"a: "x"}"# => "colon";
        r#"{a": 1}"# => "colon";
        r#"{"a": x", "b":"y"}"# => "`x`";
        r#"{"a":"f("a","b")"}"# => "";
        r#"{"a":"he said "note": this"}"# => "unclear where a text ends";
        r#"{"a":"C:\dir\","b":"x"}"# => "unclear where a text ends";
        r#"{"a":"see "a", "b" and "c""}"# => "colon";
    }
    brackets_that_close_nothing = None {
        r#"{"a":[1]]}"# => "closes nothing";
        "{\"a\":1] }\n```" => "closes nothing";
    }
    doubtful_brackets = Many {
        r#"{"a":{"b":{}},"c":1}}"# => "too many";
        r#"{"a":[[1],[2]],"c":1}]"# => "too many";
        r#"{"a":[[1]}"# => "several places";
        r#"{"a":[[1],[2]}"# => "several places";
        r#"{"a":[[1,2]}"# => "several places";
        r#"{"a":[[1,2}"# => "several places";
        r#"{"a":[1,}]}"# => "several places";
        r#"{"a":"a 12" ruler"}}"# => "several places";
        r#"{"a":[[[1,2]]}"# => "several places";
        r#"{"a":[{"b":{"c":1,"d":2}]}"# => "several places";
    }
    doubtful_quotes = Many {
        r#"{"a":"echo "x"}"# => "may be the end";
        r#"{"a":["x, "y"]}"# => "or begins";
        r#"{"a":["b, "hi" to me"]}"# => "or begins";
        r#"{"a":["x" "y"]}"# => "two quotes";
        r#"{"a":"x" "stray"}"# => "two quotes";
        r#"{"a":"x""}"# => "two quotes";
        r#"{"a":""x""}"# => "begins with two quotes";
        r#"{"a":"select "a", "b": "c" from t"}"# => "may be the end";
        r#"{"a":"x" b: "y"}"# => "bare key";
        "{\"a\":\"x\" // the \"b\" thing\n, \"c\"}" => "comment";
        "{“a”: “say “x”}" => "";
    }
    bare_text = None {
        r#"{"files": E:\Docs\report.md, "b":1}"# => "`E`";
        r#"{"a": foo}"# => "`foo`";
        r#"{"a": undefined}"# => "`undefined`";
        r#"{"a": TRUE}"# => "`TRUE`";
        r#"{"a": https://x.y/}"# => "`https`";
        "{\"a\":[//x.y/z,\n1]}" => "item of a list";
        "{\"a\":[#fff,\n1]}" => "item of a list";
        "{\"a\": `x`}" => "where the value belongs";
        "{\"a\": src/lib.rs}" => "`src`";
    }
    missing_values = None {
        r#"{"a":}"# => "no value";
        r#"{"a":,"b":1}"# => "no value";
        r#"{"a"}"# => "no value";
        r#"{"a" 1}"# => "no value";
        r#"{"a" "b"}"# => "no value";
        r#"{"a":[1,,2]}"# => "item of a list";
        r#"{"a":1,,"b":2}"# => "key";
        r#"{,"a":1}"# => "key";
        r#"{"a":[,1]}"# => "item of a list";
        r#"{"a":[}"# => "item of a list";
    }
    stray_values_behind_a_text = None {
        r#"{"a":"x" 3}"# => "unclear where a text ends, at ` 3}`";
        r#"{"a":"x" true, "b":1}"# => "unclear where a text ends";
        r#"{"a":"x" y}"# => "unclear where a text ends";
        r#"{"a":"x" [1]}"# => "unclear where a text ends";
        r#"{"a":"x" 'y'}"# => "unclear where a text ends";
        r#"{"a":["x" 3]}"# => "unclear where a text ends";
        r#"{"a":{"b":"x" null}, "c":1}"# => "unclear where a text ends";
        "```json\n{\"a\":\"x\" 3}\n```" => "unclear where a text ends";
        r#"<call>{"a":"x" 3}</call><|im_end|>"# => "unclear where a text ends";
        r#""{\"a\":\"x\" 3}""# => "unclear where a text ends";
    }
    stray_values = None {
        r#"{"a":1, "b"}"# => "no value";
        r#"{"a":1 2}"# => "colon";
        r#"{"a":1, {"b":2}}"# => "key";
        r#"{"a":[1 2]}"# => "a comma or a closing bracket";
        r#"{"a":["b","c":1]}"# => "unclear where a text ends";
        r#"{"a":{} {"b":1}}"# => "a comma or a closing bracket";
        r#"{"a":{"b":1]}"# => "closes nothing";
        r#"{"a":1] "b":2}"# => "closes nothing";
        r#"{"a":=1}"# => "no value";
    }
    ellipses = None {
        r#"{"a":["x", ...]}"# => "left out";
        r#"{"a":1, ...}"# => "key";
        r#"{"a":...}"# => "left out";
        "{\"a\":[1, …]}" => "item of a list";
    }
    odd_numbers = None {
        r#"{"a":0755}"# => "leading zero";
        r#"{"a":-01}"# => "leading zero";
        r#"{"a":NaN}"# => "no number";
        r#"{"a":-Infinity}"# => "no number";
        r#"{"a":+1}"# => "`+1`";
        r#"{"a":1.}"# => "`1.`";
        r#"{"a":.}"# => "";
        r#"{"a":0x1F}"# => "`0x1F`";
        r#"{"a":1_000}"# => "`1_000`";
        r#"{"a":1,000}"# => "colon";
        r#"{"a":5%}"# => "a comma or a closing bracket";
        r#"{"a":1b}"# => "`1b`";
    }
    surrogates = None {
        r#"{"a":"\ud83d"}"# => "surrogate";
        r#"{"a":"\ud83dx"}"# => "surrogate";
        r#"{"a":"\ude00"}"# => "surrogate";
        r#"{"a":"\ud83d\u0041"}"# => "surrogate";
        r#"{"a":"\ud83d\u00"}"# => "surrogate";
        r#"{"a":"\ud83d\n"}"# => "surrogate";
    }
}

#[test]
fn deep_nesting_is_refused_without_recursion() {
    for text in [
        "[".repeat(100_000),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
        "{\"a\":".repeat(40_000),
    ] {
        match super::reading(&format!("{{\"x\":{text}}}")) {
            super::Readings::None(why) => assert!(why.contains("127 levels"), "{why}"),
            other => panic!("{other:?}"),
        }
    }
}

/// The limit is the one of `serde_json`, on the strict way and after a repair.
#[test]
fn nesting_up_to_the_limit_is_read() {
    for (lists, fits) in [(126, true), (127, false)] {
        let text = format!("{{\"x\":{}{}}}", "[".repeat(lists), "]".repeat(lists));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), fits);
        assert_eq!(matches!(super::reading(&text), super::Readings::One { .. }), fits);
        let repaired = text.replace("]}", "],}");
        assert_eq!(matches!(super::reading(&repaired), super::Readings::One { .. }), fits);
    }
}

#[test]
fn long_texts_are_parsed_but_not_repaired() {
    let body = "x".repeat(256 * 1024);
    super::assert_reads(&format!("{{\"a\":\"{body}\"}}"), &[], &format!("{{\"a\":\"{body}\"}}"));
    for text in [format!("{{\"a\":\"{body}\",}}"), format!("```\n{{\"a\":\"{body}\"}}\n```")] {
        match super::reading(&text) {
            super::Readings::None(why) => assert!(why.contains("262144 bytes"), "{why}"),
            _ => panic!("repaired"),
        }
    }
    let cut = super::truncated(&format!("{{\"b\":1,\"a\":\"{body}"));
    assert_eq!(cut.complete, ["b"]);
    assert_eq!(cut.cut.as_deref(), Some("`a` (262144 characters arrived)"));
}
