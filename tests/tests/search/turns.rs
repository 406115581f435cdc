//! A model that searches, and then calls what was found.

use tests::script::{ScriptedModel, Step, calls, says};
use tool_runtime::{CallError, Ending, EventKind, ToolCatalog, event_channel, tools};

use super::{LARGE, agent, catalog, clock, listed, run};

#[tokio::test]
async fn a_model_searches_and_calls_what_it_found_in_the_next_round() {
    let model = ScriptedModel::new([
        calls(&[("c1", "tool_search", r#"{"query":"orders of a customer","limit":1}"#)]),
        calls(&[("c2", "crm.list_orders", r#"{"customer":7}"#)]),
        says("none"),
    ]);
    let outcome = run(agent(&model, listed())).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(outcome.results[1].model_text(), "customer 7 has no orders");
    let offered: Vec<_> = model.asked().into_iter().map(|asked| asked.offered).collect();
    // A namespace stands where its first member stands.
    assert_eq!(
        offered,
        [
            vec!["clock", "tool_search"],
            vec!["clock", "tool_search", "crm"],
            vec!["clock", "tool_search", "crm"]
        ]
    );
    let request = model.asked()[1].body.to_string();
    assert!(request.contains("list_orders") && !request.contains(r#""name":"find_customer""#), "{request}");
    assert!(!request.contains("defer_loading"), "the provider is not to search: {request}");
}

#[tokio::test]
async fn what_is_found_cannot_be_called_before_the_model_has_read_its_parameters() {
    let model = ScriptedModel::new([
        calls(&[
            ("c1", "tool_search", r#"{"names":["crm.find_customer"]}"#),
            ("c2", "crm.find_customer", r#"{"name_part":"Ada"}"#),
        ]),
        calls(&[("c3", "crm.find_customer", r#"{"name_part":"Ada"}"#)]),
        says("done"),
    ]);
    let outcome = run(agent(&model, listed())).await;
    assert!(matches!(&outcome.results[1].outcome, Err(CallError::NotLoaded { .. })));
    assert_eq!(
        outcome.results[1].model_text(),
        "error: the tool `crm.find_customer` is deferred and was not run: load it with `tool_search` (`{\"names\": \
         [\"crm.find_customer\"]}`) first, read its parameters, then call it again"
    );
    assert_eq!(outcome.results[2].model_text(), "customer 7 is Ada");
}

#[tokio::test]
async fn what_was_found_stays_for_the_turn_and_for_as_long_as_the_search_is_in_the_conversation() {
    let search = calls(&[("c1", "tool_search", r#"{"names":["crm.find_customer"]}"#)]);
    let find = |id| calls(&[(id, "crm.find_customer", r#"{"name_part":"Ada"}"#)]);
    let model = ScriptedModel::new([search, find("c2"), find("c3"), says("done")]);
    let outcome = run(agent(&model, listed())).await;
    assert!(outcome.results.iter().all(|result| result.outcome.is_ok()));
    let model = ScriptedModel::new([find("c4"), says("done")]);
    let items = outcome.items;
    let next = agent(&model, listed()).run(items, &tool_runtime::CancellationToken::new()).await.unwrap();
    assert_eq!(next.results[0].model_text(), "customer 7 is Ada");
    // A conversation without it begins anew.
    let model = ScriptedModel::new([find("c4"), says("done")]);
    let next = agent(&model, listed()).run("go", &tool_runtime::CancellationToken::new()).await.unwrap();
    assert!(matches!(&next.results[0].outcome, Err(CallError::NotLoaded { .. })));
}

#[tokio::test]
async fn one_of_5_000_tools_is_found_and_called() {
    let model = ScriptedModel::new([
        calls(&[("c1", "tool_search", r#"{"query":"work with the number 4321","limit":2}"#)]),
        calls(&[("c2", "service_43.do_4321", "{}")]),
        says("done"),
    ]);
    let outcome = run(agent(&model, tools![clock, ..LARGE.tools()])).await;
    assert_eq!(outcome.results[1].model_text(), "done 4321");
    let sizes: Vec<usize> = model.asked().iter().map(|asked| asked.body.to_string().len()).collect();
    assert!(sizes[0] < 5_000 && sizes[1] < 8_000, "{sizes:?}");
    assert!(!model.asked()[0].body.to_string().contains("do_"));
}

#[tokio::test]
async fn a_turn_that_changes_nothing_finds_no_tool_that_writes() {
    let model = ScriptedModel::new([
        calls(&[
            ("c1", "tool_search", r#"{"query":"change a price"}"#),
            ("c2", "tool_search", r#"{"names":["shop.set_price"]}"#),
        ]),
        calls(&[("c3", "shop.set_price", r#"{"product":1,"cents":1}"#)]),
        says("done"),
    ]);
    let outcome = run(tool_runtime::Agent::read_only(model.clone(), listed()).unwrap()).await;
    let texts: Vec<String> = outcome.results.iter().map(|result| result.model_text()).collect();
    assert!(!texts[0].contains("set_price"), "{}", texts[0]);
    assert!(texts[1].starts_with("No tool is named `shop.set_price`."), "{}", texts[1]);
    assert!(matches!(&outcome.results[2].outcome, Err(CallError::UnknownTool { .. })));
}

#[tokio::test]
async fn searches_side_by_side_load_what_each_found() {
    let model = ScriptedModel::new([
        calls(&[
            ("c1", "tool_search", r#"{"names":["crm.list_orders"]}"#),
            ("c2", "tool_search", r#"{"names":["shop.find_product"]}"#),
        ]),
        calls(&[
            ("c3", "crm.list_orders", r#"{"customer":1}"#),
            ("c4", "shop.find_product", r#"{"word":"x"}"#),
        ]),
        says("done"),
    ]);
    let outcome = run(agent(&model, listed())).await;
    assert!(outcome.results.iter().all(|result| result.outcome.is_ok()));
}

#[tokio::test]
async fn searches_in_the_parallel_wrapper_load_too() {
    let wrapped = r#"{"tool_uses":[{"recipient_name":"functions.tool_search","parameters":{"names":["crm.list_orders"]}},
        {"recipient_name":"functions.clock","parameters":{}}]}"#;
    let model = ScriptedModel::new([
        calls(&[("c1", "parallel", wrapped)]),
        calls(&[("c2", "crm.list_orders", r#"{"customer":1}"#)]),
        says("done"),
    ]);
    let outcome = run(agent(&model, listed())).await;
    assert_eq!(outcome.results[1].model_text(), "customer 1 has no orders");
}

#[tokio::test]
async fn a_search_that_did_not_run_loads_nothing() {
    let cut = tests::script::cut(calls(&[("c1", "tool_search", r#"{"names":["crm.list_orders"]}"#)]));
    let model =
        ScriptedModel::new([cut, calls(&[("c2", "crm.list_orders", r#"{"customer":1}"#)]), says("done")]);
    let outcome = run(agent(&model, listed())).await;
    assert!(matches!(&outcome.results[1].outcome, Err(CallError::NotLoaded { .. })));
}

#[tokio::test]
async fn a_person_sees_what_is_looked_for_and_what_was_found() {
    let search = calls(&[("c1", "tool_search", r#"{"query":"customer name"}"#)]);
    let model = ScriptedModel::new([Step::from(search), says("done").into()]);
    let (sender, mut events) = event_channel(100);
    run(agent(&model, listed()).events(sender)).await;
    let mut labels = Vec::new();
    while let Some(event) = events.next().await {
        if let EventKind::Activity { label, .. } = event.kind {
            labels.push(label);
        }
    }
    assert_eq!(labels[0], "Looking for tools: customer name");
    assert!(labels[1].starts_with("Found crm.find_customer"), "{labels:?}");
}

#[tokio::test]
async fn a_program_with_a_loop_of_its_own_loads_what_was_found() {
    use tool_runtime::{CancellationToken, DispatchOptions, Events, ToolCall, ToolSet, dispatch};
    let mut set = ToolSet::new(listed()).unwrap();
    let search = ToolCall::new("c1", "tool_search", r#"{"namespace":"crm"}"#);
    let (options, cancel) = (DispatchOptions::new(), CancellationToken::new());
    let results = dispatch(&set, vec![search], &options, &Events::none(), &cancel).await;
    assert_eq!((set.deferred().count(), set.load_found(&results)), (5, 2));
    assert_eq!((set.deferred().count(), set.load_found(&results)), (3, 0));
}

#[test]
fn a_deferred_tool_that_the_catalog_does_not_hold_is_a_fault_of_the_set() {
    let catalog = ToolCatalog::new(tools![super::find_customer]).unwrap();
    let error = tool_runtime::ToolSet::new(tools![super::list_orders, ..catalog.tools()]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tools cannot be used:\n- `crm.list_orders`: it is deferred, and the catalog that is searched does not hold \
         it: put it into the catalog"
    );
}

#[test]
fn a_catalog_is_made_once_and_shared() {
    let one = catalog();
    let other = one.clone();
    let same = |left: &tool_runtime::WorkerAgentTool, right: &tool_runtime::WorkerAgentTool| {
        std::ptr::eq(left.definition(), right.definition())
    };
    assert!(one.tools().iter().zip(&other.tools()).all(|(left, right)| same(left, right)));
    assert_eq!((one.len(), one.is_empty(), one.tools().len()), (5, false, 6));
}

#[test]
fn a_catalog_with_a_fault_or_with_a_tool_of_the_searchs_name_is_none() {
    let spec = tool_runtime::ToolSpec::new("tool_search", "Searches.").no_parameters();
    let own = spec.execute(|_, _| async { "mine" });
    let error = ToolCatalog::new(vec![own]).unwrap_err().to_string();
    assert!(error.contains("two tools are named `tool_search`"), "{error}");
    assert!(ToolCatalog::new(tools![clock, clock()]).is_err());
}
