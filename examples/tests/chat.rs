//! The example `chat` as a person runs it.

#![allow(clippy::unwrap_used, reason = "tests stop at what must not be")]

use std::process::{Command, Stdio};

fn chat() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chat"));
    command.stdin(Stdio::null());
    command
}

#[test]
fn without_anybody_at_the_terminal_it_plays_its_recording_and_leaves() {
    let output = chat().output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    for expected in [
        "> What does this workspace build, and with which edition?\nI look around first.\n",
        "\n  ✓ Listed . (",
        "\n  ✓ Read Cargo.toml (",
        "\n  ✓ Looked for edition (",
        "\n  ✗ Reading no-such-file.toml (",
        "\nThe workspace builds five crates",
    ] {
        assert!(said.contains(expected), "{expected:?} is not in {said}");
    }
    assert!(!said.contains('\r') && !said.contains('\x1b'), "a file is no terminal: {said:?}");
}

#[test]
fn a_wrong_argument_is_named_with_the_usage() {
    for (arguments, expected) in [
        (&["--frmat", "chat"][..], "unknown argument `--frmat`"),
        (&["--model"], "`--model` needs a value"),
        (&["--base-url", "http://localhost"], "`--model` is missing"),
    ] {
        let output = chat().args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.contains(expected) && said.contains("usage: chat"), "{said}");
    }
}

#[cfg(all(unix, feature = "http"))]
mod served {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// Reads one request, its body too, and gives its text.
    fn request(stream: &TcpStream) -> String {
        let mut reader = BufReader::new(stream);
        let mut text = String::new();
        while !text.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut text).unwrap(), 0);
        }
        let length = text
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap()];
        reader.read_exact(&mut body).unwrap();
        text + &String::from_utf8(body).unwrap()
    }

    #[test]
    fn ctrl_c_cancels_the_turn_and_not_the_program() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", server.local_addr().unwrap());
        let mut child = Command::new(env!("CARGO_BIN_EXE_chat"))
            .args([
                "--format",
                "chat",
                "--model",
                "m",
                "--base-url",
                &base_url,
                "--key-variable",
                "CHAT_TEST_KEY",
            ])
            .env("CHAT_TEST_KEY", "sk-secret-key")
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();

        stdin.write_all(b"first question\n").unwrap();
        let (mut first, _) = server.accept().unwrap();
        let asked = request(&first);
        assert!(
            asked.starts_with("POST /v1/chat/completions ") && asked.contains("first question"),
            "{asked}"
        );
        assert!(asked.contains("authorization: Bearer sk-secret-key\r\n"), "{asked}");
        // The turn waits for the model now.
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(first.read(&mut [0]).unwrap(), 0, "the connection is closed");

        stdin.write_all(b"second question\n").unwrap();
        drop(stdin);
        let (mut second, _) = server.accept().unwrap();
        assert!(request(&second).contains("second question"));
        let chunk = r#"{"choices":[{"index":0,"delta":{"content":"still here"},"finish_reason":"stop"}]}"#;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        second.write_all(format!("{head}data: {chunk}\n\ndata: [DONE]\n\n").as_bytes()).unwrap();
        drop(second);

        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("> still here\n") && said.contains("! cancelled"), "{said}");
        assert!(!said.contains("sk-secret-key"), "{said}");
    }
}
