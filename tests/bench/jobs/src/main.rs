//! Queues background jobs and measures how workers in processes of their own work them off, and how fast lists and details
//! come meanwhile.
//!
//! ```sh
//! cargo run --release                                            # 10,000 jobs on SQLite, one worker with 8 at a time
//! cargo run --release -- "$(bash ../../postgres/start)"          # on PostgreSQL, two workers with 8 at a time each
//! JOBS=500 cargo run --release
//! ```

mod worker;

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use tool_std::jobs::{JobSpace, Jobs};
use tool_std::state::State;

/// How many jobs a worker runs at a time.
pub const AT_A_TIME: usize = 8;

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [word, place, folder, limit] if word == "worker" => worker::run(place, folder, limit.parse()?).await,
        [place] => measure(Some(place)).await,
        _ => measure(None).await,
    }
}

async fn measure(place: Option<&str>) -> Result<(), Failure> {
    let count: usize = std::env::var("JOBS").map_or(Ok(10_000), |jobs| jobs.parse())?;
    let folder = tempfile::tempdir()?;
    let own = folder.path().join("state");
    let place = place.unwrap_or(own.to_str().ok_or("a path that is no text")?);
    let processes = if place.starts_with("postgres") { 2 } else { 1 };
    let limit = u32::try_from(processes * AT_A_TIME)?;
    let files = folder.path().join("jobs");
    let space = JobSpace::new(&State::open(place).await?, &files).running_per_agent(limit);
    // A database that was used before has other agents' jobs.
    let agent = format!("bench-{}", std::process::id());
    let jobs = Jobs::new(&space, &agent, "bench");

    let since = Instant::now();
    let mut ids = Vec::new();
    for number in 0..count {
        ids.push(jobs.create(&format!("c{number}"), "a job", "work", None, None).await?.job_id);
    }
    let queued = since.elapsed();
    println!("queued {count} jobs in {queued:.1?}: {:.0} a second", rate(count, queued));
    look(&jobs, ids[count / 2], "all queued").await?;

    let since = Instant::now();
    let program = std::env::current_exe()?;
    let start = || Command::new(&program).args(["worker", place]).arg(&files).arg(limit.to_string()).spawn();
    let mut workers: Vec<Child> = (0..processes).map(|_| start()).collect::<Result<_, _>>()?;
    let mut looked = false;
    let mut memory = 0;
    while let Some(left) = jobs.list(true, None).await?.jobs.first() {
        let first = ids[0];
        // The middle of the work: half of the jobs are over.
        if !looked && jobs.details(ids[count / 2]).await?["status"] == "succeeded" {
            looked = true;
            look(&jobs, left.job_id.max(first), "half worked off").await?;
        }
        memory = memory.max(workers.iter().map(|worker| peak(worker.id())).max().unwrap_or_default());
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let worked = since.elapsed();
    println!(
        "worked them off in {worked:.1?}: {:.0} a second; a worker took {memory} KiB at most",
        rate(count, worked)
    );

    let mut times = Vec::new();
    for id in ids.iter().rev().take(1_000) {
        let details = jobs.details(*id).await?;
        let attempt = &details["attempt_history"][0];
        times.push(
            attempt["ended_at"].as_u64().unwrap_or_default()
                - attempt["started_at"].as_u64().unwrap_or_default(),
        );
    }
    println!(
        "a job was in hand for {} ms at the median, {} ms at the 99th of 100",
        at(&mut times, 50),
        at(&mut times, 99)
    );

    let mut alone = Vec::new();
    for number in 0..20 {
        let since = Instant::now();
        let id = jobs.create(&format!("alone{number}"), "alone", "work", None, None).await?.job_id;
        while jobs.details(id).await?["status"] != "succeeded" {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        alone.push(u64::try_from(since.elapsed().as_millis())?);
    }
    println!(
        "asked for alone, a job is over after {} ms at the median, {} ms at most",
        at(&mut alone, 50),
        at(&mut alone, 100)
    );
    look(&jobs, ids[0], "all over").await?;
    for worker in &mut workers {
        worker.kill()?;
        worker.wait()?;
    }
    Ok(())
}

/// How long a list and the details of a job take.
async fn look(jobs: &Jobs, id: i64, when: &str) -> Result<(), Failure> {
    let (mut lists, mut shows) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let since = Instant::now();
        jobs.list(true, None).await?;
        lists.push(u64::try_from(since.elapsed().as_micros())?);
        let since = Instant::now();
        jobs.details(id).await?;
        shows.push(u64::try_from(since.elapsed().as_micros())?);
    }
    let (list, show) = (at(&mut lists, 50), at(&mut shows, 50));
    println!(
        "{when}: a list takes {list} us ({} us at most), details {show} us ({} us at most)",
        at(&mut lists, 100),
        at(&mut shows, 100)
    );
    Ok(())
}

fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

fn at(values: &mut [u64], hundredth: usize) -> u64 {
    values.sort_unstable();
    let at = (values.len() * hundredth).div_ceil(100).saturating_sub(1);
    values.get(at).copied().unwrap_or_default()
}

/// The most memory that a process has held, in KiB; 0 where the system does not tell.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}
