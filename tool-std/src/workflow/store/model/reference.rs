//! The states of runs and tasks, in memory and in few lines.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workflow::status::{RunStatus, TaskStatus};

/// A task in the model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ModelTask {
    pub(super) status: TaskStatus,
    pub(super) slot: bool,
    pub(super) ready: Option<i64>,
    pub(super) claims: i64,
    pub(super) losses: i64,
    pub(super) attempts: i64,
    pub(super) sleeps: i64,
    pub(super) wake: Option<i64>,
    pub(super) lease: i64,
    pub(super) unread: bool,
    pub(super) value: Option<i64>,
}

/// A run in the model.
pub(super) struct Model {
    pub(super) status: RunStatus,
    pub(super) widths: Vec<usize>,
    pub(super) concurrency: usize,
    pub(super) stages: usize,
    pub(super) tasks: Vec<ModelTask>,
    pub(super) result: Option<String>,
    pub(super) attention: BTreeMap<i64, ()>,
}

impl Model {
    pub(super) fn is_waiting(&self) -> bool {
        self.tasks.iter().any(|task| task.status.is_live())
    }

    /// The program goes on.
    pub(super) fn step(&mut self, now: i64, running_per_agent: usize) {
        if self.stages == self.widths.len() {
            let mut values = self.tasks.iter().map(|task| task.value.map_or(Value::Null, Value::from));
            let all: Value =
                self.widths.iter().map(|width| values.by_ref().take(*width).collect::<Value>()).collect();
            self.result = Some(all.to_string());
            self.over(RunStatus::Completed);
            return;
        }
        for _ in 0..self.widths[self.stages] {
            self.tasks.push(ModelTask {
                status: TaskStatus::Queued,
                slot: false,
                ready: Some(now),
                claims: 0,
                losses: 0,
                attempts: 0,
                sleeps: 0,
                wake: None,
                lease: 0,
                unread: false,
                value: None,
            });
        }
        self.stages += 1;
        self.dispatch(now, running_per_agent);
    }

    pub(super) fn dispatch(&mut self, now: i64, running_per_agent: usize) {
        let limit = self.concurrency.min(running_per_agent);
        while self.tasks.iter().filter(|task| task.slot).count() < limit {
            let waiting = self.tasks.iter_mut().filter(|task| !task.slot && task.ready.is_some());
            let Some(next) = waiting.min_by_key(|task| task.ready) else { return };
            (next.slot, next.ready, next.lease) = (true, None, now);
        }
    }

    pub(super) fn over(&mut self, status: RunStatus) {
        self.status = status;
        for task in self.tasks.iter_mut().filter(|task| task.status.is_live()) {
            (task.status, task.slot, task.ready, task.wake) = (TaskStatus::Cancelled, false, None, None);
        }
    }
}

/// Random numbers that are the same for a seed.
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}
