//! Random scripts of a model, with everything that goes wrong in them: whatever happens, the conversation is one that the
//! provider takes, each call has one result, the journal agrees, and nothing runs on.
//!
//! `AGENT_SCRIPTS=10000 cargo test -p tests --test agent properties` tries more of them.

mod answers;
mod checks;

use std::future::pending;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;
use tests::script::ScriptedModel;
use tokio::runtime::{Builder, Handle};
use tool_runtime::{
    Agent, ApprovalRequest, CallInput, CancellationToken, Correction, Decision, FinalAnswer, Item,
    MemoryJournal, Outcome, Steering, StopReason, ToolCall, ToolChoice, ToolName, WorkerAgentTool,
};

use super::{echo, fails, finish, reads, writes};
use answers::{Answer, Thoughts, answers, response, script};
use checks::{check_conversation, check_for_provider};

/// What a turn is like around the model.
#[derive(Clone, Debug)]
struct Setting {
    answers: Vec<Answer>,
    limit: u32,
    forced: bool,
    checked: bool,
    denied: bool,
    /// How many times the turn may be polled in vain before its future is dropped.
    patience: Option<u32>,
}

fn settings() -> impl Strategy<Value = Setting> {
    let patience = prop_oneof![2 => Just(None), 1 => (0_u32..40).prop_map(Some)];
    (vec(answers(), 1..8), 1_u32..6, any::<bool>(), any::<bool>(), any::<bool>(), patience).prop_map(
        |(answers, limit, forced, checked, denied, patience)| Setting {
            answers,
            limit,
            forced,
            checked,
            denied,
            patience,
        },
    )
}

fn tools(cancel: &CancellationToken, steering: &Steering) -> Vec<WorkerAgentTool> {
    let (stop, user) = (cancel.clone(), steering.clone());
    vec![
        echo("echo"),
        fails("fails"),
        reads("slow", |_, _| async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            "slow"
        }),
        reads("panics", |_, _| async { panic!("a fault of the tool") as String }),
        writes("write", move |_, _| {
            user.send("go on");
            async { "written" }
        }),
        finish(),
        reads("cancels", move |_, _| {
            stop.cancel();
            pending::<String>()
        }),
    ]
}

fn demand(answer: &FinalAnswer<'_>) -> Option<Correction> {
    let correction = Correction::new("Call `finish`.").offer([ToolName::bare("finish")]);
    answer.results.is_empty().then(|| correction.tool_choice(ToolChoice::Required))
}

/// Calls in the conversation that the turn added.
fn asked_for(outcome: &Outcome) -> usize {
    outcome.new_items().iter().filter(|item| item.as_call().is_some()).count()
}

async fn nothing_runs() -> bool {
    for _ in 0..1_000 {
        if Handle::current().metrics().num_alive_tasks() == 0 {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

async fn try_out(setting: Setting) -> Result<(), TestCaseError> {
    let (cancel, steering, journal) = (CancellationToken::new(), Steering::new(), MemoryJournal::new());
    let model = script(&setting.answers, &cancel);
    let mut agent = Agent::new(model.clone(), tools(&cancel, &steering)).unwrap();
    agent = agent.iteration_limit(setting.limit).journal(journal.clone()).steering(steering);
    if setting.forced {
        agent = agent.tool_choice(ToolChoice::Required);
    }
    if setting.checked {
        agent = agent.check_answer(demand);
    }
    if setting.denied {
        agent = agent.approval(|_: &ApprovalRequest| Decision::Deny("not now".to_owned()));
    }
    let hangs = setting.answers.iter().any(|answer| matches!(answer, Answer::Hang));
    let patience = setting.patience.or(hangs.then_some(400));
    let lost_patience = async {
        let Some(patience) = patience else { return pending().await };
        for _ in 0..patience {
            tokio::task::yield_now().await;
        }
    };
    let outcome = tokio::select! {
        biased;
        outcome = agent.run("go", &cancel) => Some(outcome.unwrap()),
        () = lost_patience => None,
    };
    prop_assert!(nothing_runs().await, "a task is alive");
    for asked in model.asked() {
        check_conversation(&asked.items)?;
    }
    let recovered = journal.recover();
    check_conversation(&recovered.items)?;
    let Some(outcome) = outcome else { return Ok(()) };
    check_conversation(&outcome.items)?;
    prop_assert_eq!(outcome.results.len(), asked_for(&outcome));
    prop_assert_eq!(recovered.ended.as_deref(), Some(outcome.ending.kind()));
    prop_assert_eq!(&recovered.items, &outcome.items);
    // At most the rounds with tools, a nudge and a correction, and the summary.
    prop_assert!(outcome.iterations <= 2 * setting.limit + 2, "{} rounds", outcome.iterations);

    // And it can go on.
    let mut items = outcome.items;
    items.push(Item::user("more"));
    let model = script(
        &[Answer::Respond {
            thoughts: Thoughts::None,
            text: "hello",
            calls: Vec::new(),
            stop: StopReason::Finished,
        }],
        &cancel,
    );
    let agent = Agent::new(model.clone(), Vec::new()).unwrap();
    agent.run(items.clone(), &CancellationToken::new()).await.unwrap();
    prop_assert_eq!(&model.asked()[0].items, &items);
    check_for_provider(&items)
}

fn scripts() -> u32 {
    std::env::var("AGENT_SCRIPTS").ok().and_then(|count| count.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(Config { cases: scripts(), failure_persistence: None, ..Config::default() })]

    #[test]
    fn whatever_a_model_does_the_conversation_stays_good_and_nothing_runs_on(setting in settings()) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(try_out(setting))?;
    }

    #[test]
    fn any_conversation_is_mended(items in vec(any_item(), 0..12)) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let model = ScriptedModel::new([response((None, None), "hello", &[], StopReason::Finished)]);
            let agent = Agent::new(model.clone(), Vec::new()).unwrap();
            agent.run(items, &CancellationToken::new()).await.unwrap();
            check_for_provider(&model.asked()[0].items)
        })?;
    }
}

fn any_item() -> impl Strategy<Value = Item> {
    let id = || prop::sample::select(&["", "a", "a", "b", "c"][..]);
    let call = |id: &str, text: bool| {
        let mut call = ToolCall::new(id, "echo", "{}");
        if text {
            call.input = CallInput::Text("x".to_owned());
        }
        call
    };
    prop_oneof![
        Just(Item::user("u")),
        Just(Item::assistant("m")),
        (id(), any::<bool>()).prop_map(move |(id, text)| Item::call(call(id, text))),
        (id(), any::<bool>()).prop_map(move |(id, text)| {
            let content = vec![tool_runtime::Content::Text("r".to_owned())];
            Item::Result(tool_runtime::ResultItem::new(&call(id, text), content, false))
        }),
    ]
}
