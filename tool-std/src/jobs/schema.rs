//! The tables of background jobs. Times are milliseconds since 1970; `{identity}` is a number that the database gives, from
//! 1,000 on.

use crate::state::{Migration, Statement};

/// The first step of the state database.
pub(crate) const MIGRATION: Migration = Migration {
    number: 1,
    name: "background jobs",
    statements: &[
        Statement::Both(JOBS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('background_jobs', 999)"),
        Statement::Both("CREATE INDEX background_jobs_slots ON background_jobs (agent, slot, ready_at, id)"),
        Statement::Both("CREATE INDEX background_jobs_leases ON background_jobs (slot, lease_until)"),
        Statement::Both(
            "CREATE INDEX background_jobs_ready ON background_jobs (agent) WHERE ready_at IS NOT NULL",
        ),
        Statement::Both("CREATE INDEX background_jobs_list ON background_jobs (agent, live, updated_at, id)"),
        Statement::Both(MESSAGES),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('background_job_messages', 999)"),
        Statement::Both("CREATE INDEX background_job_messages_open ON background_job_messages (job, turn)"),
        Statement::Both(ATTEMPTS),
        Statement::Both(STEPS),
        Statement::Both(EVENTS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('background_job_events', 999)"),
        Statement::Both("CREATE INDEX background_job_events_open ON background_job_events (done_at, id)"),
    ],
};

/// A job. `thread` is the first job of a chain of respawned ones: they share its transcript and directory. `slot` is 1 while
/// it counts against the limit of its agent: from when it is handed to the queue until it waits or is over. `ready_at` is
/// since when it wants a slot and has none. `claims` numbers the claims of workers; a worker writes only under its own.
const JOBS: &str = "CREATE TABLE background_jobs (
    id {identity},
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    call_id TEXT NOT NULL,
    title TEXT NOT NULL,
    task TEXT NOT NULL,
    template TEXT,
    profile TEXT,
    source BIGINT UNIQUE,
    thread BIGINT,
    status TEXT NOT NULL,
    live BIGINT NOT NULL,
    slot BIGINT NOT NULL,
    ready_at BIGINT,
    claims BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    stalls BIGINT NOT NULL,
    worker TEXT,
    lease_until BIGINT,
    first_turn BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    turn_status TEXT,
    question TEXT,
    progress TEXT,
    usage TEXT,
    result TEXT,
    error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    UNIQUE (agent, owner, call_id)
)";

/// A message to a job. `turn` is the turn that has read it.
const MESSAGES: &str = "CREATE TABLE background_job_messages (
    id {identity},
    job BIGINT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    call_id TEXT NOT NULL,
    text TEXT NOT NULL,
    turn BIGINT,
    sent_at BIGINT NOT NULL,
    UNIQUE (agent, owner, call_id)
)";

/// A worker's claim of a job, and what came of it.
const ATTEMPTS: &str = "CREATE TABLE background_job_attempts (
    job BIGINT NOT NULL,
    claim BIGINT NOT NULL,
    worker TEXT NOT NULL,
    turn BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    outcome TEXT,
    PRIMARY KEY (job, claim)
)";

/// What was said and done in a turn, redacted and cut, for those who look at the job.
const STEPS: &str = "CREATE TABLE background_job_steps (
    thread BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (thread, turn, seq)
)";

/// What the owner of a job is to be told. Delivered at least once; `done_at` is when.
const EVENTS: &str = "CREATE TABLE background_job_events (
    id {identity},
    job BIGINT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    turn BIGINT NOT NULL,
    at BIGINT NOT NULL,
    held_until BIGINT NOT NULL,
    done_at BIGINT,
    UNIQUE (job, kind, turn)
)";
