//! Reported faults of other software that concern the loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tests::responses_rules::complaints;
use tests::script::{ScriptedModel, calls, cut, results, says, user_texts};
use tool_runtime::provider::responses::encode_input;
use tool_runtime::{Correction, Ending, FailureLimits, FinalAnswer, StopReason, ToolChoice, ToolError};

use super::{agent, echo, fails, reads, run, writes};

const EDIT: &str = r#"{"path":"a","old":"x","new":"y"}"#;

#[tokio::test]
async fn d_17_the_same_failing_call_is_warned_about_once_and_then_ends_the_turn() {
    let edit = writes("edit", |_, _| async { Err::<String, _>(ToolError::new("old text not found")) });
    let model = ScriptedModel::new((0..20).map(|round| calls(&[(&format!("c{round}"), "edit", EDIT)])));
    let outcome = run(agent(&model, vec![edit])).await;
    let Ending::RepeatedFailure { call, times } = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!((call.call_id.as_str(), call.tool.as_str(), *times), ("c4", "edit", 5));
    assert_eq!(model.remaining(), 15);
    let texts = user_texts(&outcome.items);
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(
        texts[1].starts_with("The call of `edit` has failed again in exactly the same way."),
        "{}",
        texts[1]
    );
    // The warning stands behind the second result, and every call is answered.
    assert_eq!(model.asked()[2].user_texts().len(), 2);
    assert_eq!(results(&outcome.items).len(), 5);
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}

#[tokio::test]
async fn d_17_both_limits_can_be_set_and_switched_off() {
    let script = || ScriptedModel::new((0..8).map(|_| calls(&[("", "bad", "{}")])));
    let strict = run(agent(&script(), vec![fails("bad")]).failures(FailureLimits::new(0, 2))).await;
    assert!(matches!(strict.ending, Ending::RepeatedFailure { times: 2, .. }));
    assert_eq!(user_texts(&strict.items).len(), 1);
    let model = script();
    let open = agent(&model, vec![fails("bad")]).failures(FailureLimits::new(0, 0)).iteration_limit(7);
    assert!(matches!(run(open).await.ending, Ending::IterationLimit { limit: 7 }));
}

#[tokio::test]
async fn d_17_arguments_in_another_order_and_with_a_new_nonce_are_the_same_call() {
    let spelled = [r#"{"a":1,"b":2,"nonce":"x"}"#, r#"{"b":2,"nonce":"y","a":1}"#, r#"{ "a": 1, "b": 2 }"#];
    let model = ScriptedModel::new(spelled.map(|arguments| calls(&[("", "bad", arguments)])));
    let outcome = run(agent(&model, vec![fails("bad")]).failures(FailureLimits::new(2, 3))).await;
    assert!(matches!(outcome.ending, Ending::RepeatedFailure { times: 3, .. }));
}

#[tokio::test]
async fn d_17_reading_in_between_does_not_hide_a_circle_and_writing_does_end_it() {
    let rounds = |other: &'static str| {
        let round = move |_| [calls(&[("", "bad", "{}")]), calls(&[("", other, "{}")])];
        ScriptedModel::new((0..6).flat_map(round).chain([says("done")]))
    };
    let save = || writes("save", |_, _| async { "saved" });
    let reading = run(agent(&rounds("look"), vec![fails("bad"), echo("look")])).await;
    assert!(matches!(reading.ending, Ending::RepeatedFailure { times: 5, .. }));
    let writing = run(agent(&rounds("save"), vec![fails("bad"), save()])).await;
    assert!(matches!(writing.ending, Ending::Finished));
    assert_eq!(user_texts(&writing.items).len(), 1);
}

#[tokio::test]
async fn d_17_equal_calls_of_one_response_count_once() {
    let five: Vec<(&str, &str, &str)> = vec![("", "bad", "{}"); 5];
    let model = ScriptedModel::new([calls(&five), says("done")]);
    let outcome = run(agent(&model, vec![fails("bad")])).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!((results(&outcome.items).len(), user_texts(&outcome.items).len()), (5, 1));
}

#[tokio::test]
async fn d_18_polling_with_changing_results_is_neither_warned_about_nor_stopped() {
    for failing in [false, true] {
        let progress = Arc::new(AtomicU32::new(0));
        let status = reads("status", move |_, _| {
            let percent = progress.fetch_add(10, Ordering::Relaxed) + 10;
            async move {
                let text = format!("{percent} %");
                if failing { Err(ToolError::new(text)) } else { Ok(text) }
            }
        });
        let polls = (0..8).map(|_| calls(&[("", "status", r#"{"job":4}"#)]));
        let model = ScriptedModel::new(polls.chain([says("done")]));
        let outcome = run(agent(&model, vec![status])).await;
        assert!(matches!(outcome.ending, Ending::Finished), "{:?}", outcome.ending);
        assert_eq!(user_texts(&outcome.items), ["go"]);
    }
}

#[tokio::test]
async fn d_20_the_calls_of_the_last_round_run_and_their_results_are_kept() {
    let model = ScriptedModel::new([
        calls(&[("c0", "echo", "{}")]),
        calls(&[("c1", "echo", r#"{"text":"one"}"#), ("c2", "echo", r#"{"text":"two"}"#)]),
        says("a summary"),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")]).iteration_limit(2)).await;
    assert!(matches!(outcome.ending, Ending::IterationLimit { limit: 2 }));
    assert_eq!(outcome.text, "a summary");
    assert_eq!(
        results(&outcome.items)[1..],
        [("c1".to_owned(), "one".to_owned()), ("c2".to_owned(), "two".to_owned())]
    );
    let synthesis = &model.asked()[2];
    assert_eq!(synthesis.offered, Vec::<String>::new());
    assert!(synthesis.user_texts()[1].starts_with("The limit of 2 rounds with tools is reached"));
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}

#[tokio::test]
async fn d_22_broken_arguments_go_back_as_an_object_and_the_next_turn_goes_through() {
    let cut_text = r#"{"path":"a.txt","content":"abc"#;
    let model = ScriptedModel::new([calls(&[("c1", "write", cut_text)]), says("sorry")]);
    let write = writes("write", |_, _| async { panic!("must not run") as String });
    let outcome = run(agent(&model, vec![write])).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    let (_, told) = &results(&outcome.items)[0];
    assert!(told.starts_with("error: the arguments of `write`"), "{told}");
    let input = model.asked()[1].input();
    let arguments: Value = serde_json::from_str(input[1]["arguments"].as_str().unwrap()).unwrap();
    assert!(arguments.is_object(), "{arguments}");
    assert_eq!(complaints(&input), Vec::<String>::new());
}

#[tokio::test]
async fn d_23_a_forced_call_is_forced_in_the_first_round_only() {
    let script = || ScriptedModel::new([calls(&[("", "echo", "{}")]), says("done")]);
    let choices =
        |model: &ScriptedModel| model.asked().into_iter().map(|asked| asked.tool_choice).collect::<Vec<_>>();
    let model = script();
    run(agent(&model, vec![echo("echo")]).tool_choice(ToolChoice::Required)).await;
    assert_eq!(choices(&model), [ToolChoice::Required, ToolChoice::Auto]);
    let model = script();
    run(agent(&model, vec![echo("echo")]).tool_choice_every_round(ToolChoice::Required)).await;
    assert_eq!(choices(&model), [ToolChoice::Required, ToolChoice::Required]);
    // A correction's own choice is for one round; then the host's is back.
    let script = [says("done"), calls(&[("", "echo", "{}")]), says("done")];
    let model = ScriptedModel::new(script);
    let wanted = |answer: &FinalAnswer<'_>| {
        answer.results.is_empty().then(|| Correction::new("Call.").tool_choice(ToolChoice::Required))
    };
    let turn = agent(&model, vec![echo("echo")]).tool_choice_every_round(ToolChoice::None);
    run(turn.check_answer(wanted)).await;
    assert_eq!(choices(&model), [ToolChoice::None, ToolChoice::Required, ToolChoice::None]);
}

#[tokio::test]
async fn d_23_a_cut_response_does_not_use_up_the_forced_call() {
    let model =
        ScriptedModel::new([cut(calls(&[("", "echo", "{}")])), calls(&[("", "echo", "{}")]), says("done")]);
    run(agent(&model, vec![echo("echo")]).tool_choice(ToolChoice::Required)).await;
    let forced: Vec<bool> =
        model.asked().iter().map(|asked| asked.tool_choice == ToolChoice::Required).collect();
    assert_eq!(forced, [true, true, false]);
}

#[tokio::test]
async fn d_26_a_response_cut_by_its_length_runs_nothing_and_answers_each_call() {
    let write = || writes("write", |_, _| async { panic!("must not run") as String });
    let half = || cut(calls(&[("c1", "write", r#"{"path":"a"}"#), ("c2", "write", r#"{"path":"b","con"#)]));
    let model = ScriptedModel::new([half(), says("done")]);
    let outcome = run(agent(&model, vec![write()])).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    let told = results(&outcome.items);
    assert_eq!(told.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["c1", "c2"]);
    for (_, text) in &told {
        assert!(text.starts_with("error: the call was not run: the response was cut off"), "{text}");
    }
    assert_eq!(complaints(&model.asked()[1].input()), Vec::<String>::new());

    // A second cut in the turn ends it, and the caller sees why.
    let model = ScriptedModel::new([half(), half(), says("never asked")]);
    let outcome = run(agent(&model, vec![write()])).await;
    assert!(matches!(outcome.ending, Ending::Cut(StopReason::OutputLimit)), "{:?}", outcome.ending);
    assert_eq!((results(&outcome.items).len(), model.remaining()), (4, 1));
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}
