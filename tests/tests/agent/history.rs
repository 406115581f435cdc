//! The conversation is one that providers accept, whatever came in and however the turn ended.

use std::sync::Arc;

use serde_json::json;
use tests::responses_rules::complaints;
use tests::script::{ScriptedModel, calls, cut, results, says};
use tool_runtime::provider::responses::encode_input;
use tool_runtime::{CallItem, CancellationToken, Content, Item, Native, ResultItem, ToolCall, TurnInput};

use super::{agent, echo, run};

fn opaque(kind: &str, id: &str) -> Item {
    Item::Opaque(Native::new("openai.responses", json!({"type": kind, "id": id, "encrypted_content": "b"})))
}

#[tokio::test]
async fn ids_are_unique_over_the_whole_conversation() {
    let same =
        || calls(&[("x", "echo", r#"{"text":"a"}"#), ("x", "echo", r#"{"text":"b"}"#), ("", "echo", "{}")]);
    let model = ScriptedModel::new([same(), same(), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    let told = results(&outcome.items);
    let ids: Vec<&str> = told.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(ids, ["x", "x_2", "call_1", "x_3", "x_4", "call_2"]);
    let texts: Vec<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["a", "b", "ok", "a", "b", "ok"]);

    // A next turn knows the ids of the conversation that it goes on with.
    let mut items = outcome.items;
    items.push(Item::user("again"));
    let model = ScriptedModel::new([calls(&[("x_2", "echo", "{}")]), says("done")]);
    let outcome = agent(&model, vec![echo("echo")]).run(items, &CancellationToken::new()).await.unwrap();
    assert_eq!(outcome.results[0].call.id, "x_2_2");
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}

#[tokio::test]
async fn a_result_shares_its_call_with_the_conversation_unless_that_was_repaired() {
    let asked =
        [("c1", "echo", r#"{"text":"a"}"#), ("c1", "echo", r#"{"text":"b"}"#), ("c2", "echo", "{text:'c'}")];
    let model = ScriptedModel::new([calls(&asked), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    let in_conversation = outcome.items.iter().filter_map(|item| match item {
        Item::Call(item) => Some(&item.call),
        _ => None,
    });
    let shares = in_conversation.zip(&outcome.results).map(|(call, result)| Arc::ptr_eq(call, &result.call));
    assert_eq!(shares.collect::<Vec<_>>(), [true, true, false]);
}

#[tokio::test]
async fn repaired_arguments_replace_the_broken_text() {
    let broken = "```json\n{\"text\": \"hello\",}\n```";
    let model = ScriptedModel::new([calls(&[("c1", "echo", broken)]), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert_eq!(outcome.results[0].model_text(), "hello");
    let Item::Call(CallItem { call, .. }) = &model.asked()[1].items[1] else { panic!() };
    let arguments: serde_json::Value = serde_json::from_str(call.input.as_str()).unwrap();
    assert_eq!(arguments, json!({"text": "hello"}));
}

#[tokio::test]
async fn opaque_parts_go_back_untouched_in_their_place() {
    let mut response = calls(&[("c1", "echo", "{}")]);
    let reasoning = opaque("reasoning", "rs_1");
    response.items.insert(0, reasoning.clone());
    let model = ScriptedModel::new([response, says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert_eq!(model.asked()[1].items[1], reasoning);
    assert_eq!(outcome.items[1], reasoning);
}

#[tokio::test]
async fn reasoning_that_led_to_nothing_is_left_out() {
    let thinking = |mut response: tool_runtime::ModelResponse, id: &str| {
        response.items.insert(0, opaque("reasoning", id));
        response
    };
    let model = ScriptedModel::new([
        thinking(cut(says("")), "rs_1"),
        thinking(calls(&[("c1", "echo", "{}")]), "rs_2"),
        thinking(says(""), "rs_3"),
        thinking(says("done"), "rs_4"),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    for asked in model.asked() {
        assert_eq!(complaints(&asked.input()), Vec::<String>::new());
    }
    let kept = outcome.items.iter().filter(|item| matches!(item, Item::Opaque(_))).count();
    assert_eq!(kept, 2);
}

/// The input that reaches the model, of a turn that begins with `items`.
async fn sent(items: impl Into<TurnInput>) -> Vec<Item> {
    let model = ScriptedModel::new([says("hello")]);
    agent(&model, vec![echo("echo")]).run(items, &CancellationToken::new()).await.unwrap();
    let asked = model.asked().remove(0);
    assert_eq!(complaints(&asked.input()), Vec::<String>::new());
    asked.items
}

fn call(id: &str) -> Item {
    Item::call(ToolCall::new(id, "echo", "{}"))
}

fn result(id: &str, text: &str) -> Item {
    let call = ToolCall::new(id, "echo", "{}");
    Item::Result(ResultItem::new(&call, vec![Content::Text(text.to_owned())], false))
}

#[tokio::test]
async fn a_good_conversation_is_sent_as_it_is() {
    let items =
        vec![Item::user("a"), call("1"), call("2"), result("2", "two"), result("1", "one"), Item::user("b")];
    assert_eq!(sent(items.clone()).await, items);
}

#[tokio::test]
async fn calls_that_were_never_answered_get_a_result_that_says_so() {
    let items = sent(vec![Item::user("a"), call("1"), call("2"), result("1", "one"), Item::user("b")]).await;
    let told = results(&items);
    assert_eq!(told[0], ("1".to_owned(), "one".to_owned()));
    assert!(
        told[1].1.starts_with("error: the turn was broken off before the call was answered"),
        "{}",
        told[1].1
    );
    assert_eq!(items[5], Item::user("b"));
    // Also at the very end.
    assert_eq!(results(&sent(vec![Item::user("a"), call("1")]).await).len(), 1);
}

#[tokio::test]
async fn results_of_no_call_are_left_out_and_late_ones_moved_to_their_calls() {
    let items = sent(vec![
        result("0", "lost"),
        call("1"),
        Item::user("b"),
        result("1", "one"),
        result("1", "one again"),
        call("1"),
        result("1", "another one"),
    ])
    .await;
    assert_eq!(
        results(&items),
        [("1".to_owned(), "one".to_owned()), ("1_2".to_owned(), "one again".to_owned())]
    );
    assert_eq!(items[2], Item::user("b"));
}

#[tokio::test]
async fn content_of_several_parts_and_single_items_are_an_input_too() {
    let parts = vec![Content::Text("a".to_owned()), Content::Text("b".to_owned())];
    assert_eq!(sent(parts.clone()).await, [Item::User(parts)]);
    assert_eq!(sent(Item::user("a")).await, [Item::user("a")]);
    assert_eq!(sent("a".to_owned()).await, [Item::user("a")]);
}

#[test]
fn a_conversation_can_be_stored_and_read_again() {
    let items = vec![
        Item::user("a"),
        opaque("reasoning", "rs_1"),
        call("1"),
        result("1", "one"),
        Item::assistant("b"),
        Item::call(ToolCall::with_text("2", "sql", "SELECT 1").in_namespace("db")),
    ];
    let text = serde_json::to_string(&items).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Item>>(&text).unwrap(), items);
}
