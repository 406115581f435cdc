//! The chain of programs that a command is started as.
//!
//! ```text
//! bash -c GATE      waits for a line on the channel, so that nothing runs before limits and marks are set
//! setsid            leaves the terminal of this program, so that nothing asks a person or is stopped by the terminal
//! (the sandbox)     the words of its wrapper
//! sh -s             reads PROLOGUE from the channel: environment, then the login shell, then its exit code
//! bash -lc COMMAND  the command, with closed input
//! ```
//!
//! The channel is a socket that stands as standard input of the chain. Variables and the command go through it, so that
//! values are on no command line, and none of them (`LD_PRELOAD`!) reaches a program outside of the sandbox.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::super::sandbox::{Confinement, Sandbox};
use super::environment::Environment;

/// Files that this program has from others are closed: a sandbox is around what is opened, not around what is open. Where
/// there is no bash, that are those up to 9, since other shells know no higher ones.
const GATE: &str = r#"
IFS= read -r _ || exit
exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
[ -z "$BASH_VERSION" ] || for file in /proc/self/fd/*; do
    case ${file##*/} in
        *[!0-9]* | 0 | 1 | 2) ;;
        *) eval "exec ${file##*/}>&-" ;;
    esac
done
exec "$@"
"#;
const BASH: &[&str] = &["/bin/bash", "/usr/bin/bash"];
/// Shells in which a command runs, the first that is there.
const LOGIN_SHELLS: &str =
    "/bin/bash /usr/bin/bash /usr/local/bin/bash /run/current-system/sw/bin/bash /bin/sh";
const SETSID: &[&str] = &["/usr/bin/setsid", "/bin/setsid"];

/// What opens the gate.
pub(super) const OPEN: &[u8] = b"\n";
/// What the prologue says when the sandbox stands and the login shell comes next. It then waits for a line.
pub(super) const READY: &str = "ready";

/// A chain that waits at its gate.
pub(super) struct Launched {
    pub(super) child: Child,
    /// Both output streams, as they come.
    pub(super) output: PipeReader,
    pub(super) channel: UnixStream,
}

/// Starts the chain; it waits at the gate.
pub(super) fn launch(sandbox: &dyn Sandbox, within: &Confinement) -> io::Result<Launched> {
    let (output, writer) = io::pipe()?;
    let (channel, far_end) = UnixStream::pair()?;
    let mut command = match first_that_exists(BASH) {
        // With a socket as its input it would take itself for a remote shell and read the user's settings.
        Some(bash) => {
            let mut command = Command::new(bash);
            command.arg("--norc");
            command
        }
        None => Command::new("/bin/sh"),
    };
    command.args(["-c", GATE, "gate"]);
    match first_that_exists(SETSID) {
        Some(setsid) => command.arg(setsid),
        None => command.process_group(0),
    };
    command
        .args(sandbox.wrapper(within))
        .args(["/bin/sh", "-s"].map(OsString::from))
        .env_clear()
        .current_dir(&within.workdir)
        .stdin(Stdio::from(OwnedFd::from(far_end)))
        .stdout(writer.try_clone()?)
        .stderr(writer);
    // The command holds our ends of the streams until it is dropped, here.
    let child = sandbox.spawn(&mut command, within)?;
    Ok(Launched { child, output, channel })
}

fn first_that_exists(programs: &[&'static str]) -> Option<&'static str> {
    programs.iter().copied().find(|program| Path::new(program).exists())
}

/// What the inner shell reads: one group of commands, which shells read as a whole, so that what comes on the channel later
/// is left to `read`. Its own words (`Terminated`) are not the command's and go nowhere.
pub(super) fn prologue(command: &str, environment: &Environment) -> String {
    let restored =
        environment.path.as_ref().map_or(String::new(), |path| format!("export PATH={}; ", quoted(path)));
    let command = quoted(&format!("{restored}{command}"));
    // The shells' names stand in no variable of their own, which could be one of the environment.
    let mut script = format!(
        "{{\n\
         for shell in {LOGIN_SHELLS}; do [ -x \"$shell\" ] && break; done\n\
         set -- \"$shell\"\n\
         unset shell\n"
    );
    for (name, value) in &environment.variables {
        // Writing to a text cannot fail.
        let _ = writeln!(script, "export {name}={}", quoted(value));
    }
    let _ = write!(
        script,
        "echo {READY} >&0\n\
         IFS= read -r _ || exit 125\n\
         exec 3>&2 2>/dev/null\n\
         (exec \"$1\" -lc {command} </dev/null 2>&3 3>&-)\n\
         set -- $?\n\
         exec >/dev/null 3>&-\n\
         echo \"$1\" >&0\n\
         IFS= read -r _\n\
         exit \"$1\"\n\
         }}\n"
    );
    script
}

/// `text` as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
