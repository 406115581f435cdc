//! A server of the Chat Completions API.

use serde_json::{Value, json};
use tests::chat_rules;
use tests::loopback::Request;
use tool_runtime::http::HttpModel;
use tool_runtime::provider::chat::Settings;

use super::{Call, Format, Response, Streamed, schema_complaints, unknown_fields};

pub(super) const FORMAT: Format = Format {
    client: |streamed| {
        let settings = Settings::new("m");
        HttpModel::chat(if streamed == Streamed::Yes { settings.streamed() } else { settings })
    },
    target: |_| "chat/completions",
    key: ("authorization", "Bearer "),
    complaints,
    results,
    response,
    events,
};

const FIELDS: [&str; 7] =
    ["model", "messages", "tools", "tool_choice", "stream", "stream_options", "max_completion_tokens"];

fn complaints(request: &Request, streamed: Streamed) -> Vec<String> {
    let body = request.json();
    let mut complaints = unknown_fields(&body, &FIELDS);
    if body["model"] != "m" {
        complaints.push("no model".to_owned());
    }
    let is_streamed = streamed == Streamed::Yes;
    if body["stream"].as_bool().unwrap_or(false) != is_streamed
        || body["stream_options"].is_object() != is_streamed
    {
        complaints.push("stream or stream_options are wrong".to_owned());
    }
    match body["messages"].as_array() {
        Some(messages) if messages.first().is_some_and(|first| first["content"] == "Use the tools.") => {
            complaints.extend(chat_rules::complaints(messages));
        }
        _ => complaints.push("there are no messages, or no instructions".to_owned()),
    }
    let tools = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect();
    if names != ["weather__temperature", "to_fahrenheit"] {
        complaints.push(format!("the tools are {names:?}"));
    }
    for tool in tools {
        complaints.extend(unknown_fields(tool, &["type", "function"]));
        let function = &tool["function"];
        complaints.extend(unknown_fields(function, &["name", "description", "parameters", "strict"]));
        let strict = function["strict"].as_bool().unwrap_or(false);
        complaints.extend(schema_complaints(&function["parameters"], strict));
    }
    complaints
}

fn results(body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().unwrap().iter();
    let of_tools = messages.filter(|message| message["role"] == "tool");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    of_tools.map(|message| (text(&message["tool_call_id"]), text(&message["content"]))).collect()
}

fn wire_name(call: &Call) -> String {
    call.namespace.map_or_else(|| call.name.to_owned(), |namespace| format!("{namespace}__{}", call.name))
}

fn usage() -> Value {
    json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 })
}

fn finish_reason(response: Response) -> &'static str {
    match response {
        Response::Calls(_) => "tool_calls",
        Response::Text(_) => "stop",
    }
}

fn response(response: Response) -> Value {
    let message = match response {
        Response::Calls(calls) => {
            let call = |call: &Call| {
                let function = json!({ "name": wire_name(call), "arguments": call.arguments });
                json!({ "id": call.id, "type": "function", "function": function })
            };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({ "role": "assistant", "content": null, "refusal": null, "tool_calls": calls })
        }
        Response::Text(pieces) => json!({ "role": "assistant", "content": pieces.concat(), "refusal": null }),
    };
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason(response) });
    json!({ "id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage() })
}

fn events(response: Response) -> Vec<String> {
    let mut deltas = vec![json!({ "role": "assistant", "content": null })];
    match response {
        Response::Calls(calls) => {
            for (index, call) in calls.iter().enumerate() {
                let function = json!({ "name": wire_name(call), "arguments": "" });
                deltas.push(json!({ "tool_calls": [{ "index": index, "id": call.id, "type": "function", "function": function }] }));
                let (first, second) = call.arguments.split_at(4);
                for piece in [first, second] {
                    deltas.push(
                        json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] }),
                    );
                }
            }
        }
        Response::Text(pieces) => deltas.extend(pieces.iter().map(|piece| json!({ "content": piece }))),
    }
    let chunk = |choices: Value, usage: Value| json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "choices": choices, "usage": usage });
    let choice =
        |delta: Value, reason: Value| json!([{ "index": 0, "delta": delta, "finish_reason": reason }]);
    let mut chunks: Vec<Value> =
        deltas.into_iter().map(|delta| chunk(choice(delta, Value::Null), Value::Null)).collect();
    chunks.push(chunk(choice(json!({}), finish_reason(response).into()), Value::Null));
    chunks.push(chunk(json!([]), usage()));
    let events = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
    events.chain(["data: [DONE]\n\n".to_owned()]).collect()
}
