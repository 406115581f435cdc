//! The state database: opened, made, brought up to date, refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

#[path = "support/databases.rs"]
mod databases;

use databases::{TestDatabase, databases, sqlite};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tool_std::state::{State, StateErrorKind};

#[tokio::test(flavor = "multi_thread")]
async fn processes_that_start_together_make_the_tables_once() {
    for database in databases().await {
        let opening = (0..8).map(|_| {
            let place = database.place.clone();
            tokio::spawn(async move { State::open(&place).await.map(|state| state.is_shared()) })
        });
        for opened in opening.collect::<Vec<_>>() {
            let is_shared =
                opened.await.unwrap().unwrap_or_else(|error| panic!("{}: {error}", database.name));
            assert_eq!(is_shared, database.name == "PostgreSQL");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_is_newer_than_the_program_is_refused() {
    for database in databases().await {
        State::open(&database.place).await.unwrap().close().await;
        run(&database, "INSERT INTO agent_state_steps (number, name) VALUES (7000, 'of a later version')")
            .await;
        let error = State::open(&database.place).await.unwrap_err();
        assert_eq!(error.kind(), StateErrorKind::Newer);
        assert!(
            error
                .to_string()
                .starts_with("the state database has the schema 7000 and this program knows only ")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_that_is_missing_between_others_is_made_up_for() {
    for database in databases().await {
        State::open(&database.place).await.unwrap().close().await;
        for statement in [
            "DROP TABLE schedule_events",
            "DROP TABLE schedule_rules",
            "DELETE FROM agent_state_steps WHERE name = 'schedules'",
        ] {
            run(&database, statement).await;
        }
        for _ in 0..2 {
            State::open(&database.place).await.unwrap().close().await;
            run(&database, "DELETE FROM schedule_rules").await;
        }
    }
}

/// Runs a statement beside the program.
async fn run(database: &TestDatabase, statement: &'static str) {
    if database.name == "SQLite" {
        let file = format!("sqlite://{}/state.sqlite", database.place);
        let mut connection = SqliteConnection::connect(&file).await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    } else {
        let mut connection = PgConnection::connect(&database.place).await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
}

#[tokio::test]
async fn a_file_can_be_named_itself() {
    let database = sqlite();
    let file = database.folder.path().join("own.db");
    State::open(&format!("sqlite:{}", file.display())).await.unwrap().close().await;
    assert!(file.is_file());
}

#[tokio::test]
async fn a_place_that_cannot_be_used_is_named() {
    let database = sqlite();
    let file = database.folder.path().join("file");
    std::fs::write(&file, "text").unwrap();
    let error = State::open(file.to_str().unwrap()).await.unwrap_err();
    assert_eq!(error.kind(), StateErrorKind::Place);
    assert!(error.to_string().contains(file.to_str().unwrap()), "{error}");
}

#[tokio::test]
async fn no_password_is_told() {
    for address in ["postgres://me:secret@127.0.0.1:1/none", "postgres://me:secret@127.0.0.1:notaport/none"] {
        let error = State::open(address).await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    }
}
