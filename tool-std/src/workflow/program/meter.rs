//! What a replay has used, and whether it has to stop.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How often the engine asks after it was told to stop before it is given up. It asks a few times more where its last words are
/// read; one that goes on could not even throw the error that would have stopped it.
const PATIENCE: u32 = 8;

/// Why a replay is stopped from outside of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has computed too much.
    Fuel,
    /// It has taken too long.
    Time,
    /// The host has refused it something that ends the run.
    Refused,
}

/// Counts. Clones count together.
#[derive(Clone)]
pub(super) struct Meter {
    used: Rc<Cell<u64>>,
    fuel: u64,
    deadline: Instant,
    stop: Rc<Cell<Option<Stop>>>,
    asked_again: Rc<Cell<u32>>,
    give_up: Rc<dyn Fn()>,
}

impl Meter {
    /// `give_up` is called when the engine does not stop.
    pub(super) fn new(fuel: u64, time: Duration, give_up: impl Fn() + 'static) -> Self {
        Self {
            used: Rc::default(),
            fuel,
            deadline: Instant::now() + time,
            stop: Rc::default(),
            asked_again: Rc::default(),
            give_up: Rc::new(give_up),
        }
    }

    /// Counts a unit of fuel; whether the program has to stop. The engine asks each 10,000 steps.
    pub(super) fn tick(&self) -> bool {
        if self.stopped().is_some() {
            self.asked_again.set(self.asked_again.get().saturating_add(1));
            if self.asked_again.get() > PATIENCE {
                (self.give_up)();
            }
            return true;
        }
        self.used.set(self.used.get().saturating_add(1));
        if self.used.get() > self.fuel {
            self.stop(Stop::Fuel);
        } else if Instant::now() > self.deadline {
            self.stop(Stop::Time);
        }
        self.stopped().is_some()
    }

    /// Stops it; the first reason counts.
    pub(super) fn stop(&self, why: Stop) {
        if self.stop.get().is_none() {
            self.stop.set(Some(why));
        }
    }

    pub(super) fn stopped(&self) -> Option<Stop> {
        self.stop.get()
    }
}

impl fmt::Debug for Meter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").field("used", &self.used).field("stop", &self.stop).finish_non_exhaustive()
    }
}
