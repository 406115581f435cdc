//! Texts with exactly one reading.

use super::repairs;

repairs! {
    json_is_data {
        r#"{"a":1}"# => [], r#"{"a":1}"#;
        " \r\n\t{\"a\" : [ ] , \"b\":{ }}\n" => [], r#"{"a":[],"b":{}}"#;
        r#"{"a":"```json {} ```"}"# => [], r#"{"a":"```json {} ```"}"#;
        r#"{"a":"// no comment","b":"it's \"so\""}"# => [], r#"{"a":"// no comment","b":"it's \"so\""}"#;
        r#"{"a":12345678901234567890.10e-400}"# => [], r#"{"a":12345678901234567890.10e-400}"#;
        r#"{"a":1,"a":2}"# => [], r#"{"a":1,"a":2}"#;
        r#"{"a":"C:\new\bin"}"# => [], r#"{"a":"C:\new\bin"}"#;
        r#"{"a":"\ud83d\ude00\u00e9"}"# => [], "{\"a\":\"😀é\"}";
    }
    no_text {
        "" => ["no_text"], "{}";
        " \n\t\r\n" => ["no_text"], "{}";
        "\u{feff}\u{a0}\u{200b}" => ["no_text"], "{}";
    }
    null_text {
        "null" => ["null_text"], "{}";
        " null\n" => ["null_text"], "{}";
    }
    decoded_twice {
        r#""{\"n\": 4}""# => ["decoded_twice"], r#"{"n":4}"#;
        r#" "{}" "# => ["decoded_twice"], "{}";
        r#""\n{\"p\":\"a\\nb\"}\n""# => ["decoded_twice"], r#"{"p":"a\nb"}"#;
        r#""{\"p\":\"C:\\\\new\"}""# => ["decoded_twice"], r#"{"p":"C:\\new"}"#;
        r#""{\"n\": 4,}""# => ["decoded_twice", "trailing_comma"], r#"{"n":4}"#;
        "\"{\n  \\\"n\\\": 4\n}\"" => ["decoded_twice", "raw_control"], r#"{"n":4}"#;
    }
    fence {
        "```json\n{\"a\":1}\n```" => ["fence"], r#"{"a":1}"#;
        "```\n{\"a\":1}\n```\n" => ["fence"], r#"{"a":1}"#;
        "```JSON5\r\n{\"a\":1}```" => ["fence"], r#"{"a":1}"#;
        "~~~~\n{\"a\":1}\n~~~~" => ["fence"], r#"{"a":1}"#;
        "```tool_code\n{\"a\":1}" => ["fence"], r#"{"a":1}"#;
        "```json\n{\"a\":1}\n```\nThat is the call." => ["fence", "prose"], r#"{"a":1}"#;
        "```json\n{\"a\":\"```\\n}\"}\n```" => ["fence"], r#"{"a":"```\n}"}"#;
        "```json\n{\"a\":1}}\n```" => ["fence", "surplus_bracket"], r#"{"a":1}"#;
        "<tool_call>\n```json\n{\"a\":1}\n```\n</tool_call>" => ["tag", "fence"], r#"{"a":1}"#;
    }
    tag {
        "<arguments>{\"a\":1}</arguments>" => ["tag"], r#"{"a":1}"#;
        "<tool_call>\n{\"a\":\"</tool_call>\"}\n</tool_call>" => ["tag"], r#"{"a":"</tool_call>"}"#;
        "<function=read key=\"v\">{\"a\":1}</function></s>" => ["tag"], r#"{"a":1}"#;
        "{\"a\":1}</tool" => ["prose"], r#"{"a":1}"#;
    }
    template_mark {
        r#"{"a":1}<|im_end|>"# => ["template_mark"], r#"{"a":1}"#;
        "<|python_tag|>{\"a\":1}<|eom_id|>\n" => ["template_mark"], r#"{"a":1}"#;
        "{\"a\":1}<｜tool▁call▁end｜>" => ["template_mark"], r#"{"a":1}"#;
        r#"{"a":"<|im_end|>"}<|im_end|>"# => ["template_mark"], r#"{"a":"<|im_end|>"}"#;
    }
    braces_in_prose {
        "use {x} then {\"path\":\"a\"}" => ["prose"], r#"{"path":"a"}"#;
        "{x}{\"path\":\"a\"}" => ["prose"], r#"{"path":"a"}"#;
    }
    prose {
        "Here it is: {\"a\":1}" => ["prose"], r#"{"a":1}"#;
        "{\"a\":1}\n\nNow I'll look." => ["prose"], r#"{"a":1}"#;
        "see [1]: {\"a\":1} [ ] [x] [a, \"b\"]" => ["prose"], r#"{"a":1}"#;
        "as {{name}}: {\"path\":\"a\"} and {y}." => ["prose"], r#"{"path":"a"}"#;
        "read_file({\"path\":\"a\"})" => ["prose"], r#"{"path":"a"}"#;
        "[TOOL_CALLS] {\"path\":\"a\"}" => ["prose"], r#"{"path":"a"}"#;
        "{\"a\":\"} else {\"}\nThat [too] closes it." => ["prose"], r#"{"a":"} else {"}"#;
        "It's this: {\"a\":\"it's\"} isn't it" => ["prose"], r#"{"a":"it's"}"#;
        "'{\"a\":1}'" => ["prose"], r#"{"a":1}"#;
        "Action: read\nInput: {'a': 1}" => ["prose", "single_quotes"], r#"{"a":1}"#;
    }
    surplus_bracket {
        r#"{"a":1}}"# => ["surplus_bracket"], r#"{"a":1}"#;
        "{\"a\":1}\n}\n] }" => ["surplus_bracket"], r#"{"a":1}"#;
        r#"{"a":1}}}<|im_end|>"# => ["surplus_bracket", "template_mark"], r#"{"a":1}"#;
        r#"{"a":{"b":1},"c":[[2]],"d":3}}"# => ["surplus_bracket"], r#"{"a":{"b":1},"c":[[2]],"d":3}"#;
        r#"{"a":"}"}]"# => ["surplus_bracket"], r#"{"a":"}"}"#;
    }
    repeated_object {
        r#"{"a":1}{"a":1}"# => ["repeated_object"], r#"{"a":1}"#;
        "{\"a\":1,\"b\":[2]}\n{ \"b\" : [2], \"a\" : 1 }\n{\"a\":1,\"b\":[2]}" => ["repeated_object"], r#"{"a":1,"b":[2]}"#;
        r#"{"a":1}, {"a":1}"# => ["trailing_comma", "repeated_object"], r#"{"a":1}"#;
        r#"{"a":1}{'a':1}"# => ["single_quotes", "repeated_object"], r#"{"a":1}"#;
        "{}{}" => ["repeated_object"], "{}";
    }
    single_quotes {
        "{'a': 'x'}" => ["single_quotes"], r#"{"a":"x"}"#;
        r#"{'a': 'say "hi", ok'}"# => ["single_quotes"], r#"{"a":"say \"hi\", ok"}"#;
        r"{'a': 'it\'s'}" => ["single_quotes"], r#"{"a":"it's"}"#;
        r#"{'a': 'a\nb\u00e9\\'}"# => ["single_quotes"], r#"{"a":"a\nbé\\"}"#;
        r#"{"a": 'x', 'b': ["y", 'z']}"# => ["single_quotes"], r#"{"a":"x","b":["y","z"]}"#;
        "{'a': '// {x} [1,]'}" => ["single_quotes"], r#"{"a":"// {x} [1,]"}"#;
    }
    curly_quotes {
        "{“a”: “x”}" => ["curly_quotes"], r#"{"a":"x"}"#;
        "{‘a’: ‘x’}" => ["curly_quotes"], r#"{"a":"x"}"#;
        "{„a“: „x”}" => ["curly_quotes"], r#"{"a":"x"}"#;
        "{‚a‘: ‚x’}" => ["curly_quotes"], r#"{"a":"x"}"#;
        "{”a”: ’x’}" => ["curly_quotes"], r#"{"a":"x"}"#;
        "{“a”: “say \"hi\"”}" => ["curly_quotes"], r#"{"a":"say \"hi\""}"#;
        "{\"a\": \"“x”, ‘y’\",}" => ["trailing_comma"], "{\"a\":\"“x”, ‘y’\"}";
    }
    bare_key {
        "{a: 1, b_2: 2, $c: 3, d-e.f: 4}" => ["bare_key"], r#"{"a":1,"b_2":2,"$c":3,"d-e.f":4}"#;
        "{true: 1, größe : 2, 3: 4}" => ["bare_key"], r#"{"true":1,"größe":2,"3":4}"#;
        "{a:{b:[{c:null}]}}" => ["bare_key"], r#"{"a":{"b":[{"c":null}]}}"#;
    }
    python_word {
        r#"{"a": True}"# => ["python_word"], r#"{"a":true}"#;
        r#"{"a": [False]}"# => ["python_word"], r#"{"a":[false]}"#;
        r#"{"a": None}"# => ["python_word"], r#"{"a":null}"#;
        r#"{"a": "True", "b": None}"# => ["python_word"], r#"{"a":"True","b":null}"#;
    }
    comment {
        "{\"a\":1, // one\n\"b\":2}" => ["comment"], r#"{"a":1,"b":2}"#;
        "{ //one\r\n\"a\":1 //two\n}" => ["comment"], r#"{"a":1}"#;
        "{\"a\": # the first, \"b\": 3\n1}" => ["comment"], r#"{"a":1}"#;
        "{\"a\"/* k */:/* v ** } */1/**/}" => ["comment"], r#"{"a":1}"#;
        "{\"a\":\"x\" // don't\n, \"b\":[/* none */]}" => ["comment"], r#"{"a":"x","b":[]}"#;
        "{\"a\":\"http://x/#y /* z */\" /* w */}" => ["comment"], r#"{"a":"http://x/#y /* z */"}"#;
    }
    unusual_space {
        "\u{feff}{\"a\":1}" => ["unusual_space"], r#"{"a":1}"#;
        "{\u{a0}\"a\"\u{200b}:\u{3000}1\u{2028}}" => ["unusual_space"], r#"{"a":1}"#;
        "{\"a\":\"x\"\u{a0},\"b\":\"\u{a0}\"}" => ["unusual_space"], "{\"a\":\"x\",\"b\":\"\u{a0}\"}";
    }
    literal_line_break {
        r#"{"a": \n[3, 9]\n\n}"# => ["literal_line_break"], r#"{"a":[3,9]}"#;
        r#"\n{\r\n\t"a":"x\ny"\n}\n"# => ["literal_line_break"], r#"{"a":"x\ny"}"#;
    }
    trailing_comma {
        r#"{"a":1,}"# => ["trailing_comma"], r#"{"a":1}"#;
        "{\"a\":[1,2 , ],\n}" => ["trailing_comma"], r#"{"a":[1,2]}"#;
        r#"{"a":"[1,]",}"# => ["trailing_comma"], r#"{"a":"[1,]"}"#;
        r#"{"a":[true,false,null],}"# => ["trailing_comma"], r#"{"a":[true,false,null]}"#;
        r#"{"a":1},"# => ["trailing_comma"], r#"{"a":1}"#;
        r#"{"a":1e+10,}"# => ["trailing_comma"], r#"{"a":1e+10}"#;
        r#"{"a":18446744073709551616.50,}"# => ["trailing_comma"], r#"{"a":18446744073709551616.50}"#;
        r#"{"a":1,"a":2,}"# => ["trailing_comma"], r#"{"a":1,"a":2}"#;
        r#"{"a":"C:\new",}"# => ["trailing_comma"], r#"{"a":"C:\new"}"#;
    }
    missing_comma {
        r#"{"a":1 "b":2}"# => ["missing_comma"], r#"{"a":1,"b":2}"#;
        "{\"a\":\"x\"\n \"b\":\"y\"}" => ["missing_comma"], r#"{"a":"x","b":"y"}"#;
        r#"{"a":"x""b":"y"}"# => ["missing_comma"], r#"{"a":"x","b":"y"}"#;
        r#"{"a":{}"b":[]"c":null}"# => ["missing_comma"], r#"{"a":{},"b":[],"c":null}"#;
        "{a: 1 b: true c: 2}" => ["bare_key", "missing_comma"], r#"{"a":1,"b":true,"c":2}"#;
        "{'a':'x' 'b':'y'}" => ["single_quotes", "missing_comma"], r#"{"a":"x","b":"y"}"#;
        "{'a':'x' \"b\":'y'}" => ["single_quotes", "missing_comma"], r#"{"a":"x","b":"y"}"#;
        r#"{"a":[{"b":1} {"b":2}]}"# => ["missing_comma"], r#"{"a":[{"b":1},{"b":2}]}"#;
        "{\"a\":\"x\" /* y */ \"b\":1}" => ["comment", "missing_comma"], r#"{"a":"x","b":1}"#;
    }
    leading_point {
        r#"{"a":.5}"# => ["leading_point"], r#"{"a":0.5}"#;
        r#"{"a":[-.25e3]}"# => ["leading_point"], r#"{"a":[-0.25e3]}"#;
    }
    raw_control {
        "{\"a\":\"x\ny\r\n\tz\u{1}\"}" => ["raw_control"], r#"{"a":"x\ny\r\n\tz\u0001"}"#;
        "{\"a\":\"- one,\n- two\"}" => ["raw_control"], r#"{"a":"- one,\n- two"}"#;
        "{\"a\":\"one\n\",\"b\":\"\n\"}" => ["raw_control"], r#"{"a":"one\n","b":"\n"}"#;
    }
    kept_backslash {
        r#"{"a":"\d+\.\d*"}"# => ["kept_backslash"], r#"{"a":"\\d+\\.\\d*"}"#;
        r#"{"a":"C:\users\sam"}"# => ["kept_backslash"], r#"{"a":"C:\\users\\sam"}"#;
        r#"{"a":"\u12"}"# => ["kept_backslash"], r#"{"a":"\\u12"}"#;
        r#"{"a":"\"\d\" \\ \/ \u00e9"}"# => ["kept_backslash"], r#"{"a":"\"\\d\" \\ / é"}"#;
        r#"{"a":"\d","b":"x\ny"}"# => ["kept_backslash"], r#"{"a":"\\d","b":"x\ny"}"#;
        r#"{"a":"^\\s*\w+$"}"# => ["kept_backslash"], r#"{"a":"^\\s*\\w+$"}"#;
        r#"{"a":"\\\\server\share"}"# => ["kept_backslash"], r#"{"a":"\\\\server\\share"}"#;
        "{\"a\":\"make \\\n all\"}" => ["kept_backslash", "raw_control"], r#"{"a":"make \\\n all"}"#;
        r"{'a': '\w'}" => ["single_quotes", "kept_backslash"], r#"{"a":"\\w"}"#;
    }
    missing_bracket {
        r#"{"a":[{"b":1]}"# => ["missing_bracket"], r#"{"a":[{"b":1}]}"#;
        r#"{"a":[1,2}"# => ["missing_bracket"], r#"{"a":[1,2]}"#;
        r#"{"a":[{"b":[{"c":"x"],"d":1}]}"# => ["missing_bracket"], r#"{"a":[{"b":[{"c":"x"}],"d":1}]}"#;
        r#"{"a":[{"b":{"c":1}]}"# => ["missing_bracket"], r#"{"a":[{"b":{"c":1}}]}"#;
        r#"{"a":[1,2,}"# => ["trailing_comma", "missing_bracket"], r#"{"a":[1,2]}"#;
        r#"{"a":[{"b":["]"}]}"# => ["missing_bracket"], r#"{"a":[{"b":["]"]}]}"#;
    }
    inner_quote {
        r#"{"a":"a 12" ruler"}"# => ["inner_quote"], r#"{"a":"a 12\" ruler"}"#;
        r#"{"a":"a 12" ruler","b":1}"# => ["inner_quote"], r#"{"a":"a 12\" ruler","b":1}"#;
        r#"{"a":"he said "hi" to me"}"# => ["inner_quote"], r#"{"a":"he said \"hi\" to me"}"#;
        r#"{"a":"he said "hi""}"# => ["inner_quote"], r#"{"a":"he said \"hi\""}"#;
        r#"{"a":"he said: "hi" twice"}"# => ["inner_quote"], r#"{"a":"he said: \"hi\" twice"}"#;
        r#"{"a":"he said, "hi" twice"}"# => ["inner_quote"], r#"{"a":"he said, \"hi\" twice"}"#;
        r#"{"a":"<a href="x" id="y">z</a>"}"# => ["inner_quote"], r#"{"a":"<a href=\"x\" id=\"y\">z</a>"}"#;
        r#"{"a":"print("x")"}"# => ["inner_quote"], r#"{"a":"print(\"x\")"}"#;
        r#"{"a":["a 12" ruler","b"]}"# => ["inner_quote"], r#"{"a":["a 12\" ruler","b"]}"#;
        "{'it's': 1}" => ["single_quotes", "inner_quote"], r#"{"it's":1}"#;
        "{\"a\": 'it's'}" => ["single_quotes", "inner_quote"], r#"{"a":"it's"}"#;
        "{'a': 'rock 'n' roll', 'b': 'the dogs' bowl'}" => ["single_quotes", "inner_quote"],
            r#"{"a":"rock 'n' roll","b":"the dogs' bowl"}"#;
        "{“a”: “x “y” z”}" => ["curly_quotes", "inner_quote"], "{\"a\":\"x “y” z\"}";
    }
}
