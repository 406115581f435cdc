//! What needs no model: which requests are refused, and how an answer is taken apart.

use local_model::chat::{EAGER, Message, Said, Splitter, read};
use local_model::constrain::{Callable, Wanted};
use local_model::generate::Reason;
use serde_json::{Value, json};

fn refusal(body: Value) -> String {
    let refusal = read(body.to_string().as_bytes()).unwrap_err();
    assert_eq!(refusal.status, 400, "{refusal:?}");
    refusal.message
}

fn user() -> Value {
    json!({ "role": "user", "content": "hi" })
}

fn call(id: &str, arguments: &str) -> Value {
    let function = json!({ "name": "look", "arguments": arguments });
    json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": id, "type": "function", "function": function }] })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "nothing" })
}

fn tool(name: &str) -> Value {
    json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object" } } })
}

#[test]
fn a_history_is_checked_as_its_inventor_does() {
    let of = |messages: Vec<Value>| json!({ "model": "m", "messages": messages });
    let refused = |messages: Vec<Value>| refusal(of(messages));
    for (messages, said) in [
        (vec![], "`messages` is empty"),
        (vec![user(), call("c1", "{}")], "directly behind them: `c1`"),
        (vec![user(), call("c1", "{}"), user()], "directly behind them: `c1`"),
        (vec![user(), result("c1")], "no call of this id"),
        (vec![user(), call("c1", "{}"), result("c2")], "no call of this id"),
        (vec![user(), call("c1", "{}"), result("c1"), result("c1")], "no call of this id"),
        (vec![user(), call("c1", "[1]"), result("c1")], "no JSON object"),
        (vec![user(), call("c1", r#"{"a": "#), result("c1")], "no JSON object"),
        (vec![user(), call("", "{}")], "an id that is empty"),
        (vec![json!({ "role": "assistant", "content": "" })], "neither content nor calls"),
        (vec![json!({ "role": "assistant", "content": "a", "tool_calls": [] })], "tool_calls` is empty"),
        (vec![json!({ "role": "poet", "content": "a" })], "unknown variant `poet`"),
        (
            vec![
                json!({ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "data:" } }] }),
            ],
            "has a `image_url`",
        ),
    ] {
        let message = refused(messages.clone());
        assert!(message.contains(said), "{messages:?}: {message}");
    }
    let good = of(vec![user(), call("c1", r#"{"a": 1}"#), result("c1"), user()]);
    let request = read(good.to_string().as_bytes()).unwrap();
    assert_eq!(request.messages[2], Message::Tool { name: "look".to_owned(), text: "nothing".to_owned() });
}

#[test]
fn a_choice_must_be_one_of_the_tools() {
    let of = |tools: Vec<Value>, choice: Value| json!({ "model": "m", "messages": [user()], "tools": tools, "tool_choice": choice });
    let named = |name: &str| json!({ "type": "function", "function": { "name": name } });
    for (tools, choice, said) in [
        (vec![], json!("required"), "there are no tools"),
        (vec![tool("a")], named("b"), "there is no such tool"),
        (vec![tool("a")], json!("sometimes"), "may be `auto`"),
        (vec![tool("a"), tool("a")], json!("auto"), "two tools are named `a`"),
        (vec![tool("a b")], json!("auto"), "no name"),
        (
            vec![json!({ "type": "custom", "custom": { "name": "a" } })],
            json!("auto"),
            "no function but `custom`",
        ),
        (
            vec![json!({ "type": "function", "function": { "name": "a", "parameters": { "anyOf": [] } } })],
            json!("auto"),
            "has no `\"type\": \"object\"`",
        ),
    ] {
        let message = refusal(of(tools, choice));
        assert!(message.contains(said), "{message}");
    }
    let wanted = |choice: Value| {
        let request = read(of(vec![tool("a"), tool("b")], choice).to_string().as_bytes()).unwrap();
        (request.tools.into_iter().map(|tool| tool.callable.name).collect::<Vec<_>>(), request.wanted)
    };
    let both = || vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(wanted(Value::Null), (both(), Some(Wanted::Either)));
    assert_eq!(wanted(json!("auto")), (both(), Some(Wanted::Either)));
    assert_eq!(wanted(json!("required")), (both(), Some(Wanted::Call)));
    assert_eq!(wanted(named("b")), (vec!["b".to_owned()], Some(Wanted::Call)));
    assert_eq!(wanted(json!("none")), (Vec::new(), None));
}

#[test]
fn the_eager_one_calls_whenever_the_user_has_spoken() {
    let wanted = |model: &str, messages: Vec<Value>, choice: &str| {
        let body =
            json!({ "model": model, "messages": messages, "tools": [tool("look")], "tool_choice": choice });
        read(body.to_string().as_bytes()).unwrap().wanted
    };
    let answered = || vec![user(), call("c1", "{}"), result("c1")];
    assert_eq!(wanted(EAGER, vec![user()], "auto"), Some(Wanted::Call));
    assert_eq!(wanted(EAGER, answered(), "auto"), Some(Wanted::Either));
    assert_eq!(wanted(EAGER, vec![user()], "none"), None);
    assert_eq!(wanted("smollm2", vec![user()], "auto"), Some(Wanted::Either));
}

#[test]
fn other_mistakes_are_told_too() {
    for (field, value, said) in [
        ("n", json!(2), "`n` must be 1"),
        ("max_tokens", json!(0), "at least 1"),
        ("max_tokens", json!("many"), "no request for a completion"),
        ("messages", json!("hi"), "no request for a completion"),
    ] {
        let mut body = json!({ "model": "m", "messages": [user()] });
        body[field] = value;
        let message = refusal(body);
        assert!(message.contains(said), "{field}: {message}");
    }
    assert!(read(b"{").is_err());
}

/// All that is said about a text that comes in these pieces, neighbours of a kind together.
fn said(pieces: &[&str], reason: Reason) -> Vec<Said> {
    let tools = ["look", "look_up"].map(|name| Callable { name: name.to_owned(), parameters: json!({}) });
    let mut splitter = Splitter::new(&tools);
    let mut said: Vec<Said> = Vec::new();
    for piece in pieces
        .iter()
        .flat_map(|piece| splitter.add(piece))
        .collect::<Vec<_>>()
        .into_iter()
        .chain(splitter.end(reason))
    {
        match (said.last_mut(), piece) {
            (Some(Said::Text(text)), Said::Text(more))
            | (Some(Said::Arguments(text)), Said::Arguments(more)) => {
                text.push_str(&more);
            }
            (_, piece) => said.push(piece),
        }
    }
    said
}

#[test]
fn an_answer_is_a_call_or_a_text_however_it_is_cut_in_pieces() {
    let call = |name: &str, arguments: &str| {
        let mut said = vec![Said::Call { name: name.to_owned() }];
        if !arguments.is_empty() {
            said.push(Said::Arguments(arguments.to_owned()));
        }
        said
    };
    for (text, reason, expected) in [
        (r#"{"name": "look", "arguments": {}}"#, Reason::Stop, call("look", "{}")),
        (
            r#"{"name": "look_up", "arguments": {"a": {"b": "}"}}}"#,
            Reason::Stop,
            call("look_up", r#"{"a": {"b": "}"}}"#),
        ),
        (
            r#"{"name": "look", "arguments": {"a": {"b": 1}"#,
            Reason::Length,
            call("look", r#"{"a": {"b": 1}"#),
        ),
        (r#"{"name": "look", "arguments": "#, Reason::Length, call("look", "")),
        (r#"{"name": "lo"#, Reason::Length, vec![]),
        ("", Reason::Stop, vec![]),
        ("a {\"name\"}", Reason::Stop, vec![Said::Text("a {\"name\"}".to_owned())]),
    ] {
        for (at, _) in text.char_indices() {
            let (one, other) = text.split_at(at);
            assert_eq!(said(&[one, other], reason), expected, "{one:?} {other:?}");
        }
        let letters: Vec<String> = text.chars().map(String::from).collect();
        let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
        assert_eq!(said(&letters, reason), expected, "{text}");
    }
}
