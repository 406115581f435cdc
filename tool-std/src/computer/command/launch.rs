//! The chain of programs that a command is started as.
//!
//! ```text
//! sh -c GATE        waits for a line on the channel, so that nothing runs before limits and marks are set
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

const GATE: &str = r#"IFS= read -r _ && exec "$@""#;
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
    let mut command = Command::new("/bin/sh");
    command.args(["-c", GATE, "sh"]);
    match SETSID.iter().find(|program| Path::new(program).exists()) {
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

/// What the inner shell reads. Its own words (`Terminated`) are not the command's and go nowhere. It is one group of commands, which shells read as a whole, so that
/// what comes on the channel later is left to `read`.
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
