//! Runs the calls of one group side by side.

use std::collections::HashMap;

use tokio::task::{Id, JoinError, JoinSet};

use crate::call::{CallError, Interrupted, ToolCall, ToolResult};
use crate::panic::taken;
use crate::set::ToolSet;

use super::call::{PendingCall, Surroundings};
use super::span;

/// How much longer than the grace a task may take to notice that it is over, as a part of the grace.
const SLACK: u32 = 2;

/// One result for each call, in their order. A call that is alone runs here; several get a task each.
pub(super) async fn run(set: &ToolSet, calls: Vec<ToolCall>, around: &Surroundings) -> Vec<ToolResult> {
    let mut results: Vec<Option<ToolResult>> = Vec::with_capacity(calls.len());
    let mut pending = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        match PendingCall::new(set, call, around) {
            Ok(call) => {
                pending.push((index, call));
                results.push(None);
            }
            Err(refused) => results.push(Some(*refused)),
        }
    }
    if pending.len() > 1 {
        Tasks::new(around.clone()).run(pending, &mut results).await;
    } else if let Some((index, call)) = pending.pop() {
        put(&mut results, index, call.run(around).await);
    }
    results.into_iter().flatten().collect()
}

fn put(results: &mut [Option<ToolResult>], index: usize, result: ToolResult) {
    if let Some(slot) = results.get_mut(index) {
        *slot = Some(result);
    }
}

/// The running tasks of a group; dropping them aborts them.
struct Tasks {
    around: Surroundings,
    tasks: JoinSet<ToolResult>,
    /// What each task answers, to be able to answer for it.
    calls: HashMap<Id, (usize, ToolCall)>,
}

impl Tasks {
    fn new(around: Surroundings) -> Self {
        Self { around, tasks: JoinSet::new(), calls: HashMap::new() }
    }

    async fn run(mut self, pending: Vec<(usize, PendingCall)>, results: &mut [Option<ToolResult>]) {
        let mut waiting = pending.into_iter();
        for (index, call) in waiting.by_ref().take(self.around.options.limit.max(1)) {
            self.start(index, call);
        }
        while let Some(ended) = self.next().await {
            let (id, outcome) = match ended {
                Ok((id, result)) => (id, Ok(result)),
                Err(error) => (error.id(), Err(error)),
            };
            if let Some((index, call)) = self.calls.remove(&id) {
                put(results, index, outcome.unwrap_or_else(|error| lost(call, error)));
            }
            if let Some((index, call)) = waiting.next() {
                self.start(index, call);
            }
        }
        // What is left does not react to being cancelled: code that blocks its thread.
        for (_, (index, call)) in self.calls.drain() {
            put(results, index, ToolResult::refused(call, CallError::Cancelled(Interrupted::StillRunning)));
        }
        for (index, call) in waiting {
            let call = call.call().clone();
            put(results, index, ToolResult::refused(call, CallError::Cancelled(Interrupted::BeforeStart)));
        }
    }

    fn start(&mut self, index: usize, call: PendingCall) {
        let answers = (index, call.call().clone());
        let around = self.around.clone();
        let task = self.tasks.spawn(span::in_current(async move { call.run(&around).await }));
        self.calls.insert(task.id(), answers);
    }

    /// The next task that ends; `None` if there is none, or if none ends although the turn was cancelled.
    async fn next(&mut self) -> Option<Result<(Id, ToolResult), JoinError>> {
        let cancel = &self.around.cancel;
        if let Some(ended) = cancel.run_until_cancelled(self.tasks.join_next_with_id()).await {
            return ended;
        }
        let patience = self.around.options.grace.saturating_mul(SLACK);
        tokio::time::timeout(patience, self.tasks.join_next_with_id()).await.ok().flatten()
    }
}

/// The result of a task that gave none.
fn lost(call: ToolCall, error: JoinError) -> ToolResult {
    let error = match error.try_into_panic() {
        Ok(payload) => CallError::Panicked(taken(payload)),
        Err(_) => CallError::Cancelled(Interrupted::WhileRunning),
    };
    ToolResult::refused(call, error)
}
