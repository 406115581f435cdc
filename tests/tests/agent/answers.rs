//! Final answers that are none, and what the user says meanwhile.

use tests::script::{ScriptedModel, Step, calls, says, user_texts};
use tool_runtime::{
    CancellationToken, Correction, Ending, FinalAnswer, Item, Steering, ToolChoice, ToolName,
};

use super::{agent, echo, finish, run, writes};

#[tokio::test]
async fn an_empty_answer_to_results_is_nudged_once_for_each_round_of_tools() {
    let model = ScriptedModel::new([
        calls(&[("", "echo", "{}")]),
        says(" \n"),
        calls(&[("", "echo", "{}")]),
        says(""),
        says(""),
        says("never asked"),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!((outcome.text.as_str(), model.remaining()), ("", 1));
    let texts = user_texts(&outcome.items);
    assert_eq!(texts.len(), 3);
    assert!(texts[1].starts_with("You have read the results of the tools and said nothing."), "{}", texts[1]);
}

#[tokio::test]
async fn without_results_or_where_it_is_switched_off_nobody_is_nudged() {
    let model = ScriptedModel::new([says(""), says("never asked")]);
    assert_eq!(user_texts(&run(agent(&model, vec![echo("echo")])).await.items), ["go"]);
    let model = ScriptedModel::new([calls(&[("", "echo", "{}")]), says(""), says("never asked")]);
    assert_eq!(user_texts(&run(agent(&model, vec![echo("echo")]).nudge(false)).await.items), ["go"]);
}

/// Wants the tool `finish` to be called.
fn wants_finish(_: &FinalAnswer<'_>) -> Option<Correction> {
    let correction = Correction::new("Call `finish`.").offer([ToolName::bare("finish")]);
    Some(correction.tool_choice(ToolChoice::Required))
}

#[tokio::test]
async fn a_final_answer_is_corrected_once_with_the_tools_that_the_host_names() {
    let model = ScriptedModel::new([says("done, I think"), calls(&[("c1", "finish", "{}")])]);
    let outcome = run(agent(&model, vec![echo("echo"), finish()]).check_answer(wants_finish)).await;
    assert!(matches!(outcome.ending, Ending::EndedByTool(_)));
    let asked = model.asked();
    assert_eq!(
        (&asked[0].offered[..], &asked[1].offered[..]),
        (&["echo".to_owned(), "finish".to_owned()][..], &["finish".to_owned()][..])
    );
    assert_eq!(asked[1].tool_choice, ToolChoice::Required);
    assert_eq!(asked[1].user_texts(), ["go", "Call `finish`."]);
}

#[tokio::test]
async fn an_answer_that_is_still_not_accepted_ends_the_turn() {
    let model = ScriptedModel::new([says("done"), says("really done"), says("never asked")]);
    let outcome = run(agent(&model, vec![finish()]).check_answer(wants_finish)).await;
    assert!(matches!(&outcome.ending, Ending::NotAccepted { reason } if reason == "Call `finish`."));
    assert_eq!((outcome.text.as_str(), model.remaining()), ("really done", 1));
}

#[tokio::test]
async fn an_accepted_answer_and_a_corrected_one_finish() {
    let short = |answer: &FinalAnswer<'_>| (answer.text.len() > 5).then(|| Correction::new("Shorter."));
    let model = ScriptedModel::new([says("much too long"), says("ok")]);
    let outcome = run(agent(&model, Vec::new()).check_answer(short)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(outcome.text, "ok");
}

#[tokio::test]
async fn a_tool_that_a_correction_does_not_offer_is_not_run_for_the_rest_of_the_turn() {
    let write = writes("write", |_, _| async { panic!("must not run") as String });
    let model = ScriptedModel::new([
        says("done"),
        calls(&[("c1", "write", "{}"), ("c2", "nothing", "{}")]),
        calls(&[("c3", "finish", "{}")]),
    ]);
    let outcome = run(agent(&model, vec![write, finish()]).check_answer(wants_finish)).await;
    assert_eq!(
        outcome.results[0].model_text(),
        "error: the call was not run: the tool `write` cannot be called in this part of the turn"
    );
    assert!(outcome.results[1].model_text().contains("no tool is named `nothing`"));
    assert_eq!(model.asked()[2].offered, ["finish"]);
    // The choice was forced for one round only.
    assert_eq!(model.asked()[2].tool_choice, ToolChoice::Auto);
}

#[tokio::test]
async fn what_the_user_says_between_rounds_is_handed_over_together() {
    let steering = Steering::new();
    let user = steering.clone();
    let speaks = writes("speaks", move |_, _| {
        user.send("not that file");
        user.send("the other one");
        async { "worked" }
    });
    let model = ScriptedModel::new([calls(&[("", "speaks", "{}")]), says("done")]);
    let outcome = run(agent(&model, vec![speaks]).steering(steering.clone())).await;
    assert_eq!(model.asked()[1].user_texts(), ["go", "not that file", "the other one"]);
    assert!(matches!(outcome.ending, Ending::Finished));
    assert!(steering.take().is_empty());
}

#[tokio::test]
async fn what_the_user_says_during_the_last_words_is_still_answered() {
    let steering = Steering::new();
    let user = steering.clone();
    let interrupted = Step::Do(Box::new(move |_| {
        user.send("wait, also this");
        Ok(says("done"))
    }));
    let model = ScriptedModel::new([interrupted, says("that too").into()]);
    let outcome = run(agent(&model, Vec::new()).steering(steering)).await;
    assert_eq!(outcome.text, "that too");
    assert_eq!(user_texts(&outcome.items), ["go", "wait, also this"]);
}

#[tokio::test]
async fn what_comes_too_late_waits_for_the_next_turn() {
    let steering = Steering::new();
    let user = steering.clone();
    let last = Step::Do(Box::new(move |_| {
        user.send("too late");
        Ok(calls(&[("", "finish", "{}")]))
    }));
    let model = ScriptedModel::new([last]);
    let outcome = run(agent(&model, vec![finish()]).steering(steering.clone())).await;
    let mut items = outcome.items;
    items.extend(steering.take());
    assert_eq!(items.last(), Some(&Item::user("too late")));
    let model = ScriptedModel::new([says("hello")]);
    agent(&model, vec![finish()]).run(items, &CancellationToken::new()).await.unwrap();
}
