//! The tools of a server, taken in. The server is strange on purpose.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::mcp::{Imported, McpClient, McpServer, definitions};
use tool_runtime::{
    CancellationToken, Content, DispatchOptions, Event, EventKind, Events, ExecutionMode, Namespace,
    ToolCall, ToolSet, dispatch,
};

use crate::raw::Raw;

fn strange(how: &str) -> McpClient {
    McpClient::command("strange server", env!("CARGO_BIN_EXE_strange_mcp_server"), [how])
}

async fn imported(how: &str) -> (Imported, ToolSet) {
    let imported = strange(how).connect().await.unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    (imported, set)
}

/// Calls the one tool and gives what the model reads.
async fn call(set: &ToolSet, arguments: &str) -> String {
    let calls = vec![ToolCall::new("c1", "strange", arguments).in_namespace("strange_server")];
    let (options, events) = (DispatchOptions::new(), Events::none());
    let results = dispatch(set, calls, &options, &events, &CancellationToken::new()).await;
    results[0].model_text()
}

#[tokio::test]
async fn constraints_are_enforced_before_a_call_leaves() {
    let (_imported, set) = imported("").await;
    assert!(call(&set, r#"{"n":0}"#).await.contains("`/n`"));
    assert!(call(&set, r#"{"m":1}"#).await.contains("`/m`"));
    // The first call that the server sees is the first good one. Numbers arrive as they are.
    let largest = u64::MAX;
    assert_eq!(
        call(&set, &format!(r#"{{"n":{largest}}}"#)).await,
        format!(r#"call 1 of "strange" with {{"n":{largest}}}"#)
    );
}

#[tokio::test]
async fn d_04_names_that_no_provider_takes_are_mapped_and_lead_back() {
    let (imported, set) = imported("strange_names").await;
    let names: Vec<_> = set.tools().iter().map(|tool| tool.spec().name.to_string()).collect();
    let long = format!("{}_2", "x".repeat(62));
    assert_eq!(
        names,
        ["files_read", "files_read_2", "files_read_3", &long, "_7zip", "_n_code", "a_b", "strange"]
    );
    let left_out: Vec<_> =
        imported.left_out().iter().map(|left| (left.tool.as_str(), left.reason.as_str())).collect();
    assert_eq!(
        left_out,
        [("", "it has no name"), ("files.read", "another tool of the server has the same name")]
    );
    for (ours, theirs) in [
        ("files_read", "files.read"),
        ("files_read_2", "files/read"),
        (&long, &"x".repeat(90)),
        ("_7zip", "7zip"),
    ] {
        let output = set.call(&format!("strange_server.{ours}"), "{}").await.unwrap();
        assert!(output.model_text().contains(&format!("\"{theirs}\"")), "{}", output.model_text());
    }
}

#[tokio::test]
async fn d_24_an_error_of_the_server_is_an_error_result() {
    let (_imported, set) = imported("fails").await;
    let error = set.call("strange_server.strange", "{}").await.unwrap_err();
    assert_eq!(error.to_string(), "disk full");
    assert_eq!(call(&set, "{}").await, "error: disk full");
    let (_imported, set) = self::imported("refuses").await;
    assert_eq!(call(&set, "{}").await, "error: the MCP server `strange server` refuses the call: not today");
}

#[tokio::test]
async fn d_27_one_bad_schema_leaves_out_one_tool() {
    let (imported, set) = imported("bad_schemas").await;
    let names: Vec<_> = set.tools().iter().map(|tool| tool.spec().name.to_string()).collect();
    assert_eq!(names, ["ok", "draft_7"]);
    let left_out: Vec<String> = imported.left_out().iter().map(ToString::to_string).collect();
    assert_eq!(left_out.len(), 3);
    for (line, (tool, why)) in left_out.iter().zip([
        ("no_target", "#/$defs/none"),
        ("far_away", "http://127.0.0.1:1/schema.json"),
        ("not_an_object", "object"),
    ]) {
        assert!(line.contains(&format!("`{tool}`")) && line.contains(why), "{line}");
    }
    let error = set.call("strange_server.draft_7", r#"{"n":0}"#).await.unwrap_err();
    assert!(error.to_string().contains("`/n`"), "{error}");
}

#[tokio::test]
async fn a_schema_that_is_taken_in_and_served_again_is_equal() {
    let (imported, set) = imported("bad_schemas").await;
    let theirs = definitions(&set);
    let tools = imported.tools();
    let server = McpServer::new("again", "1", move |_| tools.clone()).unwrap();
    let mut client = Raw::connect(&server).await;
    let served = client.ask("tools/list", json!({})).await;
    let schema = |tool: &Value| tool["inputSchema"].clone();
    let again: Vec<Value> = served["result"]["tools"].as_array().unwrap().iter().map(schema).collect();
    assert_eq!(again, theirs.iter().map(schema).collect::<Vec<_>>());
    assert_eq!(again[0], json!({"type": "object"}));
    assert_eq!(
        again[1],
        json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
               "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]})
    );
    let answer = client.call("strange_server__ok", json!({})).await;
    assert_eq!(answer["result"]["isError"], false);
}

#[tokio::test]
async fn pages_are_joined_circles_and_floods_of_tools_are_bounded() {
    let (_imported, set) = imported("pages").await;
    let names: Vec<_> = set.tools().iter().map(|tool| tool.spec().name.to_string()).collect();
    assert_eq!(names, ["page_0", "page_1", "page_2", "page_3"]);
    let error = strange("turns_in_a_circle").connect().await.unwrap_err();
    assert!(error.to_string().contains("circle"), "{error}");
    let imported = strange("many_tools").max_tools(20).connect().await.unwrap();
    assert_eq!((imported.tools().len(), imported.left_out().len()), (20, 30));
    assert!(imported.left_out()[0].reason.contains("first 20"));
}

#[tokio::test]
async fn flags_come_from_annotations_only_when_they_are_trusted() {
    let flags = |imported: &Imported| -> Vec<_> {
        let tools = imported.tools();
        let flags = tools.iter().map(|tool| {
            let spec = tool.spec();
            (
                spec.read_only,
                spec.is_destructive(),
                spec.idempotent,
                spec.execution_mode == ExecutionMode::Parallel,
            )
        });
        flags.collect()
    };
    let untrusted = strange("flags").connect().await.unwrap();
    assert_eq!(flags(&untrusted), [(false, true, false, false); 3]);
    let trusted = strange("flags").trust_annotations(true).connect().await.unwrap();
    assert_eq!(
        flags(&trusted),
        [(true, false, false, true), (false, false, true, false), (false, true, false, false)]
    );
    assert_eq!(trusted.tools()[1].spec().title.as_deref(), Some("Adds"));
}

#[tokio::test]
async fn the_namespace_is_the_servers_or_the_hosts() {
    let (imported, _set) = imported("").await;
    let tools = imported.tools();
    assert_eq!(tools[0].spec().namespace, Some(Namespace::new("strange_server", "Strange tools.")));
    let ours = Namespace::new("mine", "Mine.");
    let imported = strange("").namespace(ours.clone()).defer_loading(true).connect().await.unwrap();
    assert_eq!(imported.tools()[0].spec().namespace, Some(ours));
    assert!(imported.tools()[0].spec().defer_loading);
}

#[tokio::test]
async fn every_kind_of_part_arrives_and_no_address_is_fetched() {
    let (_imported, set) = imported("many_parts").await;
    let output = set.call("strange_server.strange", "{}").await.unwrap();
    let kinds: Vec<_> = output
        .content
        .iter()
        .map(|part| match part {
            Content::Text(text) => text.clone(),
            Content::Image(image) => image.media_type.clone(),
            Content::File(file) => format!("{} {}", file.name, file.media_type),
            _ => "?".to_owned(),
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "one",
            "image/png",
            "audio audio/wav",
            "file:///a/b.txt:\nin a file",
            "b.pdf application/pdf",
            "[resource `far` at http://127.0.0.1:1/never-fetched]",
        ]
    );
    assert_eq!(output.details().unwrap().get(), r#"{"n":9007199254740993}"#);
}

#[tokio::test]
async fn progress_becomes_progress_of_the_call() {
    let (_imported, set) = imported("tells_progress").await;
    let (sender, receiver) = std::sync::mpsc::channel();
    let events = Events::to(move |event: &Event| {
        if let EventKind::Progress { progress, .. } = &event.kind {
            let _ = sender.send((progress.current, progress.message.clone()));
        }
    });
    let call = ToolCall::new("c1", "strange", "{}").in_namespace("strange_server");
    dispatch(&set, vec![call], &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    drop(events);
    let told: Vec<_> = receiver.iter().collect();
    assert_eq!(told.last(), Some(&(Some(3.0), Some("step 3".to_owned()))), "{told:?}");
}

#[tokio::test]
async fn a_server_that_dies_says_its_last_words_and_is_started_again() {
    let error = strange("dies_at_once").connect().await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("exit status: 3") && text.contains("no licence found"), "{text}");
    let (_imported, set) = imported("dies_in_a_call").await;
    let text = call(&set, "{}").await;
    assert!(text.contains("exit status: 139") && text.contains("segmentation fault, sort of"), "{text}");
    assert!(text.contains("may have had effects"), "{text}");
    // The new process dies in its first call too. The second failure in a row makes the third wait.
    assert!(call(&set, "{}").await.contains("exit status: 139"));
    let text = call(&set, "{}").await;
    assert!(text.contains("tried again in"), "{text}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let error = McpClient::command("none", "no-such-program", [""; 0]).connect().await.unwrap_err();
    assert!(error.to_string().contains("`no-such-program`"), "{error}");
    let error = McpClient::url("none", "http://127.0.0.1:1/mcp").connect().await.unwrap_err();
    assert!(error.to_string().starts_with("the MCP server `none` cannot be reached"), "{error}");
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let error =
        strange("never_answers").connect_timeout(Duration::from_millis(300)).connect().await.unwrap_err();
    assert!(error.to_string().contains("did not answer within 0.3 s"), "{error}");
    let imported =
        strange("hangs_in_a_call").call_timeout(Duration::from_millis(300)).connect().await.unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    assert!(call(&set, "{}").await.contains("did not answer within 0.3 s"));
}

#[tokio::test]
async fn cancelling_a_call_is_told_to_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("cancelled");
    let server = strange("hangs_in_a_call").env("NOTES", told.to_string_lossy());
    let imported = server.connect().await.unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    let cancel = CancellationToken::new();
    let (options, events) = (DispatchOptions::new(), Events::none());
    let calls = vec![ToolCall::new("c1", "strange", "{}").in_namespace("strange_server")];
    let running = dispatch(&set, calls, &options, &events, &cancel);
    let stopper = async {
        // The server notes the call when it has arrived.
        while !told.exists() {
            tokio::task::yield_now().await;
        }
        cancel.cancel();
    };
    let (results, ()) = tokio::join!(running, stopper);
    assert!(results[0].model_text().contains("aborted"), "{}", results[0].model_text());
    while !std::fs::read_to_string(&told).unwrap().contains("cancelled") {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn noise_before_the_protocol_is_passed_over() {
    let (_imported, set) = imported("talks_nonsense").await;
    assert!(call(&set, "{}").await.starts_with("call 1"));
}

#[tokio::test]
async fn a_flood_of_notifications_drowns_no_answer() {
    let (_imported, set) = imported("floods").await;
    assert_eq!(call(&set, "{}").await, "after the flood");
}

#[tokio::test]
async fn a_message_of_100_mib_breaks_only_this_connection() {
    let imported = strange("writes_100_mib").max_message(1 << 20).connect().await.unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    let text = call(&set, "{}").await;
    assert!(text.starts_with("error: the MCP server `strange server`"), "{text}");
}

#[tokio::test]
async fn answers_of_another_shape_are_errors() {
    for how in ["answers_with_another_shape", "asks_back"] {
        let (_imported, set) = imported(how).await;
        let text = call(&set, "{}").await;
        assert!(text.starts_with("error: the MCP server `strange server`"), "{how}: {text}");
    }
}

#[tokio::test]
async fn a_changed_list_is_seen_after_a_refresh() {
    let (mut imported, set) = imported("changes_its_list").await;
    assert_eq!(call(&set, "{}").await, "changed");
    imported.changed().await;
    imported.refresh().await.unwrap();
    assert_eq!(imported.tools()[0].spec().name, "new");
}

#[tokio::test]
async fn the_process_gets_few_variables_and_those_that_are_named() {
    let imported = strange("shows_its_variables").env("FOR_THE_SERVER", "1").connect().await.unwrap();
    let set = ToolSet::new(imported.tools()).unwrap();
    let text = call(&set, "{}").await;
    let names: Vec<&str> = text.split(' ').collect();
    assert!(names.contains(&"FOR_THE_SERVER") && names.contains(&"PATH"), "{text}");
    assert!(!names.iter().any(|name| name.starts_with("CARGO")), "{text}");
}

/// Whether a process runs; one that has ended and waits to be asked for its status does not.
fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

/// The processes that run with these words on their command line.
fn running_with(words: &[&str]) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let has_all = |pid: &u32| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        words.iter().all(|word| line.contains(word)) && runs(*pid)
    };
    processes.filter(has_all).collect()
}

#[tokio::test]
async fn no_process_outlives_its_connection() {
    let words = ["strange_mcp_server", "ignores_the_end"];
    for closed in [false, true] {
        let imported = strange("ignores_the_end").connect().await.unwrap();
        let servers = running_with(&words);
        assert_eq!(servers.len(), 1);
        let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", servers[0])).unwrap();
        let child: u32 = children.trim().parse().unwrap();
        assert!(runs(child));
        if closed {
            imported.close().await;
        } else {
            drop(imported);
        }
        while runs(servers[0]) || runs(child) {
            tokio::task::yield_now().await;
        }
    }
}
