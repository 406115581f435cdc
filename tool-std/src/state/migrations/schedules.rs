//! The tables of schedules. Times are milliseconds since 1970; `{identity}` is a number that the database
//! gives, from 1,000 on.

use super::{Migration, Statement};

/// The step of the state database that makes them.
pub(super) const MIGRATION: Migration = Migration {
    number: 2,
    name: "schedules",
    statements: &[
        Statement::Both(RULES),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('schedule_rules', 999)"),
        Statement::Both(
            "CREATE UNIQUE INDEX schedule_rules_names ON schedule_rules (agent, name) WHERE state IN ('active', 'paused')",
        ),
        Statement::Both("CREATE INDEX schedule_rules_list ON schedule_rules (agent, name, id)"),
        Statement::Both("CREATE INDEX schedule_rules_repeats ON schedule_rules (agent, idempotency)"),
        Statement::Both(EVENTS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('schedule_events', 999)"),
        Statement::Both(
            "CREATE UNIQUE INDEX schedule_events_pending ON schedule_events (rule)
             WHERE kind = 'tick' AND state IN ('scheduled', 'firing')",
        ),
        Statement::Both(
            "CREATE UNIQUE INDEX schedule_events_slots ON schedule_events (rule, due_at)
             WHERE kind = 'tick' AND state <> 'cancelled'",
        ),
        Statement::Both(
            "CREATE UNIQUE INDEX schedule_events_repeats ON schedule_events (agent, idempotency) WHERE state <> 'cancelled'",
        ),
        Statement::Both("CREATE INDEX schedule_events_due ON schedule_events (wake_at)"),
        Statement::Both("CREATE INDEX schedule_events_runs ON schedule_events (rule, id)"),
        Statement::Both(
            "CREATE INDEX schedule_events_list ON schedule_events (agent, kind, conversation, state)",
        ),
    ],
};

/// A recurring rule. `conversation` is that in which it fires, `spent` how often it was due since its schedule was set.
/// `schedule`, `payload` and `delivery` are JSON. `idempotency` is what a retried call has in common with the first.
const RULES: &str = "CREATE TABLE schedule_rules (
    id {identity},
    agent TEXT NOT NULL,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    schedule TEXT NOT NULL,
    payload TEXT NOT NULL,
    delivery TEXT NOT NULL,
    automation TEXT,
    conversation TEXT NOT NULL,
    idempotency TEXT,
    spent BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
)";

/// Something that is due: a check-back, a tick of a rule, a run of a rule that was asked for. `key` is what the host knows
/// repeats by. `wake_at` is when it is to be tried next, or until when somebody has it in hand; none once it is over.
/// `attempts` numbers the claims; who has claimed it writes only under that number. `body` is JSON: all that is told to the
/// host; of ticks and runs it is taken from the rule at the first claim, and empty before.
const EVENTS: &str = "CREATE TABLE schedule_events (
    id {identity},
    key TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    kind TEXT NOT NULL,
    rule BIGINT,
    state TEXT NOT NULL,
    due_at BIGINT NOT NULL,
    wake_at BIGINT,
    attempts BIGINT NOT NULL,
    conversation TEXT NOT NULL,
    body TEXT NOT NULL,
    idempotency TEXT,
    replaces BIGINT,
    replaced_by BIGINT,
    error TEXT,
    created_at BIGINT NOT NULL,
    settled_at BIGINT
)";
