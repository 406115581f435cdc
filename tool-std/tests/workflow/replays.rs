//! A replay is a function of the program and what is known of its calls.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_std::workflow::{CallOutcome, KnownCall, Program, Replay, WorkflowLimits};

use crate::{program, run};

fn known(prompt: &str, outcome: Option<Value>) -> KnownCall {
    let call = json!({ "prompt": prompt }).to_string();
    KnownCall { call, outcome: outcome.map(|value| CallOutcome::Value(value.to_string())) }
}

fn replay(source: &str, known: &[KnownCall]) -> Replay {
    program(source).replay(known, &WorkflowLimits::new())
}

/// Two chains of unlike length side by side: the order in which their calls are made must not depend on which ends first.
const CHAINS: &str = "
    const short = async () => [await agent('a1'), await agent('a2'), await agent('a3')];
    const long = async () => { await null; await null; await null; return [await agent('b1'), await agent('b2')]; };
    return (await Promise.all([short(), long()])).flat();
";

#[test]
fn a_stage_is_answered_when_all_its_calls_are_over() {
    let first = replay(CHAINS, &[]);
    let Replay::Pending { first: 0, calls } = first else { panic!("{first:?}") };
    assert_eq!(calls.iter().map(|call| call.prompt.as_str()).collect::<Vec<_>>(), ["a1", "b1"]);
    for known in [
        vec![known("a1", Some(json!(1))), known("b1", None)],
        vec![known("a1", None), known("b1", Some(json!(1)))],
        vec![known("a1", None), known("b1", None)],
    ] {
        let replay = replay(CHAINS, &known);
        let Replay::Pending { first: 0, calls } = replay else { panic!("{replay:?}") };
        assert_eq!(calls.len(), 2, "the same batch");
    }
    let next = replay(CHAINS, &[known("a1", Some(json!(1))), known("b1", Some(json!(1)))]);
    let Replay::Pending { first: 2, calls } = next else { panic!("{next:?}") };
    assert_eq!(calls.iter().map(|call| call.prompt.as_str()).collect::<Vec<_>>(), ["a2", "b2"]);
}

#[test]
fn a_replay_that_differs_says_what_differed() {
    let source = "await agent('first'); return await agent('second')";
    let other = replay(source, &[known("first", Some(json!("x"))), known("other", None)]);
    assert_eq!(
        other,
        Replay::Diverged {
            call: 1,
            difference: r#"it was `{"prompt":"other"}` and is `{"prompt":"second"}`"#.to_owned()
        }
    );
    for source in ["return 'done'", "await agent('first'); throw new Error('new')"] {
        let gone = replay(source, &[known("first", Some(json!("x"))), known("second", None)]);
        let Replay::Diverged { difference, .. } = gone else { panic!("{gone:?}") };
        assert!(difference.ends_with("and is not made"), "{difference}");
    }
}

#[test]
fn a_race_has_the_same_winner_in_each_replay() {
    let source = "return await Promise.race([agent('a'), agent('b')])";
    let both = [known("a", Some(json!("A"))), known("b", Some(json!("B")))];
    assert_eq!(replay(source, &both), Replay::Completed("A".to_owned()));
    let waits = replay(source, &[known("a", None), known("b", Some(json!("B")))]);
    assert!(matches!(waits, Replay::Pending { first: 0, .. }), "{waits:?}");
}

#[test]
fn a_result_does_not_wait_for_calls_that_nobody_awaits() {
    assert_eq!(replay("agent('left'); return 'done'", &[]), Replay::Completed("done".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the calls of a stage give and in whichever order they end, a replay with a part of what is known of the last
    /// stage makes the calls that the whole run made.
    #[test]
    fn a_part_of_what_is_known_leads_to_the_same_calls(widths in proptest::collection::vec(1_usize..5, 1..5), over: u16, seed: u32) {
        let source = "
            const all = [];
            for (const [stage, width] of args.widths.entries()) {
                const hops = Array.from({ length: width }, () => Math.floor(Math.random() * 4));
                all.push(await Promise.all(hops.map(async (count, at) => {
                    for (let hop = 0; hop < count; hop += 1) await null;
                    const value = await agent(`${stage}.${at}.${Math.random()}`);
                    return value + (await agent(`then ${value}`));
                })));
            }
            return all.flat(2);
        ";
        let program = Program::new(source, Some(json!({ "widths": widths })), seed, 0).unwrap();
        let (stages, end) = run(&program, |prompt| Some(json!(prompt.len())));
        prop_assert!(matches!(end, Replay::Completed(_)), "{:?}", end);
        prop_assert_eq!(stages.len(), 2 * widths.len());
        // The last stage again, with some of its calls over.
        let mut known = Vec::new();
        for (at, stage) in stages.iter().enumerate() {
            for (place, prompt) in stage.iter().enumerate() {
                let is_over = at + 1 < stages.len() || over & (1 << place) != 0;
                known.push(self::known(prompt, is_over.then(|| json!(prompt.len()))));
            }
        }
        let last = stages.last().unwrap();
        let replayed = program.replay(&known, &WorkflowLimits::new());
        if (0..last.len()).all(|place| over & (1 << place) != 0) {
            prop_assert_eq!(replayed, end);
        } else {
            let Replay::Pending { first, calls } = replayed else { return Err(TestCaseError::fail("no calls")) };
            prop_assert_eq!(first + calls.len(), known.len());
            prop_assert_eq!(calls.iter().map(|call| &call.prompt).collect::<Vec<_>>(), last.iter().collect::<Vec<_>>());
        }
    }
}
