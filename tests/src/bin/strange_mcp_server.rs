//! An MCP server for tests, written by hand so that it can do what a well-made one would not. The first argument says what.

use std::io::{self, BufRead, Write};
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

fn main() {
    let how = std::env::args().nth(1).unwrap_or_default();
    match how.as_str() {
        "dies_at_once" => {
            eprintln!("no licence found");
            std::process::exit(3);
        }
        "never_answers" => wait_for_ever(),
        "talks_nonsense" => println!("Welcome!\n{{\"jsonrpc\": 3}}\n[]"),
        "ignores_the_end" => {
            // A child of its own in the same group, so that killing only the leader is seen.
            let mut child = std::process::Command::new("sleep").arg("600").spawn().expect("`sleep` starts");
            serve(&how);
            child.wait().expect("it was started");
            wait_for_ever();
        }
        _ => {}
    }
    serve(&how);
}

/// Tells the test, past the protocol.
fn note(what: &str) {
    if let Some(path) = std::env::var_os("NOTES") {
        std::fs::write(path, what).expect("the test gave a path that can be written");
    }
}

fn wait_for_ever() -> ! {
    loop {
        sleep(Duration::from_secs(60));
    }
}

fn serve(how: &str) {
    let mut calls = 0;
    let mut changed = false;
    for line in io::stdin().lock().lines() {
        let Ok(Ok(message)) = line.map(|line| serde_json::from_str::<Value>(&line)) else { return };
        let method = message["method"].as_str().unwrap_or_default();
        if method == "notifications/cancelled" {
            note("cancelled");
        }
        let Some(id) = message.get("id").cloned() else { continue };
        match method {
            "initialize" => answer(&id, initialized(&message)),
            "tools/list" => list(how, &id, &message["params"], changed),
            "tools/call" => {
                calls += 1;
                changed |= how == "changes_its_list";
                call(how, &id, &message["params"], calls);
            }
            _ => write(
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}),
            ),
        }
    }
}

fn write(message: &Value) {
    let mut out = io::stdout().lock();
    // The peer may be gone, which the next read shows.
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}

fn answer(id: &Value, result: Value) {
    write(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
}

fn initialized(message: &Value) -> Value {
    json!({
        "protocolVersion": message["params"]["protocolVersion"],
        "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "strange", "version": "1"},
        "instructions": "Strange tools.",
    })
}

fn tool(name: &str, schema: Value) -> Value {
    json!({"name": name, "description": "A strange tool.", "inputSchema": schema})
}

fn list(how: &str, id: &Value, params: &Value, changed: bool) {
    let open = json!({"type": "object"});
    let tools = match how {
        "strange_names" => {
            let long = "x".repeat(90);
            let names = [
                "files.read",
                "files/read",
                "files_read",
                "",
                "files.read",
                &long,
                "7zip",
                "ünïcode",
                "a\nb",
                "strange",
            ];
            names.iter().map(|name| tool(name, open.clone())).collect()
        }
        "bad_schemas" => vec![
            tool("ok", open),
            tool("no_target", json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/none"}}})),
            tool(
                "far_away",
                json!({"type": "object", "properties": {"x": {"$ref": "http://127.0.0.1:1/schema.json"}}}),
            ),
            tool("not_an_object", json!({"type": "array"})),
            tool(
                "draft_7",
                json!({
                    "$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
                    "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"],
                }),
            ),
        ],
        "turns_in_a_circle" => {
            return answer(id, json!({"tools": [tool("a", open)], "nextCursor": "again"}));
        }
        "many_tools" => (0..50).map(|n| tool(&format!("t{n}"), open.clone())).collect(),
        "pages" => {
            let page: usize = params["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
            let next = (page < 3).then(|| (page + 1).to_string());
            return answer(id, json!({"tools": [tool(&format!("page_{page}"), open)], "nextCursor": next}));
        }
        "flags" => vec![
            json!({"name": "reads", "inputSchema": open, "annotations": {"readOnlyHint": true, "openWorldHint": false}}),
            json!({"name": "adds", "inputSchema": open, "title": "Adds", "annotations": {"destructiveHint": false, "idempotentHint": true}}),
            json!({"name": "unknown", "inputSchema": open}),
        ],
        "changes_its_list" if changed => vec![tool("new", open)],
        _ => vec![tool(
            "strange",
            json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "additionalProperties": false}),
        )],
    };
    answer(id, json!({"tools": tools}));
}

fn call(how: &str, id: &Value, params: &Value, calls: usize) {
    let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
    match how {
        "dies_in_a_call" if calls == 1 => {
            eprintln!("segmentation fault, sort of");
            std::process::exit(139);
        }
        "hangs_in_a_call" => note("called"),
        "writes_100_mib" => {
            let mut out = io::stdout().lock();
            let piece = "x".repeat(1 << 20);
            let _ =
                write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#);
            for _ in 0..100 {
                if write!(out, "{piece}").is_err() {
                    return;
                }
            }
            let _ = writeln!(out, r#""}}]}}}}"#);
        }
        "floods" => {
            for n in 0..20_000 {
                write(&json!({"jsonrpc": "2.0", "method": "notifications/message",
                    "params": {"level": "info", "data": format!("flood {n}")}}));
            }
            answer(id, text("after the flood"));
        }
        "fails" => answer(id, json!({"content": [{"type": "text", "text": "disk full"}], "isError": true})),
        "refuses" => {
            write(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "not today"}}));
        }
        "answers_with_another_shape" => answer(id, json!({"result": "fine"})),
        "asks_back" => {
            answer(id, json!({"resultType": "input_required", "inputRequests": {}, "requestState": "x"}))
        }
        "many_parts" => answer(
            id,
            json!({
                "content": [
                    {"type": "text", "text": "one"},
                    {"type": "image", "data": "aGk=", "mimeType": "image/png"},
                    {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
                    {"type": "resource", "resource": {"uri": "file:///a/b.txt", "text": "in a file"}},
                    {"type": "resource", "resource": {"uri": "file:///a/b.pdf", "mimeType": "application/pdf", "blob": "aGk="}},
                    {"type": "resource_link", "uri": "http://127.0.0.1:1/never-fetched", "name": "far"},
                ],
                "structuredContent": {"n": 9_007_199_254_740_993_u64},
            }),
        ),
        "tells_progress" => {
            let token = &params["_meta"]["progressToken"];
            for step in 1..=3 {
                write(&json!({"jsonrpc": "2.0", "method": "notifications/progress",
                    "params": {"progressToken": token, "progress": step, "total": 3, "message": format!("step {step}")}}));
            }
            answer(id, text("done"));
        }
        "shows_its_variables" => {
            let names: Vec<String> = std::env::vars().map(|(name, _)| name).collect();
            answer(id, text(&names.join(" ")));
        }
        "changes_its_list" => {
            write(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
            answer(id, text("changed"));
        }
        _ => answer(id, text(&format!("call {calls} of {} with {}", params["name"], params["arguments"]))),
    }
}
