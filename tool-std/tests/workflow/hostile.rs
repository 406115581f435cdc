//! Programs that try to hold, fill or fool the host. Each ends within its limits, with a sentence.

use std::time::Duration;

use serde_json::json;
use tool_std::workflow::{CallOutcome, KnownCall, Replay, WorkflowLimits};

use crate::{apart, completed, failure, first, program};

/// How a program ends that may have little.
#[track_caller]
fn ends(source: &str) -> (&'static str, String) {
    let limits = WorkflowLimits::new().fuel(300).memory_bytes(16 << 20).replay_time(Duration::from_secs(60));
    failure(apart(&program(source), &[], &limits))
}

#[test]
fn endless_loops_end() {
    for source in [
        "for (;;) {}",
        "for (;;) { try { for (;;) {} } catch { } }",
        "for (;;) { try { for (;;) {} } finally { continue; } }",
        "const again = async () => { for (;;) await null; }; again(); again(); await again();",
        "queueMicrotask(function again() { queueMicrotask(again); }); await new Promise(() => {});",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "return { get a() { for (;;) {} } }.a",
        "return { toString() { for (;;) {} } } + ''",
        "const list = []; list.length = 1; Object.defineProperty(Object.prototype, 'then', { get() { for (;;) {} } }); return {}",
        "throw { get message() { for (;;) {} } , __proto__: Error.prototype }",
        "await { then() { for (;;) {} } }",
        "function* forever() { for (;;) yield 1; } for (const one of forever()) {}",
        "new Array(4294967295).indexOf(1)",
        "Array.prototype.includes.call({ length: Number.MAX_SAFE_INTEGER }, 1)",
        "Array.prototype.reduce.call({ length: Number.MAX_SAFE_INTEGER }, () => 1, 1)",
        "Array.from({ length: 2 ** 40 }, () => 0).length",
    ] {
        let (code, sentence) = ends(source);
        assert!(matches!(code, "too_much_work" | "too_much_memory" | "threw"), "{source}: {code} {sentence}");
        if !source.starts_with("Array.from") {
            assert_eq!(code, "too_much_work", "{source}: {sentence}");
            assert_eq!(sentence, "the program computes too much between two calls; it may never end");
        }
    }
}

#[test]
fn a_program_that_takes_too_long_is_told_so() {
    let limits = WorkflowLimits::new().fuel(200_000).replay_time(Duration::from_millis(1));
    let (code, sentence) = failure(program("for (;;) {}").replay(&[], &limits));
    assert_eq!((code, sentence.as_str()), ("too_long", "the program takes longer than 0.001 seconds"));
}

#[test]
fn what_cannot_be_interrupted_is_ended_from_outside() {
    let limits = WorkflowLimits::new().replay_time(Duration::from_millis(100));
    for source in [
        "String.raw({ raw: { length: 2 ** 53 } })",
        // Where memory is out, the error that would stop it cannot be thrown any more, and the loop catches what is.
        "let last = null; for (;;) { try { for (;;) last = [last]; } catch {} }",
    ] {
        let limits = limits.clone().memory_bytes(1 << 20);
        let (code, sentence) = failure(apart(&program(source), &[], &limits));
        assert!(matches!(code, "too_long" | "too_much_memory"), "{source}: {code} {sentence}");
    }
}

#[test]
fn loops_inside_of_built_in_functions_are_refused_or_end() {
    for source in [
        "new Array(4294967295).fill(0)",
        "new Array(4294967295).reverse()",
        "new Array(4294967295).join()",
        "new Array(4294967295).slice()",
        "new Array(4294967295).sort()",
        "new Array(4294967295).copyWithin(0, 1)",
        "new Array(4294967295).flat()",
        "[].concat(new Array(4294967295))",
        "[].concat({ [Symbol.isConcatSpreadable]: true, length: Number.MAX_SAFE_INTEGER })",
        "[].concat({ [Symbol.isConcatSpreadable]: true, get length() { return Number.MAX_SAFE_INTEGER } })",
        "[1].flatMap(() => new Array(4294967295))",
        "Array.prototype.reverse.call({ length: Number.MAX_SAFE_INTEGER })",
        "Array.prototype.slice.call({ get length() { return Number.MAX_SAFE_INTEGER } })",
        "Array.prototype.unshift.call({ length: Number.MAX_SAFE_INTEGER - 2 }, 1)",
        "let list = []; for (let at = 0; at < 60; at += 1) list = [list, list]; list.flat(Infinity)",
        "let list = []; for (let at = 0; at < 60; at += 1) list = [list, list]; `${list}`",
        "let list = []; for (let at = 0; at < 60; at += 1) list = [list, list]; return list",
        "'a'.repeat(4_000_000).indexOf('a'.repeat(2_000_000) + 'b')",
        "'a'.repeat(4_000_000).split('a'.repeat(2_000_000) + 'b')",
        "'a'.repeat(4_000_000).replaceAll('a'.repeat(2_000_000) + 'b', '')",
        "'a'.repeat(4_000_000).replace({ [Symbol.replace]: undefined, toString: () => 'a'.repeat(2_000_000) + 'b' }, '')",
        "'a'.repeat(4_000_000).includes({ toString: () => 'a'.repeat(2_000_000) + 'b' })",
    ] {
        let (code, sentence) = ends(source);
        assert!(
            matches!(code, "threw" | "too_much_work" | "bad_result" | "too_much_memory"),
            "{source}: {code} {sentence}"
        );
        assert!(!sentence.is_empty());
    }
}

#[test]
fn memory_is_limited() {
    for source in [
        "const all = []; for (;;) all.push(new Array(1000).fill('x'.repeat(100)));",
        "let text = 'x'; for (;;) text += text;",
        "return 'x'.repeat(500_000_000)",
        "const all = {}; for (let at = 0; ; at += 1) all[`key ${at}`] = at;",
        "return JSON.stringify(new Array(100_000_000))",
        "return 2n ** (2n ** 40n)",
        "await Promise.all(Array.from({ length: 10_000_000 }, () => new Promise(() => {})))",
        "Reflect.apply(Math.max, null, { length: 2 ** 32 - 1 })",
    ] {
        let limits = WorkflowLimits::new().memory_bytes(16 << 20).replay_time(Duration::from_secs(60));
        let (code, sentence) = failure(apart(&program(source), &[], &limits));
        assert!(
            matches!(code, "threw" | "too_much_memory" | "bad_result" | "never_ends" | "too_much_work"),
            "{source}: {code} {sentence}"
        );
        assert!(!sentence.is_empty());
    }
}

#[test]
fn deep_recursion_is_an_error_of_the_program() {
    for source in [
        "const deep = () => deep() + 1; deep()",
        "let list = []; for (let at = 0; at < 100_000; at += 1) list = [list]; JSON.stringify(list)",
        "let list = []; list[0] = list; list.flat(Infinity)",
        "JSON.parse('['.repeat(100_000))",
        "new RegExp('('.repeat(50_000) + ')'.repeat(50_000))",
        "let text = '1'; text = '('.repeat(50_000) + text + ')'.repeat(50_000); (0, eval)(text)",
        "class A { get a() { return this.a } } new A().a",
    ] {
        let (code, sentence) = ends(source);
        assert_eq!(code, "threw", "{source}: {sentence}");
    }
    let source = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let (code, sentence) = ends(&source);
    assert_eq!(code, "syntax", "{sentence}");
}

#[test]
fn calls_without_end_are_counted() {
    for source in [
        "for (;;) agent('x')",
        "for (;;) { try { agent('x') } catch {} }",
        "const all = []; for (let at = 0; at < 1e6; at += 1) all.push(agent(`${at}`)); await Promise.all(all)",
    ] {
        let (code, sentence) = failure(first(source));
        assert_eq!(code, "too_many_calls");
        assert_eq!(
            sentence,
            "the program waits for more than 64 calls at a time; await some before the next ones"
        );
    }
    let limits = WorkflowLimits::new().agent_calls(3);
    let known =
        vec![KnownCall { call: json!({ "prompt": "x" }).to_string(), outcome: Some(CallOutcome::Failed) }; 3];
    let replay = program("for (;;) await agent('x')").replay(&known, &limits);
    assert_eq!(failure(replay), ("too_many_calls", "the program calls `agent` more than 3 times".to_owned()));
    let (code, _) = failure(
        program("for (;;) agent('x'.repeat(8000))")
            .replay(&[], &WorkflowLimits::new().pending_bytes(100_000)),
    );
    assert_eq!(code, "too_large");
    let (code, sentence) = failure(first("await agent('x'.repeat(9000))"));
    assert_eq!(code, "threw");
    assert!(sentence.contains("a call of `agent` has 9013 bytes and may have 8192"), "{sentence}");
}

#[test]
fn what_never_settles_is_told() {
    for source in ["await new Promise(() => {})", "await Promise.race([])", "await { then() {} }"] {
        let (code, sentence) = failure(first(source));
        assert_eq!(code, "never_ends", "{source}");
        assert!(sentence.starts_with("the program waits for something that never comes"), "{sentence}");
    }
    let waits = first("await Promise.all([agent('x'), new Promise(() => {})])");
    assert!(matches!(waits, Replay::Pending { .. }), "it is told once its calls are over");
}

#[test]
fn results_of_odd_types_are_told() {
    for (source, told) in [
        ("return () => 1", "`result` is a function"),
        ("return Symbol('x')", "`result` is a symbol"),
        ("return 1n", "`result` is a bigint"),
        ("return NaN", "`result` is NaN, which JSON does not have"),
        ("return { a: [Infinity] }", "`result.a[0]` is Infinity, which JSON does not have"),
        ("return { a: { b: () => 1 } }", "`result.a.b` is a function"),
        ("return new Map()", "`result` is an object of a class"),
        ("return new Error('x')", "`result` is an object of a class"),
        ("return [/x/]", "`result[0]` is an object of a class"),
        ("return { get a() { return 1 } }", "`result.a` is a getter"),
        ("const a = {}; a.a = a; return a", "a value is nested more than 64 deep, or holds itself"),
        ("return '\\ud800'", "`result` holds half a character"),
        ("return { a: '\\udc00' }", "`result.a` holds half a character"),
        ("return [agent('x')]", "`result[0]` is an object of a class"),
    ] {
        let (code, sentence) = failure(first(source));
        assert_eq!(code, "bad_result", "{source}");
        assert!(
            sentence.starts_with(&format!("the result of the program cannot be used: {told}")),
            "{sentence}"
        );
    }
    let (code, sentence) = failure(first("return 'x'.repeat(1_048_577)"));
    assert_eq!((code, sentence.as_str()), ("too_large", "the result has 1048577 bytes and may have 1048576"));
}

#[test]
fn what_the_host_reads_cannot_be_fooled() {
    // Options are own data: nothing comes out of prototypes, no getter runs.
    let source = "
        Object.prototype.label = 'evil';
        Object.prototype.toJSON = () => 'evil';
        String.prototype.toJSON = () => 'evil';
        Array.prototype.toJSON = () => ['evil'];
        Object.defineProperty(Array.prototype, '0', { get() { return 'evil' }, set() { throw 'evil' } });
        Object.prototype.value = { type: 'string' };
        JSON.stringify = () => '{\"label\":\"evil\"}';
        JSON.parse = () => 'evil';
        Reflect.ownKeys = () => ['evil'];
        Object.getOwnPropertyDescriptor = () => ({ value: 'evil', enumerable: true });
        Array.isArray = () => false;
        String.prototype.isWellFormed = () => { throw 'evil' };
        Array.prototype[Symbol.iterator] = () => { throw 'evil' };
        Promise = class {};
        TypeError = class {};
        return await agent('x', { schema: { type: 'object', properties: {}, required: [], additionalProperties: false } });
    ";
    let replay = first(source);
    let Replay::Pending { calls, .. } = replay else { panic!("{replay:?}") };
    let text = r#"{"prompt":"x","schema":{"type":"object","properties":{},"required":[],"additionalProperties":false}}"#;
    assert_eq!(calls[0].to_text(), text);
    let known =
        [KnownCall { call: text.to_owned(), outcome: Some(CallOutcome::Value("{\"a\":[1]}".to_owned())) }];
    assert_eq!(
        apart(&program(source), &known, &WorkflowLimits::new()),
        Replay::Completed("{\"a\":[1]}".to_owned())
    );
    let (_, sentence) = failure(first("await agent('x', { get label() { throw 'never run' } })"));
    assert!(sentence.contains("`options.label` is a getter; give its value"), "{sentence}");
    let (_, sentence) = failure(first("await agent('x', Object.create({ label: 'inherited' }))"));
    assert!(sentence.contains("is an object of a class"), "{sentence}");
    assert_eq!(completed("try { agent = 1 } catch { return typeof agent }"), "function");
    assert_eq!(completed("try { delete globalThis.agent } catch { return typeof agent }"), "function");
}

#[test]
fn a_program_that_closes_its_wrapper_stays_inside() {
    for source in
        ["}), (() => { for (;;) {} })(), (async () => {", "}); for (;;) {} (async () => {", "}), 7, (() => {"]
    {
        let limits = WorkflowLimits::new().fuel(100);
        let replay = apart(&program(source), &[], &limits);
        assert!(matches!(replay, Replay::Failed(_) | Replay::Completed(_)), "{replay:?}");
    }
    let limits = WorkflowLimits::new();
    let source = "}); throw { __proto__: Error.prototype, get message() { agent('again'); return 'x' } }; (async () => {";
    assert!(
        matches!(apart(&program(source), &[], &limits), Replay::Failed(_)),
        "the host is not entered twice"
    );
}

#[test]
fn a_program_of_the_longest_length_is_read() {
    let mut source = String::from("let sum = 0;\n");
    while source.len() < 256 * 1024 - 64 {
        source.push_str("sum += 1; // a line like any other\n");
    }
    source.push_str("return sum > 0 ? 'read' : ''");
    assert_eq!(completed(&source), "read");
    let junk = "}{".repeat(128 * 1024);
    assert_eq!(failure(first(&junk)).0, "syntax");
}
