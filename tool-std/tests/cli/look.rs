//! The commands that look at tools: `list`, `show`, `schema`, `explain`, `completions`; and what holds for all.

use std::io::Read;

use serde_json::{Value, json};

#[cfg(unix)]
use crate::program::on_a_terminal;
use crate::program::{command, run};

#[test]
fn list_names_each_tool_with_its_flags_and_says_what_is_missing() {
    let listed = run(&["list"]).good();
    assert!(listed.starts_with("tool "), "{listed}");
    let todo = listed.lines().find(|line| line.starts_with("todo ")).unwrap();
    let words =
        ["writes", "sequential", "closed world", "Keeps the plan of the work at hand as a list of tasks."];
    assert!(words.iter().all(|word| todo.contains(word)), "{todo}");
    let missing = "\n\nnot in this turn: reply_attachment, which needs --user-files DIR\nnot in this turn: web_search, ";
    assert!(listed.contains(missing), "{listed}");
    assert!(
        listed.contains(", cancel_workflow, which need --state PLACE\nnot in this turn: skill_view, "),
        "{listed}"
    );
    assert!(!listed.contains('\x1b'), "a file is no terminal: {listed:?}");
}

#[test]
fn list_as_json_has_every_flag() {
    let listed = run(&["list", "--json"]).json();
    let todo = &listed[0];
    assert_eq!(todo["name"], "todo");
    let flags = json!({
        "execution_mode": "sequential", "read_only": false, "destructive": false, "idempotent": false, "open_world": false,
        "strict": false, "input": "json", "defer_loading": false, "allowed_callers": "direct", "timeout_ms": null,
        "max_output": 100_000,
    });
    assert_eq!(todo["flags"], flags);
}

#[test]
fn show_has_description_parameters_and_flags() {
    let shown = run(&["show", "todo"]).good();
    for expected in [
        "todo\n\nKeeps the plan",
        "\nParameters\nname ",
        "\ntodos[].id       string           yes       1 to 100 characters ",
        "\ntodos[].status   string           no        `pending`, `in_progress`, `completed`, `cancelled` ",
        "\nmerge            boolean          no                                                            false ",
        "\nFlags\nexecution_mode   sequential\nread_only        no\n",
    ] {
        assert!(shown.contains(expected), "{expected:?} is not in {shown}");
    }
}

#[test]
fn schema_is_what_each_provider_gets() {
    let parameters = [
        ("responses", "/0/parameters/properties/todos/maxItems"),
        ("chat", "/0/function/parameters/properties/todos/maxItems"),
        ("anthropic", "/0/input_schema/properties/todos/maxItems"),
        ("gemini", "/0/functionDeclarations/0/parametersJsonSchema/properties/todos/maxItems"),
        ("mcp", "/0/inputSchema/properties/todos/maxItems"),
    ];
    for (format, pointer) in parameters {
        let tools = run(&["schema", "todo", "--format", format]).json();
        assert_eq!(tools.pointer(pointer), Some(&json!(256)), "{format}: {tools}");
        assert_eq!(tools.as_array().unwrap().len(), 1);
    }
    let hints = json!({
        "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false,
    });
    assert_eq!(run(&["schema", "todo", "--format", "mcp"]).json()[0]["annotations"], hints);
}

#[test]
fn schema_without_names_has_the_tools_in_the_order_of_the_turn() {
    let names = |tools: Value| -> Vec<Value> {
        tools.as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect()
    };
    assert_eq!(names(run(&["schema"]).json()), names(run(&["list", "--json"]).json()));
}

#[test]
fn schema_can_be_strict_where_there_is_such_a_thing() {
    let tools = run(&["schema", "todo", "--strict"]).json();
    assert_eq!(tools[0]["strict"], true);
    assert_eq!(tools[0]["parameters"]["required"], json!(["todos", "merge"]));
    let anthropic = run(&["schema", "todo", "--strict", "--format", "anthropic"]).json();
    assert_eq!(anthropic[0]["strict"], true);
    for format in ["gemini", "mcp"] {
        let refused = run(&["schema", "--strict", "--format", format]).refused(2);
        assert!(refused.contains("has no strict tools; leave `--strict` away"), "{refused}");
    }
}

#[test]
fn a_tool_that_cannot_be_strict_says_why_and_stays_as_it_is() {
    let ran = run(&["schema", "command", "todo", "--strict"]);
    let told = "worker-tools: `command` stays as it is: it cannot be `strict`: at `/properties/env`: ";
    assert!(ran.stderr.starts_with(told), "{ran:?}");
    let tools = ran.json();
    assert_eq!((&tools[0]["strict"], &tools[1]["strict"]), (&json!(false), &json!(true)));
    let explained = run(&["explain", "command", "--strict"]).good();
    assert!(
        explained
            .contains("\nstrict: no, the tool does not ask for it, and it could not: at `/properties/env`: "),
        "{explained}"
    );
}

#[test]
fn explain_says_for_each_provider_what_is_enforced_and_what_moved() {
    let explained = run(&["explain", "todo"]).good();
    for expected in [
        "provider                 name  as        strict  bytes\nOpenAI Responses         todo  function  no ",
        "\nOpenAI Responses, OpenAI Chat Completions, Anthropic Messages\n\
         strict: no, the tool does not ask for it; it could, see `--strict`\nparameters: as they are written\n",
        "\nGoogle Gemini\nstrict: no, it has no strict tools\n",
        "\n  - `todos[].id` without `minLength`, `maxLength`; says in its description: (At least 1 character, at most 100 characters.)\n",
    ] {
        assert!(explained.contains(expected), "{expected:?} is not in {explained}");
    }
    let strict = run(&["explain", "todo", "--strict"]).good();
    for expected in [
        "\nOpenAI Responses         todo  function  yes ",
        "\nstrict: yes, the tool asks for it\n",
        "  - the object has `required` [\"todos\",\"merge\"] for []\n",
        "by the mode VALIDATED of the whole request",
    ] {
        assert!(strict.contains(expected), "{expected:?} is not in {strict}");
    }
}

#[test]
fn a_free_text_tool_is_shown_with_its_grammar() {
    let shown = run(&["show", "apply_patch"]).good();
    assert!(shown.contains("\nInput\nText that this grammar allows (lark):\n\n```text\nstart: "), "{shown}");
    assert!(!shown.contains("\nParameters\n"), "{shown}");
    let explained = run(&["explain", "apply_patch"]).good();
    for expected in [
        "\nOpenAI Responses         apply_patch  custom ",
        "\nAnthropic Messages       apply_patch  function ",
        "\nOpenAI Responses, OpenAI Chat Completions\nstrict: yes, by the grammar\nparameters: none, the model writes the text itself\n",
        "\nstrict: no, it is free text\ndescription: as it is written, then\n    `input` has to match this grammar (lark):\n    start: ",
    ] {
        assert!(explained.contains(expected), "{expected:?} is not in {explained}");
    }
    let kind = |format| run(&["schema", "apply_patch", "--format", format]).json()[0]["type"].clone();
    assert_eq!((kind("responses"), kind("chat")), ("custom".into(), "custom".into()));
}

#[test]
fn the_bytes_that_explain_tells_are_those_of_the_entry() {
    let explained = run(&["explain", "todo"]).good();
    let row = explained.lines().find(|line| line.starts_with("OpenAI Responses ")).unwrap();
    let bytes: usize = row.split_whitespace().last().unwrap().parse().unwrap();
    assert_eq!(bytes, run(&["schema", "todo"]).json()[0].to_string().len());
}

#[test]
fn an_unknown_tool_is_named_with_the_nearest_ones() {
    for arguments in
        [&["show", "tood"][..], &["explain", "tood"], &["schema", "todo", "tood"], &["call", "tood"]]
    {
        let refused = run(arguments).refused(2);
        let expected = "worker-tools: no tool is named `tood` (did you mean `todo`); the tools are `todo`";
        assert!(refused.starts_with(expected), "{refused}");
    }
    let refused = run(&["show", "reply_attachment"]).refused(2);
    assert_eq!(refused, "worker-tools: this turn has no `reply_attachment`: it needs `--user-files DIR`\n");
}

#[test]
fn a_workspace_that_is_none_is_named() {
    let refused = run(&["list", "--workspace", "no/such/folder"]).refused(2);
    assert!(refused.contains("`no/such/folder`"), "{refused}");
}

#[test]
fn every_command_has_help_with_examples() {
    for name in ["list", "show", "schema", "explain", "call", "run", "chat", "arguments", "completions"] {
        let help = run(&[name, "--help"]).good();
        assert!(help.contains("Examples:\n  ") && help.contains(&format!("worker-tools {name}")), "{help}");
    }
    assert!(run(&[]).refused(2).contains("Usage: worker-tools"));
    assert!(run(&["--version"]).good().starts_with("worker-tools "));
    assert!(run(&["lst"]).refused(2).contains("a similar subcommand exists: 'list'"));
}

#[test]
fn completions_are_there_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).good();
        assert!(script.contains("explain") && script.contains("user-files"), "{shell}");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for arguments in [&["schema"][..], &["list"], &["show", "todo"], &["completions", "bash"]] {
        let mut program = command(arguments).spawn().unwrap();
        drop(program.stdout.take());
        let mut said = String::new();
        program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((program.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

/// What `worker-tools` shows on a terminal.
#[cfg(unix)]
fn shown(arguments: &str, variable: Option<&str>) -> String {
    let mut program = on_a_terminal(&format!("worker-tools {arguments}"));
    let output = program.envs(variable.map(|variable| (variable, "1"))).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[cfg(unix)]
#[test]
fn colours_are_for_terminals_and_not_for_those_who_want_none() {
    assert!(shown("list", None).contains("\x1b[1mtool "));
    assert!(!shown("list", Some("NO_COLOR")).contains("\x1b["));
}

#[cfg(unix)]
#[test]
fn tables_fit_the_terminal() {
    let shown = shown("show todo", Some("NO_COLOR"));
    let (_, table) = shown.split_once("\nParameters\n").unwrap();
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.starts_with("name             type             required  limits "), "{table}");
    assert!(
        table.contains("\n\nname             meaning\ntodos            The tasks, most important first."),
        "{table}"
    );
}
