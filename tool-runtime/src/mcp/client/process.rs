//! A server as a child process: started with few variables, its last words kept, ended with all that it started.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;

/// Variables of ours that a server gets; everything else may be a secret.
const PASSED_ON: [&str; 5] = ["PATH", "HOME", "LANG", "USER", "TMPDIR"];
/// How much of what a server writes to standard error is kept, in bytes.
const LAST_WORDS: usize = 2_000;
/// How long a server has to end after its input was closed, and again after it was asked to.
const PATIENCE: Duration = Duration::from_secs(2);
/// SIGTERM, which is the same number everywhere.
const TERMINATE: i32 = 15;

/// A running server. Dropping it kills it and what it started.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    last_words: Arc<Mutex<Vec<u8>>>,
    listening: JoinHandle<()>,
}

impl Process {
    pub(super) fn start(
        program: &str,
        arguments: &[String],
        environment: &BTreeMap<String, String>,
        folder: Option<&Path>,
    ) -> io::Result<(Self, ChildStdout, ChildStdin)> {
        let mut command = CommandWrap::with_new(program, |command| {
            command.args(arguments).env_clear();
            command.envs(PASSED_ON.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
            command.envs(environment);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            if let Some(folder) = folder {
                command.current_dir(folder);
            }
        });
        let mut child = command.wrap(ProcessGroup::leader()).wrap(KillOnDrop).spawn()?;
        let streams = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(io::Error::other("the streams of the process are not there"));
        };
        let last_words = Arc::default();
        let listening = tokio::spawn(listen(stderr, Arc::clone(&last_words)));
        Ok((Self { child, last_words, listening }, stdout, stdin))
    }

    /// How it ended, if it has, and what it said last.
    pub(super) async fn obituary(&mut self) -> String {
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        let mut text = match ended {
            Ok(Ok(status)) => format!("has ended ({status})"),
            _ => "has closed its output".to_owned(),
        };
        // What it wrote is all there once the pipe is closed; what it started may keep the pipe open.
        let _ = tokio::time::timeout(PATIENCE, &mut self.listening).await;
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words = String::from_utf8_lossy(&words);
        if !words.trim().is_empty() {
            text.push_str(&format!("; its last words: {}", words.trim()));
        }
        text
    }

    /// Waits for it to end; asks it to when it does not; drops it then.
    pub(super) async fn end(mut self) {
        if tokio::time::timeout(PATIENCE, self.child.wait()).await.is_err()
            && self.child.signal(TERMINATE).is_ok()
        {
            let _ = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The whole group: killing the leader alone leaves what it started. It may have ended already.
        let _ = self.child.start_kill();
        self.listening.abort();
    }
}

async fn listen(mut stderr: ChildStderr, last_words: Arc<Mutex<Vec<u8>>>) {
    let mut piece = [0; 1_024];
    while let Ok(read) = stderr.read(&mut piece).await {
        let Some(read) = piece.get(..read).filter(|read| !read.is_empty()) else { return };
        let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(read);
        let surplus = words.len().saturating_sub(LAST_WORDS);
        words.drain(..surplus);
    }
}
