//! How many schedules there may be.

use std::time::Duration;

use serde_json::json;

use crate::check_backs::create;
use crate::rules::add;
use crate::world::worlds;

#[tokio::test(flavor = "multi_thread")]
async fn those_that_wait_are_listed_first_and_are_at_most_200() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        for number in 0..200 {
            let mut arguments = create(&format!("look {number}"));
            arguments["schedule"] = json!({"after": {"value": 200 - number, "unit": "hour"}});
            turn.check_back(arguments).await;
        }
        let error = turn.refused("check_back_later", create("one more")).await;
        assert!(error.contains("200 check-backs wait, and 200 are the most"), "{error}");
        world.pass(Duration::from_secs(3_600));
        assert_eq!(world.fire().await.len(), 1);
        let listed = turn.check_back(json!({"action": "list", "limit": 2})).await;
        assert_eq!((&listed[0]["check"], &listed[1]["check"]), (&json!("look 198"), &json!("look 197")));
        assert_eq!(listed.as_array().unwrap().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_has_at_most_100_rules_and_a_rule_100_runs_that_are_over() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        for number in 0..100 {
            turn.cron(add(&format!("rule {number}"))).await;
        }
        let error = turn.refused("cron", add("one more")).await;
        assert!(error.contains("there are 100 rules, and 100 are the most"), "{error}");
        let mut often = json!({"action": "update", "name": "rule 0"});
        often["schedule"] = json!({"every_ms": 1000});
        turn.cron(often).await;
        for _ in 0..103 {
            world.pass(Duration::from_secs(1));
            assert_eq!(world.fire().await.len(), 1);
        }
        let runs = world.schedules.runs("rule 0", 1_000).await.unwrap();
        assert_eq!(runs.len(), 101, "and the one that waits");
    }
}
