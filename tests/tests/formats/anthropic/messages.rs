//! What goes back of a conversation, however it came.

use serde_json::{Value, json};
use tests::wire::{answer, any_arguments, parse};
use tool_runtime::provider::anthropic::{FORMAT, decode_response, encode_messages};
use tool_runtime::{AssistantItem, Item, ModelResponse, Native, ResultItem, ToolCall, ToolSet};

use crate::{catalog, fixture, set};

fn encoded(set: &ToolSet, items: &[Item]) -> Value {
    parse(&encode_messages(set, items))
}

fn call(id: &str, name: &str, arguments: &str) -> Item {
    Item::call(ToolCall::new(id, name, arguments))
}

fn response(set: &ToolSet, content: &Value) -> ModelResponse {
    decode_response(&json!({"content": content, "stop_reason": "tool_use"}).to_string(), set).unwrap()
}

#[test]
fn what_came_goes_back_untouched() {
    let set = catalog();
    for text in [
        fixture!("anthropic/response_calls.json"),
        fixture!("anthropic/response_search.json"),
        fixture!("anthropic/response_program.json"),
    ] {
        let response = decode_response(text, &set).unwrap();
        let items: Vec<Item> = std::iter::once(Item::user("go")).chain(response.items).collect();
        let mut came = parse(text)["content"].clone();
        for block in came.as_array_mut().unwrap() {
            if block.get("citations") == Some(&Value::Null) {
                block.as_object_mut().unwrap().remove("citations");
            }
        }
        assert_eq!(encoded(&set, &items)[1], json!({"role": "assistant", "content": came}));
        // Digits that no number type holds stay too.
        let sent = encode_messages(&set, &items);
        assert_eq!(sent.contains("12345678901234567890123"), text.contains("12345678901234567890123"));
    }
}

#[tokio::test]
async fn d_12_calls_with_no_id_get_one_each() {
    let set = set(vec![any_arguments("read"), any_arguments("list")]);
    let response = response(
        &set,
        &json!([
            {"type": "tool_use", "id": "", "name": "read", "input": {"path": "a"}},
            {"type": "tool_use", "id": null, "name": "read", "input": {"path": "b"}},
            {"type": "tool_use", "name": "list", "input": {}},
        ]),
    );
    let (items, results) = answer(&set, response).await;
    let sent = encoded(&set, &items);
    let own: Vec<&str> = results.iter().map(|result| &*result.call.id).collect();
    let ids = |message: &Value, key: &str| -> Vec<String> {
        message["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block[key].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(ids(&sent[1], "id"), own);
    assert_eq!(ids(&sent[2], "tool_use_id"), own);
    assert!(own.iter().all(|id| !id.is_empty()) && own[0] != own[1] && own[1] != own[2] && own[0] != own[2]);
    assert_eq!(sent[2]["content"][1]["content"], "{\"path\":\"b\"}");
}

#[tokio::test]
async fn d_22_broken_arguments_go_back_as_legal_ones() {
    let set = set(vec![any_arguments("write")]);
    let broken = "{\"path\":\"a.txt\",\"content\":\"abc";
    let response =
        response(&set, &json!([{"type": "tool_use", "id": "c1", "name": "write", "input": broken}]));
    assert_eq!(response.calls().next().unwrap().input.as_str(), broken);
    let (items, results) = answer(&set, response).await;
    assert!(results[0].is_error());
    let sent = encoded(&set, &items);
    assert_eq!(sent[1]["content"][0]["input"], json!({"INVALID_JSON": broken}));
    assert_eq!(sent[2]["content"][0]["is_error"], true);
}

#[test]
fn input_always_goes_back_as_an_object() {
    let set = catalog();
    let sent =
        |arguments: &str| encoded(&set, &[call("c", "f", arguments)])[1]["content"][0]["input"].clone();
    assert_eq!(sent(""), json!({}));
    assert_eq!(sent("null"), json!({}));
    assert_eq!(sent("[1]"), json!({"INVALID_JSON": "[1]"}));
    assert_eq!(sent("{\"a\": 1}"), json!({"a": 1}));
}

#[test]
fn results_follow_their_calls_first_and_in_order() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "f", "{}"));
    let result = |call: &ToolCall, text: &str| Item::Result(ResultItem::new(call, vec![text.into()], false));
    let items = [
        Item::user("go"),
        Item::call(a.clone()),
        Item::call(b.clone()),
        Item::user("hurry"),
        result(&b, "two"),
        result(&a, "one"),
        Item::assistant("Done."),
    ];
    let sent = encoded(&catalog(), &items);
    assert_eq!(
        sent[2],
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "one"},
            {"type": "tool_result", "tool_use_id": "b", "content": "two"},
            {"type": "text", "text": "hurry"},
        ]})
    );
    assert_eq!(sent.as_array().unwrap().len(), 4);
}

#[test]
fn a_call_without_a_result_and_a_result_without_a_call_are_told() {
    let gone = ToolCall::new("gone", "find", "{}").in_namespace("crm");
    let items = [
        call("a", "f", "{}"),
        Item::Result(ResultItem::new(&gone, vec!["no such customer".into()], true)),
        Item::assistant("And?"),
    ];
    let sent = encoded(&catalog(), &items);
    assert_eq!(sent[0], json!({"role": "user", "content": "(the conversation goes on)"}));
    let open = &sent[2]["content"][0];
    assert_eq!((&open["tool_use_id"], &open["is_error"]), (&json!("a"), &json!(true)));
    assert!(open["content"].as_str().unwrap().starts_with("error: there is no result of this call"));
    let told: Vec<&Value> =
        sent[2]["content"].as_array().unwrap().iter().skip(1).map(|block| &block["text"]).collect();
    assert_eq!(told, ["[the result of an earlier call of `crm.find`]\n", "error: ", "no such customer"]);
}

#[test]
fn ids_and_names_that_are_refused_are_replaced() {
    let odd = ToolCall::new("functions.f:0", "what.is/this?", "{}");
    let items = [Item::call(odd.clone()), Item::Result(ResultItem::new(&odd, vec!["x".into()], false))];
    let sent = encoded(&catalog(), &items);
    let block = &sent[1]["content"][0];
    assert_eq!((&block["id"], &block["name"]), (&json!("mended_1"), &json!("what_is_this_")));
    assert_eq!(sent[2]["content"][0]["tool_use_id"], "mended_1");
}

#[test]
fn what_the_provider_refuses_is_left_out() {
    let native = |value: Value| Item::Opaque(Native::new(FORMAT, value));
    let items = [
        Item::user(" "),
        Item::user("go"),
        native(json!({"type": "thinking", "thinking": "cut off"})),
        native(json!({"type": "thinking", "thinking": "cut off", "signature": ""})),
        native(json!({"container": "c"})),
        Item::assistant(""),
        Item::Assistant(AssistantItem::new("hi", Some(Native::new("other", json!({}))))),
    ];
    assert_eq!(
        encoded(&catalog(), &items),
        json!([
            {"role": "user", "content": [{"type": "text", "text": "go"}]},
            {"role": "assistant", "content": [{"type": "text", "text": "hi"}]},
        ])
    );
}
