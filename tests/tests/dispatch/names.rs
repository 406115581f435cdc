//! Which tool a call means, under which id it is answered, and who may call it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::{
    AllowedCallers, CallError, Caller, Namespace, ToolCall, ToolError, ToolOutput, ToolResult, ToolSet,
    ToolSpec,
};

use crate::world::{any_object, calls, echo, run, set, told, tool};

#[tokio::test]
async fn d_01_an_unknown_tool_is_answered_with_the_near_ones_and_its_sibling_runs() {
    let set = set(vec![echo("read_file"), echo("list")]);
    let results =
        run(&set, calls(&[("c1", "read_fil", r#"{"path":"a"}"#), ("c2", "read_file", r#"{"text":"b"}"#)]))
            .await;
    assert_eq!(
        told(&results),
        [
            (
                "c1",
                "error: no tool is named `read_fil` (did you mean `read_file`); the tools are `read_file`, `list`"
                    .to_owned()
            ),
            ("c2", "b".to_owned())
        ]
    );
    assert!(matches!(results[0].outcome, Err(CallError::UnknownTool { .. })));
}

#[test]
fn d_02_two_tools_with_one_name_are_refused_and_both_places_are_named() {
    let error = ToolSet::new(vec![echo("search"), echo("list"), echo("search")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tools cannot be used:\n- `search`: two tools are named `search`: entries 1 and 3 of the list"
    );
}

#[tokio::test]
async fn d_03_a_joined_name_leads_to_one_tool_only() {
    let member = |namespace: &'static str, name: &'static str, says: &'static str| {
        ToolSpec::new(name, "Does something.")
            .namespace(Namespace::new(namespace, "A group."))
            .no_parameters()
            .execute(move |_, _| async move { says })
    };
    let set = set(vec![member("a", "b__c", "first"), member("a__b", "c", "second")]);
    let call = |namespace: &str, name: &str| ToolCall::new("", name, "{}").in_namespace(namespace);
    let results = run(&set, vec![call("a", "b__c"), call("a__b", "c")]).await;
    assert_eq!(results.iter().map(ToolResult::model_text).collect::<Vec<_>>(), ["first", "second"]);
    // Flat names, as a provider without namespaces gets them: one is numbered, none is taken apart.
    let results = run(&set, calls(&[("1", "a__b__c", "{}"), ("2", "a__b__c_2", "{}")])).await;
    assert_eq!(told(&results), [("1", "first".to_owned()), ("2", "second".to_owned())]);
}

#[tokio::test]
async fn d_11_two_calls_with_one_id_have_two_results() {
    let asked = calls(&[("x", "read", r#"{"text":"a"}"#), ("x", "read", r#"{"text":"b"}"#)]);
    let results = run(&set(vec![echo("read")]), asked).await;
    assert_eq!(told(&results), [("x", "a".to_owned()), ("x_2", "b".to_owned())]);
}

#[tokio::test]
async fn d_12_calls_without_an_id_get_fresh_ones() {
    let asked =
        calls(&[("", "read", r#"{"text":"a"}"#), ("", "read", r#"{"text":"b"}"#), (" ", "list", "{}")]);
    let results = run(&set(vec![echo("read"), echo("list")]), asked).await;
    assert_eq!(told(&results), [("call_1", "a".into()), ("call_2", "b".into()), ("call_3", "ok".into())]);
}

#[tokio::test]
async fn d_25_a_deferred_tool_runs_only_after_it_was_loaded() {
    let delete = ToolSpec::new("delete", "Deletes a customer.")
        .namespace(Namespace::new("crm", "Customer records."))
        .defer_loading(true)
        .schema::<Value>(any_object())
        .execute(|_, _| async { "deleted" });
    let mut set = set(vec![delete]);
    let call = || vec![ToolCall::new("c1", "delete", r#"{"id":1}"#).in_namespace("crm")];
    let results = run(&set, call()).await;
    assert_eq!(
        results[0].model_text(),
        "error: the tool `crm.delete` is deferred and was not run: load it with tool search first, read its parameters, \
         then call it again"
    );
    assert_eq!((set.loaded().count(), set.deferred().count()), (0, 1));
    assert!(set.load(Some("crm"), "delete"));
    assert_eq!(run(&set, call()).await[0].model_text(), "deleted");
    assert_eq!((set.loaded().count(), set.deferred().count()), (1, 0));
}

#[tokio::test]
async fn a_long_unknown_name_is_shown_shortened() {
    let set = set(vec![echo("read_file")]);
    let name = "read_file".repeat(100_000);
    let results = run(&set, calls(&[("c1", &name, "")])).await;
    let shown: String = name.chars().take(60).collect();
    let said = format!("error: no tool is named `{shown}…`; the tools are `read_file`");
    assert_eq!(told(&results), [("c1", said)]);
}

#[tokio::test]
async fn the_parallel_wrapper_is_answered_once_with_its_childrens_results() {
    let wrapped = json!({"tool_uses": [
        {"recipient_name": "functions.read", "parameters": {"text": "one"}},
        {"recipient_name": "functions.fail", "parameters": {}},
        {"recipient_name": "functions.read", "parameters": {"text": "two"}},
    ]});
    let fail = tool("fail", |_, _| async { Err::<(), _>(ToolError::new("broken")) });
    let set = set(vec![echo("read"), fail]);
    for name in ["parallel", "multi_tool_use.parallel"] {
        let asked = vec![
            ToolCall::new("w", name, wrapped.to_string()),
            ToolCall::new("c", "read", r#"{"text":"three"}"#),
        ];
        let results = run(&set, asked).await;
        assert_eq!(told(&results), [("w", "one\nerror: broken\ntwo".to_owned()), ("c", "three".to_owned())]);
    }
}

#[tokio::test]
async fn a_wrapper_that_names_an_unknown_tool_runs_nothing() {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let set = set(vec![tool("read", move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        async {}
    })]);
    let uses = [
        json!([{"recipient_name": "functions.read", "parameters": {}}, {"recipient_name": "functions.rm", "parameters": {}}]),
        json!([{"recipient_name": "read", "parameters": {}}]),
        json!([{"recipient_name": "functions.read", "parameters": "{}"}]),
        json!([]),
    ];
    for uses in uses {
        let wrapped = json!({"tool_uses": uses}).to_string();
        let results = run(&set, vec![ToolCall::new("w", "parallel", wrapped)]).await;
        assert!(matches!(results[0].outcome, Err(CallError::UnknownTool { .. })), "{uses}");
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn names_are_taken_as_models_are_known_to_spell_them() {
    let find = ToolSpec::new("find", "Finds a customer.")
        .namespace(Namespace::new("crm", "Customer records."))
        .no_parameters()
        .execute(|_, _| async { "found" });
    let set = set(vec![echo("read"), find]);
    for name in ["functions.read", "default_api.read", "default_api:read"] {
        assert_eq!(run(&set, calls(&[("c", name, "{}")])).await[0].model_text(), "ok", "{name}");
    }
    for name in ["crm.find", "crm__find", "functions.crm__find"] {
        assert_eq!(run(&set, calls(&[("c", name, "{}")])).await[0].model_text(), "found", "{name}");
    }
    for namespace in ["functions", "read", ""] {
        let call = ToolCall::new("c", "read", "{}").in_namespace(namespace);
        assert_eq!(run(&set, vec![call]).await[0].model_text(), "ok", "{namespace}");
    }
    for (namespace, name) in [(None, "find"), (Some("crm"), "read"), (Some("other"), "find"), (None, "READ")]
    {
        let mut call = ToolCall::new("c", name, "{}");
        call.namespace = namespace.map(str::to_owned);
        assert!(run(&set, vec![call]).await[0].is_error(), "{namespace:?} {name}");
    }
}

#[tokio::test]
async fn callers_are_held_to_what_the_tool_allows() {
    let restricted = |name: &'static str, callers: AllowedCallers| {
        ToolSpec::new(name, "Does something.")
            .allowed_callers(callers)
            .no_parameters()
            .execute(|_, _| async { ToolOutput::text("ran").ends_turn() })
    };
    let set = set(vec![
        restricted("direct", AllowedCallers::Direct),
        restricted("program", AllowedCallers::Programmatic),
        restricted("any", AllowedCallers::Any),
    ]);
    let program = || Caller::Program { caller_id: "p".into() };
    let outcome = async |name: &str, caller: Caller| {
        run(&set, vec![ToolCall::new("c", name, "{}").by(caller)]).await.remove(0)
    };
    assert_eq!(
        outcome("direct", program()).await.model_text(),
        "error: the tool `direct` can only be called directly, not by a program"
    );
    assert_eq!(
        outcome("program", Caller::Direct).await.model_text(),
        "error: the tool `program` can only be called by a program, not directly"
    );
    assert!(outcome("direct", Caller::Direct).await.ends_turn());
    // A program goes on after its calls.
    assert!(!outcome("any", program()).await.ends_turn());
    assert!(!outcome("program", program()).await.is_error());
}

#[test]
fn a_set_lists_all_problems_of_all_tools() {
    let nothing = |spec: ToolSpec| spec.no_parameters().execute(|_, _| async {});
    let error = ToolSet::new(vec![
        nothing(ToolSpec::new("bad name", " ")),
        nothing(ToolSpec::new("both", "Is both.").read_only(true).destructive(true)),
        nothing(ToolSpec::new("x", "In a group.").namespace(Namespace::new("g", "One."))),
        nothing(ToolSpec::new("y", "In a group.").namespace(Namespace::new("g", "Two."))),
        nothing(ToolSpec::new("z", "Like its group.").namespace(Namespace::new("z", "Z."))),
        nothing(ToolSpec::new("now", "Has no time.").timeout(Duration::ZERO)),
        ToolSpec::new("list", "Takes a list.")
            .schema::<Value>(json!({"type": "array"}))
            .execute(|_, _| async {}),
    ])
    .unwrap_err();
    let tools: Vec<&str> = error.problems.iter().map(|problem| &*problem.tool).collect();
    assert_eq!(tools, ["bad name", "bad name", "both", "g.y", "z.z", "now", "list"], "{error}");
}

#[test]
fn an_empty_set_is_legal() {
    assert!(ToolSet::new(Vec::new()).unwrap().is_empty());
}
