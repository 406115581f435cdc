//! A server of the Responses API.

use serde_json::{Value, json};
use tests::loopback::Request;
use tests::responses_rules;
use tool_runtime::http::HttpModel;
use tool_runtime::provider::responses::Settings;

use super::{Format, Response, Streamed, schema_complaints, unknown_fields};

pub(super) const FORMAT: Format = Format {
    client: |streamed| {
        let settings = Settings::new("m");
        HttpModel::responses(if streamed == Streamed::Yes { settings.streamed() } else { settings })
    },
    target: |_| "responses",
    key: ("authorization", "Bearer "),
    complaints,
    results,
    response,
    events,
};

const FIELDS: [&str; 9] = [
    "model",
    "instructions",
    "input",
    "tools",
    "tool_choice",
    "store",
    "include",
    "stream",
    "max_output_tokens",
];

fn complaints(request: &Request, streamed: Streamed) -> Vec<String> {
    let body = request.json();
    let mut complaints = unknown_fields(&body, &FIELDS);
    if body["model"] != "m" || body["instructions"] != "Use the tools." {
        complaints.push("no model or no instructions".to_owned());
    }
    if body["stream"].as_bool().unwrap_or(false) != (streamed == Streamed::Yes) {
        complaints.push("stream is wrong".to_owned());
    }
    if body["store"] != false {
        complaints.push("a conversation without a previous response is stored for nobody".to_owned());
    }
    match body["input"].as_array() {
        Some(input) => complaints.extend(responses_rules::complaints(input)),
        None => complaints.push("input is no list".to_owned()),
    }
    let mut functions = Vec::new();
    for tool in body["tools"].as_array().into_iter().flatten() {
        match tool["type"].as_str() {
            Some("namespace") => {
                let is_described = tool["description"].is_string() && tool["name"] == "weather";
                let members = tool["tools"].as_array().filter(|members| is_described && !members.is_empty());
                match members {
                    Some(members) => functions.extend(members),
                    None => {
                        complaints.push("a namespace without a name, a description or members".to_owned())
                    }
                }
            }
            Some("function") => functions.push(tool),
            other => complaints.push(format!("unknown type of tool {other:?}")),
        }
    }
    if functions.len() != 2 {
        complaints.push("there are not two functions".to_owned());
    }
    for function in functions {
        complaints.extend(function_complaints(function));
    }
    complaints
}

fn function_complaints(function: &Value) -> Vec<String> {
    let known = ["type", "name", "description", "parameters", "strict"];
    let mut complaints = unknown_fields(function, &known);
    match function["strict"].as_bool() {
        Some(strict) => complaints.extend(schema_complaints(&function["parameters"], strict)),
        None => complaints.push("a function leaves open whether it is strict".to_owned()),
    }
    complaints
}

fn results(body: &Value) -> Vec<(String, String)> {
    let items = body["input"].as_array().unwrap().iter();
    let outputs = items.filter(|item| item["type"] == "function_call_output");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    outputs.map(|item| (text(&item["call_id"]), text(&item["output"]))).collect()
}

fn items(response: Response) -> Vec<Value> {
    match response {
        Response::Calls(calls) => {
            let call = |(index, call): (usize, &super::Call)| {
                json!({
                    "type": "function_call", "id": format!("fc_{}_{index}", call.id), "call_id": call.id,
                    "namespace": call.namespace, "name": call.name, "arguments": call.arguments, "status": "completed",
                })
            };
            calls.iter().enumerate().map(call).collect()
        }
        Response::Text(pieces) => {
            let content = json!([{ "type": "output_text", "text": pieces.concat(), "annotations": [] }]);
            vec![
                json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content }),
            ]
        }
    }
}

fn response(response: Response) -> Value {
    let usage = json!({ "input_tokens": 10, "output_tokens": 5 });
    json!({ "id": "resp_1", "object": "response", "status": "completed", "output": items(response), "usage": usage })
}

fn events(of: Response) -> Vec<String> {
    let mut events = vec![json!({
        "type": "response.created", "response": { "id": "resp_1", "status": "in_progress", "output": [] }
    })];
    for (index, item) in items(of).iter().enumerate() {
        let mut added = item.clone();
        added["status"] = "in_progress".into();
        if item["type"] == "function_call" {
            added["arguments"] = "".into();
        } else {
            added["content"] = json!([]);
        }
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": added }));
        match of {
            Response::Calls(calls) => {
                let (first, second) = calls[index].arguments.split_at(4);
                for delta in [first, second] {
                    events.push(json!({
                        "type": "response.function_call_arguments.delta", "output_index": index, "item_id": item["id"],
                        "delta": delta, "obfuscation": "xx",
                    }));
                }
            }
            Response::Text(pieces) => {
                for delta in pieces {
                    events.push(json!({
                        "type": "response.output_text.delta", "output_index": index, "item_id": item["id"],
                        "content_index": 0, "delta": delta,
                    }));
                }
            }
        }
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    events.push(json!({ "type": "response.completed", "response": response(of) }));
    let write = |(number, mut event): (usize, Value)| {
        event["sequence_number"] = number.into();
        format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap())
    };
    events.into_iter().enumerate().map(write).collect()
}
