//! Work that blocks its thread for as long as a test wants.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

/// What blocks until the other half of it is dropped.
#[derive(Clone)]
pub struct Latch(Arc<Mutex<Receiver<()>>>);

impl Latch {
    /// Blocks this thread.
    pub fn wait(&self) {
        let _ = self.0.lock().unwrap_or_else(PoisonError::into_inner).recv();
    }
}

/// A closed latch, and what opens it when it is dropped.
#[must_use]
pub fn latch() -> (Sender<()>, Latch) {
    let (open, wait) = channel();
    (open, Latch(Arc::new(Mutex::new(wait))))
}
