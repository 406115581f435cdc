//! A server of the Gemini API.

use serde_json::{Value, json};
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
    complaints.extend(content_complaints(body["contents"].as_array().map_or(&[][..], Vec::as_slice)));
    complaints
}

/// The calls of one content are answered by the next, each by one part, in order; the first of them keeps its signature.
fn content_complaints(contents: &[Value]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut open: Vec<&Value> = Vec::new();
    let mut wanted = "user";
    for (index, content) in contents.iter().enumerate() {
        let mut complain = |what: &str| complaints.push(format!("contents[{index}]: {what}"));
        let role = content["role"].as_str().unwrap_or("");
        if role != wanted {
            complain("roles have to alternate, beginning with the user's");
        }
        wanted = if role == "user" { "model" } else { "user" };
        let parts = content["parts"].as_array().map_or(&[][..], Vec::as_slice);
        if parts.is_empty() {
            complain("there are no parts");
        }
        let calls: Vec<&Value> = parts.iter().filter(|part| part.get("functionCall").is_some()).collect();
        let answers: Vec<&Value> = parts.iter().filter_map(|part| part.get("functionResponse")).collect();
        if open.len() != answers.len() {
            complain("the number of function response parts is not that of the function call parts");
        }
        for (call, answer) in open.iter().zip(&answers) {
            if call["name"] != answer["name"] || call.get("id") != answer.get("id") {
                complain("a function response has another name or id than its call");
            }
            if !answer["response"].is_object() {
                complain("a function response is no object");
            }
        }
        if calls.first().is_some_and(|first| first["thoughtSignature"] != SIGNATURE)
            || calls.iter().skip(1).any(|call| call.get("thoughtSignature").is_some())
        {
            complain("function call is missing a thought_signature, or has one of another");
        }
        if calls.iter().any(|call| !call["functionCall"]["args"].is_object()) {
            complain("args are no object");
        }
        open = calls.iter().map(|call| &call["functionCall"]).collect();
    }
    if !open.is_empty() || wanted == "user" {
        complaints.push("the last content is not one of the user's that answers every call".to_owned());
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
