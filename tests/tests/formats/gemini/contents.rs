//! What goes back of a conversation, however it came.

use serde_json::{Value, json};
use tests::wire::{answer, any_arguments, parse};
use tool_runtime::provider::gemini::{Settings, decode_response, encode_contents};
use tool_runtime::{Item, ModelResponse, ResultItem, ToolCall, ToolSet};

use crate::{catalog, fixture, set};

fn encoded(set: &ToolSet, items: &[Item]) -> Value {
    parse(&encode_contents(&Settings::new("m"), set, items))
}

fn response(set: &ToolSet, parts: &Value) -> ModelResponse {
    let text = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}).to_string();
    decode_response(&text, set).unwrap()
}

#[test]
fn what_came_goes_back_with_each_signature_on_its_part() {
    let set = catalog();
    let text = fixture!("gemini/response_calls.json");
    let response = decode_response(text, &set).unwrap();
    let items: Vec<Item> = std::iter::once(Item::user("go")).chain(response.items).collect();
    let mut came = parse(text)["candidates"][0]["content"].clone();
    let parts = &mut came["parts"];
    // Names as they were listed, and arguments that are there.
    parts[4]["functionCall"] = json!({"name": "crm__find", "args": {}});
    parts[6]["functionCall"] = json!({"name": "read_file", "args": {}});
    parts[7]["functionCall"] = json!({"name": "default_api_nothing", "args": {}});
    assert_eq!(encoded(&set, &items)[1], came);
    assert!(encode_contents(&Settings::new("m"), &set, &items).contains("12345678901234567890123"));
}

#[tokio::test]
async fn d_12_calls_with_no_id_get_one_each_and_none_is_sent() {
    let set = set(vec![any_arguments("read"), any_arguments("list")]);
    let response = response(
        &set,
        &json!([
            {"functionCall": {"id": "", "name": "read", "args": {"path": "a"}}},
            {"functionCall": {"id": null, "name": "read", "args": {"path": "b"}}, "thoughtSignature": "c2ln"},
            {"functionCall": {"name": "list"}},
        ]),
    );
    let (items, results) = answer(&set, response).await;
    let own: Vec<&str> = results.iter().map(|result| &*result.call.id).collect();
    assert!(own.iter().all(|id| !id.is_empty()) && own[0] != own[1] && own[1] != own[2] && own[0] != own[2]);
    let sent = encoded(&set, &items);
    // All calls are parts of one content, and so are their results, in the same order.
    assert_eq!(
        sent[1]["parts"],
        json!([
            {"functionCall": {"name": "read", "args": {"path": "a"}}},
            {"functionCall": {"name": "read", "args": {"path": "b"}}, "thoughtSignature": "c2ln"},
            {"functionCall": {"name": "list", "args": {}}},
        ])
    );
    let part = |name: &str, output: &str| json!({"functionResponse": {"name": name, "response": {"output": output}}});
    let expected =
        json!([part("read", "{\"path\":\"a\"}"), part("read", "{\"path\":\"b\"}"), part("list", "{}")]);
    assert_eq!(sent[2], json!({"role": "user", "parts": expected}));
    assert_eq!(sent.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn d_22_broken_arguments_go_back_as_legal_ones() {
    let set = set(vec![any_arguments("write")]);
    let broken = "{\"path\":\"a.txt\",\"content\":\"abc";
    let response = response(&set, &json!([{"functionCall": {"id": "c1", "name": "write", "args": broken}}]));
    let (items, results) = answer(&set, response).await;
    assert!(results[0].is_error());
    let sent = encoded(&set, &items);
    assert_eq!(sent[1]["parts"][0]["functionCall"]["args"], json!({"INVALID_JSON": broken}));
    assert_eq!(sent[2]["parts"][0]["functionResponse"]["id"], "c1");
    assert!(sent[2]["parts"][0]["functionResponse"]["response"]["error"].is_string());
}

#[test]
fn results_follow_their_calls_in_order() {
    let (a, b) = (ToolCall::new("a", "f", "{}"), ToolCall::new("b", "g", "{}"));
    let result = |call: &ToolCall, text: &str| Item::Result(ResultItem::new(call, vec![text.into()], false));
    let items = [
        Item::call(a.clone()),
        Item::call(b.clone()),
        result(&b, "two"),
        result(&a, "one"),
        Item::user("hurry"),
        Item::assistant("Done."),
    ];
    let sent = encoded(&catalog(), &items);
    assert_eq!(sent[0], json!({"role": "user", "parts": [{"text": "(the conversation goes on)"}]}));
    assert_eq!(
        sent[2]["parts"],
        json!([
            {"functionResponse": {"name": "f", "response": {"output": "one"}}},
            {"functionResponse": {"name": "g", "response": {"output": "two"}}},
            {"text": "hurry"},
        ])
    );
}

#[test]
fn a_call_without_a_result_and_a_result_without_a_call_are_told() {
    let gone = ToolCall::new("gone", "find", "{}").in_namespace("crm");
    let items = [
        Item::user("go"),
        Item::call(ToolCall::new("a", "f", "{}")),
        Item::Result(ResultItem::new(&gone, vec!["here".into()], false)),
    ];
    let sent = encoded(&catalog(), &items);
    let error = sent[2]["parts"][0]["functionResponse"]["response"]["error"].as_str().unwrap();
    assert!(error.starts_with("error: there is no result of this call"));
    let told: Vec<&Value> =
        sent[2]["parts"].as_array().unwrap().iter().skip(1).map(|part| &part["text"]).collect();
    assert_eq!(told, ["[the result of an earlier call of `crm.find`]\n", "here"]);
}

#[test]
fn a_first_call_without_a_signature_gets_the_one_of_the_settings() {
    let mut settings = Settings::new("m");
    settings.missing_signature = Some("skip".to_owned());
    let set = catalog();
    let signed = response(&set, &json!([{"functionCall": {"name": "f"}, "thoughtSignature": "c2ln"}]));
    let mut items = vec![
        Item::user("go"),
        Item::call(ToolCall::new("a", "f", "{}")),
        Item::call(ToolCall::new("b", "f", "{}")),
    ];
    items.push(Item::user("more"));
    items.extend(signed.items);
    let sent = parse(&encode_contents(&settings, &set, &items));
    let signatures = |index: usize| -> Vec<Option<&Value>> {
        sent[index]["parts"].as_array().unwrap().iter().map(|part| part.get("thoughtSignature")).collect()
    };
    assert_eq!(signatures(1), [Some(&json!("skip")), None]);
    assert_eq!(signatures(3), [Some(&json!("c2ln"))]);
}

#[test]
fn a_name_that_begins_with_a_digit_goes_back_with_an_underscore_before_it() {
    let call = ToolCall::new("c1", "1st", "{}");
    let result = Item::Result(ResultItem::new(&call, vec!["no such tool".into()], true));
    let contents = encoded(&catalog(), &[Item::user("go"), Item::call(call), result]);
    assert_eq!(contents[1]["parts"][0]["functionCall"]["name"], "_1st");
    assert_eq!(contents[2]["parts"][0]["functionResponse"]["name"], "_1st");
}
