//! A skill with an MCP server, called as its instructions say: the real `mcporter`, the protocol's reference server, and the
//! configuration that the skill's declaration makes. `tests/mcporter/install` brings both programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "skills")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_runtime::testing;
use tool_std::skills::{McpConfig, Skills, skill_view};

/// A turn with one skill: where its commands run and what they read.
struct Turn {
    folder: TempDir,
    skills: Skills,
    config: McpConfig,
    programs: PathBuf,
}

impl Turn {
    /// Where the programs are installed; `None` where they are not, which fails in CI.
    fn programs() -> Option<PathBuf> {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let programs = target.join("mcporter/node_modules/.bin");
        if programs.join("mcporter").exists() && programs.join("node").exists() {
            return Some(programs);
        }
        assert!(std::env::var_os("CI").is_none(), "run tool-std/tests/mcporter/install first");
        println!("not tried: run tool-std/tests/mcporter/install first");
        None
    }

    /// The fixture `probe-server` with another declaration; `PROGRAMS` in it is where the programs are.
    fn new(declaration: &str) -> Option<Self> {
        let programs = Self::programs()?;
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("skills/probe-server");
        std::fs::create_dir_all(skill.join("agents")).unwrap();
        std::fs::create_dir(folder.path().join("private")).unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let fixture =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skills/probe-server/SKILL.md");
        std::fs::copy(fixture, skill.join("SKILL.md")).unwrap();
        let declaration = declaration.replace("PROGRAMS", programs.to_str().unwrap());
        std::fs::write(skill.join("agents/openai.yaml"), declaration).unwrap();
        let skills = Skills::from_roots([folder.path().join("skills")]);
        let config = McpConfig::write(&skills.mcp_servers().unwrap(), folder.path().join("private")).unwrap();
        Some(Self { folder, skills, config, programs })
    }

    /// Runs a line as a command of the turn would be run.
    fn run(&self, line: &str, variables: &[(&str, &str)]) -> Output {
        let (name, value) = self.config.variable();
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.programs.display());
        Command::new("/bin/sh")
            .args(["-c", line])
            .current_dir(self.folder.path().join("work"))
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", path)
            .env(name, value)
            .envs(variables.iter().copied())
            .output()
            .unwrap()
    }

    fn write(&self, path: &str, value: &Value) {
        let file = self.folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, value.to_string()).unwrap();
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn all(output: &Output) -> String {
    format!("{}{}", stdout(output), String::from_utf8_lossy(&output.stderr))
}

const EVERYTHING: &str = "
dependencies:
  tools:
    - type: mcp
      value: everything
      transport: stdio
      command: PATH=PROGRAMS:$PATH exec mcp-server-everything stdio
      enabled_tools: [get-sum, echo, get-env]
      disabled_tools: [get-env]
";

#[tokio::test]
async fn a_skill_calls_its_server_as_its_instructions_say() {
    let Some(turn) = Turn::new(EVERYTHING) else { return };
    let call = testing::call(&skill_view(turn.skills.clone()), json!({"name": "probe-server"})).await;
    let lines: Vec<_> =
        call.text().split('`').filter(|code| code.starts_with("mcporter ")).map(str::to_owned).collect();
    let [list, with_file] = &lines[..] else { panic!("{lines:?}") };
    let with_file = with_file.replace("FILE", "arguments.json");

    let listed = turn.run(list, &[]);
    assert!(listed.status.success(), "{}", all(&listed));
    let listed: Value = serde_json::from_str(&stdout(&listed)).unwrap();
    let [tool] = &listed["tools"].as_array().unwrap()[..] else { panic!("{listed}") };
    assert_eq!(tool["inputSchema"]["required"], json!(["a", "b"]));

    turn.write("work/arguments.json", &json!({"a": 2, "b": 40}));
    let called = turn.run(&with_file, &[]);
    assert!(called.status.success(), "{}", all(&called));
    let result: Value = serde_json::from_str(&stdout(&called)).unwrap();
    assert_eq!(result["content"][0]["text"], "The sum of 2 and 40 is 42.");

    // What a shell would take apart goes through as it is.
    let text = "it's \"$HOME\" `id` ü\n$(id)";
    turn.write("work/arguments.json", &json!({"message": text}));
    let echoed = turn.run(&with_file.replace("get-sum", "echo"), &[]);
    let result: Value = serde_json::from_str(&stdout(&echoed)).unwrap();
    assert_eq!(result["content"][0]["text"], format!("Echo: {text}"));
}

#[test]
fn calls_that_cannot_be_say_so_and_exit_with_an_error() {
    let Some(turn) = Turn::new(EVERYTHING) else { return };
    turn.write("work/arguments.json", &json!({"a": "two"}));
    for (tool, said) in [
        ("everything.get-sum", "Input validation error"),
        ("everything.get-env", "blocked by configuration"),
        ("everything.get-tiny-image", "not accessible"),
        ("other.get-sum", "Unknown MCP server 'other'"),
    ] {
        let line = format!("mcporter call {tool} --json - --output json --timeout 60000 < arguments.json");
        let called = turn.run(&line, &[]);
        assert!(!called.status.success(), "{tool}: {}", all(&called));
        assert!(all(&called).contains(said), "{tool}: {}", all(&called));
    }
}

#[test]
fn no_other_configuration_is_read() {
    let servers = json!({"ambient": {"command": "/bin/true"}});
    for declaration in [EVERYTHING, ""] {
        let Some(turn) = Turn::new(declaration) else { return };
        for place in [
            ".mcporter/mcporter.json",
            ".cursor/mcp.json",
            "work/config/mcporter.json",
            "work/.mcp.json",
            "work/.cursor/mcp.json",
        ] {
            turn.write(place, &json!({"mcpServers": servers}));
        }
        let line = "mcporter call ambient.x --args {} --output json --timeout 60000";
        let called = turn.run(line, &[]);
        assert!(all(&called).contains("Unknown MCP server 'ambient'"), "{}", all(&called));
        // Without the variable they are found, so the test would see them.
        let found = turn.run(&format!("unset MCPORTER_CONFIG; {line}"), &[]);
        assert!(!all(&found).contains("Unknown MCP server"), "{}", all(&found));
    }
}

#[test]
fn a_token_goes_from_the_environment_to_the_server_only() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let declaration = format!(
        "dependencies: {{tools: [{{type: mcp, value: remote, transport: streamable_http, url: 'http://{}/mcp', bearer_token_env_var: PROBE_TOKEN}}]}}",
        address
    );
    let Some(turn) = Turn::new(&declaration) else { return };
    let line = "echo '{}' | mcporter call remote.x --json - --output json --timeout 60000";
    let missing = turn.run(line, &[]);
    assert!(!missing.status.success());
    assert!(all(&missing).contains("PROBE_TOKEN"), "{}", all(&missing));

    let server = std::thread::spawn(move || {
        let mut seen = String::new();
        // It may try more than once; the test ends with the first that is heard.
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = [0; 8_192];
        while !seen.contains("\r\n\r\n") {
            let read = stream.read(&mut bytes).unwrap();
            assert_ne!(read, 0, "{seen}");
            seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        stream
            .write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .unwrap();
        seen
    });
    let refused = turn.run(line, &[("PROBE_TOKEN", "a-secret-token")]);
    assert!(!refused.status.success(), "{}", all(&refused));
    // Where nobody called, the server is not waited for.
    let _ = TcpStream::connect(address).and_then(|mut stream| stream.write_all(b"nobody\r\n\r\n"));
    let seen = server.join().unwrap().to_lowercase();
    assert!(seen.contains("authorization: bearer a-secret-token"), "{seen}");
    assert!(!all(&refused).contains("a-secret-token"), "{}", all(&refused));
    assert!(!std::fs::read_to_string(turn.config.path()).unwrap().contains("a-secret-token"));
}
