//! The tables of workflows. Times are milliseconds since 1970; `{identity}` is a number that the database gives, from 1,000
//! on.

use super::{Migration, Statement};

/// The step of the state database that makes them.
pub(super) const MIGRATION: Migration = Migration {
    number: 3,
    name: "workflows",
    statements: &[
        Statement::Both(RUNS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('workflow_runs', 999)"),
        Statement::Both("CREATE INDEX workflow_runs_list ON workflow_runs (agent, live, id)"),
        Statement::Both(TASKS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('workflow_tasks', 999)"),
        Statement::Both("CREATE INDEX workflow_tasks_slots ON workflow_tasks (agent, slot, ready_at)"),
        Statement::Both("CREATE INDEX workflow_tasks_wake ON workflow_tasks (status, wake_at)"),
        Statement::Both(MESSAGES),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('workflow_messages', 999)"),
        Statement::Both("CREATE INDEX workflow_messages_open ON workflow_messages (task, claim)"),
        Statement::Both(EVENTS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('workflow_events', 999)"),
        Statement::Both("CREATE INDEX workflow_events_open ON workflow_events (done_at, id)"),
    ],
};

/// A run: one program with its arguments. `seed` and `began` are what its replays take for chance and time.
const RUNS: &str = "CREATE TABLE workflow_runs (
    id {identity},
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    call_id TEXT NOT NULL,
    title TEXT NOT NULL,
    script TEXT NOT NULL,
    args TEXT NOT NULL,
    profile TEXT,
    concurrency BIGINT NOT NULL,
    agent_calls BIGINT NOT NULL,
    seed BIGINT NOT NULL,
    began BIGINT NOT NULL,
    status TEXT NOT NULL,
    live BIGINT NOT NULL,
    result TEXT,
    error TEXT,
    updated_at BIGINT NOT NULL,
    finished_at BIGINT,
    UNIQUE (agent, owner, call_id)
)";

/// A call of `agent`: the task that answers it. `slot` is 1 while it counts against the limits: from when it is handed to the
/// queue until it sleeps, waits for another attempt or is over. `ready_at` is since when it wants a slot and has none.
/// `claims` numbers the claims of workers; a worker writes only under its own. `attempts` counts failures since the last
/// sleep, `losses` workers that were gone.
const TASKS: &str = "CREATE TABLE workflow_tasks (
    id {identity},
    run BIGINT NOT NULL,
    agent TEXT NOT NULL,
    seq BIGINT NOT NULL,
    call TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    slot BIGINT NOT NULL,
    ready_at BIGINT,
    claims BIGINT NOT NULL,
    losses BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    sleeps BIGINT NOT NULL,
    wake_at BIGINT,
    note TEXT,
    attention BIGINT NOT NULL,
    worker TEXT,
    lease_until BIGINT,
    value TEXT,
    error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (run, seq)
)";

/// A message of the owner to a task. `claim` is the claim that has read it.
const MESSAGES: &str = "CREATE TABLE workflow_messages (
    id {identity},
    task BIGINT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    call_id TEXT NOT NULL,
    text TEXT NOT NULL,
    claim BIGINT,
    sent_at BIGINT NOT NULL,
    UNIQUE (agent, owner, call_id)
)";

/// What the owner of a run is to be told, each once in its `bucket`. Delivered at least once; `done_at` is when.
const EVENTS: &str = "CREATE TABLE workflow_events (
    id {identity},
    run BIGINT NOT NULL,
    agent TEXT NOT NULL,
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    bucket BIGINT NOT NULL,
    at BIGINT NOT NULL,
    held_until BIGINT NOT NULL,
    done_at BIGINT,
    UNIQUE (run, kind, bucket)
)";
