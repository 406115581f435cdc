//! `cron`, as a model calls it.

use std::time::Duration;

use serde_json::{Value, json};
use tool_std::schedule::{Occasion, schedule_tools};

use crate::world::{Failure, Turn, worlds};

pub(crate) fn add(name: &str) -> Value {
    json!({
        "action": "add", "name": name, "schedule": {"expression": "0 9 * * *"},
        "payload": {"task": "Write the report.", "folder": "/reports"},
    })
}

fn on(action: &str, name: &str) -> Value {
    json!({"action": action, "name": name})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_fires_in_a_conversation_of_its_own_again_and_again() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let (result, receipt) = turn.call("cron", add("report")).await;
        let rule = &result["rule"];
        assert_eq!(rule["next_at"], "2026-03-29T09:00:00+02:00", "{}", world.name);
        assert_eq!(rule["schedule"], json!({"expression": "0 9 * * *", "timezone": "Europe/Berlin"}));
        let expected = json!({
            "operation_id": "test_call", "phase": "confirmed", "summary": "cron.added", "target": "report",
            "scope": {"expression": "0 9 * * *", "timezone": "Europe/Berlin"}, "follow_up": "always",
        });
        assert_eq!(receipt, Some(expected));
        let mut keys = Vec::new();
        for day in ["2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z", "2026-03-31T07:00:01Z"] {
            world.at(day);
            let told = world.fire().await;
            let [wake] = told.as_slice() else { panic!("{told:?}") };
            assert_eq!(json!(wake.conversation), rule["conversation"]);
            assert_ne!(wake.conversation, "talk-1");
            let Occasion::Cron { name, payload, manual: false, .. } = &wake.occasion else {
                panic!("{wake:?}")
            };
            assert_eq!((name.as_str(), &payload["folder"]), ("report", &json!("/reports")));
            let prompt = wake.prompt();
            assert!(
                prompt.contains("Task: Write the report.\n\nData: {\"folder\":\"/reports\"}"),
                "{prompt}"
            );
            keys.push(wake.key.clone());
            assert!(world.fire().await.is_empty());
        }
        keys.dedup();
        assert_eq!(keys.len(), 3, "one key a tick");
        let runs = turn.cron(on("runs", "report")).await;
        let due: Vec<_> =
            runs.as_array().unwrap().iter().map(|run| (&run["due_at"], &run["state"])).collect();
        assert_eq!(due[0], (&json!("2026-04-01T09:00:00+02:00"), &json!("scheduled")));
        assert_eq!(due[1], (&json!("2026-03-31T09:00:00+02:00"), &json!("fired")));
        assert_eq!(due.len(), 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_missed_fires_once() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let mut arguments = add("hourly");
        arguments["schedule"] = json!({"every_ms": 3_600_000});
        turn.cron(arguments).await;
        world.at("2026-04-02T10:20:00Z");
        let told = world.fire().await;
        let due: Vec<_> = told.iter().map(|wake| wake.due.to_string()).collect();
        assert_eq!(due, ["2026-03-28T13:00:00Z"]);
        assert_eq!(turn.cron(on("get", "hourly")).await["next_at"], "2026-04-02T13:00:00+02:00");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pause_cancels_what_waits_and_resume_counts_from_then_on() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.cron(add("report")).await;
        let paused = turn.cron(on("pause", "report")).await;
        assert_eq!((&paused["state"], paused.get("next_at")), (&json!("paused"), None));
        assert_eq!(turn.cron(on("pause", "report")).await, paused, "twice is once");
        world.at("2026-04-01T12:00:00Z");
        assert!(world.fire().await.is_empty());
        let (result, receipt) = turn.call("cron", on("resume", "report")).await;
        assert_eq!(result["rule"]["next_at"], "2026-04-02T09:00:00+02:00");
        assert_eq!(receipt.unwrap()["summary"], "cron.resumed");
        assert_eq!(turn.cron(on("resume", "report")).await, result["rule"], "twice is once");
        // The same slot may be planned again.
        turn.cron(on("pause", "report")).await;
        assert_eq!(turn.cron(on("resume", "report")).await["conversation"], made["conversation"]);
        let states: Vec<_> = turn
            .cron(on("runs", "report"))
            .await
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["state"].clone())
            .collect();
        assert_eq!(states, ["scheduled", "cancelled", "cancelled"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_ends_by_count_also_if_it_fails_and_by_time() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let mut twice = add("twice");
        twice["schedule"]["occurrences"] = json!({"count": 2});
        turn.cron(twice).await;
        world.host.fail((0..10).map(|_| Failure::Error("the host is down")));
        world.at("2026-03-29T07:00:00Z");
        let mut attempts = 0;
        while attempts < 10 {
            attempts += world.fire().await.len();
            world.pass(Duration::from_secs(301));
        }
        assert!(world.fire().await.is_empty(), "no eleventh attempt");
        let failed = &turn.cron(json!({"action": "runs", "name": "twice", "limit": 2})).await[1];
        assert_eq!(
            (&failed["state"], &failed["attempts"], &failed["error"]),
            (&json!("failed"), &json!(10), &json!("the host is down"))
        );
        assert_eq!(turn.cron(on("get", "twice")).await["occurrences_spent"], 1, "a failed tick is spent");
        world.at("2026-03-30T07:00:00Z");
        assert_eq!(world.fire().await.len(), 1);
        let over = turn.cron(on("get", "twice")).await;
        assert_eq!((&over["state"], over.get("next_at")), (&json!("completed"), None));
        assert_eq!(turn.cron(json!({"action": "list"})).await, json!([]));
        for action in ["pause", "resume", "run"] {
            let error = turn.refused("cron", on(action, "twice")).await;
            assert!(error.contains("the rule `twice` is completed; make a new one"), "{error}");
        }

        let mut until = add("until");
        until["schedule"]["occurrences"] = json!({"until": "2026-03-31T09:00"});
        turn.cron(until).await;
        world.at("2026-03-31T07:00:00Z");
        assert_eq!(world.fire().await.len(), 1);
        assert_eq!(turn.cron(on("get", "until")).await["state"], "completed");
        let mut never = add("never");
        never["schedule"]["occurrences"] = json!({"until": "2026-03-31T09:00"});
        let error = turn.refused("cron", never).await;
        assert!(error.contains("is never due from now on, which is 2026-03-31T09:00:00+02:00"), "{error}");
        let mut never = add("never");
        never["schedule"]["expression"] = json!("0 0 31 2 *");
        assert!(turn.refused("cron", never).await.contains("is never due"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_of_what_is_done_begins_a_new_conversation_and_one_of_the_time_does_not() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.cron(add("report")).await;
        let update = |changes: Value| {
            let mut arguments = on("update", "report");
            arguments.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
            arguments
        };
        let timed = turn
            .cron(update(json!({"schedule": {"expression": "30 10 * * *", "timezone": "Asia/Kathmandu"}})))
            .await;
        assert_eq!(
            (&timed["conversation"], &timed["next_at"]),
            (&made["conversation"], &json!("2026-03-29T10:30:00+05:45"))
        );
        let same =
            turn.cron(update(json!({"payload": {"task": "Write the report.", "folder": "/reports"}}))).await;
        assert_eq!(same, timed, "nothing is another");
        let paid = turn.cron(update(json!({"payload": {"task": "Write a letter."}}))).await;
        assert_ne!(paid["conversation"], made["conversation"]);
        assert_eq!(
            (&paid["payload"], &paid["next_at"]),
            (&json!({"task": "Write a letter."}), &timed["next_at"])
        );
        let quiet = turn.cron(update(json!({"delivery": {"quiet_success": true}}))).await;
        assert_ne!(quiet["conversation"], paid["conversation"]);
        // What fires is the rule as it is then.
        world.at("2026-03-29T04:45:00Z");
        let wake = world.fire().await.remove(0);
        assert_eq!(
            (json!(wake.conversation), wake.delivery.quiet_success),
            (quiet["conversation"].clone(), true)
        );
        let automated =
            turn.cron(update(json!({"automation_job_id": "sweep", "payload": {"data": 1}}))).await;
        assert_eq!(automated["automation_job_id"], "sweep");
        let error = turn.refused("cron", update(json!({"automation_job_id": null}))).await;
        assert!(error.contains("neither `payload.task` nor `automation_job_id`"), "{error}");
        assert_eq!(turn.cron(on("get", "report")).await["automation_job_id"], "sweep", "nothing changed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_asked_for_stands_beside_the_ticks() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.cron(add("report")).await;
        turn.cron(on("pause", "report")).await;
        let (result, receipt) = turn.call("cron", on("run", "report")).await;
        assert_eq!(
            (&result["rule"]["state"], receipt.unwrap()["summary"].as_str()),
            (&json!("paused"), Some("cron.run"))
        );
        turn.cron(on("run", "report")).await;
        let told = world.fire().await;
        let [wake] = told.as_slice() else { panic!("a call that is made again runs nothing more: {told:?}") };
        assert!(
            matches!(wake.occasion, Occasion::Cron { manual: true, .. })
                && json!(wake.conversation) == made["conversation"]
        );
        assert!(wake.prompt().contains("was asked to run at"), "{}", wake.prompt());
        let resumed = turn.cron(on("resume", "report")).await;
        world.turn("message-2").cron(on("run", "report")).await;
        assert_eq!(world.fire().await.len(), 1);
        let after = turn.cron(on("get", "report")).await;
        assert_eq!((&after["next_at"], &after["occurrences_spent"]), (&resumed["next_at"], &json!(0)));
        let listed = turn.cron(on("runs", "report")).await;
        let manual: Vec<_> =
            listed.as_array().unwrap().iter().map(|run| run["manual"].as_bool().unwrap()).collect();
        assert_eq!(manual, [true, false, true, false]);
        let unwatched = Turn(schedule_tools(&world.schedules));
        for _ in 0..10 {
            unwatched.cron(on("run", "report")).await;
        }
        let error = unwatched.refused("cron", on("run", "report")).await;
        assert!(error.contains("10 runs of `report` wait, and 10 are the most"), "{error}");
        unwatched.cron(on("remove", "report")).await;
        assert!(world.fire().await.is_empty(), "what waits is cancelled");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_taken_until_the_rule_is_removed_and_a_repeat_makes_no_second_rule() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.cron(add("report")).await;
        world.pass(Duration::from_secs(60));
        assert_eq!(turn.cron(add("report")).await, made);
        let error = world.turn("message-2").refused("cron", add("report")).await;
        assert!(
            error.contains("there is a rule `report` already; change it with the action `update`"),
            "{error}"
        );
        let removed = turn.cron(on("remove", "report")).await;
        assert_eq!((&removed["state"], removed.get("next_at")), (&json!("deleted"), None));
        assert_eq!(turn.cron(on("remove", "report")).await, removed, "twice is once");
        assert_eq!(turn.cron(json!({"action": "list"})).await, json!([]));
        let again = turn.cron(add("report")).await;
        assert_ne!(again["conversation"], made["conversation"]);
        assert_eq!(world.schedules.rules().await.unwrap().len(), 1);
        // Rules are the agent's, so that another conversation sees them, and another agent does not.
        let elsewhere = Turn(schedule_tools(&world.schedules.clone().conversation("talk-2")));
        assert_eq!(elsewhere.cron(json!({"action": "list"})).await, json!([again]));
        let other = tool_std::schedule::Schedules::new(world.schedules.state().clone(), "agent-2");
        assert_eq!(Turn(schedule_tools(&other)).cron(json!({"action": "list"})).await, json!([]));
        let error = turn.refused("cron", on("get", "raport")).await;
        assert!(error.contains("there is no rule `raport`; there are `report`"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_action_takes_its_own_parameters_and_says_which() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let with = |key: &str, value: Value| {
            let mut arguments = add("x");
            arguments[key] = value;
            arguments
        };
        for (arguments, words) in [
            (json!({"action": "add"}), "the action `add` needs `name`, `schedule`"),
            (
                json!({"action": "add", "name": "x", "schedule": {"every_ms": 60000}}),
                "needs the instruction as `payload.task`",
            ),
            (with("payload", json!({"task": "  "})), "`payload.task` is blank"),
            (with("payload", json!({"task": "x", "data": "y".repeat(40_000)})), "bytes and may have 32768"),
            (with("name", json!("a\nb")), "`name` has control characters"),
            (with("limit", json!(5)), "the action `add` does not take `limit`"),
            (with("schedule", json!({"expression": "x"})), "`schedule.expression` is `x`"),
            (with("schedule", json!({"every_ms": 10})), "every_ms"),
            (with("automation_job_id", json!("mop")), "there is no such automation job"),
            (with("delivery", json!({"loud": true})), "loud"),
            (json!({"action": "pause"}), "the action `pause` needs `name`"),
            (json!({"action": "list", "name": "x"}), "the action `list` does not take `name`"),
            (
                json!({"action": "update", "name": "x"}),
                "at least one of `schedule`, `payload`, `delivery`, `automation_job_id`",
            ),
            (json!({"action": "runs", "name": "x", "limit": 101}), "limit"),
            (json!({"action": "run", "name": "x"}), "there is no rule `x`; there are none"),
        ] {
            let error = turn.refused("cron", arguments.clone()).await;
            assert!(error.contains(words), "{words:?} is not what {arguments} gives: {error}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_a_rule_looks_at_rules_and_changes_none() {
    for world in worlds().await {
        world.turn("message-1").cron(add("report")).await;
        world.turn("message-1").cron(add("other")).await;
        world.at("2026-03-29T07:00:00Z");
        let told = world.fire().await;
        let wake = told.iter().find(|wake| wake.prompt().contains("`report`")).unwrap();
        let turn = Turn(schedule_tools(&world.schedules.for_wake(wake)));
        let cron = turn.0.iter().find(|tool| tool.spec().name == "cron").unwrap();
        assert!(cron.spec().is_destructive());
        let actions = &cron.definition().parameters().as_value()["properties"]["action"]["enum"];
        assert_eq!(*actions, json!(["list", "get", "runs"]));
        assert_eq!(
            turn.cron(json!({"action": "get"})).await["name"],
            "report",
            "the one that began the turn"
        );
        assert_eq!(turn.cron(on("get", "other")).await["name"], "other");
        assert_eq!(
            turn.cron(json!({"action": "runs", "name": "", "limit": 1})).await[0]["state"],
            "scheduled"
        );
        assert_eq!(turn.cron(json!({"action": "list"})).await.as_array().unwrap().len(), 2);
        for arguments in [on("pause", "report"), json!({"action": "list", "limit": 2}), add("more")] {
            turn.refused("cron", arguments).await;
        }
        // A check-back of such a turn wakes the rule's conversation, and answers where the rule answers.
        let later = json!({
            "action": "create", "reason": "r", "check": "c", "schedule": {"after": {"value": 1, "unit": "minute"}},
        });
        turn.check_back(later).await;
        world.pass(Duration::from_secs(60));
        let back = world.fire().await.remove(0);
        assert_eq!(
            (&back.conversation, &back.delivery.targets),
            (&wake.conversation, &wake.delivery.targets)
        );
        let turn = schedule_tools(&world.schedules.for_wake(&back));
        assert!(turn.iter().all(|tool| !tool.spec().is_destructive()), "a check-back may change rules");
    }
}
