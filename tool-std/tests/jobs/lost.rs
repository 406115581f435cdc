//! What goes wrong beside the jobs: a queue that forgot, an owner that cannot be told.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use sqlx::{Connection, PgConnection, SqliteConnection};
use tool_std::jobs::{JobSpace, JobStatus, Jobs};
use tool_std::state::{Clock, State};

use crate::databases::{TestDatabase, databases};
use crate::world::{World, say};

async fn forget(database: &TestDatabase) -> u64 {
    if database.name == "SQLite" {
        let file = format!("sqlite://{}/state.sqlite", database.place);
        let mut connection = SqliteConnection::connect(&file).await.unwrap();
        sqlx::query("DELETE FROM Jobs").execute(&mut connection).await.unwrap().rows_affected()
    } else {
        let mut connection = PgConnection::connect(&database.place).await.unwrap();
        sqlx::query("DELETE FROM apalis.jobs").execute(&mut connection).await.unwrap().rows_affected()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_the_queue_has_lost_is_found_again() {
    for database in databases().await {
        let mut world = World::on(&database).await;
        let id = world.ask("c1", "lost").await;
        assert_eq!(forget(&database).await, 1, "it was in the queue: {}", database.name);
        // Later than a slot may be without a worker.
        let later = Clock::of(|| SystemTime::now() + Duration::from_secs(120));
        let state = State::open(&database.place).await.unwrap().with_clock(later);
        world.space = JobSpace::new(&state, world.space.folder());
        world.jobs = Jobs::new(&world.space, "agent", "conversation");
        let running = world.run(world.worker(|_| say("found")));
        world.until(id, JobStatus::Succeeded).await;
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_could_not_be_delivered_comes_again_under_its_key() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "tell").await;
        let (told, times) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU32::new(0)));
        let deaf = |_| async { Err::<(), _>("nobody is there".to_owned()) };
        let counts = Arc::clone(&times);
        let worker = world.worker(|_| say("done")).notify(deaf).problems(move |_| {
            counts.fetch_add(1, Ordering::SeqCst);
        });
        let running = world.run(worker);
        world.until(id, JobStatus::Succeeded).await;
        while times.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        running.stop().await;

        let later = Clock::of(|| SystemTime::now() + Duration::from_secs(60));
        let state = State::open(&database.place).await.unwrap().with_clock(later);
        let mut world = world;
        world.space = JobSpace::new(&state, world.space.folder());
        let hears = Arc::clone(&told);
        let running = world.run(world.worker(|_| say("done")).notify(move |event| {
            hears.lock().unwrap().push(event);
            async { Ok(()) }
        }));
        world.until_told(&told, 1).await;
        running.stop().await;
        let told = told.lock().unwrap();
        assert_eq!((told[0].job, &*told[0].key), (id, "background_job_event:1000"), "{}", database.name);
    }
}
