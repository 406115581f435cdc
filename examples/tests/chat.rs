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

#[cfg(feature = "http")]
mod asked_for_real {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::process::{Command, Stdio};

    /// The head of the first request when the example asks a server on this machine.
    fn head_of_request(options: &[&str]) -> String {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", server.local_addr().unwrap());
        let mut example = Command::new(env!("CARGO_BIN_EXE_chat"))
            .args(["--base-url", &base_url, "--model", "m"])
            .args(options)
            .env("OPENAI_API_KEY", "sk-of-openai")
            .env("OWN_KEY", "sk-of-this-server")
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        example.stdin.take().unwrap().write_all(b"hello\n").unwrap();
        let (stream, _) = server.accept().unwrap();
        let mut head = String::new();
        for line in BufReader::new(&stream).lines().map(Result::unwrap).take_while(|line| !line.is_empty()) {
            head.push_str(&format!("{line}\n"));
        }
        example.kill().unwrap();
        example.wait().unwrap();
        assert!(head.starts_with("POST /v1/chat/completions "), "{head}");
        head
    }

    #[test]
    fn another_server_does_not_get_the_key_of_openai() {
        let head = head_of_request(&[]);
        assert!(!head.to_lowercase().contains("authorization") && !head.contains("sk-"), "{head}");
    }

    #[test]
    fn another_server_gets_the_key_that_it_is_given() {
        let head = head_of_request(&["--key-variable", "OWN_KEY"]);
        assert!(head.contains("authorization: Bearer sk-of-this-server"), "{head}");
    }
}
