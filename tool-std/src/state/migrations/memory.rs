//! The tables of the memory. `{identity}` is a number that the database gives, from 1,000 on.

use super::{Migration, Statement};

/// The step of the state database that makes them.
pub(super) const MIGRATION: Migration = Migration {
    number: 4,
    name: "memory",
    statements: &[
        Statement::Both(PAGES),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('memory_pages', 999)"),
        Statement::Both("CREATE UNIQUE INDEX memory_pages_slugs ON memory_pages (agent, slug)"),
        Statement::Both("CREATE INDEX memory_pages_titles ON memory_pages (agent, title_key)"),
        Statement::Both("CREATE INDEX memory_pages_names ON memory_pages (agent, name)"),
        Statement::Both(PASSAGES),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('memory_passages', 999)"),
        Statement::Both("CREATE INDEX memory_passages_pages ON memory_passages (page)"),
        Statement::Both(FACTS),
        Statement::Sqlite("INSERT INTO sqlite_sequence (name, seq) VALUES ('memory_facts', 999)"),
        Statement::Both("CREATE INDEX memory_facts_entities ON memory_facts (agent, entity_key)"),
        Statement::Sqlite(PASSAGE_WORDS),
        Statement::Sqlite(FACT_WORDS),
        Statement::Postgres("ALTER TABLE memory_passages ADD COLUMN words TSVECTOR NOT NULL"),
        Statement::Postgres("CREATE INDEX memory_passages_words ON memory_passages USING GIN (words)"),
        Statement::Postgres("ALTER TABLE memory_facts ADD COLUMN words TSVECTOR NOT NULL"),
        Statement::Postgres("CREATE INDEX memory_facts_words ON memory_facts USING GIN (words)"),
    ],
};

/// A page. `title_key` is its title in the form in which titles are compared, `name` the last part of its slug.
const PAGES: &str = "CREATE TABLE memory_pages (
    id {identity},
    agent TEXT NOT NULL,
    slug TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    title_key TEXT NOT NULL,
    body TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
)";

/// A piece of a page: what is found. `size` is how many words it has, those of titles included.
const PASSAGES: &str = "CREATE TABLE memory_passages (
    id {identity},
    page BIGINT NOT NULL,
    heading TEXT,
    text TEXT NOT NULL,
    size BIGINT NOT NULL
)";

/// A fact. `entity_key` is what it is about in the form in which names are compared, empty if nothing in particular.
const FACTS: &str = "CREATE TABLE memory_facts (
    id {identity},
    agent TEXT NOT NULL,
    claim TEXT NOT NULL,
    entity TEXT,
    entity_key TEXT NOT NULL,
    created_at BIGINT NOT NULL
)";

/// The words of passages under their ids, and not their texts, which stand beside. They are made by this program, so that
/// both databases compare the same, and are not taken apart again: marks belong to the words of some scripts.
const PASSAGE_WORDS: &str = "CREATE VIRTUAL TABLE memory_passage_words USING fts5 (
    title, heading, text, content = '', contentless_delete = 1,
    tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* M* Co'\"
)";

/// The words of facts.
const FACT_WORDS: &str = "CREATE VIRTUAL TABLE memory_fact_words USING fts5 (
    claim, entity, content = '', contentless_delete = 1,
    tokenize = \"unicode61 remove_diacritics 0 categories 'L* N* M* Co'\"
)";
