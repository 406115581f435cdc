//! A server of the Messages API.

use serde_json::{Value, json};
use tests::anthropic_rules;
use tests::loopback::Request;
use tool_runtime::http::HttpModel;
use tool_runtime::provider::anthropic::Settings;

use super::{Call, Format, Response, Streamed, schema_complaints, unknown_fields};

pub(super) const FORMAT: Format = Format {
    client: |streamed| {
        let settings = Settings::new("m");
        HttpModel::anthropic(if streamed == Streamed::Yes { settings.streamed() } else { settings })
    },
    target: |_| "messages",
    key: ("x-api-key", ""),
    complaints,
    results,
    response,
    events,
};

fn complaints(request: &Request, streamed: Streamed) -> Vec<String> {
    let body = request.json();
    let fields = ["model", "max_tokens", "system", "messages", "tools", "tool_choice", "stream"];
    let mut complaints = unknown_fields(&body, &fields);
    let mut expect = |is_right: bool, what: &str| {
        if !is_right {
            complaints.push(what.to_owned());
        }
    };
    expect(
        request.header("anthropic-version") == Some("2023-06-01"),
        "anthropic-version: header is required",
    );
    expect(body["model"] == "m", "model: Field required");
    expect(body["max_tokens"].as_u64().is_some_and(|most| most > 0), "max_tokens: Field required");
    expect(body["system"] == "Use the tools.", "there are no instructions");
    expect(body["stream"].as_bool().unwrap_or(false) == (streamed == Streamed::Yes), "stream is wrong");
    let tools = body["tools"].as_array().map_or(&[][..], Vec::as_slice);
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    expect(names == ["weather__temperature", "to_fahrenheit"], "the tools have other names");
    for tool in tools {
        complaints.extend(unknown_fields(tool, &["name", "description", "input_schema", "strict"]));
        complaints.extend(schema_complaints(&tool["input_schema"], false));
    }
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    complaints.extend(anthropic_rules::complaints(messages));
    if messages.last().is_none_or(|last| last["role"] != "user") {
        complaints.push("the last message is not the user's".to_owned());
    }
    complaints
}

fn results(body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().unwrap().iter();
    let blocks = messages.filter_map(|message| message["content"].as_array()).flatten();
    let results = blocks.filter(|block| block["type"] == "tool_result");
    let told = results.map(|block| {
        let text = block["content"].as_str().unwrap();
        assert_eq!(block["is_error"] == true, text.starts_with("error: "), "the flag says it too");
        (block["tool_use_id"].as_str().unwrap().to_owned(), text.to_owned())
    });
    told.collect()
}

fn wire_name(call: &Call) -> String {
    call.namespace.map_or_else(|| call.name.to_owned(), |namespace| format!("{namespace}__{}", call.name))
}

fn stop_reason(response: Response) -> &'static str {
    match response {
        Response::Calls(_) => "tool_use",
        Response::Text(_) => "end_turn",
    }
}

fn response(response: Response) -> Value {
    let content: Vec<Value> = match response {
        Response::Calls(calls) => {
            let call = |call: &Call| {
                let input: Value = serde_json::from_str(call.arguments).unwrap();
                json!({ "type": "tool_use", "id": call.id, "name": wire_name(call), "input": input })
            };
            calls.iter().map(call).collect()
        }
        Response::Text(pieces) => vec![json!({ "type": "text", "text": pieces.concat() })],
    };
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason(response), "stop_sequence": null,
        "usage": { "input_tokens": 10, "output_tokens": 5 },
    })
}

fn events(response: Response) -> Vec<String> {
    let message = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": null,
        "usage": { "input_tokens": 10, "output_tokens": 1 },
    });
    let mut events = vec![json!({ "type": "message_start", "message": message }), json!({ "type": "ping" })];
    let mut block = |index: usize, start: Value, deltas: Vec<Value>| {
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
        );
        events.push(json!({ "type": "content_block_stop", "index": index }));
    };
    match response {
        Response::Calls(calls) => {
            for (index, call) in calls.iter().enumerate() {
                let start =
                    json!({ "type": "tool_use", "id": call.id, "name": wire_name(call), "input": {} });
                let (first, second) = call.arguments.split_at(4);
                let delta = |piece: &str| json!({ "type": "input_json_delta", "partial_json": piece });
                block(index, start, vec![delta(""), delta(first), delta(second)]);
            }
        }
        Response::Text(pieces) => {
            let deltas = pieces.iter().map(|piece| json!({ "type": "text_delta", "text": piece }));
            block(0, json!({ "type": "text", "text": "" }), deltas.collect());
        }
    }
    let delta = json!({ "stop_reason": stop_reason(response), "stop_sequence": null });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": 5 } }));
    events.push(json!({ "type": "message_stop" }));
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap()))
        .collect()
}
