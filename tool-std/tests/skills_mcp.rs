//! What skills declare of MCP servers, and the configuration that is made of it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "skills")]

use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use tool_std::skills::{McpConfig, McpServer, McpTransport, Skills, TurnKind};

const HTTP: &str = "{type: mcp, value: remote, transport: streamable_http, url: 'https://example.com/mcp'}";
const STDIO: &str = "{type: mcp, value: local, transport: stdio, command: /opt/server --stdio}";

/// Skills with declarations: name, more front matter, `agents/openai.yaml`.
fn scene(skills: &[(&str, &str, &str)]) -> (TempDir, Skills) {
    let root = tempfile::tempdir().unwrap();
    for (name, front, declaration) in skills {
        let folder = root.path().join(name);
        std::fs::create_dir_all(folder.join("agents")).unwrap();
        let text = format!("---\nname: {name}\ndescription: d\n{front}---\nbody\n");
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
        std::fs::write(folder.join("agents/openai.yaml"), declaration).unwrap();
    }
    let skills = Skills::from_roots([root.path()]);
    assert_eq!(skills.problems(), []);
    (root, skills)
}

fn tools(entries: &[&str]) -> String {
    let entries: String = entries.iter().map(|entry| format!("    - {entry}\n")).collect();
    format!("interface: {{display_name: X}}\ndependencies:\n  tools:\n{entries}")
}

/// Each mistake of one skill with these entries, as place and reason.
fn mistakes(declaration: &str) -> Vec<(String, String)> {
    let (root, skills) = scene(&[("one", "", declaration)]);
    let error = skills.mcp_servers().unwrap_err();
    let file = root.path().canonicalize().unwrap().join("one/agents/openai.yaml");
    assert!(error.problems().iter().all(|problem| problem.file == file));
    error.problems().iter().map(|problem| (problem.place.clone(), problem.reason.clone())).collect()
}

fn mistake(entry: &str) -> (String, String) {
    let all = mistakes(&tools(&[entry]));
    let [(place, reason)] = &all[..] else { panic!("{entry}: {all:?}") };
    (place.strip_prefix("dependencies.tools[0].").unwrap_or(place).to_owned(), reason.clone())
}

fn server_names(skills: &Skills) -> Vec<String> {
    skills.mcp_servers().unwrap().into_iter().map(|server| server.name).collect()
}

fn written(servers: &[McpServer]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let config = McpConfig::write(servers, folder.path()).unwrap();
    serde_json::from_str(&std::fs::read_to_string(config.path()).unwrap()).unwrap()
}

#[test]
fn declarations_become_servers() {
    let remote = "{type: mcp, value: remote, description: ' Data ', transport: streamable_http, url: 'https://example.com/mcp', \
                  protocol_version: 2026-07-28, bearer_token_env_var: DATA_KEY, enabled_tools: [b, a, b]}";
    let (_root, skills) = scene(&[("one", "", &tools(&[remote, STDIO]))]);
    let servers = skills.mcp_servers().unwrap();
    assert_eq!(servers.len(), 2);
    assert_eq!(servers[0].transport, McpTransport::Stdio { command: "/opt/server --stdio".to_owned() });
    assert_eq!(servers[1].description.as_deref(), Some("Data"));
    assert_eq!(servers[1].enabled_tools.as_deref(), Some(&["a".to_owned(), "b".to_owned()][..]));
    let transport = McpTransport::StreamableHttp {
        url: "https://example.com/mcp".to_owned(),
        protocol_version: Some("2026-07-28"),
        bearer_token_env_var: Some("DATA_KEY".to_owned()),
    };
    assert_eq!(servers[1].transport, transport);
}

#[test]
fn what_declares_nothing_has_no_servers() {
    for declaration in
        ["", "interface: {}", "dependencies:", "dependencies: {tools: }", "dependencies: {tools: []}"]
    {
        let (_root, skills) = scene(&[("one", "", declaration)]);
        assert_eq!(skills.mcp_servers().unwrap(), [], "{declaration}");
    }
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skills");
    assert_eq!(server_names(&Skills::from_roots([fixtures])), ["everything"]);
}

#[test]
fn each_mistake_is_told_with_its_place() {
    for (entry, place, reason) in [
        ("{type: http, value: a, transport: stdio, command: x}", "type", "is to be `mcp`"),
        ("{value: a, transport: stdio, command: x}", "type", "is missing, and is to be `mcp`"),
        ("{type: mcp, transport: stdio, command: x}", "value", "is missing"),
        (
            "{type: mcp, value: a.b, transport: stdio, command: x}",
            "value",
            "letters, digits, `_` and `-` only",
        ),
        ("{type: mcp, value: 3, transport: stdio, command: x}", "value", "is no text"),
        ("{type: mcp, value: a, transport: sse, command: x}", "transport", "`streamable_http` or `stdio`"),
        ("{type: mcp, value: a, transport: stdio}", "command", "is missing"),
        ("{type: mcp, value: a, transport: stdio, command: ' '}", "command", "is blank"),
        ("{type: mcp, value: a, transport: stdio, command: 'x ${KEY}'}", "command", "write `$NAME`"),
        ("{type: mcp, value: a, transport: stdio, command: \"x\\0\"}", "command", "control character"),
        (
            "{type: mcp, value: a, transport: stdio, command: x, url: 'http://x'}",
            "url",
            "belongs to the transport `streamable_http`",
        ),
        (
            "{type: mcp, value: a, transport: stdio, command: x, bearer_token_env_var: X}",
            "bearer_token_env_var",
            "belongs to",
        ),
        (
            "{type: mcp, value: a, transport: stdio, command: x, timeout_ms: 5}",
            "timeout_ms",
            "set by its `--timeout`",
        ),
        (
            "{type: mcp, value: a, transport: stdio, command: x, env: {A: b}}",
            "env",
            "is unknown; what is known is `type`",
        ),
        ("{type: mcp, value: a, transport: streamable_http, url: 'ftp://x'}", "url", "does not begin with"),
        ("{type: mcp, value: a, transport: streamable_http, url: 'https://'}", "url", "names no host"),
        (
            "{type: mcp, value: a, transport: streamable_http, url: 'https://me:pw@x/'}",
            "url",
            "holds a user or password",
        ),
        (
            "{type: mcp, value: a, transport: streamable_http, url: 'https://x/ y'}",
            "url",
            "holds white space",
        ),
        ("{type: mcp, value: a, transport: streamable_http, url: 'https://${HOST}/'}", "url", "placeholder"),
        (
            "{type: mcp, value: a, transport: streamable_http, url: 'http://x', command: y}",
            "command",
            "belongs to the transport `stdio`",
        ),
        (
            "{type: mcp, value: a, transport: streamable_http, url: 'http://x', protocol_version: 2024-11-05}",
            "protocol_version",
            "`auto` or `legacy` or `2026-07-28`",
        ),
        (
            "{type: mcp, value: a, transport: streamable_http, url: 'http://x', bearer_token_env_var: 'sk-123'}",
            "bearer_token_env_var",
            "the token itself must not stand here",
        ),
        (
            "{type: mcp, value: a, transport: stdio, command: x, enabled_tools: one}",
            "enabled_tools",
            "is no list of names",
        ),
        (
            "{type: mcp, value: a, transport: stdio, command: x, disabled_tools: [a, '']}",
            "disabled_tools[1]",
            "is blank",
        ),
        ("text", "dependencies.tools[0]", "is no list of keys with values"),
    ] {
        let (found, told) = mistake(entry);
        assert_eq!(found, place, "{entry}: {told}");
        assert!(told.contains(reason), "{entry}: {told}");
        assert!(!told.contains("sk-123") && !told.contains("pw"), "{told}");
    }
}

#[test]
fn all_mistakes_of_all_files_are_told_at_once() {
    let bad = tools(&["{type: x, value: 'a b', transport: y, command: '', z: 1}", HTTP]);
    let (_root, skills) =
        scene(&[("one", "", &bad), ("two", "", "dependencies: [1]"), ("three", "", "a: [")]);
    let error = skills.mcp_servers().unwrap_err().to_string();
    for part in [
        "one/agents/openai.yaml` at `dependencies.tools[0].type`: is to be `mcp`",
        "dependencies.tools[0].value",
        "dependencies.tools[0].transport",
        "dependencies.tools[0].z`: is unknown",
        "two/agents/openai.yaml` at `dependencies`: is no list",
        "three/agents/openai.yaml` ",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

#[test]
fn counts_and_sizes_are_bounded() {
    let entry = |n: usize| format!("{{type: mcp, value: s{n}, transport: stdio, command: x}}");
    let entries = |count: usize| (0..count).map(entry).collect::<Vec<_>>();
    let declaration = |count: usize| tools(&entries(count).iter().map(String::as_str).collect::<Vec<_>>());
    let (_root, skills) = scene(&[("one", "", &declaration(32))]);
    assert_eq!(skills.mcp_servers().unwrap().len(), 32);
    let all = mistakes(&declaration(33));
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].1.contains("32 are the most"), "{all:?}");
    assert!(mistakes(&declaration(65))[0].1.contains("has 65 entries, and 64 are the most"));
    let big = format!("{}#{}\n", tools(&[STDIO]), "x".repeat(64 * 1024));
    assert!(mistakes(&big)[0].1.contains("65536 are the most"), "{:?}", mistakes(&big));
    let bomb = format!("a: &a [{}]\nb: [{}]", "x,".repeat(9_000), "*a,".repeat(9_000));
    assert!(mistakes(&bomb)[0].1.contains("aliases"));

    let many: Vec<_> = (0..129).map(|n| format!("s{n}")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), "", "")).collect();
    let (_root, skills) = scene(&many);
    let error = skills.mcp_servers().unwrap_err();
    assert_eq!(error.problems().len(), 1);
    assert!(error.to_string().contains("128 enabled skills are the most"), "{error}");
    skills.disable("s0").unwrap();
    assert_eq!(skills.mcp_servers().unwrap(), []);
}

#[test]
fn a_server_of_two_skills_is_declared_alike() {
    let one = "{type: mcp, value: s, transport: streamable_http, url: 'http://x', enabled_tools: [a, b]}";
    let alike = "{value: s, enabled_tools: [b, a, a], type: mcp, url: 'http://x', transport: streamable_http, protocol_version: auto}";
    let (_root, skills) = scene(&[("one", "", &tools(&[one])), ("two", "", &tools(&[alike]))]);
    assert_eq!(server_names(&skills), ["s"]);

    for other in [
        "{type: mcp, value: s, transport: streamable_http, url: 'http://y', enabled_tools: [a, b]}",
        "{type: mcp, value: s, transport: streamable_http, url: 'http://x', enabled_tools: [a]}",
        "{type: mcp, value: s, transport: streamable_http, url: 'http://x', enabled_tools: [a, b], description: d}",
        "{type: mcp, value: s, transport: stdio, command: x}",
    ] {
        let (_root, skills) = scene(&[("one", "", &tools(&[one])), ("two", "", &tools(&[other]))]);
        let error = skills.mcp_servers().unwrap_err();
        assert_eq!(error.problems().len(), 1);
        assert_eq!(error.problems()[0].place, "dependencies.tools[0]");
        assert!(error.to_string().contains("`s` is not declared as in the skill `one`"), "{error}");
        // One that is not enabled is not asked.
        skills.disable("two").unwrap();
        assert_eq!(server_names(&skills), ["s"]);
    }
    let twice = mistakes(&tools(&[HTTP, "{type: mcp, value: remote, transport: stdio, command: x}"]));
    assert!(twice[0].1.contains("declared twice and not alike"), "{twice:?}");
}

#[test]
fn a_turn_has_the_servers_of_its_skills() {
    let of = |name: &str| tools(&[&format!("{{type: mcp, value: {name}, transport: stdio, command: x}}")]);
    let (_root, skills) = scene(&[
        ("any", "", &of("any")),
        ("main", "runtime: main\n", &of("main")),
        ("job", "runtime: background_job\n", &of("job")),
        ("off", "default_enabled: false\n", &of("off")),
    ]);
    assert_eq!(server_names(&skills.for_turn(TurnKind::Main)), ["any", "main"]);
    assert_eq!(server_names(&skills.for_turn(TurnKind::BackgroundJob)), ["any", "job"]);
    assert_eq!(server_names(&skills.for_turn(TurnKind::Automation)), ["any", "job", "main"]);
}

#[test]
fn a_declaration_behind_a_link_that_leads_out_is_a_mistake() {
    let (root, skills) = scene(&[("one", "", "")]);
    let outside = tempfile::NamedTempFile::new().unwrap();
    let file = root.path().join("one/agents/openai.yaml");
    std::fs::remove_file(&file).unwrap();
    symlink(outside.path(), &file).unwrap();
    assert!(skills.mcp_servers().unwrap_err().to_string().contains("leads out of the skill's folder"));
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert!(skills.mcp_servers().unwrap_err().to_string().contains("is a folder"));
}

#[test]
fn the_configuration_is_sorted_and_holds_placeholders_only() {
    let remote = "{type: mcp, value: remote, description: Data, transport: streamable_http, url: 'https://example.com/mcp', \
                  protocol_version: legacy, bearer_token_env_var: DATA_KEY, disabled_tools: [b, a]}";
    let local = "{type: mcp, value: local, transport: stdio, command: /opt/server --key $KEY, enabled_tools: [b, a, c], disabled_tools: [c]}";
    let plain =
        "{type: mcp, value: plain, transport: streamable_http, url: 'http://x', protocol_version: auto}";
    let (_root, skills) = scene(&[("one", "", &tools(&[remote, plain, local]))]);
    let servers = skills.mcp_servers().unwrap();
    let mut turned = servers.clone();
    turned.reverse();
    let config = written(&turned);
    assert_eq!(config, written(&servers));
    let expected = json!({
        "mcpServers": {
            "local": {
                "command": "/bin/sh",
                "args": ["-lc", "/opt/server --key $KEY"],
                "lifecycle": "ephemeral",
                "allowedTools": ["a", "b"],
            },
            "plain": {"baseUrl": "http://x", "lifecycle": "ephemeral"},
            "remote": {
                "description": "Data",
                "baseUrl": "https://example.com/mcp",
                "protocolVersion": "legacy",
                "bearerToken": "${DATA_KEY}",
                "lifecycle": "ephemeral",
                "blockedTools": ["a", "b"],
            },
        },
        "imports": [],
    });
    assert_eq!(config, expected);
    let keys: Vec<_> = config["mcpServers"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["local", "plain", "remote"]);
}

#[test]
fn the_file_is_private_new_and_gone_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) =
        (McpConfig::write(&[], folder.path()).unwrap(), McpConfig::write(&[], folder.path()).unwrap());
    assert_ne!(one.path(), other.path());
    let (path, second) = (one.path().to_owned(), other.path().to_owned());
    assert_eq!(std::fs::metadata(&path).unwrap().mode() & 0o7777, 0o600);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), json!({"mcpServers": {}, "imports": []}));
    assert_eq!(one.variable(), ("MCPORTER_CONFIG", path.to_str().unwrap().to_owned()));
    assert!(path.is_absolute());
    one.remove().unwrap();
    drop(other);
    assert!(!path.exists() && !second.exists());
    assert!(McpConfig::write(&[], folder.path().join("nothing")).is_err());
}
