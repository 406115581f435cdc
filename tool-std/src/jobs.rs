//! Background jobs: long work that is handed to a worker and outlives the turn that asked for it.

mod schema;

pub(crate) use schema::MIGRATION;
