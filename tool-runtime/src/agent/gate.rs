//! What each call passes before it starts and after it is done: is its tool offered, may it run, is it recorded.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::call::{ById, CallError, ToolCall, ToolResult};
use crate::dispatch::{Gate, Starting};
use crate::event::{ApprovalPhase, EventKind, Events};
use crate::model::{ResultItem, ToolName};
use crate::spec::ToolSpec;
use crate::tool::BoxFuture;

use super::approval::{Approval, ApprovalRequest, Decision};
use super::journal::{Journal, JournalEntry, JournalError};
use super::log;

/// The gate of one round.
pub(super) struct TurnGate {
    pub(super) journal: Option<Arc<dyn Journal>>,
    pub(super) approval: Option<Arc<dyn Approval>>,
    pub(super) events: Events,
    /// The tools that are offered; `None` for all.
    pub(super) offer: Option<Vec<ToolName>>,
    pub(super) state: Mutex<GateState>,
}

#[derive(Default)]
pub(super) struct GateState {
    /// Why the journal takes nothing any more.
    failed: Option<JournalError>,
    /// The calls whose results it has.
    recorded: HashSet<ById>,
    /// Whether the round is over: a call that could not be stopped comes back too late to be answered again.
    closed: bool,
}

impl TurnGate {
    /// Records the results that never passed the gate: those of calls that did not start, or never came back.
    pub(super) async fn record_rest(&self, results: &[ToolResult]) -> Result<(), JournalError> {
        self.lock().closed = true;
        for result in results {
            if !self.lock().recorded.contains(result.call.id.as_str()) {
                log::rejected(result);
                self.record_result(result).await;
            }
        }
        self.lock().failed.take().map_or(Ok(()), Err)
    }

    async fn record_result(&self, result: &ToolResult) {
        let entry = || JournalEntry::Answered {
            result: Cow::Owned(ResultItem::of(result)),
            arguments: result.arguments.as_deref().map(Cow::Borrowed),
            completes: Cow::Borrowed(result.outcome.as_ref().map_or(&[][..], |output| &output.completes)),
        };
        if self.record(entry).await {
            self.lock().recorded.insert(ById(Arc::clone(&result.call)));
        }
    }

    /// Whether the journal has it; without a journal it always has, and nothing is written.
    async fn record<'a>(&self, entry: impl FnOnce() -> JournalEntry<'a>) -> bool {
        let Some(journal) = &self.journal else { return true };
        if self.lock().failed.is_some() {
            return false;
        }
        match journal.record(entry()).await {
            Ok(()) => true,
            Err(error) => {
                self.lock().failed.get_or_insert(error);
                false
            }
        }
    }

    async fn approve(&self, starting: &Starting<'_>) -> Result<(), CallError> {
        let spec = starting.tool.spec();
        let Some(approval) = self.approval.as_ref().filter(|_| spec.is_destructive()) else { return Ok(()) };
        let request = ApprovalRequest {
            call: starting.call.clone(),
            tool: starting.tool.clone(),
            arguments: starting.arguments.to_owned(),
            label: starting.label.clone(),
        };
        self.tell(&request, ApprovalPhase::Asked);
        match approval.decide(&request).await {
            Decision::Allow => {
                self.tell(&request, ApprovalPhase::Allowed);
                Ok(())
            }
            Decision::Deny(reason) => {
                self.tell(&request, ApprovalPhase::Denied);
                Err(CallError::Denied { name: spec.display_name().into_owned(), reason })
            }
        }
    }

    fn tell(&self, request: &ApprovalRequest, phase: ApprovalPhase) {
        let (call_id, label) = (request.call.id.clone(), request.label.clone());
        self.events.emit(EventKind::Approval { call_id, label, phase });
    }

    fn is_offered(&self, spec: &ToolSpec) -> bool {
        let namespace = spec.namespace.as_ref().map(|namespace| &*namespace.name);
        let is_it = |name: &ToolName| name.name == spec.name && name.namespace.as_deref() == namespace;
        self.offer.as_ref().is_none_or(|offer| offer.iter().any(is_it))
    }

    fn lock(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gate for TurnGate {
    fn shows_labels(&self) -> bool {
        self.approval.is_some()
    }

    fn enter<'a>(&'a self, starting: Starting<'a>) -> Option<BoxFuture<'a, Result<(), CallError>>> {
        let spec = starting.tool.spec();
        let asks = self.approval.is_some() && spec.is_destructive();
        if self.journal.is_none() && !asks && self.is_offered(spec) {
            log::started(starting.call, spec);
            return None;
        }
        Some(Box::pin(async move {
            if !self.is_offered(spec) {
                return Err(CallError::NotOffered { name: spec.display_name().into_owned() });
            }
            self.approve(&starting).await?;
            let ToolCall { id, .. } = starting.call;
            let entry = || JournalEntry::Started {
                call_id: Cow::Borrowed(id),
                tool: Cow::Owned(starting.call.display_name()),
            };
            if !self.record(entry).await {
                return Err(CallError::NotRecorded);
            }
            log::started(starting.call, spec);
            Ok(())
        }))
    }

    fn leave<'a>(&'a self, result: &'a ToolResult) -> Option<BoxFuture<'a, ()>> {
        let mut state = self.lock();
        if state.closed {
            return None;
        }
        log::finished(result);
        if self.journal.is_none() {
            state.recorded.insert(ById(Arc::clone(&result.call)));
            return None;
        }
        Some(Box::pin(self.record_result(result)))
    }
}
