//! Code that must build, and mistakes with the messages they get.
//!
//! `TRYBUILD=overwrite cargo test -p tests --test ui` writes the messages anew; read each change.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    for area in ["worker_tool", "tool_params", "param", "tools"] {
        cases.pass(format!("tests/ui/{area}/pass/*.rs"));
        cases.compile_fail(format!("tests/ui/{area}/fail/*.rs"));
    }
}
