//! Who is asked before a tool may destroy something.

use tokio::sync::{mpsc, oneshot};

use crate::call::ToolCall;
use crate::tool::{BoxFuture, WorkerAgentTool};

/// Asked before a call of a destructive tool starts. Its arguments are known to fit, and nothing of it has run. The wait
/// does not count against the tool's time, and cancelling the turn ends it.
///
/// A closure that decides at once is one too. To ask a person, see [`ask_person`].
pub trait Approval: Send + Sync {
    /// Decides whether the call may start.
    fn decide<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Decision>;
}

impl<F: Fn(&ApprovalRequest) -> Decision + Send + Sync> Approval for F {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(self(request)))
    }
}

/// A call that is about to start.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call, as the model asked for it.
    pub call: ToolCall,
    /// The tool that will run.
    pub tool: WorkerAgentTool,
    /// The arguments that it will get, repaired where that was needed.
    pub arguments: String,
    /// The label of its activity; `None` if it shows none.
    pub label: Option<String>,
}

/// Whether a call may start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It may.
    Allow,
    /// It may not; the model reads why.
    Deny(String),
}

/// An approval that asks a person: each request goes to the receiver, and the call waits until it is answered there.
///
/// ```
/// use tool_runtime::{Agent, ask_person};
/// # fn example(model: tool_runtime::provider::RecordedModel) -> Result<(), tool_runtime::ToolSetError> {
/// let (approval, mut requests) = ask_person();
/// let agent = Agent::new(model, Vec::new())?.approval(approval);
/// let dialog = async move {
///     while let Some(pending) = requests.next().await {
///         if pending.request.label.as_deref() == Some("Removing the old logs") {
///             pending.allow();
///         } else {
///             pending.deny("the user said no; ask what to do instead");
///         }
///     }
/// };
/// # let _ = (agent, dialog);
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn ask_person() -> (AskPerson, ApprovalRequests) {
    // As many as run at once can wait; they are few, and each waits for its answer.
    let (sender, receiver) = mpsc::unbounded_channel();
    (AskPerson { sender }, ApprovalRequests { receiver })
}

/// The asking end of [`ask_person`].
#[derive(Clone, Debug)]
pub struct AskPerson {
    sender: mpsc::UnboundedSender<PendingApproval>,
}

impl Approval for AskPerson {
    fn decide<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, Decision> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            // If nobody listens, the answer's sender is gone, and that is what the wait finds.
            let _ = self.sender.send(PendingApproval { request: request.clone(), answer });
            answered.await.unwrap_or_else(|_| {
                Decision::Deny("nobody was there to allow it; do not try it again in this turn".to_owned())
            })
        })
    }
}

/// The answering end of [`ask_person`].
#[derive(Debug)]
pub struct ApprovalRequests {
    receiver: mpsc::UnboundedReceiver<PendingApproval>,
}

impl ApprovalRequests {
    /// The next request; `None` when no more can come.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no request.
    pub async fn next(&mut self) -> Option<PendingApproval> {
        self.receiver.recv().await
    }
}

/// A call that waits for its answer. Dropping it denies the call.
#[derive(Debug)]
#[non_exhaustive]
pub struct PendingApproval {
    /// What is asked.
    pub request: ApprovalRequest,
    answer: oneshot::Sender<Decision>,
}

impl PendingApproval {
    /// Lets the call start.
    pub fn allow(self) {
        self.answer(Decision::Allow);
    }

    /// Refuses it; the model reads why.
    pub fn deny(self, reason: impl Into<String>) {
        self.answer(Decision::Deny(reason.into()));
    }

    /// Whether the answer is not wanted any more, since the turn was cancelled.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.answer.is_closed()
    }

    fn answer(self, decision: Decision) {
        // The turn may have been cancelled meanwhile.
        let _ = self.answer.send(decision);
    }
}
