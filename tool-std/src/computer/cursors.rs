//! Where searches left off, so that a later call can go on.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many positions of one kind are kept. Then the oldest is dropped.
const KEPT: usize = 200;

/// The positions of one kind of search. Each has an id that the model gives back.
#[derive(Debug)]
pub(super) struct Cursors<T> {
    kind: &'static str,
    state: Mutex<State<T>>,
}

#[derive(Debug)]
struct State<T> {
    given: u64,
    kept: VecDeque<(u64, Arc<T>)>,
}

impl<T> Cursors<T> {
    pub(super) fn of(kind: &'static str) -> Self {
        Self { kind, state: Mutex::new(State { given: 0, kept: VecDeque::new() }) }
    }

    /// Keeps a position and gives its id.
    pub(super) fn keep(&self, position: T) -> String {
        let mut state = self.lock();
        state.given += 1;
        let given = state.given;
        if state.kept.len() == KEPT {
            state.kept.pop_front();
        }
        state.kept.push_back((given, Arc::new(position)));
        format!("{}-{given}", self.kind)
    }

    /// The position of an id, which may be asked for again; `None` without an id.
    ///
    /// # Errors
    ///
    /// A sentence for the model when the id has none.
    pub(super) fn get(&self, id: Option<&str>) -> Result<Option<Arc<T>>, String> {
        let Some(id) = id else { return Ok(None) };
        let number = id.strip_prefix(self.kind).and_then(|id| id.strip_prefix('-')?.parse::<u64>().ok());
        let state = self.lock();
        let kept = state.kept.iter().find(|(given, _)| Some(*given) == number);
        let position = kept.map(|(_, position)| Some(Arc::clone(position)));
        position.ok_or_else(|| {
            format!("the cursor `{id}` is not known (any more): search again without a cursor")
        })
    }

    /// A panic while the lock was held left whole positions behind.
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
