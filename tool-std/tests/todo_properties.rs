//! Any calls in any order leave the plan that a small model of it says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::testing;
use tool_std::todo::{TodoStore, todo_tools};

/// One task of a call: id, content, status.
type Change = (String, Option<String>, Option<&'static str>);
/// One task of the plan: id, content, status.
type Task = (String, String, String);

/// What the documentation says, in the plainest way: `None` where the call is refused.
fn expected(plan: &[Task], changes: &[Change], merge: bool) -> Option<Vec<Task>> {
    let mut after = if merge { plan.to_vec() } else { Vec::new() };
    for (id, content, status) in changes {
        let id = id.trim();
        let content = content.as_deref().map_or("", str::trim);
        if id.is_empty() {
            return None;
        }
        let at = after.iter().position(|task| task.0 == id);
        if merge && let Some(at) = at {
            if !content.is_empty() {
                content.clone_into(&mut after[at].1);
            }
            if let Some(status) = status {
                (*status).clone_into(&mut after[at].2);
            }
            continue;
        }
        if content.is_empty() {
            return None;
        }
        if let Some(at) = at {
            after.remove(at);
        }
        after.push((id.to_owned(), content.to_owned(), status.unwrap_or("pending").to_owned()));
    }
    (after.len() <= 256).then_some(after)
}

fn tasks(plan: &Value) -> Vec<Task> {
    let text = |task: &Value, key: &str| task[key].as_str().unwrap().to_owned();
    let todos = plan["todos"].as_array().unwrap();
    todos.iter().map(|task| (text(task, "id"), text(task, "content"), text(task, "status"))).collect()
}

fn arguments(changes: &[Change], merge: bool) -> Value {
    let task = |(id, content, status): &Change| {
        let mut task = json!({"id": id});
        if let Some(content) = content {
            task["content"] = json!(content);
        }
        if let Some(status) = status {
            task["status"] = json!(status);
        }
        task
    };
    json!({"todos": changes.iter().map(task).collect::<Vec<_>>(), "merge": merge})
}

fn change() -> impl Strategy<Value = Change> {
    let content = prop_oneof![4 => "[a-z]{1,3}", 1 => " [a-z] ", 1 => "[ \t]{0,2}"];
    let status = prop::sample::select(vec!["pending", "in_progress", "completed", "cancelled"]);
    // Few ids, so that they meet; now and then one with white space or none at all.
    let id = prop_oneof![30 => "[a-f]", 3 => " [a-f]\n", 1 => " "];
    (id, prop::option::weighted(0.8, content), prop::option::of(status))
}

fn calls() -> impl Strategy<Value = Vec<(Vec<Change>, bool)>> {
    prop::collection::vec((prop::collection::vec(change(), 0..7), any::<bool>()), 1..8)
}

proptest! {
    #[test]
    fn calls_leave_the_plan_of_the_model(calls in calls()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let store = TodoStore::new();
        let tool = todo_tools(&store).remove(0);
        let mut plan = Vec::new();
        for (changes, merge) in calls {
            let call = runtime.block_on(testing::call(&tool, arguments(&changes, merge)));
            match expected(&plan, &changes, merge) {
                Some(after) => {
                    let given: Value = call.details().unwrap();
                    prop_assert_eq!(tasks(&given), after.clone());
                    for status in ["pending", "in_progress", "completed", "cancelled"] {
                        let count = after.iter().filter(|task| task.2 == status).count();
                        prop_assert_eq!(&given["summary"][status], &json!(count));
                    }
                    prop_assert_eq!(&given["summary"]["total"], &json!(after.len()));
                    plan = after;
                }
                None => prop_assert!(call.outcome.is_err(), "{}", call.model_text),
            }
            // Refused or not, the plan stands as it did before or is whole.
            let kept = serde_json::to_value(store.plan()).unwrap();
            prop_assert_eq!(tasks(&kept), plan.clone());
        }
    }
}
