//! The example `chat` as a person runs it.

#![allow(clippy::unwrap_used, reason = "tests stop at what must not be")]

use std::process::Command;

#[test]
fn it_plays_its_recording() {
    let output = Command::new(env!("CARGO_BIN_EXE_chat")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    let expected = "\
> What does this workspace build, and with which edition?
   running  Reading ../Cargo.toml
    failed  Reading ../Cargo.toml
   running  Reading Cargo.toml
      done  Reading Cargo.toml
The workspace builds five crates: `tool-macros`, `tool-runtime`, `tool-std`, `examples` and `tests`. All of them take their \
edition from the workspace, which sets 2024.

> And under which licence?
   running  Listing files
      done  Listing files
Under MIT or Apache-2.0, at your option: both texts are there.

";
    assert_eq!(said, expected);
}
