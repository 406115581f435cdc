//! `worker-tools run` and `worker-tools chat`: turns on recordings, and with a server that plays the model.

use std::fs;

use crate::program::{run, run_on};

const PLAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/recordings/plan.jsonl");

#[test]
fn run_prints_the_models_text_and_tells_what_happened() {
    let ran = run(&["run", "--recording", PLAN]);
    assert_eq!(ran.stdout, "I plan first.\nThe plan has one task.\n");
    for told in
        ["repaired: trailing_comma\n", "! `tood` did not run: no tool is named `tood` (did you mean `todo`)"]
    {
        assert!(ran.stderr.contains(told), "{ran:?}");
    }
    ran.good();
}

#[test]
fn run_as_json_has_the_whole_outcome() {
    let outcome = run(&["run", "--recording", PLAN, "--json", "plan it"]).json();
    assert_eq!((&outcome["ending"], &outcome["responses"]), (&"finished".into(), &2.into()));
    assert_eq!(outcome["text"], "The plan has one task.");
    let [planned, unknown] = &outcome["results"].as_array().unwrap()[..] else { panic!("{outcome}") };
    assert_eq!((&planned["tool"], &planned["is_error"]), (&"todo".into(), &false.into()));
    assert_eq!(planned["repaired"], r#"{"todos":[{"id":"a","content":"read"}]}"#);
    assert_eq!(planned["repairs"][0]["name"], "trailing_comma");
    assert_eq!((&unknown["tool"], &unknown["failure"]), (&"tood".into(), &"unknown_tool".into()));
}

#[test]
fn a_journal_keeps_the_turn_and_goes_on_where_it_broke_off() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.jsonl");
    let journal = whole.to_str().unwrap();
    run(&["run", "--recording", PLAN, "--journal", journal, "plan it"]).good();
    let lines = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    assert!(lines.iter().any(|line| line.contains("plan it")), "{lines:?}");

    // As if the program had been killed once the first call was answered.
    let cut = folder.path().join("cut.jsonl");
    let answered = lines.iter().position(|line| line.contains("answered")).unwrap();
    fs::write(&cut, lines[..=answered].join("\n") + "\n").unwrap();
    let rest = folder.path().join("rest.jsonl");
    let last = fs::read_to_string(PLAN).unwrap().lines().last().unwrap().to_owned();
    fs::write(&rest, last).unwrap();
    let (rest, cut) = (rest.to_str().unwrap(), cut.to_str().unwrap());

    let refused = run(&["run", "--recording", rest, "--journal", cut, "another"]).refused(2);
    assert!(refused.contains("the journal holds a turn that is not finished"), "{refused}");
    let outcome = run(&["run", "--recording", rest, "--journal", cut, "--json"]).json();
    assert_eq!((&outcome["responses"], &outcome["text"]), (&1.into(), &"The plan has one task.".into()));
}

#[test]
fn what_a_turn_cannot_start_with_is_said() {
    for (arguments, expected) in [
        (&["run"][..], "<--recording <FILE>|--model <MODEL>>"),
        (&["run", "--recording", "no-such-file.jsonl"], "no-such-file.jsonl"),
        (&["run", "--recording", PLAN, "--api", "chat"], "cannot be used with"),
        (
            &["run", "--recording", PLAN, "--journal", "no/such/folder/journal.jsonl"],
            "no/such/folder/journal.jsonl",
        ),
        (&["run", "--model", "m", "--base-url", "http://127.0.0.1:9/v1"], "a message is missing"),
        (&["run", "--model", "m", "--key-variable", "NO_SUCH_KEY", "hi"], "NO_SUCH_KEY"),
        (&["chat", "--model", "m", "--api", "nope"], "[possible values: responses, chat, anthropic, gemini]"),
    ] {
        let refused = run(arguments).refused(2);
        assert!(refused.contains(expected), "{expected:?} is not in {refused}");
    }
}

#[test]
fn a_turn_that_ends_otherwise_gives_3() {
    let recording = tempfile::NamedTempFile::new().unwrap();
    let call = r#"{"output":[{"type":"function_call","call_id":"c1","name":"todo","arguments":"{}"}]}"#;
    fs::write(recording.path(), call).unwrap();
    let refused = run(&["run", "--recording", recording.path().to_str().unwrap()]).refused(3);
    assert!(refused.contains("! the model failed: the recording has run out"), "{refused}");
}

#[test]
fn chat_plays_its_recording_line_by_line() {
    let ran = run_on("plan it\n\nand then?\n", &["chat", "--recording", PLAN]);
    assert_eq!(ran.stdout, "I plan first.\nThe plan has one task.\n");
    assert!(ran.stderr.contains("! the model failed: the recording has run out"), "{ran:?}");
    ran.good();
}

/// A workspace, and a recording of a model that writes a file into it.
fn writing() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("recording.jsonl");
    let call = r#"{"output":[{"type":"function_call","call_id":"c1","name":"command","arguments":"{\"command\":\"echo hi > written\"}"}]}"#;
    let text = r#"{"output":[{"type":"message","content":"Done."}]}"#;
    fs::write(&recording, format!("{call}\n{text}\n")).unwrap();
    (folder, recording)
}

#[test]
fn without_a_person_nothing_is_destroyed_unless_it_is_allowed() {
    let (folder, recording) = writing();
    let (workspace, recording) = (folder.path().to_str().unwrap(), recording.to_str().unwrap());
    let arguments = ["run", "--recording", recording, "--workspace", workspace];
    let ran = run(&arguments);
    let told = "! not allowed: Running a command (echo); nobody can be asked, `--yes` allows it";
    assert!(ran.stderr.contains(told), "{ran:?}");
    assert_eq!(ran.good(), "Done.\n");
    assert!(!folder.path().join("written").exists());

    run(&[&arguments[..], &["--yes"]].concat()).good();
    assert!(folder.path().join("written").exists());
}

#[cfg(unix)]
mod served {
    use std::fs;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::process::{Child, Command, Stdio};

    use crate::program::{Ran, command, on_a_terminal, until};

    /// A model on this machine, and its address.
    fn serve() -> (TcpListener, String) {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}/v1", server.local_addr().unwrap());
        (server, base_url)
    }

    /// A model on this machine, and the program that asks it.
    fn asked(command_name: &str, more: &[&str]) -> (TcpListener, Child) {
        let (server, base_url) = serve();
        let program = command(&[command_name, "--api", "chat", "--model", "m", "--base-url", &base_url])
            .args(["--key-variable", "CHAT_TEST_KEY"])
            .args(more)
            .env("CHAT_TEST_KEY", "sk-secret-key")
            .env("NO_PROXY", "127.0.0.1")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        (server, program)
    }

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

    fn answer(stream: &mut TcpStream, delta: &str, reason: &str) {
        let chunk = format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":"{reason}"}}]}}"#);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        stream.write_all(format!("{head}data: {chunk}\n\ndata: [DONE]\n\n").as_bytes()).unwrap();
    }

    /// A call of `todo`.
    const CALL: &str = r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"todo","arguments":"{}"}}]}"#;

    fn interrupt(program: &Child) {
        let kill = Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap();
        assert!(kill.success());
    }

    #[test]
    fn ctrl_c_cancels_the_turn_and_not_the_program() {
        let (server, mut program) = asked("chat", &[]);
        let mut stdin = program.stdin.take().unwrap();

        stdin.write_all(b"first question\n").unwrap();
        let (mut first, _) = server.accept().unwrap();
        let asked = request(&first);
        assert!(
            asked.starts_with("POST /v1/chat/completions ") && asked.contains("first question"),
            "{asked}"
        );
        assert!(asked.contains("authorization: Bearer sk-secret-key\r\n"), "{asked}");
        // The turn waits for the model now.
        interrupt(&program);
        assert_eq!(first.read(&mut [0]).unwrap(), 0, "the connection is closed");

        stdin.write_all(b"second question\n").unwrap();
        drop(stdin);
        let (mut second, _) = server.accept().unwrap();
        assert!(request(&second).contains("second question"));
        answer(&mut second, r#"{"content":"still here"}"#, "stop");
        drop(second);

        let ran = Ran::from(program.wait_with_output().unwrap());
        assert!(ran.stderr.contains("! cancelled"), "{ran:?}");
        assert!(!ran.stderr.contains("sk-secret-key"), "{ran:?}");
        assert_eq!(ran.good(), "still here\n");
    }

    #[test]
    fn a_cancelled_run_gives_130() {
        let (server, program) = asked("run", &["question"]);
        let (first, _) = server.accept().unwrap();
        request(&first);
        interrupt(&program);
        let refused = Ran::from(program.wait_with_output().unwrap()).refused(130);
        assert!(refused.contains("! cancelled"), "{refused}");
    }

    /// A turn on a terminal whose model was asked once, and in which `be quick` was typed since: the model, its
    /// connection, the program, and what it has shown.
    fn typed_into_a_turn() -> (TcpListener, TcpStream, Child, String) {
        let (server, base_url) = serve();
        let line = format!("worker-tools run --yes --api chat --model m --base-url {base_url} question");
        let mut program =
            on_a_terminal(&line).env("NO_PROXY", "127.0.0.1").stdin(Stdio::piped()).spawn().unwrap();
        let (first, _) = server.accept().unwrap();
        assert!(!request(&first).contains("be quick"));
        program.stdin.as_mut().unwrap().write_all(b"be quick\n").unwrap();
        let mut shown = String::new();
        let told = "the model is told after its calls: be quick";
        until(program.stdout.as_mut().unwrap(), &mut shown, told);
        (server, first, program, shown)
    }

    /// All that the program shows up to its end.
    fn to_its_end(mut program: Child, mut shown: String) -> String {
        program.stdout.as_mut().unwrap().read_to_string(&mut shown).unwrap();
        assert!(program.wait().unwrap().success(), "{shown}");
        shown
    }

    #[test]
    fn what_is_typed_into_a_turn_that_a_tool_ends_is_not_lost_in_silence() {
        let (_server, mut first, program, shown) = typed_into_a_turn();
        let call = CALL.replace("todo", "clarify").replace("{}", r#"{\"question\":\"Which one?\"}"#);
        answer(&mut first, &call, "tool_calls");
        drop(first);
        let shown = to_its_end(program, shown);
        assert!(shown.contains("what was typed last came too late"), "{shown}");
    }

    #[test]
    fn what_is_typed_while_a_turn_runs_is_said_to_the_model_after_its_calls() {
        let (server, mut first, program, shown) = typed_into_a_turn();
        answer(&mut first, CALL, "tool_calls");
        drop(first);
        let (mut second, _) = server.accept().unwrap();
        assert!(request(&second).contains("be quick"));
        answer(&mut second, r#"{"content":"done"}"#, "stop");
        drop(second);
        let shown = to_its_end(program, shown);
        assert!(shown.contains("done") && !shown.contains("too late"), "{shown}");
    }

    #[test]
    fn the_model_gets_the_tools_of_the_turn_and_their_results() {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("letters");
        fs::create_dir(&skill).unwrap();
        fs::write(skill.join("SKILL.md"), "---\nname: letters\ndescription: Writes letters.\n---\n").unwrap();
        let skills = folder.path().to_str().unwrap();
        let (server, program) = asked("run", &["plan it", "--instructions", "be kind", "--skills", skills]);
        let (mut first, _) = server.accept().unwrap();
        let asked = request(&first);
        for told in ["be kind", "- letters: Writes letters.", r#""name":"todo""#, r#""name":"skill_view""#] {
            assert!(asked.contains(told), "{told:?} is not in {asked}");
        }
        answer(&mut first, CALL, "tool_calls");
        drop(first);
        let (mut second, _) = server.accept().unwrap();
        let asked = request(&second);
        assert!(asked.contains(r#""tool_call_id":"c1""#) && asked.contains("pending"), "{asked}");
        answer(&mut second, r#"{"content":"done"}"#, "stop");
        drop(second);
        assert_eq!(Ran::from(program.wait_with_output().unwrap()).good(), "done\n");
    }
}

#[cfg(unix)]
mod on_a_terminal {
    use std::io::{Read, Write};
    use std::process::Stdio;

    use super::{PLAN, writing};
    use crate::program::{on_a_terminal, until};

    #[test]
    fn chat_prompts_shows_what_happens_and_leaves_at_ctrl_c() {
        let mut script = on_a_terminal(&format!("worker-tools chat --recording {PLAN}"))
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut stdin, mut stdout) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
        let mut shown = String::new();
        until(&mut stdout, &mut shown, "> ");
        stdin.write_all(b"plan it\n").unwrap();
        until(&mut stdout, &mut shown, "The plan has one task.");
        until(&mut stdout, &mut shown, "> ");
        stdin.write_all(b"\x03").unwrap();
        stdout.read_to_string(&mut shown).unwrap();
        assert!(script.wait().unwrap().success(), "{shown}");
        assert!(shown.contains("\r\n  · repaired: trailing_comma\r\n"), "{shown:?}");
    }

    #[test]
    fn a_person_is_asked_before_something_is_destroyed() {
        for (answer, is_written, expected) in
            [("y\n", true, "✓ Running a command"), ("no\n", false, "! not allowed: Running a command")]
        {
            let (folder, recording) = writing();
            let workspace = folder.path().display();
            let line =
                format!("worker-tools run --recording {} --workspace {workspace}", recording.display());
            let mut script = on_a_terminal(&line).env("NO_COLOR", "1").stdin(Stdio::piped()).spawn().unwrap();
            let (mut stdin, mut stdout) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
            let mut shown = String::new();
            until(&mut stdout, &mut shown, "Allow it? [y/N] ");
            assert!(shown.contains(r#"{"command":"echo hi > written"}"#), "{shown}");
            stdin.write_all(answer.as_bytes()).unwrap();
            stdout.read_to_string(&mut shown).unwrap();
            assert!(script.wait().unwrap().success(), "{shown}");
            assert!(shown.contains(expected), "{expected:?} is not in {shown}");
            assert_eq!(folder.path().join("written").exists(), is_written, "{shown}");
        }
    }
}
