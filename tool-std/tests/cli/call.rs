//! `worker-tools call`: what each outcome prints, and its exit code.

use serde_json::{Value, json};

use crate::program::{run, run_on};

#[test]
fn the_result_goes_to_standard_output() {
    let ran = run(&["call", "todo", r#"{"todos": [{"id": "a", "content": "read"}]}"#]);
    assert_eq!(ran.stderr, "  · [ ] read\n");
    assert_eq!(ran.json()["todos"][0]["content"], "read");
}

#[test]
fn arguments_come_from_standard_input_too_and_may_be_left_out() {
    assert_eq!(run_on(r#"{"todos": []}"#, &["call", "todo", "-"]).json()["summary"]["total"], 0);
    assert_eq!(run(&["call", "todo"]).json()["todos"], json!([]));
}

#[test]
fn arguments_are_repaired_and_the_repairs_are_told() {
    let ran = run(&["call", "todo", r#"{"merge": "true",}"#]);
    assert!(ran.stderr.contains("repaired: trailing_comma, boolean_from_text /merge"), "{ran:?}");
    ran.good();
}

#[test]
fn details_are_printed_as_json() {
    let details: Value = run(&["call", "todo", "--details"]).json();
    assert_eq!(details["summary"]["total"], 0);
}

#[test]
fn refused_arguments_give_1_and_the_message_of_the_model() {
    for arguments in [r#"{"todos": 3}"#, "nonsense", r#"{"todos": [{"id": "a"}]}"#] {
        let ran = run(&["call", "todo", arguments]);
        assert_eq!(ran.stdout, "");
        let refused = ran.refused(1);
        assert!(refused.starts_with("error: "), "{refused}");
    }
}
