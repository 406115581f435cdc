//! What is promised of workflows and of the catalog of their tasks: a test for each promise, named after it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tool_runtime::{Model, WorkerAgentTool};
use tool_std::computer::Computer;
use tool_std::jobs::{JobSpace, Jobs, job_tools};
use tool_std::schedule::Schedules;
use tool_std::skills::Skills;
use tool_std::state::State;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};
use tool_std::web::{SearxngSearch, Web, web_tools};
use tool_std::workflow::{TaskKit, WorkflowSpace, WorkflowWorker, Workflows};

use crate::databases::sqlite;
use crate::replayer;
use crate::world::{Answer, Asked, World, results, said, submit};

/// What a task may be given, beside `sleep` and `submit_result`.
const MAY_BE_GIVEN: &[&str] = &[
    "web_search",
    "web_fetch",
    "recall",
    "get_page",
    "create_background_job",
    "show_background_job_details",
    "send_message_to_background_job",
    "stop_background_job",
];

/// All that a main turn can have.
async fn main_turn(folder: &Path) -> Vec<WorkerAgentTool> {
    fs::create_dir_all(folder.join("letters")).unwrap();
    let skill = "---\nname: letters\ndescription: Writes letters.\n---\n";
    fs::write(folder.join("letters/SKILL.md"), skill).unwrap();
    let state = State::open(folder.join("state").to_str().unwrap()).await.unwrap();
    let turn = TurnContext::new(TodoStore::new())
        .computer(Computer::builder(folder).user_files(folder).build().unwrap())
        .web(web())
        .clarify()
        .jobs(jobs(&state, folder))
        .workflows(Workflows::new(&WorkflowSpace::new(&state, folder.join("workflows")), "agent", "owner"))
        .schedules(Schedules::new(state, "agent"))
        .skills(Skills::from_roots([folder]));
    main_turn_tools(&turn)
}

fn web() -> Web {
    Web::new().search(SearxngSearch::new("https://searx.example").unwrap())
}

fn jobs(state: &State, folder: &Path) -> Jobs {
    Jobs::new(&JobSpace::new(state, folder.join("jobs")), "agent", "owner")
}

fn name(tool: &WorkerAgentTool) -> String {
    tool.spec().display_name().into_owned()
}

/// Runs one task whose host gives these tools, with a model that acts so; gives what the model was asked, and what came of it.
async fn one_task(
    tools: Vec<WorkerAgentTool>,
    call: &str,
    act: impl Fn(&Asked) -> Answer + Send + Sync + 'static,
) -> (Vec<Asked>, Value, String) {
    let database = sqlite();
    let world = World::on(&database).await;
    let model: Arc<dyn Model> = world.model(act);
    let worker = WorkflowWorker::new(&world.space, replayer(), move |_| {
        let kit = TaskKit::new(Arc::clone(&model)).tools(tools.iter().cloned());
        async move { Ok(kit) }
    });
    let running = world.run(world.worker_with(worker));
    let id = world.start("c1", &format!("return await agent({call})"), None).await;
    let shown = world.until_status(id, "completed").await;
    running.stop().await;
    let result = world.workflows.whole_result(id).await.unwrap().unwrap();
    let asked = world.asked.lock().unwrap().clone();
    (asked, shown, result)
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_tools_are_in_the_main_turn_and_not_in_a_task() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<_> = main_turn(folder.path()).await.iter().map(name).collect();
    let workflow =
        ["workflow", "show_workflow", "list_workflows", "send_message_to_workflow_task", "cancel_workflow"];
    let at = all.iter().position(|name| name == "workflow").unwrap();
    assert_eq!(all[at..at + workflow.len()], workflow);
    let (asked, ..) = one_task(Vec::new(), "'x'", |_| submit(json!("done"))).await;
    assert_eq!(asked[0].offered, ["sleep", "submit_result"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_has_the_web_tools_that_are_available() {
    for (web, names) in [
        (web(), &["web_search", "web_fetch", "sleep", "submit_result"][..]),
        (Web::new(), &["web_fetch", "sleep", "submit_result"]),
    ] {
        let (asked, ..) = one_task(web_tools(&web), "'x'", |_| submit(json!("done"))).await;
        assert_eq!(asked[0].offered, names);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_has_background_job_tools_only_where_the_host_gives_them() {
    let folder = tempfile::tempdir().unwrap();
    let state = State::open(folder.path().join("state").to_str().unwrap()).await.unwrap();
    let given: Vec<_> = job_tools(&jobs(&state, folder.path()))
        .into_iter()
        .filter(|tool| MAY_BE_GIVEN.contains(&name(tool).as_str()))
        .collect();
    let (asked, ..) = one_task(given, "'x'", |_| submit(json!("done"))).await;
    assert_eq!(asked[0].offered[..4], MAY_BE_GIVEN[4..]);
}

/// Computer, file, shell, MCP, skill, schedule, workflow, clarify, plan: nothing of a main turn gets into a task, neither from
/// the host nor by its name.
#[tokio::test(flavor = "multi_thread")]
async fn a_task_does_not_get_the_tools_of_the_main_turn() {
    let folder = tempfile::tempdir().unwrap();
    let all = main_turn(folder.path()).await;
    let absent: Vec<WorkerAgentTool> =
        all.into_iter().filter(|tool| !MAY_BE_GIVEN.contains(&name(tool).as_str())).collect();
    let names: Vec<String> = absent.iter().map(name).collect();
    for must in [
        "todo",
        "command",
        "read_file",
        "find",
        "grep",
        "ls",
        "apply_patch",
        "reply_attachment",
        "check_back_later",
        "cron",
        "clarify",
        "list_background_jobs",
        "respawn_background_job",
        "workflow",
        "show_workflow",
        "list_workflows",
        "send_message_to_workflow_task",
        "cancel_workflow",
        "skill_view",
    ] {
        assert!(names.iter().any(|name| name == must), "{must} is in the main turn");
    }
    // A host that gives one is told which.
    for tool in &absent {
        let (asked, shown, result) = one_task(vec![tool.clone()], "'x'", |_| submit(json!("done"))).await;
        assert_eq!((asked.len(), result.as_str()), (0, "null"));
        let summary = shown["failure_summaries"][0]["summary"].as_str().unwrap();
        assert!(summary.starts_with(&format!("a task cannot have the tool `{}`", name(tool))), "{summary}");
    }
    // A model that calls one is told that there is none.
    let wanted = names.clone();
    let (asked, ..) = one_task(Vec::new(), "'x'", move |asked| {
        let done = results(&asked.items).len();
        wanted
            .get(done)
            .map_or_else(|| submit(json!("done")), |name| Answer::Call(name.clone().leak(), json!({})))
    })
    .await;
    let answers = results(&asked.last().unwrap().items);
    assert_eq!(answers.len(), names.len());
    for (name, answer) in names.iter().zip(answers) {
        assert!(answer.starts_with(&format!("error: no tool is named `{name}`")), "{answer}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_submit_result_ends_the_turn() {
    let (asked, shown, result) = one_task(Vec::new(), "'x'", |_| submit(json!("done"))).await;
    assert_eq!((asked.len(), result.as_str()), (1, "done"), "the model is not asked again");
    assert_eq!(shown["counts"]["succeeded"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_rejection_keeps_the_turn_active() {
    let call = "'x', { schema: { type: 'integer', maximum: 10 } }";
    let (asked, shown, result) = one_task(Vec::new(), call, |asked| match results(&asked.items).len() {
        0 => submit(json!("many")),
        1 => submit(json!(11)),
        _ => submit(json!(10)),
    })
    .await;
    assert_eq!((asked.len(), result.as_str()), (3, "10"));
    assert!(asked.iter().all(|asked| said(&asked.items) == ["x"]), "it is one turn");
    assert_eq!(shown["counts"]["succeeded"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn prose_gets_one_bounded_repair_instruction_before_the_attempt_fails() {
    let (asked, shown, result) = one_task(Vec::new(), "'x'", |_| Answer::Text("Done.".to_owned())).await;
    assert_eq!(result, "null");
    assert_eq!(shown["failure_summaries"][0]["code"], "schema_noncompliance");
    for attempt in asked.chunks(2) {
        assert_eq!(attempt.iter().map(|asked| said(&asked.items).len()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(attempt[1].offered, ["sleep", "submit_result"], "the repair has only what ends the task");
    }
    assert_eq!(asked.len(), 6, "three attempts");
}

#[tokio::test(flavor = "multi_thread")]
async fn submit_result_has_a_raw_schema_around_that_of_the_task_and_is_strict() {
    let call = "'x', { schema: { type: 'integer', minimum: 1, maximum: 10 } }";
    let (asked, ..) = one_task(Vec::new(), call, |_| submit(json!(7))).await;
    let tool = asked[0].submit.as_ref().unwrap();
    assert!(tool.spec().strict);
    assert_eq!(
        tool.definition().parameters().as_value().clone(),
        json!({
            "type": "object",
            "properties": { "result": { "type": "integer", "minimum": 1, "maximum": 10 } },
            "required": ["result"],
            "additionalProperties": false
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submitted_value_is_looked_at_again_before_it_is_kept() {
    // It fits the schema that the provider and the dispatch check, and not what the store may keep.
    let (asked, _, result) = one_task(Vec::new(), "'x'", |asked| match results(&asked.items).len() {
        0 => submit(json!("x".repeat(24 << 10))),
        _ => submit(json!("short")),
    })
    .await;
    assert_eq!(result, "short");
    let refused = &results(&asked[1].items)[0];
    assert!(refused.contains("the result has 24578 bytes of JSON and may have 24576"), "{refused}");
}
