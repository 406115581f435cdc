//! What a program can do, and what it is given.

use serde_json::{Value, json};
use tool_std::workflow::{Program, Replay, WorkflowLimits};

use crate::{completed, failure, first, program, run};

#[test]
fn a_program_hands_out_work_in_stages_and_makes_one_result_of_it() {
    let source = r#"
        const found = await Promise.all(args.files.map((file) => agent(`Review ${file}`, { label: file })));
        const checked = [];
        for (const [at, finding] of found.entries()) {
            if (finding !== null) checked.push(await agent(`Verify ${args.files[at]}: ${finding}`));
        }
        return { checked, missing: found.filter((finding) => finding === null).length };
    "#;
    let program = Program::new(source, Some(json!({ "files": ["a", "b", "c"] })), 1, 0).unwrap();
    let (stages, end) = run(&program, |prompt| (prompt != "Review b").then(|| json!(format!("<{prompt}>"))));
    assert_eq!(
        stages,
        [
            vec!["Review a", "Review b", "Review c"],
            vec!["Verify a: <Review a>"],
            vec!["Verify c: <Review c>"],
        ]
    );
    let result = r#"{"checked":["<Verify a: <Review a>>","<Verify c: <Review c>>"],"missing":1}"#;
    assert_eq!(end, Replay::Completed(result.to_owned()));
}

#[test]
fn a_call_has_a_label_a_schema_and_a_model_profile() {
    let source =
        r#"await agent("Count", { label: "counter", model_profile: "fast", schema: { type: "integer" } })"#;
    let Replay::Pending { calls, .. } = first(source) else { panic!("no call") };
    assert_eq!(calls[0].label.as_deref(), Some("counter"));
    assert_eq!(calls[0].model_profile.as_deref(), Some("fast"));
    assert_eq!(calls[0].schema, Some(json!({ "type": "integer" })));
}

#[test]
fn values_come_back_as_they_were_and_a_failure_as_null() {
    let source = "return JSON.stringify([await agent('a'), await agent('b'), await agent('c')])";
    let (_, end) = run(&program(source), |prompt| match prompt {
        "a" => Some(json!({ "__proto__": 1, "deep": [true, "é\u{1F600}"] })),
        "b" => None,
        _ => Some(json!(1.5)),
    });
    assert_eq!(end, Replay::Completed(r#"[{"__proto__":1,"deep":[true,"é😀"]},null,1.5]"#.to_owned()));
}

#[test]
fn the_result_is_a_text_or_the_json_of_a_value() {
    for (source, result) in [
        ("return 'text'", "text"),
        (
            "return ['a', { b: 1, c: undefined }, null, 1.5, true, undefined]",
            r#"["a",{"b":1},null,1.5,true,null]"#,
        ),
        ("return null", "null"),
        ("return 0", "0"),
        ("return undefined", ""),
        ("// nothing", ""),
        ("return Promise.resolve('later')", "later"),
        ("return JSON.parse('{\"__proto__\":1}')", r#"{"__proto__":1}"#),
    ] {
        assert_eq!(completed(source), result, "{source}");
    }
}

#[test]
fn options_that_are_wrong_are_all_told() {
    let source = "try { await agent('x', { lable: 'a', label: 7, model_profile: '', schema: { type: 'null' } }) } catch (e) { return e.message }";
    assert_eq!(
        completed(source),
        "the options of `agent`: `lable` is no option; there are `label`, `schema` and `model_profile`; `label` must be a text \
         of 1 to 200 characters that is not blank; `model_profile` must be a text of 1 to 200 characters that is not blank; \
         `schema.type` must be one of `object`, `array`, `string`, `number`, `integer`, `boolean`"
    );
    for source in ["agent()", "agent('  ')", "agent({})", "agent('x', 'label')", "agent('x', [1])"] {
        let (code, sentence) = failure(first(&format!("\n\nawait {source}")));
        assert_eq!(code, "threw");
        assert!(sentence.starts_with("the program failed at line 3: TypeError: "), "{sentence}");
    }
}

#[test]
fn errors_name_the_line_of_the_program() {
    assert_eq!(
        failure(first("const a = 1;\nconst b = null;\nreturn b.name;")),
        ("threw", "the program failed at line 3: TypeError: cannot read property 'name' of null".to_owned())
    );
    let (code, sentence) = failure(first("const a = 1;\nconst = 2;"));
    assert_eq!(code, "syntax");
    assert!(sentence.starts_with("the script is no program at line 2: "), "{sentence}");
    let (_, sentence) = failure(first("await null;\nawait Promise.reject(new RangeError('far'));"));
    assert_eq!(sentence, "the program failed at line 2: RangeError: far");
    for (thrown, told) in [
        ("'text'", "text"),
        ("{ code: 7 }", r#"it threw {"code":7}"#),
        ("null", "it threw null, or its memory ran out"),
    ] {
        let (_, sentence) = failure(first(&format!("throw {thrown}")));
        assert_eq!(sentence, format!("the program failed: {told}"));
    }
}

#[test]
fn a_program_is_in_strict_mode() {
    let (_, sentence) = failure(first("undeclared = 1"));
    assert!(sentence.contains("ReferenceError"), "{sentence}");
    assert_eq!(completed("return (function () { return typeof this })()"), "undefined");
}

#[test]
fn there_are_no_files_network_timers_imports_and_no_real_clock() {
    for name in [
        "require",
        "process",
        "fetch",
        "setTimeout",
        "setInterval",
        "console",
        "WebAssembly",
        "Proxy",
        "WeakRef",
        "performance",
        "std",
        "os",
        "module",
        "navigator",
        "SharedArrayBuffer",
    ] {
        assert_eq!(completed(&format!("return typeof {name}")), "undefined", "{name}");
    }
    let (code, _) = failure(first("const a = await import('./other.js')"));
    assert_eq!(code, "threw");
    let (code, _) = failure(first("import a from './other.js'"));
    assert_eq!(code, "syntax");
    let (_, sentence) = failure(first("return new Date().getTime()"));
    assert!(sentence.contains("`Date.now()`, which is when the run began"), "{sentence}");
}

#[test]
fn chance_and_time_are_the_same_in_each_replay_and_differ_between_runs() {
    let source = "return [Math.random(), Math.random(), Date.now()]";
    let result = |seed, began| {
        let replay = Program::new(source, None, seed, began).unwrap().replay(&[], &WorkflowLimits::new());
        let Replay::Completed(text) = replay else { panic!("{replay:?}") };
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let one = result(7, 1_796_000_000_123);
    assert_eq!(one, result(7, 1_796_000_000_123));
    assert_eq!(one[2], 1_796_000_000_123_i64);
    assert_ne!(one[0], one[1]);
    assert_ne!(one[0], result(8, 1_796_000_000_123)[0]);
    assert!((0.0..1.0).contains(&one[0].as_f64().unwrap()));
}

#[test]
fn arguments_are_given_and_cannot_be_replaced() {
    let program = Program::new("args = 1", Some(json!({ "a": 1 })), 1, 0).unwrap();
    let (code, _) = failure(program.replay(&[], &WorkflowLimits::new()));
    assert_eq!(code, "threw");
    assert_eq!(completed("return args"), "{}");
}

#[test]
fn a_program_that_cannot_be_one_is_refused_at_once() {
    let refused = |source: &str, args| Program::new(source, args, 1, 0).unwrap_err();
    assert_eq!(
        refused(" \n", None),
        "the script is blank; write a program that calls `agent` and returns a result"
    );
    assert_eq!(refused(&"x".repeat(262_145), None), "the script has 262145 bytes and may have 262144");
    assert_eq!(refused("1", Some(json!([1]))), "`args` must be an object");
    assert_eq!(
        refused("1", Some(json!({ "a": "x".repeat(65_536) }))),
        "`args` has 65544 bytes and may have 65536"
    );
}

#[test]
fn built_in_functions_that_are_limited_work_as_ever() {
    let source = r#"
        const list = [3, 1, 2];
        list.push(4); list.unshift(0);
        return [
            list.sort().join("-"), list.slice(1, 3), [1, [2, [3]]].flat(), [1, [2, [3]]].flat(Infinity), [1, 2].flatMap((n) => [n, n]),
            [1].concat(2, [3]), list.reverse().pop(), list.shift(), list.splice(0, 1), new Array(3).fill(0), [1, 2].with(0, 9),
            "a,b".split(","), "a1b2".split(/\d/), "aXbX".replace("X", "-"), "aXbX".replaceAll("X", "-"), "aXbX".replace(/x/gi, (x) => x + x),
            "abc".includes("b"), "abcabc".indexOf("c", 3), "abcabc".lastIndexOf("a"), "a b".split(undefined), "abc".split(""), [1, [2, 3]] + "",
        ];
    "#;
    let expected = json!([
        "0-1-2-3-4",
        [1, 2],
        [1, 2, [3]],
        [1, 2, 3],
        [1, 1, 2, 2],
        [1, 2, 3],
        0,
        4,
        [3],
        [0, 0, 0],
        [9, 2],
        ["a", "b"],
        ["a", "b", ""],
        "a-bX",
        "a-b-",
        "aXXbXX",
        true,
        5,
        3,
        ["a b"],
        ["a", "b", "c"],
        "1,2,3"
    ]);
    assert_eq!(serde_json::from_str::<Value>(&completed(source)).unwrap(), expected);
}
