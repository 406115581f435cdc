//! What comes of one call: output, failures, panics.

use serde_json::Value;
use tool_runtime::{CallError, Image, ToolError, ToolOutput, ToolResult, ToolSpec};

use crate::world::{any_object, calls, echo, run, set, told, tool};

#[tokio::test]
async fn d_05_one_failure_leaves_its_siblings_alone() {
    let fine = tool("fine", |_, _| async { tokio::task::yield_now().await });
    let bad = tool("bad", |_, _| async { Err::<String, _>(ToolError::new("broken")) });
    let results =
        run(&set(vec![fine, bad]), calls(&[("c1", "fine", ""), ("c2", "bad", ""), ("c3", "fine", "")])).await;
    let kinds: Vec<bool> = results.iter().map(ToolResult::is_error).collect();
    assert_eq!(kinds, [false, true, false]);
    assert_eq!(results[1].model_text(), "error: broken");
}

#[tokio::test]
async fn d_08_long_output_is_cut_at_a_character_boundary() {
    let long = ToolSpec::new("long", "Says much.")
        .max_output(10)
        .no_parameters()
        .execute(|_, _| async { "aaaaaaaaaé…" });
    let results = run(&set(vec![long]), calls(&[("c", "long", "{}")])).await;
    assert_eq!(results[0].model_text(), "aaaaaaaaa\n[output cut: 5 of 14 bytes left out]");
}

#[tokio::test]
async fn d_19_empty_output_is_said_to_the_model_and_stays_empty_for_the_host() {
    let results =
        run(&set(vec![tool("quiet", |_, _| async { Ok::<_, ToolError>("") })]), calls(&[("c", "quiet", "")]))
            .await;
    assert_eq!(results[0].model_text(), "(the tool finished without output)");
    assert_eq!(results[0].outcome.as_ref().unwrap().text(), "");
    assert!(!results[0].is_error());
}

#[tokio::test]
async fn d_08_what_a_failure_says_is_cut_like_output() {
    let spec = |name: &'static str| ToolSpec::new(name, "Does something.").max_output(10);
    let fails = spec("fails")
        .schema::<Value>(any_object())
        .execute(|_, _| async { Err::<String, _>(ToolError::new("aaaaaaaaaé…")) });
    let panics = spec("panics")
        .schema::<Value>(any_object())
        .execute(|_, _| async { if true { panic!("aaaaaaaaaé…") } else { "" } });
    let set = set(vec![fails, panics]);
    let results = run(&set, calls(&[("c1", "fails", ""), ("c2", "panics", "")])).await;
    let cut = "aaaaaaaaa\n[output cut: 5 of 14 bytes left out]";
    assert_eq!(
        told(&results),
        [
            ("c1", format!("error: {cut}")),
            ("c2", format!("error: the tool failed by a fault of its own (panic): {cut}")),
        ]
    );
    assert_eq!(set.call("fails", "").await.unwrap_err().to_string(), cut);
}

/// Panics when it is dropped.
struct PanicsAtTheEnd;

impl Drop for PanicsAtTheEnd {
    fn drop(&mut self) {
        panic!("at the end");
    }
}

#[tokio::test]
async fn a_thrown_value_that_panics_when_dropped_is_an_error_of_its_call() {
    let bad = tool("bad", |_, _| async { if true { std::panic::panic_any(PanicsAtTheEnd) } else { "" } });
    // A call that is alone has no task of its own that would catch it.
    let results = run(&set(vec![bad]), calls(&[("c1", "bad", "")])).await;
    let said = "error: the tool failed by a fault of its own (panic): no message".to_owned();
    assert_eq!(told(&results), [("c1", said)]);
}

#[tokio::test]
async fn a_panic_is_an_error_of_its_own_call() {
    let bad = tool("bad", |_, _| async { if true { panic!("index 7 of 3") } else { "" } });
    let at_once = tool("at_once", |_, _| -> std::future::Ready<String> { panic!("before the first await") });
    let set = set(vec![bad, at_once, echo("fine")]);
    let asked = calls(&[("c1", "bad", ""), ("c2", "fine", ""), ("c3", "at_once", ""), ("c4", "fine", "")]);
    let results = run(&set, asked).await;
    assert_eq!(
        told(&results),
        [
            ("c1", "error: the tool failed by a fault of its own (panic): index 7 of 3".to_owned()),
            ("c2", "ok".to_owned()),
            ("c3", "error: the tool failed by a fault of its own (panic): before the first await".to_owned()),
            ("c4", "ok".to_owned()),
        ]
    );
    assert!(matches!(set.call("bad", "{}").await, Err(CallError::Panicked(_))));
}

#[tokio::test]
async fn images_are_named_in_text_and_kept_as_parts() {
    let picture = tool("picture", |_, _| async {
        ToolOutput::text("a cat: ").with(Image::from_bytes("image/png", b"\x89PNG"))
    });
    let results = run(&set(vec![picture]), calls(&[("c", "picture", "")])).await;
    assert_eq!(results[0].model_text(), "a cat: [image, image/png]");
    assert_eq!(results[0].for_model().len(), 2);
}
