//! The contract of every standard tool: its name, flags, parameters and their limits.
//!
//! `docs/tools.md` is made from the tools: `UPDATE_EXPECT=1 cargo test -p tool-std --test contract`, then read the diff. What
//! stands below in [`CONTRACTS`] is written by hand, so that a contract changes on purpose or not at all.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::expect_file;
use serde_json::Value;
use tempfile::TempDir;
use tool_runtime::{DEFAULT_MAX_OUTPUT, ExecutionMode, Input, WorkerAgentTool};
use tool_std::computer::Computer;
use tool_std::jobs::{JobSpace, Jobs};
use tool_std::memory::{Memory, StateMemory};
use tool_std::schedule::Schedules;
use tool_std::skills::Skills;
use tool_std::state::State;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};
use tool_std::web::{SearxngSearch, Web};
use tool_std::workflow::{WorkflowSpace, Workflows};

/// What a tool promises.
struct Contract {
    name: &'static str,
    /// All that is not as with a sequential tool that writes, destroys nothing and stays in the host's control.
    flags: &'static [&'static str],
    /// The parameters, as [`lines`] writes them; `?` marks those that may be left out.
    parameters: &'static [&'static str],
}

const CONTRACTS: &[Contract] = &[
    Contract {
        name: "todo",
        flags: &[],
        parameters: &[
            "todos?: array|null maxItems=256",
            "todos[]: object",
            "todos[].id: string maxLength=100 minLength=1",
            "todos[].content?: string|null maxLength=4000",
            "todos[].status?: string|null enum=[\"pending\",\"in_progress\",\"completed\",\"cancelled\",null]",
            "merge?: boolean default=false",
        ],
    },
    Contract {
        name: "command",
        flags: &["destructive", "open_world", "max_output 210000"],
        parameters: &[
            "command: string minLength=1",
            "workdir?: string|null",
            "timeout?: integer default=180 minimum=1",
            "env?: object default={}",
            "env.*: string",
        ],
    },
    Contract {
        name: "read_file",
        flags: &["parallel", "read_only", "max_output 420000"],
        parameters: &[
            "path: string minLength=1",
            "offset?: integer default=1 minimum=1",
            "limit?: integer default=500 maximum=2000 minimum=1",
            "cwd?: string|null",
            "workdir?: string|null",
        ],
    },
    Contract {
        name: "find",
        flags: &["parallel", "read_only", "max_output 210000"],
        parameters: &[
            "pattern?: string|null",
            "path?: string|null",
            "exclude?: one of",
            "exclude<1>: string",
            "exclude<2>: array",
            "exclude<2>[]: string",
            "exclude<3>: null",
            "limit?: integer default=30 maximum=100 minimum=1",
            "cursor?: string|null",
        ],
    },
    Contract {
        name: "grep",
        flags: &["parallel", "read_only", "max_output 210000"],
        parameters: &[
            "pattern?: string|null",
            "path?: string|null",
            "exclude?: one of",
            "exclude<1>: string",
            "exclude<2>: array",
            "exclude<2>[]: string",
            "exclude<3>: null",
            "caseSensitive?: boolean|null",
            "context?: integer default=0 maximum=20 minimum=0",
            "limit?: integer default=20 maximum=50 minimum=1",
            "cursor?: string|null",
        ],
    },
    Contract {
        name: "ls",
        flags: &["parallel", "read_only", "max_output 210000"],
        parameters: &["path?: string|null", "limit?: integer default=500 maximum=2000 minimum=1"],
    },
    Contract { name: "apply_patch", flags: &["destructive", "text"], parameters: &["input: string"] },
    Contract {
        name: "reply_attachment",
        flags: &[],
        parameters: &[
            "path: string minLength=1",
            "name?: string|null maxLength=255 minLength=1 pattern=\"^[^/\\\\\\\\]+$\"",
            "mimeType?: string|null pattern=\"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$\"",
        ],
    },
    Contract {
        name: "web_search",
        flags: &["parallel", "read_only", "open_world", "max_output 250000"],
        parameters: &["query: string minLength=1", "limit?: integer default=5 maximum=100 minimum=1"],
    },
    Contract {
        name: "web_fetch",
        flags: &["read_only", "open_world", "max_output 210000"],
        parameters: &["urls: array maxItems=5 minItems=1", "urls[]: string maxLength=2000 minLength=1"],
    },
    Contract {
        name: "check_back_later",
        flags: &[],
        parameters: &[
            "action: string enum=[\"create\",\"list\",\"get\",\"update\",\"cancel\"]",
            "checkback_id?: integer|null",
            "reason?: string|null maxLength=2000 minLength=1",
            "check?: string|null maxLength=4000 minLength=1",
            "context_summary?: string|null maxLength=8000",
            "schedule?: object|null",
            "schedule.after?: object|null",
            "schedule.after.value: integer minimum=1",
            "schedule.after.unit: string enum=[\"millisecond\",\"second\",\"minute\",\"hour\",\"day\",\"week\"]",
            "schedule.at?: string|null maxLength=64 minLength=1",
            "schedule.timezone?: string|null maxLength=64 minLength=1",
            "quiet_success?: boolean|null",
            "automation_job_id?: string|null maxLength=200 minLength=1",
            "limit?: integer|null maximum=25 minimum=1",
        ],
    },
    Contract {
        name: "cron",
        flags: &[],
        parameters: &[
            "action: string enum=[\"list\",\"get\",\"runs\",\"add\",\"update\",\"pause\",\"resume\",\"remove\",\"run\"]",
            "name?: string|null maxLength=100 minLength=1",
            "schedule?: object|null",
            "schedule.every_ms?: integer|null maximum=31622400000 minimum=1000",
            "schedule.anchor_at?: string|null maxLength=64",
            "schedule.expression?: string|null maxLength=200 minLength=1",
            "schedule.timezone?: string|null maxLength=64 minLength=1",
            "schedule.occurrences?: object|null",
            "schedule.occurrences.count?: integer|null maximum=1000000 minimum=1",
            "schedule.occurrences.until?: string|null maxLength=64",
            "payload?: object|null open",
            "payload.task?: string|null maxLength=16000 minLength=1",
            "delivery?: object|null",
            "delivery.quiet_success?: boolean|null",
            "automation_job_id?: string|null maxLength=200 minLength=1",
            "limit?: integer|null maximum=100 minimum=1",
        ],
    },
    Contract {
        name: "recall",
        flags: &["parallel", "read_only"],
        parameters: &[
            "query: string minLength=1",
            "entity?: string|null minLength=1",
            "budget_tokens?: integer default=4000 maximum=12000 minimum=1",
        ],
    },
    Contract {
        name: "get_page",
        flags: &["parallel", "read_only"],
        parameters: &["reference: string minLength=1", "offset?: integer default=0 minimum=0"],
    },
    Contract {
        name: "clarify",
        flags: &[],
        parameters: &[
            "question: string maxLength=2000 minLength=1",
            "choices?: array|null maxItems=4 minItems=2",
            "choices[]: one of",
            "choices[]<1>: string maxLength=200 minLength=1",
            "choices[]<2>: object",
            "choices[]<2>.label: string maxLength=200 minLength=1",
            "choices[]<2>.description?: string|null maxLength=500 minLength=1",
        ],
    },
    Contract {
        name: "create_background_job",
        flags: &[],
        parameters: &[
            "title: string maxLength=200 minLength=1 pattern=\"\\\\S\"",
            "task: string minLength=1",
        ],
    },
    Contract {
        name: "list_background_jobs",
        flags: &["parallel", "read_only"],
        parameters: &["status?: string default=\"live\" enum=[\"live\",\"stop\"]", "page?: string|null"],
    },
    Contract {
        name: "show_background_job_details",
        flags: &["parallel", "read_only"],
        parameters: &[
            "job_id: integer maximum=9007199254740991 minimum=1000",
            "result_offset?: integer|null minimum=0",
        ],
    },
    Contract {
        name: "send_message_to_background_job",
        flags: &[],
        parameters: &[
            "job_id: integer maximum=9007199254740991 minimum=1000",
            "message: string minLength=1",
            "wait_reply?: boolean default=true",
            "wait_timeout_ms?: integer default=30000 maximum=150000 minimum=10000",
        ],
    },
    Contract {
        name: "respawn_background_job",
        flags: &[],
        parameters: &[
            "source_job_id: integer maximum=9007199254740991 minimum=1000",
            "message: string minLength=1",
        ],
    },
    Contract {
        name: "stop_background_job",
        flags: &["destructive", "idempotent"],
        parameters: &["job_id: integer maximum=9007199254740991 minimum=1000"],
    },
    Contract {
        name: "workflow",
        flags: &[],
        parameters: &[
            "title: string maxLength=200 minLength=1 pattern=\"\\\\S\"",
            "script: string minLength=1",
            "args?: object|null open",
            "concurrency?: integer|null maximum=32 minimum=1",
            "max_agent_calls?: integer|null maximum=1024 minimum=1",
        ],
    },
    Contract {
        name: "show_workflow",
        flags: &["parallel", "read_only"],
        parameters: &[
            "run_id: integer maximum=9007199254740991 minimum=1000",
            "result_offset?: integer|null minimum=0",
        ],
    },
    Contract {
        name: "list_workflows",
        flags: &["parallel", "read_only"],
        parameters: &["status?: string default=\"live\" enum=[\"live\",\"done\"]", "page?: string|null"],
    },
    Contract {
        name: "send_message_to_workflow_task",
        flags: &[],
        parameters: &[
            "run_id: integer maximum=9007199254740991 minimum=1000",
            "call_seq: integer maximum=1023 minimum=0",
            "message: string maxLength=8000 minLength=1",
        ],
    },
    Contract {
        name: "cancel_workflow",
        flags: &["destructive", "idempotent"],
        parameters: &["run_id: integer maximum=9007199254740991 minimum=1000"],
    },
    Contract {
        name: "skill_view",
        flags: &["parallel", "read_only", "max_output 200000"],
        parameters: &["name: string minLength=1", "filePath?: string|null"],
    },
];

/// A folder that has what every tool needs.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("letters")).unwrap();
    let skill = "---\nname: letters\ndescription: Writes letters.\n---\n";
    fs::write(folder.path().join("letters/SKILL.md"), skill).unwrap();
    folder
}

/// All that a turn can have.
async fn whole_turn(folder: &Path) -> Vec<WorkerAgentTool> {
    let computer = Computer::builder(folder).user_files(folder).build().unwrap();
    let web = Web::new().search(SearxngSearch::new("https://searx.example").unwrap());
    let turn = TurnContext::new(TodoStore::new()).computer(computer).web(web).clarify();
    let state = State::open(folder.join("state").to_str().unwrap()).await.unwrap();
    let jobs = Jobs::new(&JobSpace::new(&state, folder.join("jobs")), "agent", "owner");
    let workflows = Workflows::new(&WorkflowSpace::new(&state, folder.join("workflows")), "agent", "owner");
    let memory = Memory::new(StateMemory::new(&state, "agent"));
    let turn = turn.jobs(jobs).workflows(workflows).schedules(Schedules::new(state, "agent")).memory(memory);
    main_turn_tools(&turn.skills(Skills::from_roots([folder])))
}

fn flags(tool: &WorkerAgentTool) -> Vec<String> {
    let spec = tool.spec();
    let named = [
        (spec.execution_mode == ExecutionMode::Parallel, "parallel"),
        (spec.read_only, "read_only"),
        (spec.is_destructive(), "destructive"),
        (spec.idempotent, "idempotent"),
        (spec.open_world, "open_world"),
        (spec.strict, "strict"),
        (spec.input != Input::Json, "text"),
        (spec.defer_loading, "defer_loading"),
    ];
    let named = named.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word.to_owned());
    let time = spec.timeout.map(|timeout| format!("timeout {timeout:?}"));
    let size = (spec.max_output != DEFAULT_MAX_OUTPUT).then(|| format!("max_output {}", spec.max_output));
    named.chain(time).chain(size).collect()
}

/// The parameters, one a line: name, types, and every keyword but the texts. Objects are closed unless the line says `open`.
fn parameters(tool: &WorkerAgentTool) -> Vec<String> {
    let mut found = Vec::new();
    inner("", tool.definition().parameters().as_value(), &mut found);
    found
}

fn lines(name: &str, schema: &Value, is_required: bool, found: &mut Vec<String>) {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
        kind => kind.as_str().unwrap_or("one of").to_owned(),
    };
    let mut line = format!("{name}{}: {kind}", if is_required { "" } else { "?" });
    let rest: BTreeMap<_, _> =
        schema.as_object().unwrap().iter().filter(|(keyword, _)| !is_told(keyword)).collect();
    line.extend(rest.iter().map(|(keyword, value)| format!(" {keyword}={value}")));
    if kind.contains("object") && schema.get("additionalProperties").is_none_or(|value| *value == true) {
        line.push_str(" open");
    }
    found.push(line);
    inner(name, schema, found);
}

/// Whether a keyword is no text of the line: told by the types, by lines of their own, or only to the model.
fn is_told(keyword: &str) -> bool {
    matches!(
        keyword,
        "type" | "description" | "properties" | "required" | "items" | "additionalProperties" | "anyOf"
    )
}

/// The schemas within a schema.
fn inner(name: &str, schema: &Value, found: &mut Vec<String>) {
    if let Some(items) = schema.get("items") {
        lines(&format!("{name}[]"), items, true, found);
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        lines(&format!("{name}.*"), values, true, found);
    }
    for (index, member) in schema["anyOf"].as_array().into_iter().flatten().enumerate() {
        lines(&format!("{name}<{}>", index + 1), member, true, found);
    }
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let separator = if name.is_empty() { "" } else { "." };
        lines(&format!("{name}{separator}{key}"), property, required.contains(&Value::from(&**key)), found);
    }
}

#[tokio::test]
async fn every_tool_keeps_its_contract() {
    let folder = folder();
    let tools = whole_turn(folder.path()).await;
    let mut broken = Vec::new();
    for tool in &tools {
        let name = tool.spec().display_name();
        let is = (flags(tool), parameters(tool));
        let was = CONTRACTS.iter().find(|contract| contract.name == name);
        let was = was.map(|contract| (owned(contract.flags), owned(contract.parameters)));
        if was.as_ref() != Some(&is) {
            broken.push(format!("`{name}` was {was:#?}, is {is:#?}"));
        }
        let root = tool.definition().parameters().as_value();
        assert_eq!(root["additionalProperties"], false, "unknown parameters of `{name}` are refused");
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    let names: Vec<_> = tools.iter().map(|tool| tool.spec().display_name()).collect();
    let expected: Vec<_> = CONTRACTS.iter().map(|contract| contract.name).collect();
    assert_eq!(names, expected, "the order of the turn");
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

const GENERATED: &str = "<!-- From here on made from the tools, see tool-std/tests/contract.rs -->\n\n";

#[test]
fn the_page_of_the_tools_is_what_they_are() {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_worker-tools"))
        .args(["list", "--markdown", "--workspace"])
        .arg(folder.path())
        .arg("--user-files")
        .arg(folder.path())
        .arg("--skills")
        .arg(folder.path())
        .args(["--searxng", "https://searx.example"])
        .arg("--state")
        .arg(folder.path().join("state"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tools.md");
    let page = fs::read_to_string(page).unwrap();
    let (head, _) = page.split_once(GENERATED).unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    expect_file!["../../docs/tools.md"].assert_eq(&format!("{head}{GENERATED}{made}"));
}
