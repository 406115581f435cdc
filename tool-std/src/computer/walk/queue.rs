//! The work of a walk that waits for a thread.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Jobs for several threads. What came last is done first, so that few wait at a time.
pub(super) struct Queue<J> {
    state: Mutex<State<J>>,
    changed: Condvar,
    idle: AtomicUsize,
}

struct State<J> {
    waiting: Vec<J>,
    /// Jobs that a thread is at, and that may bring others.
    running: usize,
}

/// A job that a thread is at, until this is dropped.
pub(super) struct Running<'a, J> {
    queue: &'a Queue<J>,
    job: Option<J>,
}

impl<J> Queue<J> {
    pub(super) fn of(job: J) -> Self {
        let state = State { waiting: vec![job], running: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new(), idle: AtomicUsize::new(0) }
    }

    /// Adds a job, or gives it back if `most` wait already.
    pub(super) fn push(&self, job: J, most: usize) -> Result<(), J> {
        let mut state = self.lock();
        if state.waiting.len() >= most {
            return Err(job);
        }
        state.waiting.push(job);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Whether a thread has nothing to do.
    pub(super) fn has_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// The next job. Waits while others may bring some; `None` when all is done.
    pub(super) fn next(&self) -> Option<Running<'_, J>> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop() {
                state.running += 1;
                return Some(Running { queue: self, job: Some(job) });
            }
            if state.running == 0 {
                return None;
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Drops what waits.
    pub(super) fn clear(&self) {
        let dropped = std::mem::take(&mut self.lock().waiting);
        drop(dropped);
    }

    /// A thread that panics holds no lock that leaves the state half changed.
    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<J> Running<'_, J> {
    /// The job; given once.
    pub(super) fn take(&mut self) -> Option<J> {
        self.job.take()
    }
}

impl<J> Drop for Running<'_, J> {
    /// Also when the thread panics, so that the others do not wait for it.
    fn drop(&mut self) {
        let mut state = self.queue.lock();
        state.running -= 1;
        let is_over = state.running == 0 && state.waiting.is_empty();
        drop(state);
        if is_over {
            self.queue.changed.notify_all();
        }
    }
}
