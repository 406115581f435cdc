//! The list of a main turn, for every combination of what a turn may have.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(all(
    feature = "computer",
    feature = "memory",
    feature = "schedule",
    feature = "skills",
    feature = "web",
    feature = "workflow"
))]

use std::fs;
use std::path::Path;

use tool_runtime::{ToolSet, WorkerAgentTool};
use tool_std::clarify::clarify_tools;
use tool_std::computer::{Computer, computer_tools};
use tool_std::jobs::{JobSpace, Jobs, job_tools};
use tool_std::memory::{Memory, StateMemory, memory_tools};
use tool_std::schedule::{Schedules, schedule_tools};
use tool_std::skills::{Skills, skill_tools};
use tool_std::state::State;
use tool_std::todo::{TodoStore, todo_tools};
use tool_std::turn::{TurnContext, main_turn_tools};
use tool_std::web::{SearxngSearch, Web, web_tools};
use tool_std::workflow::{WorkflowSpace, Workflows, workflow_tools};

/// Something that a turn may have.
struct Part {
    give: Box<dyn Fn(TurnContext) -> TurnContext>,
    /// The tools that come with it.
    names: Vec<String>,
}

fn names(tools: &[WorkerAgentTool]) -> Vec<String> {
    tools.iter().map(|tool| tool.spec().display_name().into_owned()).collect()
}

/// One skill in `folder`.
fn skills(folder: &Path) -> Skills {
    fs::create_dir(folder.join("letters")).unwrap();
    let text = "---\nname: letters\ndescription: Writes letters.\n---\n";
    fs::write(folder.join("letters/SKILL.md"), text).unwrap();
    Skills::from_roots([folder])
}

/// What a turn may have, in the order of the tools.
async fn parts(folder: &Path) -> Vec<Part> {
    let computer = Computer::new(folder).unwrap();
    let state = State::open(folder.join("state").to_str().unwrap()).await.unwrap();
    let jobs = Jobs::new(&JobSpace::new(&state, folder.join("jobs")), "agent", "owner");
    let memory = Memory::new(StateMemory::new(&state, "agent"));
    let workflows = Workflows::new(&WorkflowSpace::new(&state, folder.join("workflows")), "agent", "owner");
    let schedules = Schedules::new(state, "agent");
    let skills = skills(folder);
    let web = Web::new().search(SearxngSearch::new("https://searx.example").unwrap());
    vec![
        Part {
            names: names(&computer_tools(&computer)),
            give: Box::new(move |turn| turn.computer(computer.clone())),
        },
        Part { names: names(&web_tools(&web)), give: Box::new(move |turn| turn.web(web.clone())) },
        Part {
            names: names(&schedule_tools(&schedules)),
            give: Box::new(move |turn| turn.schedules(schedules.clone())),
        },
        Part {
            names: names(&memory_tools(&memory)),
            give: Box::new(move |turn| turn.memory(memory.clone())),
        },
        Part { names: names(&clarify_tools()), give: Box::new(TurnContext::clarify) },
        Part { names: names(&job_tools(&jobs)), give: Box::new(move |turn| turn.jobs(jobs.clone())) },
        Part {
            names: names(&workflow_tools(&workflows)),
            give: Box::new(move |turn| turn.workflows(workflows.clone())),
        },
        Part { names: names(&skill_tools(&skills)), give: Box::new(move |turn| turn.skills(skills.clone())) },
    ]
}

#[tokio::test]
async fn a_turn_has_the_tools_of_what_it_has_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts(folder.path()).await;
    for combination in 0..1_u32 << parts.len() {
        let present = |index: usize| combination & (1 << index) != 0;
        let mut turn = TurnContext::new(TodoStore::new());
        let mut expected = names(&todo_tools(&TodoStore::new()));
        // Given in the other order, so that the list's order is seen to be its own.
        for (_, part) in parts.iter().enumerate().rev().filter(|(index, _)| present(*index)) {
            turn = (part.give)(turn);
        }
        for (_, part) in parts.iter().enumerate().filter(|(index, _)| present(*index)) {
            expected.extend(part.names.iter().cloned());
        }
        let tools = main_turn_tools(&turn);
        assert_eq!(names(&tools), expected, "combination {combination:b}");
        ToolSet::new(tools).unwrap();
    }
}

#[test]
fn a_turn_searches_and_fetches_only_where_somebody_does() {
    let searx = || SearxngSearch::new("https://searx.example").unwrap();
    for (web, expected) in [
        (Web::new(), &["web_fetch"][..]),
        (Web::new().search(searx()), &["web_search", "web_fetch"]),
        (Web::new().search(searx()).without_fetch(), &["web_search"]),
        (Web::new().without_fetch(), &[]),
    ] {
        let tools = main_turn_tools(&TurnContext::new(TodoStore::new()).web(web));
        assert_eq!(names(&tools)[1..], *expected);
    }
}

#[tokio::test]
async fn the_plan_is_the_stores_own() {
    let store = TodoStore::new();
    let set = ToolSet::new(main_turn_tools(&TurnContext::new(store.clone()))).unwrap();
    set.call("todo", r#"{"todos": [{"id": "a", "content": "read"}]}"#).await.unwrap();
    assert_eq!(store.plan().todos.len(), 1);
}

#[test]
fn the_instructions_name_the_skills() {
    let folder = tempfile::tempdir().unwrap();
    let turn = TurnContext::new(TodoStore::new());
    assert_eq!(turn.instructions(), "");
    let instructions = turn.skills(skills(folder.path())).instructions();
    assert!(instructions.contains("- letters: Writes letters."), "{instructions}");
}
