//! A server of the Gemini API.

use serde_json::{Value, json};
use tests::gemini_rules;
use tests::loopback::Request;
use tool_runtime::http::HttpModel;
use tool_runtime::provider::gemini::Settings;

use super::{Call, Format, Response, Streamed, schema_complaints, unknown_fields};

pub(super) const FORMAT: Format = Format {
    client: |streamed| {
        let settings = Settings::new("m");
        HttpModel::gemini(if streamed == Streamed::Yes { settings.streamed() } else { settings })
    },
    target: |streamed| match streamed {
        Streamed::Yes => "models/m:streamGenerateContent?alt=sse",
        Streamed::No => "models/m:generateContent",
    },
    key: ("x-goog-api-key", ""),
    complaints,
    results,
    response,
    events,
};

/// The signature that the first call of a response carries, and has to carry when it comes back.
const SIGNATURE: &str = "c2lnbmF0dXJl";

fn complaints(request: &Request, _: Streamed) -> Vec<String> {
    let body = request.json();
    let fields = ["systemInstruction", "contents", "tools", "toolConfig", "generationConfig"];
    let mut complaints = unknown_fields(&body, &fields);
    if body["systemInstruction"]["parts"][0]["text"] != "Use the tools." {
        complaints.push("there are no instructions".to_owned());
    }
    let mut names = Vec::new();
    for tool in body["tools"].as_array().into_iter().flatten() {
        complaints.extend(unknown_fields(tool, &["functionDeclarations"]));
        for function in tool["functionDeclarations"].as_array().into_iter().flatten() {
            complaints.extend(unknown_fields(function, &["name", "description", "parametersJsonSchema"]));
            complaints.extend(schema_complaints(&function["parametersJsonSchema"], false));
            names.push(function["name"].as_str().unwrap_or(""));
        }
    }
    if names != ["weather__temperature", "to_fahrenheit"] {
        complaints.push(format!("the functions are {names:?}"));
    }
    let contents = body["contents"].as_array().map_or(&[][..], Vec::as_slice);
    complaints.extend(gemini_rules::complaints(contents));
    complaints.extend(signature_complaints(contents));
    complaints
}

/// The first call of a content keeps its signature, and no other has one.
fn signature_complaints(contents: &[Value]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (index, content) in contents.iter().enumerate() {
        let parts = content["parts"].as_array().into_iter().flatten();
        let calls: Vec<&Value> = parts.filter(|part| part.get("functionCall").is_some()).collect();
        if calls.first().is_some_and(|first| first["thoughtSignature"] != SIGNATURE)
            || calls.iter().skip(1).any(|call| call.get("thoughtSignature").is_some())
        {
            let what = "function call is missing a thought_signature, or has one of another";
            complaints.push(format!("contents[{index}]: {what}"));
        }
    }
    if contents.last().is_none_or(|last| last["role"] != "user") {
        complaints.push("the last content is not the user's".to_owned());
    }
    complaints
}

fn results(body: &Value) -> Vec<(String, String)> {
    let contents = body["contents"].as_array().unwrap().iter();
    let parts = contents.filter_map(|content| content["parts"].as_array()).flatten();
    let responses = parts.filter_map(|part| part.get("functionResponse"));
    let told = responses.map(|response| {
        let (output, error) = (&response["response"]["output"], &response["response"]["error"]);
        let text = error.as_str().or(output.as_str()).unwrap();
        assert_eq!(error.is_string(), text.starts_with("error: "), "the key says it too");
        (response["id"].as_str().unwrap().to_owned(), text.to_owned())
    });
    told.collect()
}

fn wire_name(call: &Call) -> String {
    call.namespace.map_or_else(|| call.name.to_owned(), |namespace| format!("{namespace}__{}", call.name))
}

fn parts(response: Response) -> Vec<Value> {
    match response {
        Response::Calls(calls) => {
            let part = |(index, call): (usize, &Call)| {
                let args: Value = serde_json::from_str(call.arguments).unwrap();
                let mut part =
                    json!({ "functionCall": { "id": call.id, "name": wire_name(call), "args": args } });
                if index == 0 {
                    part["thoughtSignature"] = SIGNATURE.into();
                }
                part
            };
            calls.iter().enumerate().map(part).collect()
        }
        Response::Text(pieces) => pieces.iter().map(|piece| json!({ "text": piece })).collect(),
    }
}

fn chunk(parts: &[Value], finish: Option<&str>) -> Value {
    let mut candidate = json!({ "index": 0, "content": { "role": "model", "parts": parts } });
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    json!({
        "responseId": "r1", "modelVersion": "m", "candidates": [candidate],
        "usageMetadata": { "promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15 },
    })
}

fn response(response: Response) -> Value {
    chunk(&parts(response), Some("STOP"))
}

fn events(response: Response) -> Vec<String> {
    let parts = parts(response);
    let last = parts.len() - 1;
    let chunks = parts.iter().enumerate().map(|(index, part)| {
        let finish = (index == last).then_some("STOP");
        chunk(std::slice::from_ref(part), finish)
    });
    chunks.map(|chunk| format!("data: {chunk}\r\n\r\n")).collect()
}
