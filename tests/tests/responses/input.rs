//! What goes back of a conversation, however it came.

use serde_json::{Value, json};
use tests::wire::{answer, any_arguments, parse, tool};
use tool_runtime::provider::chat;
use tool_runtime::provider::responses::{FORMAT, decode_response, encode_input};
use tool_runtime::{Item, ModelResponse, ResultItem, ToolCall, ToolSet, ToolSpec};

use crate::fixture;

fn call(id: &str, name: &str, arguments: &str) -> Item {
    Item::call(ToolCall::new(id, name, arguments))
}

fn encode_one(item: Item) -> Value {
    encode_input(&[item]).remove(0)
}

fn response(calls: &Value) -> ModelResponse {
    decode_response(&json!({"status": "completed", "id": "resp", "output": calls}).to_string()).unwrap()
}

/// `id: output` of each output, and the ids of the calls.
fn ids(input: &[Value]) -> (Vec<&str>, Vec<(&str, &Value)>) {
    let id = |item: &'_ Value| item["call_id"].as_str().map(str::len).is_some();
    let of_kind = |kind: &'static str| input.iter().filter(move |item| item["type"] == kind && id(item));
    let calls = of_kind("function_call").map(|item| item["call_id"].as_str().unwrap()).collect();
    let outputs = of_kind("function_call_output")
        .map(|item| (item["call_id"].as_str().unwrap(), &item["output"]))
        .collect();
    (calls, outputs)
}

#[tokio::test]
async fn d_11_two_calls_with_one_id_go_back_as_two() {
    let set = ToolSet::new(vec![any_arguments("read")]).unwrap();
    let response = response(&json!([
        {"type": "function_call", "id": "fc", "call_id": "x", "name": "read", "arguments": "{\"path\":\"a\"}"},
        {"type": "function_call", "id": "fc", "call_id": "x", "name": "read", "arguments": "{\"path\":\"b\"}"},
    ]));
    assert_eq!(response.anchor(), None, "the provider cannot tell the two apart");
    let (items, _) = answer(&set, response).await;
    let input = encode_input(&items);
    let (calls, outputs) = ids(&input);
    assert_eq!(calls.len(), 2);
    assert_ne!(calls[0], calls[1]);
    assert_eq!(outputs, [(calls[0], &json!("{\"path\":\"a\"}")), (calls[1], &json!("{\"path\":\"b\"}"))]);
    assert_eq!((input[0].get("id"), input[1].get("id")), (Some(&json!("fc")), None));
}

#[test]
fn d_11_two_calls_with_one_id_are_told_apart_even_if_nobody_mended_them() {
    let first = ToolCall::new("x", "read", "{}");
    let items = [
        Item::call(first.clone()),
        Item::call(first.clone()),
        Item::Result(ResultItem::new(&first, vec!["one".into()], false)),
        Item::Result(ResultItem::new(&first, vec!["two".into()], false)),
    ];
    let input = encode_input(&items);
    let (calls, outputs) = ids(&input);
    assert_ne!(calls[0], calls[1]);
    assert_eq!(outputs, [(calls[0], &json!("one")), (calls[1], &json!("two"))]);
}

#[tokio::test]
async fn d_12_calls_with_no_id_get_one_each() {
    let set = ToolSet::new(vec![any_arguments("read"), any_arguments("list")]).unwrap();
    let response = response(&json!([
        {"type": "function_call", "call_id": "", "name": "read", "arguments": "{\"path\":\"a\"}"},
        {"type": "function_call", "call_id": null, "name": "read", "arguments": "{\"path\":\"b\"}"},
        {"type": "function_call", "name": "list", "arguments": "{}"},
    ]));
    assert_eq!(response.anchor(), None);
    let (items, results) = answer(&set, response).await;
    let input = encode_input(&items);
    let (calls, outputs) = ids(&input);
    let own: Vec<&str> = results.iter().map(|result| &*result.call.id).collect();
    assert_eq!(calls, own);
    assert_eq!(outputs.iter().map(|(id, _)| *id).collect::<Vec<_>>(), own);
    assert!(own.iter().all(|id| !id.is_empty()) && own[0] != own[1] && own[1] != own[2] && own[0] != own[2]);
}

#[test]
fn an_id_that_is_too_long_is_replaced_in_call_and_result() {
    let call = ToolCall::new("x".repeat(65), "read", "{}");
    let items = [Item::call(call.clone()), Item::Result(ResultItem::new(&call, vec!["one".into()], false))];
    let input = encode_input(&items);
    let (calls, outputs) = ids(&input);
    assert_eq!((calls[0], outputs[0].0), ("mended_1", "mended_1"));
    let whole = "é".repeat(64);
    assert_eq!(
        encode_one(Item::call(ToolCall::new(whole.as_str(), "read", "{}")))["call_id"],
        whole.as_str()
    );
}

#[test]
fn a_replacement_is_no_id_that_the_conversation_knows() {
    let program = json!({"type": "program", "id": "cm_1", "call_id": "mended_1"});
    let program = Item::Opaque(tool_runtime::Native::new(FORMAT, program));
    let items = [call("", "read", "{}"), call("mended_2", "read", "{}"), program];
    let input = encode_input(&items);
    assert_eq!(ids(&input).0, ["mended_3", "mended_2"]);
}

#[tokio::test]
async fn d_19_an_empty_output_goes_back_in_words() {
    let empty = ToolSpec::new("quiet", "Says nothing.").no_parameters().execute(|_, _| async { "" });
    let set = ToolSet::new(vec![empty]).unwrap();
    let calls = json!([{"type": "function_call", "call_id": "c1", "name": "quiet", "arguments": ""}]);
    let (items, results) = answer(&set, response(&calls)).await;
    let input = encode_input(&items);
    assert_eq!(input[1]["output"], "(the tool finished without output)");
    assert_eq!(results[0].outcome.as_ref().unwrap().text(), "");
}

#[tokio::test]
async fn d_22_broken_arguments_go_back_as_legal_ones() {
    let set = ToolSet::new(vec![any_arguments("write")]).unwrap();
    let broken = "{\"path\":\"a.txt\",\"content\":\"abc";
    let calls = json!([{"type": "function_call", "call_id": "c1", "name": "write", "arguments": broken}]);
    let (items, results) = answer(&set, response(&calls)).await;
    assert!(results[0].is_error());
    let input = encode_input(&items);
    assert_eq!(parse(input[0]["arguments"].as_str().unwrap()), json!({"INVALID_JSON": broken}));
    assert!(input[1]["output"].as_str().unwrap().starts_with("error: "), "{}", input[1]);
}

#[test]
fn arguments_always_go_back_as_an_object() {
    let sent = |arguments: &str| {
        let item = encode_one(call("c1", "f", arguments));
        item["arguments"].as_str().unwrap().to_owned()
    };
    assert_eq!(sent("{ \"n\": 12345678901234567890123 }"), "{ \"n\": 12345678901234567890123 }");
    assert_eq!(sent(""), "{}");
    assert_eq!(sent(" \n"), "{}");
    assert_eq!(sent("null"), "{}");
    assert_eq!(sent("[1]"), r#"{"INVALID_JSON":"[1]"}"#);
    assert_eq!(sent(r#"{"a":"\ud800"}"#), r#"{"INVALID_JSON":"{\"a\":\"\\ud800\"}"}"#);
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let shown = parse(&sent(&deep));
    let shown = shown["INVALID_JSON"].as_str().unwrap();
    assert!(shown.ends_with("\n[cut: 8106 bytes left out]"), "{shown}");
    assert!(shown.chars().count() <= 2_000);
}

#[test]
fn names_that_the_provider_refuses_are_spelled_otherwise() {
    let name = |name: &str| encode_one(call("c1", name, "{}"))["name"].as_str().unwrap().to_owned();
    assert_eq!(name("multi_tool_use.parallel"), "multi_tool_use_parallel");
    assert_eq!(name("read-file_2"), "read-file_2");
    assert_eq!(name("été"), "_t_");
    assert_eq!(name(""), "unnamed");
    assert_eq!(name(&"n".repeat(90)), "n".repeat(64));
    let item = Item::call(ToolCall::new("c1", "f", "{}").in_namespace("a.b"));
    assert_eq!(encode_one(item)["namespace"], "a_b");
}

#[test]
fn a_failure_is_told_in_the_text() {
    let asked = ToolCall::new("c1", "f", "{}");
    let output = |content, is_error| {
        encode_one(Item::Result(ResultItem::new(&asked, content, is_error)))["output"].clone()
    };
    assert_eq!(output(vec!["disk full".into()], true), "error: disk full");
    assert_eq!(output(vec!["Error: disk full".into()], true), "Error: disk full");
    assert_eq!(output(vec!["disk full".into()], false), "disk full");
    assert_eq!(output(vec!["é".into()], true), "error: é");
}

#[test]
fn a_text_beyond_the_providers_limit_is_cut_with_a_note() {
    let asked = ToolCall::new("c1", "f", "{}");
    let long = "é".repeat(10_485_761);
    let item = encode_one(Item::Result(ResultItem::new(&asked, vec![long.into()], false)));
    let output = item["output"].as_str().unwrap();
    assert!(output.chars().count() <= 10_485_760);
    assert!(output.ends_with("bytes left out]"));
    let most = "é".repeat(10_485_760);
    let item = encode_one(Item::Result(ResultItem::new(&asked, vec![most.as_str().into()], false)));
    assert_eq!(item["output"].as_str(), Some(&*most));
}

#[test]
fn what_the_provider_wrote_goes_back_as_it_came() {
    let came = parse(fixture!("response_calls"));
    let response = decode_response(fixture!("response_calls")).unwrap();
    let input = encode_input(&response.items);
    let came = came["output"].as_array().unwrap();
    assert_eq!(input.len(), came.len());
    for (sent, came) in input.iter().zip(came) {
        let mut expected = came.clone();
        let fields = expected.as_object_mut().unwrap();
        // Who asks is said of programs only; no arguments are an empty object.
        if fields["type"] == "function_call" {
            fields.retain(|key, _| key != "caller");
            if fields["arguments"] == "" {
                fields["arguments"] = json!("{}");
            }
        }
        assert_eq!(sent, &expected);
    }
}

#[test]
fn programs_and_searches_go_back_as_they_came() {
    for text in [fixture!("response_program"), fixture!("response_tool_search")] {
        let response = decode_response(text).unwrap();
        assert_eq!(Value::Array(encode_input(&response.items)), parse(text)["output"]);
    }
}

#[test]
fn what_another_format_wrote_is_left_out() {
    let native = tool_runtime::Native::new("other", json!({"thinking": "…"}));
    let said = tool_runtime::AssistantItem::new("hello", Some(native.clone()));
    let asked = tool_runtime::CallItem::new(ToolCall::new("c1", "f", "{}"), Some(native.clone()));
    let items = [Item::Opaque(native), Item::Assistant(said), Item::Call(asked)];
    assert_eq!(
        Value::Array(encode_input(&items)),
        json!([
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hello", "annotations": []}]},
            {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
        ])
    );
}

#[tokio::test]
async fn a_wrapped_batch_is_answered_under_its_own_id() {
    let set = ToolSet::new(vec![any_arguments("a"), tool(ToolSpec::new("b", "B."), &json!({}))]).unwrap();
    let uses = json!({"tool_uses": [
        {"recipient_name": "functions.a", "parameters": {"x": 1}},
        {"recipient_name": "functions.b", "parameters": {}},
    ]});
    let calls = json!([{"type": "function_call", "call_id": "c9", "name": "multi_tool_use.parallel", "arguments": uses.to_string()}]);
    let (items, _) = answer(&set, response(&calls)).await;
    let input = encode_input(&items);
    assert_eq!(input[0]["name"], "multi_tool_use_parallel");
    assert_eq!(parse(input[0]["arguments"].as_str().unwrap()), uses);
    assert_eq!(input[1], json!({"type": "function_call_output", "call_id": "c9", "output": "{\"x\":1}\n{}"}));
}

/// The provider refuses a message and an output without content.
#[test]
fn what_says_nothing_is_left_out_or_said_in_words() {
    let call = ToolCall::new("c1", "f", "{}");
    let result = ResultItem::new(&call, Vec::new(), false);
    let items =
        [Item::User(Vec::new()), Item::user(""), Item::user("go"), Item::call(call), Item::Result(result)];
    let input = encode_input(&items);
    assert_eq!(input.len(), 3);
    assert_eq!(input[2]["output"], "(the tool finished without output)");
    let set = ToolSet::new(Vec::new()).unwrap();
    let messages = chat::encode_messages(&chat::Settings::new("m"), &set, None, &items);
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[2]["content"], "(the tool finished without output)");
}

#[test]
fn a_call_of_text_and_one_of_json_with_the_same_id_are_answered_each_in_its_form() {
    let (json, text) = (ToolCall::new("x", "f", "{}"), ToolCall::with_text("x", "sql", "SELECT 1"));
    let answer = |call: &ToolCall| Item::Result(ResultItem::new(call, vec!["done".into()], false));
    let (first, second) = (answer(&text), answer(&json));
    let input = encode_input(&[Item::call(json), Item::call(text), first, second]);
    let kinds: Vec<&str> = input.iter().map(|item| item["type"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        ["function_call", "custom_tool_call", "function_call_output", "custom_tool_call_output"]
    );
}
