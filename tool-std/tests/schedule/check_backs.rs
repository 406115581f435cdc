//! `check_back_later`, as a model calls it.

use std::time::Duration;

use serde_json::{Value, json};
use tool_std::schedule::{Occasion, SILENT, Schedules, schedule_tools};

use crate::world::{Turn, worlds};

pub(crate) fn create(check: &str) -> Value {
    json!({
        "action": "create", "reason": "the build runs", "check": check,
        "schedule": {"after": {"value": 2, "unit": "hour"}},
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn wakes_the_conversation_once_with_what_was_said() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let mut arguments = create("look at the log");
        arguments["context_summary"] = json!("it began at noon");
        arguments["quiet_success"] = json!(true);
        let (result, receipt) = turn.call("check_back_later", arguments).await;
        let made = &result["checkback"];
        assert_eq!(made["state"], "scheduled", "{}", world.name);
        assert_eq!(made["due_at"], "2026-03-28T15:00:00+01:00");
        let expected = json!({
            "operation_id": "test_call", "phase": "confirmed", "summary": "check_back.created", "target": "the build runs",
            "scope": {"interval": "2 hours"}, "follow_up": "when_needed",
        });
        assert_eq!(receipt, Some(expected));

        assert!(world.fire().await.is_empty(), "it is not due");
        world.pass(Duration::from_secs(7_200));
        let told = world.fire().await;
        let [wake] = told.as_slice() else { panic!("{told:?}") };
        assert_eq!((wake.agent.as_str(), wake.conversation.as_str(), wake.attempt), ("agent-1", "talk-1", 1));
        assert_eq!(wake.due.to_string(), "2026-03-28T14:00:00Z");
        assert_eq!(wake.delivery.targets[0].thread.as_deref(), Some("7"));
        let Occasion::CheckBack { checkback_id, check, .. } = &wake.occasion else { panic!("{wake:?}") };
        assert_eq!((json!(checkback_id), check.as_str()), (made["checkback_id"].clone(), "look at the log"));
        for part in [
            "due at 2026-03-28T15:00:00+01:00",
            "Why: the build runs",
            "Check: look at the log",
            "it began at noon",
            SILENT,
        ] {
            assert!(wake.prompt().contains(part), "{part:?} is not in {}", wake.prompt());
        }
        assert!(wake.is_silent(&format!(" {SILENT}\n")) && !wake.is_silent("all is well"));
        assert!(world.fire().await.is_empty(), "it fires once");
        let got = turn.check_back(json!({"action": "get", "checkback_id": checkback_id})).await;
        assert_eq!(got["state"], "fired");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_run_again_makes_no_second_one() {
    for world in worlds().await {
        let first = world.turn("message-1").check_back(create("look")).await;
        world.pass(Duration::from_secs(60));
        let mut again = create("  look ");
        again["quiet_success"] = json!(false);
        assert_eq!(world.turn("message-1").check_back(again).await, first);
        let other = world.turn("message-1").check_back(create("look elsewhere")).await;
        let next = world.turn("message-2").check_back(create("look")).await;
        assert!(
            other["checkback_id"] != first["checkback_id"] && next["checkback_id"] != first["checkback_id"]
        );
        // An update, too, is made once; and what is run again from the beginning comes to the same.
        let id = &first["checkback_id"];
        let update = json!({"action": "update", "checkback_id": id, "check": "look twice"});
        let updated = world.turn("message-1").check_back(update.clone()).await;
        assert_eq!(world.turn("message-1").check_back(create("look")).await, updated);
        assert_eq!(world.turn("message-1").check_back(update).await, updated);
        // Also after it has fired.
        world.pass(Duration::from_secs(9_000));
        assert_eq!(world.fire().await.len(), 3);
        let fired = world.turn("message-1").check_back(create("look")).await;
        assert_eq!((&fired["checkback_id"], &fired["state"]), (&updated["checkback_id"], &json!("fired")));
        // One that was cancelled can be made again.
        let made = world.turn("message-3").check_back(create("look")).await;
        let cancel = json!({"action": "cancel", "checkback_id": made["checkback_id"]});
        assert_eq!(world.turn("message-3").check_back(cancel.clone()).await["state"], "cancelled");
        assert_eq!(world.turn("message-3").check_back(cancel).await["state"], "cancelled");
        assert_ne!(
            world.turn("message-3").check_back(create("look")).await["checkback_id"],
            made["checkback_id"]
        );
        // Without an event, each call is a new one.
        let turn = Turn(schedule_tools(&world.schedules));
        let (one, two) = (turn.check_back(create("look")).await, turn.check_back(create("look")).await);
        assert_ne!(one["checkback_id"], two["checkback_id"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_update_changes_what_is_given_and_gives_a_new_number() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let mut arguments = create("look");
        arguments["context_summary"] = json!("known");
        arguments["automation_job_id"] = json!("sweep");
        let old = turn.check_back(arguments).await;
        let id = old["checkback_id"].clone();
        let new =
            turn.check_back(json!({"action": "update", "checkback_id": id, "context_summary": null})).await;
        assert_eq!((&new["replaces"], &new["due_at"], &new["check"]), (&id, &old["due_at"], &old["check"]));
        assert_eq!((new.get("context_summary"), &new["automation_job_id"]), (None, &json!("sweep")));
        let was = turn.check_back(json!({"action": "get", "checkback_id": id})).await;
        assert_eq!((&was["state"], &was["replaced_by"]), (&json!("cancelled"), &new["checkback_id"]));
        let refused = turn.refused("check_back_later", json!({"action": "cancel", "checkback_id": id})).await;
        assert!(refused.contains("an update made") && refused.contains("use that number"), "{refused}");

        let at = json!({
            "action": "update", "checkback_id": new["checkback_id"], "automation_job_id": null, "quiet_success": true,
            "schedule": {"at": "2026-03-29T09:00", "timezone": "Asia/Kathmandu"},
        });
        let (newest, receipt) = turn.call("check_back_later", at).await;
        let newest = &newest["checkback"];
        assert_eq!(
            (newest["due_at"].as_str(), newest.get("automation_job_id")),
            (Some("2026-03-29T09:00:00+05:45"), None)
        );
        assert_eq!(
            receipt.unwrap()["scope"],
            json!({"instant": "2026-03-29T09:00:00+05:45", "timezone": "Asia/Kathmandu"})
        );
        let listed = turn.check_back(json!({"action": "list"})).await;
        assert_eq!(listed, json!([newest]), "what was replaced is not listed");
        world.at("2026-03-29T04:00:00Z");
        assert_eq!(world.fire().await.len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_action_takes_its_own_parameters_and_says_which() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        for (arguments, words) in [
            (json!({"action": "create"}), "the action `create` needs `reason`, `check`, `schedule`"),
            (json!({"action": "get"}), "the action `get` needs `checkback_id`"),
            (
                json!({"action": "list", "reason": "x", "limit": 3}),
                "the action `list` does not take `reason`; leave it out",
            ),
            (
                json!({"action": "cancel", "check": "x"}),
                "the action `cancel` needs `checkback_id`, and does not take `check`",
            ),
            (
                json!({"action": "update", "checkback_id": 1}),
                "needs what shall change: at least one of `reason`, `check`,",
            ),
            (
                json!({"action": "update", "checkback_id": 1, "limit": 2, "check": "x"}),
                "does not take `limit`",
            ),
            (
                json!({"action": "get", "checkback_id": 7}),
                "this conversation has no check-back 7; the action `list`",
            ),
            (json!({"action": "create", "reason": " ", "check": "x", "schedule": {}}), "`reason` is blank"),
            (
                json!({"action": "create", "reason": "x", "check": "x", "schedule": {}}),
                "neither `after` nor `at`",
            ),
            (json!({"action": "list", "limit": 26}), "limit"),
            (json!({"action": "list", "colour": "red"}), "colour"),
            (json!({"action": "create", "reason": "x", "check": "x", "schedule": {"in": 5}}), "schedule"),
        ] {
            let error = turn.refused("check_back_later", arguments.clone()).await;
            assert!(error.contains(words), "{words:?} is not what {arguments} gives: {error}");
        }
        let mut unknown = create("look");
        unknown["automation_job_id"] = json!("mop");
        let error = turn.refused("check_back_later", unknown.clone()).await;
        assert!(error.contains("`automation_job_id` is `mop`, and there is no such"), "{error}");
        // Null is what was left out.
        let mut nulls = create("look");
        nulls["context_summary"] = Value::Null;
        nulls["automation_job_id"] = Value::Null;
        nulls["limit"] = Value::Null;
        turn.check_back(nulls).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_sees_its_own_conversation_and_needs_a_way_to_answer() {
    for world in worlds().await {
        let made = world.turn("message-1").check_back(create("look")).await;
        let elsewhere = Turn(schedule_tools(&world.schedules.clone().conversation("talk-2")));
        assert_eq!(elsewhere.check_back(json!({"action": "list"})).await, json!([]));
        let id = &made["checkback_id"];
        for action in ["get", "cancel"] {
            let error =
                elsewhere.refused("check_back_later", json!({"action": action, "checkback_id": id})).await;
            assert!(error.contains("this conversation has no check-back"), "{error}");
        }
        assert_eq!(world.schedules.check_backs().await.unwrap().len(), 1, "a person sees all");

        let mute = Turn(schedule_tools(
            &Schedules::new(world.schedules.state().clone(), "agent-1").conversation("talk-1"),
        ));
        assert_eq!(mute.check_back(json!({"action": "list"})).await.as_array().unwrap().len(), 1);
        let update = json!({"action": "update", "checkback_id": id, "check": "x"});
        for arguments in [create("look"), update] {
            let error = mute.refused("check_back_later", arguments).await;
            assert!(error.contains("it has no place that answers go to"), "{error}");
        }
        let mut automated = create("look");
        automated["automation_job_id"] = json!("sweep");
        let voiced = Schedules::new(world.schedules.state().clone(), "agent-1");
        let voiced = voiced.reply_to(tool_std::schedule::ReplyTarget::new("chat", "room"));
        let error = Turn(schedule_tools(&voiced)).refused("check_back_later", automated).await;
        assert!(error.contains("this agent has no automation jobs; leave it out"), "{error}");
    }
}
