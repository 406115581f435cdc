//! Runs the calls of one group side by side.

use std::sync::Arc;

use tokio::task::{Id, JoinError, JoinSet};

use crate::call::{CallError, Interrupted, ToolCall, ToolResult};
use crate::panic::taken;
use crate::set::ToolSet;

use super::call::{PendingCall, Surroundings};
use super::span;

/// How much longer than the grace a task may take to notice that it is over, as a part of the grace.
const SLACK: u32 = 2;

/// One result for each call, in their order. A call that is alone runs here; several get a task each.
pub(super) async fn run(
    set: &ToolSet,
    calls: impl ExactSizeIterator<Item = Arc<ToolCall>>,
    around: &Arc<Surroundings>,
) -> impl Iterator<Item = ToolResult> {
    let mut results = Vec::with_capacity(calls.len());
    let mut pending = Vec::with_capacity(calls.len());
    for (index, call) in calls.enumerate() {
        match PendingCall::new(set, index, call, around) {
            Ok(call) => {
                pending.push(call);
                results.push(None);
            }
            Err(refused) => results.push(Some(*refused)),
        }
    }
    if pending.len() > 1 {
        Tasks::new(around, pending.len()).run(pending, &mut results).await;
    } else if let Some(call) = pending.pop() {
        let (index, result) = call.run(Arc::clone(around)).await;
        put(&mut results, index, result);
    }
    results.into_iter().flatten()
}

fn put(results: &mut [Option<ToolResult>], index: usize, result: ToolResult) {
    if let Some(slot) = results.get_mut(index) {
        *slot = Some(result);
    }
}

/// The running tasks of a group; dropping them aborts them.
struct Tasks {
    around: Arc<Surroundings>,
    tasks: JoinSet<(usize, ToolResult)>,
    /// The call that each task answers, to be able to answer for it.
    started: Vec<(Id, usize, Arc<ToolCall>)>,
}

impl Tasks {
    /// For so many calls.
    fn new(around: &Arc<Surroundings>, calls: usize) -> Self {
        Self { around: Arc::clone(around), tasks: JoinSet::new(), started: Vec::with_capacity(calls) }
    }

    async fn run(mut self, pending: Vec<PendingCall>, results: &mut [Option<ToolResult>]) {
        let mut waiting = pending.into_iter();
        for call in waiting.by_ref().take(self.around.options.limit.max(1)) {
            self.start(call);
        }
        while let Some(ended) = self.next().await {
            match ended {
                Ok((index, result)) => put(results, index, result),
                Err(error) => self.lost(error, results),
            }
            if let Some(call) = waiting.next() {
                self.start(call);
            }
        }
        // What is left does not react to being cancelled: code that blocks its thread.
        for (_, index, call) in self.started {
            if results.get(index).is_some_and(Option::is_none) {
                let error = CallError::Cancelled(Interrupted::StillRunning);
                put(results, index, ToolResult::refused(call, error));
            }
        }
        for call in waiting {
            let (index, result) = call.cancelled();
            put(results, index, result);
        }
    }

    fn start(&mut self, call: PendingCall) {
        let (index, answers) = call.answers();
        let task = self.tasks.spawn(span::in_current(call.run(Arc::clone(&self.around))));
        self.started.push((task.id(), index, answers));
    }

    /// Answers for a task that gave no result.
    fn lost(&self, error: JoinError, results: &mut [Option<ToolResult>]) {
        let Some((_, index, call)) = self.started.iter().find(|(id, ..)| *id == error.id()) else { return };
        let error = match error.try_into_panic() {
            Ok(payload) => CallError::Panicked(taken(payload)),
            Err(_) => CallError::Cancelled(Interrupted::WhileRunning),
        };
        put(results, *index, ToolResult::refused(Arc::clone(call), error));
    }

    /// The next task that ends; `None` if there is none, or if none ends although the turn was cancelled.
    async fn next(&mut self) -> Option<Result<(usize, ToolResult), JoinError>> {
        // Those that ended together are taken without a look at `cancel`.
        if let Some(ended) = self.tasks.try_join_next() {
            return Some(ended);
        }
        let cancel = &self.around.cancel;
        if let Some(ended) = cancel.run_until_cancelled(self.tasks.join_next()).await {
            return ended;
        }
        let patience = self.around.options.grace.saturating_mul(SLACK);
        tokio::time::timeout(patience, self.tasks.join_next()).await.ok().flatten()
    }
}
