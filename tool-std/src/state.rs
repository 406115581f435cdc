//! The state that outlives a turn: one database for background jobs and all else that is durable.
//!
//! On one machine it is an SQLite file in a state directory. On several it is a PostgreSQL database, with the same code.

mod clock;
pub(crate) mod database;
mod error;
mod json;
mod migrations;
mod outbox;
mod patience;
mod queue;
mod turn_files;

pub use clock::Clock;
pub use error::{StateError, StateErrorKind};

pub(crate) use database::{Database, Row, Tx, args};
pub(crate) use json::{json, to_json};
pub(crate) use migrations::{Migration, Statement};
pub(crate) use outbox::{Notify, Outbox, outbox};
pub(crate) use patience::{AGAIN, every, until_it_answers};
pub(crate) use queue::{Queue, QueueOptions, worker_name};
pub(crate) use turn_files::TurnFiles;

use std::path::Path;

/// The file in a state directory.
const FILE: &str = "state.sqlite";

/// An open state database. Clones share its connections.
///
/// ```
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// # let folder = std::env::temp_dir().join(format!("state-{}", std::process::id()));
/// # let place = folder.to_str().ok_or("a path that is no text")?;
/// # runtime.block_on(async {
/// use tool_std::state::State;
///
/// let state = State::open(place).await?; // a folder, or `postgres://…`
/// assert!(!state.is_shared());
/// # state.close().await;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) database: Database,
    clock: Clock,
}

impl State {
    /// Opens the state at `place`, and makes or brings up to date what is missing in it:
    ///
    /// - `postgres://…` or `postgresql://…`: a PostgreSQL database, which several machines can share. The user must be
    ///   allowed to create tables and the extension `hstore`.
    /// - `sqlite:PATH`: an SQLite file, made if it is not there.
    /// - anything else without `://`: a state directory, made if it is not there, with an SQLite file in it.
    ///
    /// An SQLite file is for the processes of one machine: it must not lie on a network file system.
    ///
    /// # Errors
    ///
    /// When the place cannot be used, the database cannot be reached, or a newer version of this program has written it
    /// ([`StateErrorKind::Newer`]).
    pub async fn open(place: &str) -> Result<Self, StateError> {
        let database = if place.starts_with("postgres://") || place.starts_with("postgresql://") {
            Database::postgres(place).await?
        } else if let Some(path) = place.strip_prefix("sqlite:") {
            Database::sqlite(Path::new(path.strip_prefix("//").unwrap_or(path))).await?
        } else if place.trim().is_empty() || place.contains("://") {
            // A mistyped address would become a folder of this name.
            return Err(StateError::place(format!(
                "`{}` is no place of a state database; name a directory, `sqlite:FILE` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE`",
                place.split_once("://").map_or(place, |(scheme, _)| scheme)
            )));
        } else {
            let folder = Path::new(place);
            std::fs::create_dir_all(folder).map_err(|error| {
                StateError::place(format!("the state directory `{place}` cannot be made: {error}"))
            })?;
            Database::sqlite(&folder.join(FILE)).await?
        };
        migrations::apply(&database).await?;
        Ok(Self { database, clock: Clock::system() })
    }

    /// A state that is gone with its last clone, on one connection.
    #[cfg(all(test, feature = "workflow"))]
    pub(crate) async fn in_memory() -> Result<Self, StateError> {
        let database = Database::in_memory().await?;
        migrations::apply(&database).await?;
        Ok(Self { database, clock: Clock::system() })
    }

    /// The same state with another clock, for tests that decide what time it is.
    #[must_use]
    pub fn with_clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Whether several machines can share it: whether it is a PostgreSQL database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.database, Database::Postgres(_))
    }

    /// Closes all connections, also those of clones. Without it they close by themselves, a moment after the last clone.
    pub async fn close(&self) {
        self.database.close().await;
    }

    /// Milliseconds since 1970, by the state's clock.
    pub(crate) fn now(&self) -> i64 {
        self.clock.milliseconds()
    }

    /// Begins a transaction that writes. On SQLite it is alone from here on; on PostgreSQL [`Tx::lock`] makes it so.
    pub(crate) async fn write(&self) -> Result<Tx, StateError> {
        self.database.begin().await
    }
}
