//! The person at the terminal: what is typed, and who is asked before something is destroyed.

use std::io::{self, IsTerminal};

use tokio::sync::mpsc;
use tool_runtime::{ApprovalRequests, PendingApproval, Steering};

use crate::paper;
use crate::screen::{Screen, one_line};

/// Whether there is a person who can be asked.
pub(crate) fn is_attended() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a person has said yes.
pub(crate) fn is_yes(line: &str) -> bool {
    matches!(line.trim().to_lowercase().as_str(), "y" | "yes")
}

/// A person at the terminal, who is asked about calls. What is typed unasked is said to the model.
pub(crate) struct Person<'a> {
    requests: ApprovalRequests,
    pending: Option<PendingApproval>,
    /// `None` once the person has gone.
    lines: Option<&'a mut Lines>,
    steering: Steering,
}

impl<'a> Person<'a> {
    pub(crate) fn new(requests: ApprovalRequests, lines: &'a mut Lines, steering: Steering) -> Self {
        Self { requests, pending: None, lines: Some(lines), steering }
    }

    /// Waits until the person is asked or says something, and deals with it; `None` if neither can come any more.
    pub(crate) async fn attend(&mut self, screen: &mut Screen) -> Option<io::Result<()>> {
        Some(tokio::select! {
            Some(request) = self.requests.next(), if self.pending.is_none() => self.asked(request, screen),
            line = typed(&mut self.lines) => self.said(line, screen),
            else => return None,
        })
    }

    fn asked(&mut self, request: PendingApproval, screen: &mut Screen) -> io::Result<()> {
        if self.lines.is_none() {
            request.deny("nobody is there to allow it; do without it");
            return Ok(());
        }
        screen.ask(&question(&request))?;
        self.pending = Some(request);
        Ok(())
    }

    /// Takes a line, or that there will be none.
    fn said(&mut self, line: Option<String>, screen: &mut Screen) -> io::Result<()> {
        match (self.pending.take(), line) {
            (Some(request), Some(line)) if is_yes(&line) => request.allow(),
            (Some(request), _) => request.deny("the user did not allow it; ask what to do instead"),
            (None, Some(line)) if line.trim().is_empty() => {}
            (None, Some(line)) => {
                self.steering.send(&line);
                screen.note(&format!("the model is told after its calls: {}", one_line(&line)))?;
            }
            (None, None) => self.lines = None,
        }
        Ok(())
    }
}

/// The next line of a person who is there.
async fn typed(lines: &mut Option<&mut Lines>) -> Option<String> {
    match lines {
        Some(lines) => lines.next().await,
        None => std::future::pending().await,
    }
}

/// What a person is asked before a call that may destroy something.
fn question(request: &PendingApproval) -> String {
    let request = &request.request;
    let name = request.call.display_name();
    let label = request.label.as_ref().map(|label| format!(" ({label})")).unwrap_or_default();
    format!(
        "  ? `{name}`{label} may destroy something. It would get\n    {}\n    Allow it? [y/N] ",
        paper::for_stderr(&request.arguments)
    )
}

/// What is typed, line by line. A thread of its own reads it, so that a turn can be cancelled meanwhile.
pub(crate) struct Lines(mpsc::Receiver<String>);

impl Lines {
    pub(crate) fn read() -> Self {
        let (sender, receiver) = mpsc::channel(1);
        std::thread::spawn(move || {
            for line in io::stdin().lines().map_while(Result::ok) {
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self(receiver)
    }

    /// The next line; `None` at the end of the input.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no line.
    pub(crate) async fn next(&mut self) -> Option<String> {
        self.0.recv().await
    }
}
