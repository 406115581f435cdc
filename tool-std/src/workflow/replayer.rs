//! Replays in processes of their own.
//!
//! The engine of programs is written in C. A program that fills its memory can bring it to where it cannot be interrupted any
//! more, or where it crashes; so it runs apart, where it can be ended from outside and takes nothing with it.

mod child;
mod wire;

use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::limits::WorkflowLimits;
use super::program::{KnownCall, Program, ProgramFailure, Replay};

/// What makes a process such a child.
const MARK: &str = "TOOL_STD_REPLAYS_A_PROGRAM";
/// How long after its time a replay is waited for. It ends by itself at its time, unless a single operation takes longer.
const GRACE: Duration = Duration::from_secs(3);
/// The longest answer, in bytes: the longest calls, each character of them escaped.
const MAX_ANSWER: u64 = 64 << 20;

/// Where programs are replayed: each replay in a child process, which has nothing of this one but the program, and ends with
/// it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Replayer {
    program: PathBuf,
}

impl Replayer {
    /// Children of the running program.
    ///
    /// Call it first of all in `main`: in such a child it replays what the parent sends, and ends the process.
    ///
    /// ```no_run
    /// use tool_std::workflow::Replayer;
    ///
    /// let replayer = Replayer::of_this_program();
    /// // … and then all that the program does.
    /// # drop(replayer);
    /// ```
    #[must_use]
    pub fn of_this_program() -> Self {
        if std::env::var_os(MARK).is_some() {
            child::serve();
        }
        // Where the system has a name for what runs, a child is the same also after the file was replaced.
        let itself = PathBuf::from("/proc/self/exe");
        let program = if itself.exists() { itself } else { std::env::current_exe().unwrap_or_default() };
        Self { program }
    }

    /// Children of another program whose `main` begins with [`of_this_program`](Self::of_this_program), of the same version:
    /// `worker-tools` does. For programs whose `main` is not their own, like tests.
    #[must_use]
    pub fn of_program(path: impl Into<PathBuf>) -> Self {
        Self { program: path.into() }
    }

    /// Replays a program with what is known of its calls. A program that crashes the engine, or does not end in its time, has
    /// [failed](Replay::Failed).
    ///
    /// # Errors
    ///
    /// When the program could not be replayed now, which says nothing of it: there is no process for it, or it was ended by
    /// someone else.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the process.
    pub async fn replay(
        &self,
        program: &Program,
        known: &[KnownCall],
        limits: &WorkflowLimits,
    ) -> Result<Replay, String> {
        let asked = wire::ask(program, known, limits)?;
        let mut child = self.start().map_err(|error| {
            format!("the program `{}` for replays cannot be started: {error}", self.program.display())
        })?;
        let time = limits.replay_time;
        match tokio::time::timeout(time.saturating_add(GRACE), answer(&mut child, &asked)).await {
            Ok(Ok((status, answer))) => wire::read(&answer).map_or_else(|| broken_off(status), Ok),
            Ok(Err(error)) => Err(format!("the process of a replay could not be talked to: {error}")),
            Err(_) => {
                let seconds = time.as_secs_f64();
                let words =
                    format!("the program takes longer than {seconds} seconds, and could not be interrupted");
                Ok(Replay::Failed(ProgramFailure::new("too_long", words)))
            }
        }
    }

    fn start(&self) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.env_clear().env(MARK, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Keys that are pressed at a terminal are for the parent.
        #[cfg(unix)]
        command.process_group(0);
        command.kill_on_drop(true).spawn()
    }
}

/// Sends what is asked, and gives how the process ended and what it said. Its input stays open meanwhile: where it ends, the
/// parent is gone.
async fn answer(child: &mut Child, asked: &[u8]) -> io::Result<(ExitStatus, Vec<u8>)> {
    let (mut input, output) = (child.stdin.take(), child.stdout.take());
    if let Some(input) = &mut input {
        // One that is gone before it has read all has ended in a way that says more.
        let _ = input.write_all(asked).await;
        let _ = input.flush().await;
    }
    let mut answer = Vec::new();
    if let Some(output) = output {
        output.take(MAX_ANSWER).read_to_end(&mut answer).await?;
    }
    Ok((child.wait().await?, answer))
}

/// What it means that a process gave no answer.
fn broken_off(status: ExitStatus) -> Result<Replay, String> {
    if is_crash(status) {
        let words = format!(
            "the engine of programs broke off ({status}), most likely because the memory of the program ran out; let it hold less"
        );
        return Ok(Replay::Failed(ProgramFailure::new("engine_failed", words)));
    }
    Err(format!("the process of a replay was ended before it gave an answer: {status}"))
}

/// Whether a process ended by its own fault.
#[cfg(unix)]
fn is_crash(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    /// SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE and SIGSEGV: the numbers of Linux, and of others where they have them.
    const FAULTS: [i32; 7] = [4, 5, 6, 7, 8, 10, 11];
    status.signal().is_some_and(|signal| FAULTS.contains(&signal)) || status.code() == Some(child::PANICKED)
}

/// Whether a process ended by its own fault.
#[cfg(not(unix))]
fn is_crash(status: ExitStatus) -> bool {
    !status.success()
}
