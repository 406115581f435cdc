//! A skill with an MCP server, called as its instructions say, by commands of a turn: the real `mcporter`, the protocol's
//! reference server, and the configuration that the skill's declaration makes. `tests/mcporter/install` brings both programs.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "skills")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_runtime::testing;
use tool_std::computer::{Computer, command};
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

    /// What a command of the turn gives, with these variables of the operator.
    async fn run(&self, line: &str, variables: &[(&str, &str)]) -> Ran {
        self.call(json!({"command": line}), variables).await
    }

    async fn call(&self, arguments: Value, variables: &[(&str, &str)]) -> Ran {
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.programs.display());
        let (name, value) = self.config.variable();
        let mut computer = Computer::builder(self.folder.path().join("work"))
            .home(self.folder.path())
            .readable(self.programs.ancestors().nth(2).unwrap())
            .env("PATH", path)
            .trusted_env(name, value);
        for (name, value) in variables {
            computer = computer.env(*name, *value);
        }
        let call = testing::call(&command(computer.build().unwrap()), arguments).await;
        let details: Value = call.details().unwrap();
        let (_, output) = call.model_text.split_once("\n\n").unwrap();
        Ran { worked: details["exit_code"] == 0, output: output.to_owned() }
    }

    fn write(&self, path: &str, value: &Value) {
        let file = self.folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, value.to_string()).unwrap();
    }
}

/// What came of a command.
struct Ran {
    worked: bool,
    output: String,
}

impl Ran {
    fn json(&self) -> Value {
        assert!(self.worked, "{}", self.output);
        serde_json::from_str(&self.output).unwrap()
    }
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

    let listed = turn.run(list, &[]).await.json();
    let [tool] = &listed["tools"].as_array().unwrap()[..] else { panic!("{listed}") };
    assert_eq!(tool["inputSchema"]["required"], json!(["a", "b"]));

    turn.write("work/arguments.json", &json!({"a": 2, "b": 40}));
    let result = turn.run(&with_file, &[]).await.json();
    assert_eq!(result["content"][0]["text"], "The sum of 2 and 40 is 42.");

    // What a shell would take apart goes through as it is.
    let text = "it's \"$HOME\" `id` ü\n$(id)";
    turn.write("work/arguments.json", &json!({"message": text}));
    let result = turn.run(&with_file.replace("get-sum", "echo"), &[]).await.json();
    assert_eq!(result["content"][0]["text"], format!("Echo: {text}"));
}

#[tokio::test]
async fn calls_that_cannot_be_say_so_and_exit_with_an_error() {
    let Some(turn) = Turn::new(EVERYTHING) else { return };
    turn.write("work/arguments.json", &json!({"a": "two"}));
    for (tool, said) in [
        ("everything.get-sum", "Input validation error"),
        ("everything.get-env", "blocked by configuration"),
        ("everything.get-tiny-image", "not accessible"),
        ("other.get-sum", "Unknown MCP server 'other'"),
    ] {
        let line = format!("mcporter call {tool} --json - --output json --timeout 60000 < arguments.json");
        let called = turn.run(&line, &[]).await;
        assert!(!called.worked, "{tool}: {}", called.output);
        assert!(called.output.contains(said), "{tool}: {}", called.output);
    }
}

#[tokio::test]
async fn no_other_configuration_is_read() {
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
        let called = turn.run(line, &[]).await;
        assert!(called.output.contains("Unknown MCP server 'ambient'"), "{}", called.output);
        let elsewhere = json!({"MCPORTER_CONFIG": turn.folder.path().join(".mcporter/mcporter.json")});
        let called = turn.call(json!({"command": line, "env": elsewhere}), &[]).await;
        assert!(called.output.contains("Unknown MCP server 'ambient'"), "{}", called.output);
        // Without the variable they are found, so the test would see them.
        let found = turn.run(&format!("unset MCPORTER_CONFIG; {line}"), &[]).await;
        assert!(!found.output.contains("Unknown MCP server"), "{}", found.output);
    }
}

#[tokio::test]
async fn a_token_goes_from_the_environment_to_the_server_only() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let declaration = format!(
        "dependencies: {{tools: [{{type: mcp, value: remote, transport: streamable_http, url: 'http://{}/mcp', bearer_token_env_var: PROBE_TOKEN}}]}}",
        address
    );
    let Some(turn) = Turn::new(&declaration) else { return };
    let line = "echo '{}' | mcporter call remote.x --json - --output json --timeout 60000";
    let missing = turn.run(line, &[]).await;
    assert!(!missing.worked);
    assert!(missing.output.contains("PROBE_TOKEN"), "{}", missing.output);

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
    let refused = turn.run(line, &[("PROBE_TOKEN", "a-secret-token")]).await;
    assert!(!refused.worked, "{}", refused.output);
    // Where nobody called, the server is not waited for.
    let _ = TcpStream::connect(address).and_then(|mut stream| stream.write_all(b"nobody\r\n\r\n"));
    let seen = server.join().unwrap().to_lowercase();
    assert!(seen.contains("authorization: bearer a-secret-token"), "{seen}");
    assert!(!refused.output.contains("a-secret-token"), "{}", refused.output);
    assert!(!std::fs::read_to_string(turn.config.path()).unwrap().contains("a-secret-token"));
}
