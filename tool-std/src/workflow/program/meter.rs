//! What a replay has used, and whether it has to stop.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

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
#[derive(Clone, Debug)]
pub(super) struct Meter {
    used: Rc<Cell<u64>>,
    fuel: u64,
    deadline: Instant,
    stop: Rc<Cell<Option<Stop>>>,
}

impl Meter {
    pub(super) fn new(fuel: u64, time: Duration) -> Self {
        Self { used: Rc::default(), fuel, deadline: Instant::now() + time, stop: Rc::default() }
    }

    /// Counts a unit of fuel; whether the program has to stop. The engine asks each 10,000 steps.
    pub(super) fn tick(&self) -> bool {
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
