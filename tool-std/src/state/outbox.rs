//! What owners are to be told: written with the transition that it tells of, delivered at least once.

use std::sync::Arc;
use std::time::Duration;

use tool_runtime::{BoxFuture, CancellationToken};

use super::{Row, State, StateError, args};

/// For how long one who delivers an event has it to himself, in milliseconds.
const HELD: i64 = 30_000;
/// How many events are delivered at a time.
const BATCH: i64 = 32;
/// How long delivering one may take: less than it is held.
const DELIVERY: Duration = Duration::from_secs(20);

/// Takes an event to its owner. One that fails is delivered again after half a minute.
pub(crate) type Notify<E> = Arc<dyn Fn(E) -> BoxFuture<'static, Result<(), String>> + Send + Sync>;

/// A table of events.
pub(crate) struct Outbox<E> {
    /// Finds those that are not done and not held at `$1`, at most `$2`, the oldest first.
    pub(crate) open: &'static str,
    /// Holds `$1` until `$3`, if it is still free at `$2`.
    pub(crate) hold: &'static str,
    /// `$1` is done at `$2`.
    pub(crate) done: &'static str,
    /// The event of a row of `open`.
    pub(crate) read: fn(&Row) -> Result<E, StateError>,
    /// Its number and its key, which is the same each time it is delivered.
    pub(crate) named: fn(&E) -> (i64, &str),
}

/// The outbox of a table; the statement that finds its open events has the names of its columns.
macro_rules! outbox {
    ($table:literal, $open:literal, $read:expr) => {
        $crate::state::Outbox {
            open: $open,
            hold: concat!(
                "UPDATE ",
                $table,
                " SET held_until = $3 WHERE id = $1 AND done_at IS NULL AND held_until <= $2"
            ),
            done: concat!("UPDATE ", $table, " SET done_at = $2 WHERE id = $1 AND done_at IS NULL"),
            read: $read,
            named: |event| (event.id, &event.key),
        }
    };
}
pub(crate) use outbox;

impl<E> Outbox<E> {
    /// Takes to their owners what nobody else delivers now, until `stop` fires.
    pub(crate) async fn deliver(
        &self,
        state: &State,
        notify: &Notify<E>,
        problem: &(dyn Fn(String) + Send + Sync),
        stop: &CancellationToken,
    ) -> Result<(), StateError> {
        for event in self.take(state).await? {
            let (id, key) = (self.named)(&event);
            let key = key.to_owned();
            tokio::select! {
                told = tokio::time::timeout(DELIVERY, notify(event)) => match told {
                    Ok(Ok(())) => self.done(state, id).await?,
                    Ok(Err(reason)) => problem(format!("`{key}` was not delivered: {reason}")),
                    Err(_) => problem(format!("`{key}` was not delivered within {DELIVERY:?}")),
                },
                () = stop.cancelled() => return Ok(()),
            }
        }
        Ok(())
    }

    /// Events that nobody delivers now; they are the caller's for half a minute.
    async fn take(&self, state: &State) -> Result<Vec<E>, StateError> {
        let now = state.now();
        let mut taken = Vec::new();
        for row in state.database.rows(self.open, args![now, BATCH]).await? {
            if state.database.run(self.hold, args![row.int("id")?, now, now + HELD]).await? == 1 {
                taken.push((self.read)(&row)?);
            }
        }
        Ok(taken)
    }

    /// The event is delivered.
    pub(crate) async fn done(&self, state: &State, id: i64) -> Result<(), StateError> {
        state.database.run(self.done, args![id, state.now()]).await.map(drop)
    }
}
