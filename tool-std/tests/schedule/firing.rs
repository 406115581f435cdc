//! How what is due reaches the host: attempts, repeats, several processes, a loop that sleeps until something is due.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::{Semaphore, mpsc};
use tool_runtime::{BoxFuture, CancellationToken};
use tool_std::schedule::{Schedules, Wake, WakeError, WakeUp};
use tool_std::state::State;

use crate::databases::databases;
use crate::world::{Failure, Turn, worlds};

fn soon(check: &str) -> serde_json::Value {
    json!({"action": "create", "reason": "r", "check": check, "schedule": {"after": {"value": 1, "unit": "second"}}})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_attempt_is_made_again_later_under_the_same_key() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.check_back(soon("look")).await;
        world.host.fail([Failure::Error("no connection"), Failure::Panic]);
        world.pass(Duration::from_secs(1));
        let first = world.fire().await.remove(0);
        let got = turn.check_back(json!({"action": "get", "checkback_id": made["checkback_id"]})).await;
        assert_eq!((&got["state"], &got["error"]), (&json!("scheduled"), &json!("no connection")));
        assert!(world.fire().await.is_empty(), "not at once");
        world.pass(Duration::from_secs(1));
        let second = world.fire().await.remove(0);
        world.pass(Duration::from_secs(1));
        assert!(world.fire().await.is_empty(), "later each time");
        world.pass(Duration::from_secs(1));
        let third = world.fire().await.remove(0);
        assert_eq!((&first.key, &first.key), (&second.key, &third.key));
        assert_eq!((first.attempt, second.attempt, third.attempt), (1, 2, 3));
        let got = turn.check_back(json!({"action": "get", "checkback_id": made["checkback_id"]})).await;
        assert_eq!((&got["state"], &got["error"]), (&json!("fired"), &json!("the host's code panicked")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_is_paused_while_it_fails_has_nothing_that_waits() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let rule =
            json!({"action": "add", "name": "r", "schedule": {"every_ms": 60_000}, "payload": {"task": "t"}});
        turn.cron(rule).await;
        world.host.fail([Failure::Error("no connection")]);
        world.pass(Duration::from_secs(60));
        assert_eq!(world.fire().await.len(), 1);
        turn.cron(json!({"action": "pause", "name": "r"})).await;
        world.pass(Duration::from_secs(600));
        assert!(world.fire().await.is_empty());
    }
}

/// Tells a test what it was given, and ends when the test says so.
struct Held {
    told: mpsc::UnboundedSender<WakeUp>,
    go_on: Arc<Semaphore>,
}

impl Wake for Held {
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>> {
        Box::pin(async move {
            self.told.send(wake.clone())?;
            self.go_on.acquire().await?.forget();
            Ok(())
        })
    }
}

fn held() -> (Arc<dyn Wake>, mpsc::UnboundedReceiver<WakeUp>, Arc<Semaphore>) {
    let (told, telling) = mpsc::unbounded_channel();
    let go_on = Arc::new(Semaphore::new(0));
    (Arc::new(Held { told, go_on: Arc::clone(&go_on) }), telling, go_on)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_changed_while_it_is_delivered_holds_from_the_next_tick_on() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let rule = json!({
            "action": "add", "name": "r", "payload": {"task": "t"},
            "schedule": {"every_ms": 60_000, "occurrences": {"count": 5}},
        });
        turn.cron(rule).await;
        world.pass(Duration::from_secs(60));
        let (host, mut telling, go_on) = held();
        let schedules = world.schedules.clone();
        let firing = tokio::spawn(async move { schedules.fire_due(&host).await.unwrap() });
        telling.recv().await.unwrap();
        // Not a second one of the same rule, however often it is paused and resumed.
        for action in ["pause", "resume", "pause", "resume"] {
            turn.cron(json!({"action": action, "name": "r"})).await;
        }
        assert!(world.fire().await.is_empty(), "one process has it in hand");
        let update = json!({
            "action": "update", "name": "r", "schedule": {"every_ms": 3_600_000, "occurrences": {"count": 5}},
        });
        turn.cron(update).await;
        go_on.add_permits(1);
        assert_eq!(firing.await.unwrap(), 1);
        let rule = turn.cron(json!({"action": "get", "name": "r"})).await;
        assert_eq!(
            (&rule["next_at"], &rule["occurrences_spent"]),
            (&json!("2026-03-28T14:01:00+01:00"), &json!(0))
        );
        let runs = turn.cron(json!({"action": "runs", "name": "r"})).await;
        assert_eq!(runs.as_array().unwrap().len(), 2, "the tick and the next: {runs}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_had_in_hand_comes_again_under_its_key_ten_times_at_most() {
    for world in worlds().await {
        let turn = world.turn("message-1");
        let made = turn.check_back(soon("look")).await;
        world.pass(Duration::from_secs(1));
        let mut keys = Vec::new();
        for attempt in 1..=10 {
            let (host, mut telling, _go_on) = held();
            let schedules = world.schedules.clone();
            let firing = tokio::spawn(async move { schedules.fire_due(&host).await });
            let wake = telling.recv().await.unwrap();
            assert_eq!(wake.attempt, attempt);
            keys.push(wake.key);
            // Dropped in the middle, as by the end of its process.
            firing.abort();
            assert!(firing.await.unwrap_err().is_cancelled());
            assert!(world.fire().await.is_empty(), "nobody knows yet that it is dead");
            world.pass(Duration::from_secs(31));
        }
        keys.dedup();
        assert_eq!(keys.len(), 1);
        assert!(world.fire().await.is_empty());
        let got = turn.check_back(json!({"action": "get", "checkback_id": made["checkback_id"]})).await;
        assert_eq!(
            (&got["state"], &got["error"]),
            (&json!("failed"), &json!("was begun 10 times and never ended"))
        );
    }
}

/// Tells a test each key that it was told.
struct Keys(mpsc::UnboundedSender<String>);

impl Wake for Keys {
    fn wake<'a>(&'a self, wake: &'a WakeUp) -> BoxFuture<'a, Result<(), WakeError>> {
        Box::pin(async move { Ok(self.0.send(wake.key.clone())?) })
    }
}

/// Real clocks, and loops on connections of their own, as in several processes.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_loops_on_one_database_deliver_each_wake_up_once() {
    for database in databases().await {
        let state = State::open(&database.place).await.unwrap();
        let schedules = Schedules::new(state, "agent-1");
        let turn = schedules.clone().reply_to(tool_std::schedule::ReplyTarget::new("chat", "room"));
        let turn = Turn(tool_std::schedule::schedule_tools(&turn));
        let (told, mut telling) = mpsc::unbounded_channel();
        let host: Arc<dyn Wake> = Arc::new(Keys(told));
        let stop = CancellationToken::new();
        let mut loops = Vec::new();
        for _ in 0..3 {
            let own = Schedules::new(State::open(&database.place).await.unwrap(), "any");
            let (host, stop) = (Arc::clone(&host), stop.clone());
            loops.push(tokio::spawn(async move {
                own.fire(&host, 4, &|problem| panic!("{problem}"), &stop).await;
            }));
        }
        for number in 0..60 {
            turn.check_back(soon(&format!("look {number}"))).await;
        }
        let mut keys = HashMap::new();
        while keys.len() < 60 {
            *keys.entry(telling.recv().await.unwrap()).or_insert(0) += 1;
        }
        stop.cancel();
        for ended in loops {
            ended.await.unwrap();
        }
        assert!(keys.values().all(|times| *times == 1) && telling.try_recv().is_err(), "{}", database.name);
        let found = schedules.check_backs().await.unwrap();
        assert!(found.iter().all(|one| one.state == tool_std::schedule::EventState::Fired));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_that_is_stopped_waits_for_what_it_has_in_hand() {
    for database in databases().await {
        let state = State::open(&database.place).await.unwrap();
        let schedules =
            Schedules::new(state, "agent-1").reply_to(tool_std::schedule::ReplyTarget::new("chat", "room"));
        let turn = Turn(tool_std::schedule::schedule_tools(&schedules));
        let (host, mut telling, go_on) = held();
        let stop = CancellationToken::new();
        let (own, stopping) = (schedules.clone(), stop.clone());
        let running =
            tokio::spawn(async move { own.fire(&host, 4, &|problem| panic!("{problem}"), &stopping).await });
        turn.check_back(soon("look")).await;
        telling.recv().await.unwrap();
        stop.cancel();
        assert!(!running.is_finished());
        go_on.add_permits(1);
        running.await.unwrap();
        assert_eq!(schedules.check_backs().await.unwrap()[0].state, tool_std::schedule::EventState::Fired);
    }
}
