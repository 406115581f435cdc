//! The databases that a test of durable tools runs on: an SQLite file and, where it is installed, a PostgreSQL of its own.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

/// A fresh database, and where it is.
pub(crate) struct TestDatabase {
    pub(crate) name: &'static str,
    /// What `State::open` takes.
    pub(crate) place: String,
    /// A folder for files.
    pub(crate) folder: TempDir,
}

/// One of each kind. Without PostgreSQL it says so and gives only the first, except in CI, where it must be there.
pub(crate) async fn databases() -> Vec<TestDatabase> {
    let mut all = vec![sqlite()];
    all.extend(postgres().await);
    all
}

/// A fresh SQLite file.
pub(crate) fn sqlite() -> TestDatabase {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("state").to_str().unwrap().to_owned();
    TestDatabase { name: "SQLite", place, folder }
}

/// A fresh PostgreSQL database.
pub(crate) async fn postgres() -> Option<TestDatabase> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let server = server()?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("test_{}_{number}", std::process::id());
    let mut connection = PgConnection::connect(server).await.unwrap();
    sqlx::query(AssertSqlSafe(format!("DROP DATABASE IF EXISTS {name}")))
        .execute(&mut connection)
        .await
        .unwrap();
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut connection).await.unwrap();
    let (address, _) = server.rsplit_once('/').unwrap();
    Some(TestDatabase {
        name: "PostgreSQL",
        place: format!("{address}/{name}"),
        folder: tempfile::tempdir().unwrap(),
    })
}

/// The address of a server that is started once and goes on for the next tests.
fn server() -> Option<&'static str> {
    static SERVER: OnceLock<Option<String>> = OnceLock::new();
    let started = SERVER.get_or_init(|| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/postgres/start");
        let output = Command::new("bash").arg(script).output();
        match output {
            Ok(output) if output.status.success() => {
                Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
            }
            other => {
                assert!(std::env::var_os("CI").is_none(), "PostgreSQL must be there in CI: {other:?}");
                eprintln!("skipped on PostgreSQL, which is not there: {other:?}");
                None
            }
        }
    });
    started.as_deref()
}
