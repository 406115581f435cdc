//! What an exit code says, as a fact: of the program that gave it, of the shell, or of a signal.

use super::activity::program;
use super::words::CommandLine;

/// Codes with which a program says something that is no failure, or that its own words do not say.
struct Fact {
    programs: &'static [&'static str],
    code: i32,
    says: &'static str,
}

const fn fact(programs: &'static [&'static str], code: i32, says: &'static str) -> Fact {
    Fact { programs, code, says }
}

const FACTS: &[Fact] = &[
    fact(&["grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack"], 1, "when nothing matches"),
    fact(&["test", "[", "[["], 1, "when the condition is false"),
    fact(&["diff", "cmp", "colordiff"], 1, "when the inputs differ"),
    fact(&["pgrep", "pkill", "pidof"], 1, "when no process matches"),
    fact(&["which"], 1, "when a program is not found"),
    fact(&["timeout"], 124, "when the time that it was given is up"),
    fact(&["curl"], 6, "when the name of the host cannot be resolved"),
    fact(&["curl"], 7, "when no connection can be made"),
    fact(&["curl"], 22, "when the server answers with an error"),
    fact(&["curl"], 28, "when it took too long"),
];

/// Names of signals that end programs.
const SIGNALS: &[(i32, &str)] = &[
    (1, "HUP"),
    (2, "INT"),
    (3, "QUIT"),
    (4, "ILL"),
    (6, "ABRT"),
    (7, "BUS"),
    (8, "FPE"),
    (9, "KILL"),
    (10, "USR1"),
    (11, "SEGV"),
    (12, "USR2"),
    (13, "PIPE"),
    (14, "ALRM"),
    (15, "TERM"),
    (24, "XCPU"),
    (25, "XFSZ"),
    (31, "SYS"),
];

/// What the code with which `command` ended says, if it says anything beside that it is not 0.
pub(super) fn note(command: &str, code: i32) -> Option<String> {
    match (code, signal(code)) {
        (0, _) => None,
        (126, _) => Some("126 is what a shell gives when a program was found but cannot be run".to_owned()),
        (127, _) => Some("127 is what a shell gives when a program was not found".to_owned()),
        (_, Some(signal)) => {
            let why = match signal {
                "KILL" => ", as happens when memory runs out",
                "SEGV" | "BUS" | "ILL" | "FPE" => ": it crashed",
                "PIPE" => ": what read its output had ended",
                _ => "",
            };
            Some(format!(
                "{code} is what a shell gives when signal {} ({signal}) ended a program{why}",
                code - 128
            ))
        }
        (code, None) => of_program(command, code),
    }
}

/// The name of the signal that a code of a shell stands for.
pub(super) fn signal(code: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(number, _)| 128 + number == code).map(|(_, name)| *name)
}

/// The code of a command line is that of its last command.
fn of_program(command: &str, code: i32) -> Option<String> {
    let line = CommandLine::read(command);
    let mut words = line.commands.last().filter(|_| line.is_whole)?.iter();
    let mut name = program(words.next()?)?;
    if name == "env" {
        name = program(words.find(|word| !word.contains('='))?)?;
    }
    let fact = FACTS.iter().find(|fact| fact.code == code && fact.programs.contains(&name.as_str()));
    let says = match (fact, name.as_str(), words.next().map(String::as_str)) {
        (Some(fact), ..) => fact.says,
        (None, "git", Some("grep")) if code == 1 => {
            name.push_str(" grep");
            "when nothing matches"
        }
        (None, "git", Some("diff")) if code == 1 => {
            name.push_str(" diff");
            "when there are differences, if it was told to"
        }
        _ => return None,
    };
    Some(format!("`{name}` exits with {code} {says}"))
}
