//! Schedules in the state database. Whatever changes those of an agent holds its lock to the end of the transaction.

pub(super) mod check_backs;
pub(super) mod due;
pub(super) mod event;
mod look;
pub(super) mod rule;
pub(super) mod rules;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::ScheduleError;
use crate::state::{State, Tx};

/// Begins a transaction that is alone with the schedules of `agent`.
pub(super) async fn alone(state: &State, agent: &str) -> Result<Tx, ScheduleError> {
    let mut tx = state.write().await?;
    tx.lock(&format!("schedules of {agent}")).await?;
    Ok(tx)
}

/// An id that nothing else has.
pub(super) fn unique() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", random(), random())
}

/// A value as it stands in a column.
fn json(value: &impl Serialize) -> Result<String, ScheduleError> {
    serde_json::to_string(value)
        .map_err(|error| ScheduleError::invalid(format!("cannot be kept as JSON: {error}")))
}

/// The value of a column.
fn from_json<T: DeserializeOwned>(what: &str, text: &str) -> Result<T, ScheduleError> {
    serde_json::from_str(text).map_err(|error| {
        ScheduleError::database(format!("{what} in the state database cannot be read: {error}"))
    })
}
