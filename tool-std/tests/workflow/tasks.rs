//! Runs with their tasks: through the worker, the database and the turns, on SQLite and on PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tool_runtime::{ModelError, ToolError, ToolSpec, WorkerAgentTool};
use tool_std::state::{Clock, State};
use tool_std::workflow::{TaskBrief, TaskKit, WorkflowEventKind, WorkflowWorker};

use crate::databases::{databases, sqlite};
use crate::replayer;
use crate::world::{Answer, World, results, said, submit};

#[tokio::test(flavor = "multi_thread")]
async fn workflow_fans_out_isolated_tasks_and_returns_one_result() {
    let script = "
        const found = await Promise.all(args.items.map((item) => agent(`Review ${item}`, { label: item })));
        const checked = await Promise.all(found.map((finding) => agent(`Verify ${finding}`, {
            schema: { type: 'object', properties: { sound: { type: 'boolean' } }, required: ['sound'], additionalProperties: false },
        })));
        return { found, sound: checked.filter((check) => check.sound).length };
    ";
    for database in databases().await {
        let world = World::on(&database).await;
        let running = world.run(world.worker(|asked| match asked.prompt.strip_prefix("Review ") {
            Some(item) => submit(json!(format!("finding {item}"))),
            None => submit(json!({ "sound": asked.prompt != "Verify finding b" })),
        }));
        let id = world.start("c1", script, Some(json!({ "items": ["a", "b", "c"] }))).await;
        let shown = world.until_status(id, "completed").await;
        assert_eq!(shown["counts"]["succeeded"], 6, "{}", database.name);
        let result = world.workflows.whole_result(id).await.unwrap();
        assert_eq!(result.as_deref(), Some(r#"{"found":["finding a","finding b","finding c"],"sound":2}"#));
        let told = world.until_told(1).await;
        assert_eq!(
            (told[0].kind, told[0].run, told[0].owner.as_str()),
            (WorkflowEventKind::Completed, id, "conversation")
        );
        // A task sees its own prompt and nothing of the others.
        for asked in world.asked.lock().unwrap().iter() {
            assert_eq!(said(&asked.items).len(), 1);
            assert!(
                asked.instructions.starts_with("You are Ada.\n\nYou work on one task of a workflow"),
                "{}",
                asked.instructions
            );
            for other in ["Review a", "Review b", "Verify finding c"] {
                let seen = format!("{}{:?}", asked.instructions, asked.items);
                assert_eq!(seen.contains(other), asked.prompt == other, "{other} in {seen}");
            }
        }
        running.stop().await;
        assert_eq!(world.events.lock().unwrap().len(), 1, "the owner is told once");
    }
}

fn tool(name: &'static str) -> WorkerAgentTool {
    ToolSpec::new(name, "Looks.")
        .read_only(true)
        .no_parameters()
        .execute(|_, _| async { Ok::<_, ToolError>("seen") })
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_catalog_is_fixed_and_crafted_names_are_unknown() {
    let database = sqlite();
    let world = World::on(&database).await;
    let crafted = [
        "workflow",
        "command",
        "read_file",
        "apply_patch",
        "todo",
        "clarify",
        "skill_view",
        "list_background_jobs",
        "respawn_background_job",
        "show_workflow",
        "submit_result ",
        "Submit_Result",
        "web_fetch2",
    ];
    let model = world.model(move |asked| {
        let done = results(&asked.items).len();
        crafted.get(done).map_or_else(|| submit(json!("done")), |name| Answer::Call(name, json!({})))
    });
    // The order of the catalog is not that of the host.
    let kit = move |_: TaskBrief| {
        let kit =
            TaskKit::new(model.clone()).tools(["get_page", "recall", "web_fetch", "web_search"].map(tool));
        async move { Ok(kit) }
    };
    let running = world.run(world.worker_with(WorkflowWorker::new(&world.space, replayer(), kit)));
    let id = world.start("c1", "return await agent('look')", None).await;
    world.until_status(id, "completed").await;
    let asked = world.asked("look");
    assert_eq!(asked[0].offered, ["web_search", "web_fetch", "recall", "get_page", "sleep", "submit_result"]);
    let answers = results(&asked.last().unwrap().items);
    assert_eq!(answers.len(), crafted.len());
    for (name, answer) in crafted.iter().zip(answers) {
        assert!(answer.contains("unknown tool") || answer.contains("no tool"), "{name}: {answer}");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_cannot_be_given_a_tool_of_the_main_turn() {
    let database = sqlite();
    let world = World::on(&database).await;
    let model = world.model(|_| submit(json!("done")));
    let kit = move |_: TaskBrief| {
        let kit = TaskKit::new(model.clone()).tools([tool("command")]);
        async move { Ok(kit) }
    };
    let running = world.run(world.worker_with(WorkflowWorker::new(&world.space, replayer(), kit)));
    let id = world.start("c1", "return await agent('look')", None).await;
    let shown = world.until_status(id, "completed").await;
    assert_eq!(world.workflows.whole_result(id).await.unwrap().as_deref(), Some("null"), "a failure is null");
    let failure = &shown["failure_summaries"][0];
    assert_eq!(failure["code"], "setup_failed");
    assert!(
        failure["summary"].as_str().unwrap().starts_with("a task cannot have the tool `command`"),
        "{failure}"
    );
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_corrects_a_rejected_submit_in_the_same_turn() {
    let database = sqlite();
    let world = World::on(&database).await;
    let running = world.run(world.worker(|asked| match results(&asked.items).len() {
        0 => submit(json!({ "score": "high" })),
        1 => submit(json!({ "score": 11 })),
        _ => submit(json!({ "score": 7 })),
    }));
    let script = "return await agent('rate', { schema: { type: 'object', properties: { score: { type: 'integer', maximum: 10 } },
        required: ['score'], additionalProperties: false } })";
    let id = world.start("c1", script, None).await;
    world.until_status(id, "completed").await;
    assert_eq!(world.workflows.whole_result(id).await.unwrap().as_deref(), Some(r#"{"score":7}"#));
    let asked = world.asked("rate");
    assert_eq!(asked.len(), 3, "one turn of three rounds");
    assert!(results(&asked[2].items)[1].contains("`/result/score`"), "{:?}", results(&asked[2].items));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_that_answers_in_prose_is_repaired_once_and_then_fails() {
    for database in databases().await {
        let world = World::on(&database).await;
        let running =
            world.run(world.worker(|asked| match (asked.prompt.as_str(), said(&asked.items).len()) {
                ("mended", 2) => submit(json!("mended")),
                ("silent", _) => Answer::Text(String::new()),
                _ => Answer::Text("Here is what I found.".to_owned()),
            }));
        let script = "return await Promise.all(['mended', 'prose', 'silent'].map((prompt) => agent(prompt)))";
        let id = world.start("c1", script, None).await;
        let shown = world.until_status(id, "completed").await;
        assert_eq!(
            world.workflows.whole_result(id).await.unwrap().as_deref(),
            Some(r#"["mended",null,null]"#)
        );
        let failures = shown["failure_summaries"].as_array().unwrap();
        let codes: Vec<_> = failures.iter().map(|failure| failure["code"].as_str().unwrap()).collect();
        assert_eq!(codes, ["schema_noncompliance", "empty_output"]);
        let mended = world.asked("mended");
        assert_eq!(mended.len(), 2);
        assert_eq!(mended[1].offered, ["sleep", "submit_result"]);
        assert!(said(&mended[1].items)[1].starts_with("This task ends only with a call of `submit_result`"));
        let prose = world.asked("prose");
        assert_eq!(prose.len(), 6, "three attempts with one repair each");
        assert!(prose.iter().all(|asked| said(&asked.items).len() <= 2), "each attempt begins anew");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_has_three_attempts() {
    let database = sqlite();
    let world = World::on(&database).await;
    let tries = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&tries);
    let running = world.run(world.worker(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => Answer::Fails(ModelError::provider("the provider refuses", false)),
        _ => submit(json!("at last")),
    }));
    let id = world.start("c1", "return await agent('try')", None).await;
    world.until_status(id, "completed").await;
    assert_eq!(world.workflows.whole_result(id).await.unwrap().as_deref(), Some("at last"));
    assert_eq!(tries.load(Ordering::Relaxed), 3);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_task_sleeps_and_wakes_by_time_or_message() {
    for database in databases().await {
        let time = Arc::new(AtomicU64::new(1_796_000_000_000));
        let clock = Arc::clone(&time);
        let clock = Clock::of(move || UNIX_EPOCH + Duration::from_millis(clock.load(Ordering::Relaxed)));
        let world =
            World::with_state(&database, State::open(&database.place).await.unwrap().with_clock(clock));
        let running = world.run(world.worker(|asked| match said(&asked.items).len() {
            1 => Answer::Call(
                "sleep",
                json!({ "wake_after_ms": 60_000, "note": "the build", "attention": true }),
            ),
            count => submit(json!(said(&asked.items)[count - 1])),
        }));
        let id = world
            .start("c1", "return await Promise.all([agent('by time'), agent('by message')])", None)
            .await;
        let shown = world.until(id, |shown| shown["counts"]["sleeping"] == 2).await;
        let task = &shown["live_tasks"][0];
        assert_eq!(
            (&task["note"], &task["attention"], &task["wake_count"]),
            (&json!("the build"), &json!(true), &json!(1))
        );
        assert_eq!(task["sleeping_until"], 1_796_000_060_000_i64);
        let told = world.until_told(1).await;
        assert_eq!(told[0].kind, WorkflowEventKind::Attention);
        let called = world
            .call(
                "m1",
                "send_message_to_workflow_task",
                json!({ "run_id": id, "call_seq": 1, "message": "It is there." }),
            )
            .await;
        assert_eq!(called.unwrap()["task_status"], "sleeping");
        world.until(id, |shown| shown["counts"]["succeeded"] == 1).await;
        assert_eq!(world.workflows.show(id).await.unwrap()["counts"]["sleeping"], 1, "the other sleeps on");
        time.fetch_add(60_001, Ordering::Relaxed);
        world.until_status(id, "completed").await;
        let result: Value =
            serde_json::from_str(&world.workflows.whole_result(id).await.unwrap().unwrap()).unwrap();
        assert_eq!(result[0], "The sleep is over. Go on with the task.");
        assert!(
            result[1].as_str().unwrap().ends_with("of the owner of this workflow]\n\nIt is there."),
            "{result}"
        );
        assert_eq!(world.until_told(2).await.len(), 2, "attention once an hour, and the end");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_that_is_cancelled_ends_its_tasks_and_tells_nobody() {
    for database in databases().await {
        let world = World::on(&database).await;
        let running = world.run(world.worker(|_| Answer::Held(Box::new(submit(json!("late"))))));
        let script = "return await Promise.all(Array.from({ length: 10 }, (_, at) => agent(`${at}`)))";
        let id = world.start("c1", script, None).await;
        world.until(id, |shown| shown["counts"]["running"] == 8 && shown["counts"]["queued"] == 2).await;
        let cancelled = world.call("x", "cancel_workflow", json!({ "run_id": id })).await.unwrap();
        assert_eq!(cancelled, json!({ "run_id": id, "status": "cancelled" }));
        assert_eq!(world.call("y", "cancel_workflow", json!({ "run_id": id })).await.unwrap(), cancelled);
        world.gate.add_permits(100);
        running.stop().await;
        let shown = world.workflows.show(id).await.unwrap();
        assert_eq!(shown["counts"]["cancelled"], 10, "late results change nothing: {shown:#}");
        let told = world
            .call(
                "z",
                "send_message_to_workflow_task",
                json!({ "run_id": id, "call_seq": 0, "message": "?" }),
            )
            .await;
        assert!(told.unwrap_err().contains("is over (cancelled) and reads no more messages"));
        assert!(world.events.lock().unwrap().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_that_fails_says_why_and_cancels_what_is_open() {
    let database = sqlite();
    let world = World::on(&database).await;
    let running = world.run(world.worker(|_| submit(json!("x"))));
    let id = world.start("c1", "const a = await agent('x');\nreturn a.b.c;", None).await;
    let shown = world.until_status(id, "failed").await;
    assert_eq!(shown["error"]["code"], "threw");
    let summary = "the program failed at line 2: TypeError: cannot read property 'c' of undefined";
    assert_eq!(shown["error"]["summary"], summary);
    assert_eq!(world.until_told(1).await[0].kind, WorkflowEventKind::Failed);
    let error =
        world.call("s", "show_workflow", json!({ "run_id": id, "result_offset": 0 })).await.unwrap_err();
    assert!(error.contains("is failed and has no result"), "{error}");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_with_characters_that_databases_lack_is_told_so() {
    for database in databases().await {
        let world = World::on(&database).await;
        let running = world.run(world.worker(|asked| match results(&asked.items).len() {
            0 => Answer::Call("sleep", json!({ "wake_after_ms": 60_000, "note": "a\0b" })),
            _ => submit(json!("a\0b")),
        }));
        let script = "const said = await agent('x\\0y', { label: 'l\\0' }); if (said !== 'a\\0b') throw said; return args.end";
        let whole = world.start("c1", script, Some(json!({ "end": ["\0"] }))).await;
        let shown = world.until(whole, |shown| shown["status"] != "running").await;
        assert_eq!(shown["status"], "completed", "{}: {shown:#}", database.name);
        assert_eq!(world.workflows.whole_result(whole).await.unwrap().as_deref(), Some(r#"["\u0000"]"#));
        let refused = results(&world.asked("x\0y").last().unwrap().items);
        assert!(refused[0].contains("`note` holds a NUL character"), "{refused:?}");
        let raw = world.start("c2", script, Some(json!({ "end": "a\0" }))).await;
        let shown = world.until(raw, |shown| shown["status"] != "running").await;
        assert_eq!(shown["error"]["code"], "bad_result", "{}: {shown:#}", database.name);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_goes_on_after_its_worker_has_gone() {
    for database in databases().await {
        let world = World::on(&database).await;
        let script = "
            const first = await Promise.all([agent('a1'), agent('a2')]);
            return [...first, await agent('b')];
        ";
        let id = world.start("c1", script, None).await;
        let first = world.run(world.worker(|asked| match asked.prompt.as_str() {
            "a1" => submit(json!("a1")),
            _ => Answer::Held(Box::new(submit(json!("never")))),
        }));
        world.until(id, |shown| shown["counts"]["succeeded"] == 1 && shown["counts"]["running"] == 1).await;
        first.stop().await;
        world.asked.lock().unwrap().clear();
        let second = world.run(world.worker(|asked| submit(json!(asked.prompt))));
        world.until_status(id, "completed").await;
        assert_eq!(world.workflows.whole_result(id).await.unwrap().as_deref(), Some(r#"["a1","a2","b"]"#));
        assert!(world.asked("a1").is_empty(), "what is over does not run again: {}", database.name);
        second.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_owner_that_does_not_answer_holds_up_no_worker() {
    for database in databases().await {
        let world = World::on(&database).await;
        let told = Arc::new(Semaphore::new(0));
        let tells = Arc::clone(&told);
        let worker = world.worker(|_| submit(json!("done"))).notify(move |_| {
            tells.add_permits(1);
            std::future::pending()
        });
        let running = world.run(worker);
        world.start("c1", "return await agent('first')", None).await;
        // The owner was called, and stays silent.
        told.acquire().await.unwrap().forget();
        let second = world.start("c2", "return await agent('second')", None).await;
        world.until_status(second, "completed").await;
        running.stop().await;
    }
}
