//! Conversations, whatever stands in them.

use serde_json::{Value, json};
use tool_runtime::provider::chat::{self, FORMAT, Reasoning, Settings, decode_response, encode_messages};
use tool_runtime::{Image, Item, Native, ResultItem, ToolCall};

use crate::{catalog, fixture};

fn messages(items: &[Item]) -> Vec<Value> {
    encode_messages(&Settings::new("m"), &catalog(), None, items)
}

fn answer(call: &ToolCall, text: &str) -> Item {
    Item::Result(ResultItem::new(call, vec![text.into()], false))
}

fn read(id: &str) -> ToolCall {
    ToolCall::new(id, "read_file", r#"{"path":"a"}"#)
}

fn ids(messages: &[Value]) -> (Vec<&str>, Vec<&str>) {
    let calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let calls = calls.map(|call| call["id"].as_str().unwrap()).collect();
    (calls, messages.iter().filter_map(|message| message["tool_call_id"].as_str()).collect())
}

fn roles(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["role"].as_str().unwrap()).collect()
}

#[test]
fn d_09_a_call_without_a_result_gets_one_that_says_so() {
    let items =
        [Item::call(read("c1")), Item::call(read("c2")), answer(&read("c2"), "two"), Item::user("hi")];
    let messages = messages(&items);
    assert_eq!(roles(&messages), ["assistant", "tool", "tool", "user"]);
    assert_eq!(messages[1]["tool_call_id"], "c1");
    assert!(messages[1]["content"].as_str().unwrap().starts_with("error: there is no result of this call"));
    assert_eq!(messages[2]["content"], "two");
}

#[test]
fn a_result_without_a_call_is_told_by_the_user() {
    let lost = ToolCall::new("gone", "find", "{}").in_namespace("crm");
    let twice =
        [Item::call(read("c")), answer(&read("c"), "1"), answer(&read("c"), "2"), answer(&lost, "ada")];
    let messages = messages(&twice);
    assert_eq!(roles(&messages), ["assistant", "tool", "user", "user"]);
    assert_eq!(messages[2]["content"], "[the result of an earlier call of `read_file`]\n2");
    assert_eq!(messages[3]["content"], "[the result of an earlier call of `crm.find`]\nada");
}

#[test]
fn d_11_d_12_ids_that_are_given_twice_or_not_at_all_are_replaced_in_call_and_result() {
    // The provider takes 40 characters, and others give longer ones.
    let long = "x".repeat(41);
    let calls = ["x", "x", "", &long].map(read);
    let results = ["1", "2", "3", "4"];
    let items: Vec<Item> = calls
        .iter()
        .cloned()
        .map(Item::call)
        .chain(calls.iter().zip(results).map(|(call, text)| answer(call, text)))
        .collect();
    let messages = messages(&items);
    let (of_calls, of_results) = ids(&messages);
    assert_eq!(of_calls, ["x", "mended_2", "mended_3", "mended_4"]);
    assert_eq!(of_calls, of_results);
    let texts: Vec<&str> = messages[1..].iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(texts, results);
    assert_eq!(ids(&self::messages(&[Item::call(read(&"y".repeat(40)))])).0, ["y".repeat(40)]);
}

#[test]
fn d_22_broken_arguments_go_back_as_legal_json() {
    let arguments = |text: &str| {
        let messages = messages(&[Item::call(ToolCall::new("c1", "write", text))]);
        messages[0]["tool_calls"][0]["function"]["arguments"].as_str().unwrap().to_owned()
    };
    let cut = r#"{"path":"a.txt","content":"abc"#;
    assert_eq!(arguments(cut), json!({ "INVALID_JSON": cut }).to_string());
    assert_eq!(arguments("[1]"), r#"{"INVALID_JSON":"[1]"}"#);
    assert_eq!(arguments(" "), "{}");
    assert_eq!(arguments("null"), "{}");
    assert_eq!(arguments(r#"{ "n": 12345678901234567890123 }"#), r#"{ "n": 12345678901234567890123 }"#);
}

#[test]
fn a_name_that_the_set_does_not_know_is_sent_in_a_legal_form() {
    let name = |call: ToolCall| {
        messages(&[Item::call(call)])[0]["tool_calls"][0]["function"]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name(ToolCall::new("c", "files.read", "{}")), "files_read");
    assert_eq!(name(ToolCall::new("c", "go", "{}").in_namespace("a b")), "a_b__go");
    assert_eq!(name(ToolCall::new("c", "x".repeat(90), "{}")).len(), 64);
    assert_eq!(name(ToolCall::new("c", "", "{}")), "unnamed");
    // What a provider with tool search calls a bare tool.
    assert_eq!(name(read("c").in_namespace("read_file")), "read_file");
}

#[test]
fn more_calls_than_a_message_may_hold_are_split_with_their_results() {
    let calls: Vec<ToolCall> = (0..130).map(|number| read(&format!("c{number}"))).collect();
    let items: Vec<Item> =
        calls.iter().cloned().map(Item::call).chain(calls.iter().map(|call| answer(call, "ok"))).collect();
    let messages = messages(&items);
    assert_eq!(messages[0]["tool_calls"].as_array().unwrap().len(), 128);
    assert_eq!(
        (&messages[129]["role"], &messages[129]["tool_calls"][1]["id"]),
        (&json!("assistant"), &json!("c129"))
    );
    assert_eq!((messages.len(), &messages[131]["tool_call_id"]), (132, &json!("c129")));
}

#[test]
fn each_round_is_one_message() {
    let items = [
        Item::assistant("one"),
        Item::assistant("two"),
        Item::call(read("a")),
        answer(&read("a"), "ok"),
        Item::call(read("b")),
        Item::assistant("behind the call"),
        answer(&read("b"), "ok"),
        Item::assistant("done"),
    ];
    let messages = messages(&items);
    assert_eq!(roles(&messages), ["assistant", "tool", "assistant", "tool", "assistant"]);
    assert_eq!(messages[0]["content"], "one\n\ntwo");
    assert_eq!(messages[2]["content"], "behind the call");
}

#[test]
fn pictures_of_several_results_follow_all_results_in_one_message() {
    let picture = || Image::from_base64("image/png", "AAAA").into();
    let result = |id: &str| Item::Result(ResultItem::new(&read(id), vec![picture()], true));
    let messages = messages(&[Item::call(read("a")), Item::call(read("b")), result("b"), result("a")]);
    assert_eq!(roles(&messages), ["assistant", "tool", "tool", "user"]);
    assert_eq!(messages[1]["content"], "error: [image, image/png, which follows in a message of the user]");
    let parts: Vec<&Value> = messages[3]["content"].as_array().unwrap().iter().collect();
    assert_eq!(parts.len(), 4);
    assert_eq!(parts[0]["text"], "[from the result of `read_file`, call `a`]");
    assert_eq!(parts[2]["text"], "[from the result of `read_file`, call `b`]");
}

#[test]
fn what_only_another_format_understands_is_left_out() {
    let foreign = Item::Opaque(Native::new("openai.responses", json!({"type": "reasoning", "id": "rs_1"})));
    let odd = Item::Opaque(Native::new(FORMAT, json!({"role": "system", "reasoning": "hm"})));
    let items = [foreign, odd, Item::assistant("a"), Item::user("hi")];
    assert_eq!(
        messages(&items),
        [json!({"role": "assistant", "content": "a"}), json!({"role": "user", "content": "hi"})]
    );
}

fn reasoned() -> Vec<Item> {
    let first = decode_response(fixture!("response_reasoning"), &catalog()).unwrap();
    let call = first.calls().next().unwrap().clone();
    let mut items = vec![Item::user("Read.")];
    items.extend(first.items.clone());
    items.push(answer(&call, "ok"));
    items.push(Item::user("Again."));
    items.extend(first.items);
    items.push(answer(&call, "ok"));
    items
}

#[test]
fn reasoning_goes_back_where_it_stood_as_often_as_the_server_wants_it() {
    let given = |reasoning: Reasoning| {
        let mut settings = Settings::compatible("m");
        settings.reasoning = reasoning;
        let messages = encode_messages(&settings, &catalog(), None, &reasoned());
        assert_eq!(roles(&messages), ["user", "assistant", "tool", "user", "assistant", "tool"]);
        [1, 4].map(|at: usize| messages[at].get("reasoning_content").cloned())
    };
    let text = Some(json!("The user wants the file."));
    assert_eq!(given(Reasoning::Always), [text.clone(), text.clone()]);
    assert_eq!(given(Reasoning::SinceUser), [None, text]);
    assert_eq!(given(Reasoning::Never), [None, None]);
}

#[test]
fn what_a_server_wrote_beside_a_call_goes_back_with_it() {
    let messages = encode_messages(&Settings::compatible("m"), &catalog(), None, &reasoned());
    assert_eq!(
        messages[1]["tool_calls"][0],
        json!({
            "extra_content": {"vendor": {"signature": "c2ln"}},
            "id": "c_1",
            "type": "function",
            "function": {"name": "read_file", "arguments": "{\"path\":\"a\"}"}
        })
    );
}

#[test]
fn a_refusal_goes_back_as_one() {
    let response = decode_response(fixture!("response_refusal"), &catalog()).unwrap();
    let expected = json!({"role": "assistant", "content": null, "refusal": "I will not."});
    assert_eq!(messages(&response.items), [expected]);
}

#[test]
fn reasoning_alone_is_no_message() {
    let reasoning = Item::Opaque(Native::new(chat::FORMAT, json!({"reasoning": "hm"})));
    assert_eq!(messages(&[reasoning.clone(), Item::user("hi")]).len(), 1);
    // Two in a row belong to two rounds.
    let both = messages(&[reasoning.clone(), reasoning, Item::assistant("a")]);
    assert_eq!(both, [json!({"role": "assistant", "content": "a", "reasoning": "hm"})]);
}
