//! SQL for two databases, written once: `$1`, `$2`, … for values, texts and 64-bit integers only.

use std::path::Path;
use std::time::{Duration, Instant};

use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteRow, SqliteSynchronous};
use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, PgPool, Postgres, Row as _, Sqlite, SqlitePool, Transaction,
};

use super::StateError;

/// How long a connection waits for another that writes.
const BUSY: Duration = Duration::from_secs(5);
/// How long it is waited before a busy file is opened again.
const AGAIN: Duration = Duration::from_millis(20);
/// How long it may take to get a connection.
const ACQUIRE: Duration = Duration::from_secs(10);

/// Either database. Clones share the connections.
#[derive(Clone, Debug)]
pub(crate) enum Database {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// A transaction. Dropping it takes back what it did.
pub(crate) enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

/// A row of an answer.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

/// A value in a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg<'a> {
    Text(Option<&'a str>),
    Int(Option<i64>),
}

/// The values of a statement.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::state::database::Arg::from($value)),*] };
}
pub(crate) use args;

/// A statement with its values, for the database that it is given to.
macro_rules! query {
    ($sql:expr, $args:expr) => {{
        let mut query = sqlx::query($sql);
        for arg in $args {
            query = match *arg {
                Arg::Text(text) => query.bind(text),
                Arg::Int(number) => query.bind(number),
            };
        }
        query
    }};
}

impl Database {
    /// Opens an SQLite file: WAL, so that readers do not wait; each commit is on the disk when it returns.
    pub(crate) async fn sqlite(path: &Path) -> Result<Self, StateError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY);
        let since = Instant::now();
        let pool = loop {
            let pool = PoolOptions::new().max_connections(6).acquire_timeout(ACQUIRE);
            match pool.connect_with(options.clone()).await {
                // While another process makes the file, or mends it after one that was killed, SQLite does not wait by itself.
                Err(error) if is_busy(&error) && since.elapsed() < BUSY => tokio::time::sleep(AGAIN).await,
                opened => break opened,
            }
        };
        let failed = |error| {
            StateError::database(&format!("the state database `{}` cannot be opened", path.display()), error)
        };
        Ok(Self::Sqlite(pool.map_err(failed)?))
    }

    /// A database in the memory of one connection, which stays open.
    #[cfg(all(test, feature = "workflow"))]
    pub(crate) async fn in_memory() -> Result<Self, StateError> {
        let pool = PoolOptions::new().min_connections(1).max_connections(1).acquire_timeout(ACQUIRE);
        let pool = pool.idle_timeout(None).max_lifetime(None);
        Ok(Self::Sqlite(pool.connect_with(SqliteConnectOptions::new().in_memory(true)).await?))
    }

    /// Connects to a PostgreSQL database.
    pub(crate) async fn postgres(url: &str) -> Result<Self, StateError> {
        // The parser's own words could show the password.
        let options: PgConnectOptions = url.parse().map_err(|_| {
            StateError::place(
                "the address of the state database is not of the form `postgres://USER:PASSWORD@HOST:PORT/DATABASE`",
            )
        })?;
        // The pool would try for long to reach what is not there.
        let reached = PgConnection::connect_with(&options).await;
        let connection =
            reached.map_err(|error| StateError::database("the state database cannot be reached", error))?;
        connection.close().await?;
        let pool = PoolOptions::new().max_connections(10).acquire_timeout(ACQUIRE);
        Ok(Self::Postgres(pool.connect_lazy_with(options)))
    }

    pub(crate) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }

    pub(crate) async fn begin(&self) -> Result<Tx, StateError> {
        Ok(match self {
            // Of two transactions that read and then write, one would fail at its first write.
            Self::Sqlite(pool) => Tx::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Tx::Postgres(pool.begin().await?),
        })
    }

    /// Runs one statement by itself; gives how many rows it changed.
    pub(crate) async fn run(&self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64, StateError> {
        Ok(match self {
            Self::Sqlite(pool) => query!(sql, args).execute(pool).await?.rows_affected(),
            Self::Postgres(pool) => query!(sql, args).execute(pool).await?.rows_affected(),
        })
    }

    /// All rows of an answer.
    pub(crate) async fn rows(&self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>, StateError> {
        Ok(match self {
            Self::Sqlite(pool) => {
                query!(sql, args).fetch_all(pool).await?.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(pool) => {
                query!(sql, args).fetch_all(pool).await?.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The first row of an answer.
    pub(crate) async fn row(&self, sql: &'static str, args: &[Arg<'_>]) -> Result<Option<Row>, StateError> {
        Ok(self.rows(sql, args).await?.into_iter().next())
    }
}

/// Whether SQLite says that others hold the file. The low byte of its code is the kind; the others say why.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}

impl Tx {
    /// Runs a statement; gives how many rows it changed.
    pub(crate) async fn run(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<u64, StateError> {
        Ok(match self {
            Self::Sqlite(tx) => query!(sql, args).execute(&mut **tx).await?.rows_affected(),
            Self::Postgres(tx) => query!(sql, args).execute(&mut **tx).await?.rows_affected(),
        })
    }

    /// All rows of an answer.
    pub(crate) async fn rows(&mut self, sql: &'static str, args: &[Arg<'_>]) -> Result<Vec<Row>, StateError> {
        Ok(match self {
            Self::Sqlite(tx) => {
                query!(sql, args).fetch_all(&mut **tx).await?.into_iter().map(Row::Sqlite).collect()
            }
            Self::Postgres(tx) => {
                query!(sql, args).fetch_all(&mut **tx).await?.into_iter().map(Row::Postgres).collect()
            }
        })
    }

    /// The first row of an answer.
    pub(crate) async fn row(
        &mut self,
        sql: &'static str,
        args: &[Arg<'_>],
    ) -> Result<Option<Row>, StateError> {
        Ok(self.rows(sql, args).await?.into_iter().next())
    }

    /// Runs a statement that is made of the program's own texts.
    pub(super) async fn define(&mut self, sql: String) -> Result<(), StateError> {
        match self {
            Self::Sqlite(tx) => {
                sqlx::query(AssertSqlSafe(sql)).execute(&mut **tx).await?;
            }
            Self::Postgres(tx) => {
                sqlx::query(AssertSqlSafe(sql)).execute(&mut **tx).await?;
            }
        }
        Ok(())
    }

    /// Waits until no other transaction holds the lock of this name, and holds it to the end of this one. On SQLite a
    /// transaction that writes is alone anyway.
    pub(crate) async fn lock(&mut self, name: &str) -> Result<(), StateError> {
        if matches!(self, Self::Postgres(_)) {
            self.rows("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))", args![name]).await?;
        }
        Ok(())
    }

    pub(crate) async fn commit(self) -> Result<(), StateError> {
        match self {
            Self::Sqlite(tx) => tx.commit().await?,
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

impl Row {
    pub(crate) fn text(&self, column: &str) -> Result<String, StateError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn optional_text(&self, column: &str) -> Result<Option<String>, StateError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn int(&self, column: &str) -> Result<i64, StateError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }

    pub(crate) fn optional_int(&self, column: &str) -> Result<Option<i64>, StateError> {
        Ok(match self {
            Self::Sqlite(row) => row.try_get(column)?,
            Self::Postgres(row) => row.try_get(column)?,
        })
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Arg<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Arg<'_> {
    fn from(number: i64) -> Self {
        Self::Int(Some(number))
    }
}

impl From<Option<i64>> for Arg<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Int(number)
    }
}
