use proptest::prelude::*;

use super::*;

fn label(command: &str) -> String {
    Activity::of(command).to_string()
}

#[test]
fn known_programs_are_named_by_what_they_do() {
    for (command, expected) in [
        ("cargo test --workspace", "Running tests (cargo)"),
        ("RUST_LOG=debug cargo +nightly --config a=b test", "Running tests (cargo)"),
        ("cd app && npm run build", "Building (npm)"),
        ("pnpm --filter web run test", "Running tests (pnpm)"),
        ("python3 -m pytest -k name", "Running tests (python3)"),
        ("git -C other status", "Looking at changes (git)"),
        ("git commit -m \"$(cat <<'X'\ncargo test\nX\n)\"", "Committing (git)"),
        ("/usr/bin/rg -n pattern src | head", "Searching code (rg)"),
        ("sudo -u other timeout 5 apt-get install -y jq", "Installing packages (apt-get)"),
        ("ls -la && cargo fmt --all", "Formatting (cargo)"),
        ("go vet ./...", "Checking code (go)"),
        ("mix deps.get", "Installing packages (mix)"),
    ] {
        assert_eq!(label(command), expected, "{command}");
    }
}

#[test]
fn others_are_named_by_their_program() {
    for (command, expected) in [
        ("ls -la", "Running a command (ls)"),
        ("./deploy.sh production", "Running a command (deploy.sh)"),
        ("cargo run --release", "Running a command (cargo)"),
        ("sudo -u other whoami", "Running a command (sudo)"),
        ("source env.sh; export A=1; . b; python3 x.py", "Running a command (python3)"),
        ("cd folder", "Running a command"),
        ("\"$EDITOR\" file", "Running a command"),
        ("'a program with spaces' b", "Running a command"),
        ("A=1", "Running a command"),
        ("", "Running a command"),
    ] {
        assert_eq!(label(command), expected, "{command}");
    }
}

/// What stands for everything that a label must not hold.
const SECRET: &str = "zq";

/// Programs, known and unknown.
fn programs() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&[
        "cargo test",
        "git commit",
        "npm run",
        "/opt/bin/tool",
        "ls",
        "sudo",
        "env",
        "timeout 5",
        "xargs",
        "[",
        "cd",
        "export",
        "echo",
        "find .",
        "A=1 make",
        "! grep",
        "time bash -c",
    ])
}

/// Arguments in all the ways in which a shell takes them.
const ARGUMENTS: &[&str] = &[
    "zq",
    "-zq",
    "--zq=zq",
    "'zq; zq x'",
    "\"zq && zq\"",
    "\"a $(zq | zq b) c\"",
    "$(zq; zq)",
    "`zq; zq`",
    "$'zq\\'; zq'",
    "/zq/zq",
    "./zq",
    "a\\;zq",
    "a\\ zq",
    "> zq",
    "2>zq",
    "< zq",
    "<<< zq",
    "<<<'zq; zq'",
    "<(zq; zq)",
    "> >(zq | zq)",
    "&> zq",
    "${zq:-zq}",
    "${a:-$(zq; zq)}",
    "\"${a:-\"zq; zq\"}\"",
    "$((zq + zq))",
    "{zq,zq}",
    "zq*",
    "!(zq|zq)",
    "@(zq|zq)",
    "a=zq",
    "\\\n zq",
    "\"'\" zq",
    "'\"' zq",
    "zq@zq",
    "é zq",
    "2>&1 zq",
    "\"$(cat <<X\nzq; zq\nX\n)\"",
    "$(case zq in zq) zq;; zq) zq;; esac)",
];

/// What may stand behind the arguments of a command; the next command follows.
const STATEMENTS: &[&str] = &[
    "",
    "# zq; zq\n",
    "<<X\nzq; zq\nX\n",
    "<<-'X'\nzq | zq\n\tX\n",
    "<<X <<Y\nzq\nX\nzq; zq\nY\n",
    "; A=zq",
    "; A=(zq zq; )",
    "; A=(zq zq)",
    "; B[zq]=zq",
    "; A='zq' B=\"zq; zq\" ls zq",
    "; for x in zq zq; do ls zq; done",
    "; [[ zq && zq || zq < zq ]]",
    "; case zq in zq) ls;; zq|zq) ls zq;; esac",
    "; ((zq < zq))",
    "; for ((zq=0; zq<1; zq++)); do ls; done",
    "; ls() { ls zq; }",
    "; select zq in zq; do ls; done",
    "(zq)",
    "; ls (zq; zq)",
    "; { ls zq; }",
    "; (ls zq)",
    "; if [ zq = zq ]; then ls zq; fi",
    "; while read zq; do ls zq; done < zq",
];

/// Ends of lines that have none.
const UNCLOSED: &[&str] = &[
    "",
    "ls \"zq; zq",
    "ls $(zq; zq",
    "ls 'zq; zq",
    "ls `zq; zq",
    "ls ${zq; zq",
    "ls <<X\nzq; zq",
    "ls <(zq; zq",
];

/// Between a command and the next.
fn ends() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&[" ; ", " && ", " || ", " | ", "\n", " & ", " |& ", ";\n"])
}

/// A command with arguments and what follows.
fn commands() -> impl Strategy<Value = String> {
    let arguments = prop::collection::vec(prop::sample::select(ARGUMENTS), 0..5);
    (programs(), arguments, prop::sample::select(STATEMENTS), ends()).prop_map(
        |(program, arguments, statement, end)| format!("{program} {} {statement}{end}", arguments.join(" ")),
    )
}

proptest! {
    #[test]
    fn no_label_holds_an_argument(
        commands in prop::collection::vec(commands(), 1..4),
        end in prop::sample::select(UNCLOSED),
    ) {
        let label = label(&format!("{}{end}", commands.concat()));
        prop_assert!(!label.contains(SECRET), "{}", label);
    }

    #[test]
    fn any_text_has_a_short_label(text in "\\PC*") {
        prop_assert!(label(&text).chars().count() <= 80);
    }

    #[test]
    fn any_signs_have_a_short_label(text in "[a\\n '\"`$(){}<>&|;#=!\\[\\]\\\\-]{0,60}") {
        prop_assert!(label(&text).chars().count() <= 80);
    }
}
