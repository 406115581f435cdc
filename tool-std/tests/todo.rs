//! The plan, through the tool as a model calls it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

use serde_json::{Value, json};
use tool_runtime::{EventKind, WorkerAgentTool, testing};
use tool_std::todo::{Todo, TodoStore, todo_tools};

fn tool(store: &TodoStore) -> WorkerAgentTool {
    todo_tools(store).remove(0)
}

/// `id: content (status)` of each task, after a call that must work.
async fn plan(store: &TodoStore, arguments: Value) -> Vec<String> {
    let call = testing::call(&tool(store), arguments).await;
    let plan: Value = call.details().unwrap();
    let line =
        |todo: &Value| format!("{}: {} ({})", todo["id"], todo["content"], todo["status"]).replace('"', "");
    plan["todos"].as_array().unwrap().iter().map(line).collect()
}

#[tokio::test]
async fn replaces_and_reads_the_plan() {
    let store = TodoStore::new();
    let todos =
        json!([{"id": "a", "content": "read", "status": "in_progress"}, {"id": "b", "content": "write"}]);
    assert_eq!(plan(&store, json!({"todos": todos})).await, ["a: read (in_progress)", "b: write (pending)"]);
    assert_eq!(plan(&store, json!({})).await, ["a: read (in_progress)", "b: write (pending)"]);
    assert_eq!(plan(&store, json!({"todos": []})).await, Vec::<String>::new());
}

#[tokio::test]
async fn of_two_tasks_with_one_id_the_last_counts() {
    let todos =
        json!([{"id": "a", "content": "1"}, {"id": "b", "content": "2"}, {"id": "a", "content": "3"}]);
    assert_eq!(plan(&TodoStore::new(), json!({"todos": todos})).await, ["b: 2 (pending)", "a: 3 (pending)"]);
}

#[tokio::test]
async fn merging_takes_only_what_changes() {
    let store = TodoStore::new();
    plan(&store, json!({"todos": [{"id": "a", "content": "read"}, {"id": "b", "content": "write"}]})).await;
    let changes = json!([{"id": "b", "status": "completed"}, {"id": "c", "content": "send"}, {"id": "a", "content": "skim"}]);
    assert_eq!(
        plan(&store, json!({"todos": changes, "merge": true})).await,
        ["a: skim (pending)", "b: write (completed)", "c: send (pending)"]
    );
}

#[tokio::test]
async fn a_new_task_without_content_changes_nothing() {
    let store = TodoStore::new();
    plan(&store, json!({"todos": [{"id": "a", "content": "read"}]})).await;
    for merge in [true, false] {
        let todos = json!([{"id": "a", "status": "completed"}, {"id": "z"}]);
        let call = testing::call(&tool(&store), json!({"todos": todos, "merge": merge})).await;
        assert!(call.model_text.contains("has no `content`"), "{}", call.model_text);
        assert_eq!(plan(&store, json!({})).await, ["a: read (pending)"]);
    }
}

#[tokio::test]
async fn the_plan_holds_256_tasks() {
    let store = TodoStore::new();
    let todos: Vec<Value> = (0..257).map(|n| json!({"id": n.to_string(), "content": "x"})).collect();
    let call = testing::call(&tool(&store), json!({"todos": todos})).await;
    assert!(call.model_text.contains("256"), "{}", call.model_text);
    plan(&store, json!({"todos": todos[..256]})).await;
    let call = testing::call(&tool(&store), json!({"todos": todos[256..], "merge": true})).await;
    assert!(call.model_text.contains("at most 256"), "{}", call.model_text);
    assert_eq!(store.plan().todos.len(), 256);
}

#[tokio::test]
async fn texts_are_trimmed_and_a_blank_content_changes_nothing() {
    let store = TodoStore::new();
    assert_eq!(
        plan(&store, json!({"todos": [{"id": " a ", "content": "\nread "}]})).await,
        ["a: read (pending)"]
    );
    let change = json!({"todos": [{"id": "a\t", "content": "  ", "status": "completed"}], "merge": true});
    assert_eq!(plan(&store, change).await, ["a: read (completed)"]);

    for (todo, problem) in [
        (json!({"id": " ", "content": "x"}), "blank `id`"),
        (json!({"id": "b", "content": " "}), "no `content`"),
    ] {
        for merge in [true, false] {
            let call = testing::call(&tool(&store), json!({"todos": [todo], "merge": merge})).await;
            assert!(call.model_text.contains(problem), "{}", call.model_text);
        }
    }
    assert_eq!(store.plan().todos.len(), 1);
}

#[tokio::test]
async fn a_plan_that_was_kept_elsewhere_goes_on() {
    let store = TodoStore::new();
    plan(&store, json!({"todos": [{"id": "a", "content": "read", "status": "cancelled"}]})).await;
    let kept = serde_json::to_string(&store.plan().todos).unwrap();
    let restored = TodoStore::restore(serde_json::from_str::<Vec<Todo>>(&kept).unwrap());
    assert_eq!(restored.plan(), store.plan());
}

#[tokio::test]
async fn every_call_shows_the_plan_and_no_activity_row() {
    let store = TodoStore::new();
    let call = testing::call(&tool(&store), json!({"todos": [{"id": "a", "content": "read"}]})).await;
    assert_eq!(call.activity, None);
    let [EventKind::Presentation { event, .. }] = &call.events[..] else { panic!("{:?}", call.events) };
    assert_eq!(event.kind, "plan.snapshot");
    let items = json!([{"id": "a", "content": "read", "status": "pending"}]);
    assert_eq!(event.payload, json!({"operation_id": "test_call", "items": items}));
    assert_eq!(call.details::<Value>().unwrap()["summary"]["pending"], 1);
}

#[tokio::test]
async fn the_plan_outlives_the_list_of_a_turn() {
    let store = TodoStore::new();
    plan(&store, json!({"todos": [{"id": "a", "content": "read"}]})).await;
    assert_eq!(store.plan().todos.len(), 1);
    assert_eq!(plan(&store.clone(), json!({})).await, ["a: read (pending)"]);
}
