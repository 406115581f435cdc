//! A memory in an SQLite file, with its full-text search.

use std::path::Path;
use std::time::Duration;

use sqlx::pool::PoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteRow};
use sqlx::{Row as _, SqlitePool};
use tool_runtime::BoxFuture;

use super::passages::pieces;
use super::query::any_word;
use super::{Fact, MemoryError, MemoryStore, Page, PageFound, PageName, Passage, Recall, Recalled};

/// The longest page, in bytes.
const MAX_PAGE: usize = 4 << 20;
/// The longest fact, in bytes.
const MAX_FACT: usize = 2_000;
/// The longest slug or title, in bytes.
const MAX_NAME: usize = 300;
/// How many facts and passages are looked at.
const LOOKED_AT: i64 = 60;
/// How many candidates are named.
const CANDIDATES: i64 = 10;

/// The tables. The words of a title count more than those of a text.
const TABLES: &[&str] = &[
    "CREATE TABLE IF NOT EXISTS memory_pages (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE, title TEXT NOT NULL, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS memory_passages (id INTEGER PRIMARY KEY, page INTEGER NOT NULL, heading TEXT, text TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS memory_passages_page ON memory_passages (page)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS memory_passage_words USING fts5 (title, heading, text, tokenize = 'porter unicode61 remove_diacritics 2')",
    "CREATE TABLE IF NOT EXISTS memory_facts (id INTEGER PRIMARY KEY, claim TEXT NOT NULL UNIQUE, entity TEXT)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS memory_fact_words USING fts5 (claim, entity, tokenize = 'porter unicode61 remove_diacritics 2')",
];

/// A memory in an SQLite file. Clones share its connections.
#[derive(Clone, Debug)]
pub struct SqliteMemory {
    pool: SqlitePool,
}

impl SqliteMemory {
    /// Opens the file, made if it is not there.
    ///
    /// # Errors
    ///
    /// When it cannot be opened or its tables cannot be made.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, MemoryError> {
        let path = path.as_ref();
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .busy_timeout(Duration::from_secs(5));
        let pool = PoolOptions::new().max_connections(4).connect_with(options).await;
        let pool = pool.map_err(|error| {
            MemoryError::Store(format!("the memory `{}` cannot be opened: {error}", path.display()))
        })?;
        for table in TABLES {
            sqlx::query(*table).execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    /// Keeps a page, in the place of the one of this slug. Gives the slug, made of the title if none is given.
    ///
    /// # Errors
    ///
    /// When the title is blank, something is too long, and when the database fails.
    pub async fn add_page(&self, slug: Option<&str>, title: &str, body: &str) -> Result<String, MemoryError> {
        let title = title.trim();
        let slug = slug_of(slug.unwrap_or(title));
        if title.is_empty() || slug.is_empty() || title.len() > MAX_NAME || slug.len() > MAX_NAME {
            return Err(MemoryError::Refused(format!(
                "a page needs a title of 1 to {MAX_NAME} bytes with letters or digits"
            )));
        }
        if body.len() > MAX_PAGE {
            let len = body.len();
            return Err(MemoryError::Refused(format!(
                "the page `{slug}` has {len} bytes and may have {MAX_PAGE}; split it"
            )));
        }
        let mut tx = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let known =
            "SELECT p.id FROM memory_passages p JOIN memory_pages g ON g.id = p.page WHERE g.slug = $1";
        for row in sqlx::query(known).bind(&slug).fetch_all(&mut *tx).await? {
            let id: i64 = row.try_get("id")?;
            sqlx::query("DELETE FROM memory_passage_words WHERE rowid = $1")
                .bind(id)
                .execute(&mut *tx)
                .await?;
            sqlx::query("DELETE FROM memory_passages WHERE id = $1").bind(id).execute(&mut *tx).await?;
        }
        let page = sqlx::query(
            "INSERT INTO memory_pages (slug, title, body) VALUES ($1, $2, $3)
             ON CONFLICT (slug) DO UPDATE SET title = excluded.title, body = excluded.body RETURNING id",
        );
        let page: i64 = page.bind(&slug).bind(title).bind(body).fetch_one(&mut *tx).await?.try_get("id")?;
        for piece in pieces(body) {
            let row = sqlx::query(
                "INSERT INTO memory_passages (page, heading, text) VALUES ($1, $2, $3) RETURNING id",
            );
            let row = row.bind(page).bind(&piece.heading).bind(&piece.text).fetch_one(&mut *tx).await?;
            let id: i64 = row.try_get("id")?;
            let words = sqlx::query(
                "INSERT INTO memory_passage_words (rowid, title, heading, text) VALUES ($1, $2, $3, $4)",
            );
            words.bind(id).bind(title).bind(&piece.heading).bind(&piece.text).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(slug)
    }

    /// Keeps a fact; one of the same words is kept once.
    ///
    /// # Errors
    ///
    /// When it is blank or too long, and when the database fails.
    pub async fn add_fact(&self, claim: &str, entity: Option<&str>) -> Result<(), MemoryError> {
        let claim = claim.trim();
        if claim.is_empty() || claim.len() > MAX_FACT {
            return Err(MemoryError::Refused(format!("a fact must have 1 to {MAX_FACT} bytes")));
        }
        let mut tx = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        let row = sqlx::query(
            "INSERT INTO memory_facts (claim, entity) VALUES ($1, $2) ON CONFLICT (claim) DO NOTHING RETURNING id",
        );
        if let Some(row) = row.bind(claim).bind(entity).fetch_optional(&mut *tx).await? {
            let id: i64 = row.try_get("id")?;
            let words =
                sqlx::query("INSERT INTO memory_fact_words (rowid, claim, entity) VALUES ($1, $2, $3)");
            words.bind(id).bind(claim).bind(entity).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// All pages, by their slugs.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn pages(&self) -> Result<Vec<PageName>, MemoryError> {
        let rows =
            sqlx::query("SELECT slug, title FROM memory_pages ORDER BY slug").fetch_all(&self.pool).await?;
        rows.iter().map(name).collect()
    }

    async fn find(&self, asked: &Recall) -> Result<Recalled, MemoryError> {
        let mut found = Recalled::default();
        let words = match &asked.entity {
            Some(entity) => format!("{} {entity}", asked.query),
            None => asked.query.clone(),
        };
        let Some(words) = any_word(&words) else { return Ok(found) };
        let mut room = asked.budget_tokens.saturating_mul(4);
        let facts = sqlx::query(
            "SELECT f.claim, f.entity FROM memory_fact_words w JOIN memory_facts f ON f.id = w.rowid
             WHERE memory_fact_words MATCH $1 AND ($2 IS NULL OR f.entity = $2 COLLATE NOCASE)
             ORDER BY bm25(memory_fact_words) LIMIT $3",
        );
        let facts = facts.bind(&words).bind(&asked.entity).bind(LOOKED_AT).fetch_all(&self.pool).await?;
        for row in facts {
            let fact = Fact { claim: row.try_get("claim")?, entity: row.try_get("entity")? };
            take(&mut room, fact.claim.len(), fact, &mut found.facts, &mut found.more);
        }
        let passages = sqlx::query(
            "SELECT g.slug, g.title, p.heading, p.text FROM memory_passage_words w
             JOIN memory_passages p ON p.id = w.rowid JOIN memory_pages g ON g.id = p.page
             WHERE memory_passage_words MATCH $1 ORDER BY bm25(memory_passage_words, 4.0, 3.0, 1.0) LIMIT $2",
        );
        for row in passages.bind(&words).bind(LOOKED_AT).fetch_all(&self.pool).await? {
            let passage = Passage {
                page: row.try_get("slug")?,
                title: row.try_get("title")?,
                heading: row.try_get("heading")?,
                text: row.try_get("text")?,
            };
            let size =
                passage.text.len() + passage.title.len() + passage.heading.as_ref().map_or(0, String::len);
            take(&mut room, size, passage, &mut found.passages, &mut found.more);
        }
        Ok(found)
    }

    async fn referred(&self, reference: &str) -> Result<PageFound, MemoryError> {
        let slug = slug_of(reference);
        let exact = sqlx::query(
            "SELECT slug, title, body FROM memory_pages WHERE slug = $1 OR title = $2 COLLATE NOCASE LIMIT 2",
        );
        let mut exact = exact.bind(&slug).bind(reference.trim()).fetch_all(&self.pool).await?;
        if let (1, Some(row)) = (exact.len(), exact.pop()) {
            let page =
                Page { slug: row.try_get("slug")?, title: row.try_get("title")?, body: row.try_get("body")? };
            return Ok(PageFound::Page(page));
        }
        let Some(words) = any_word(reference) else { return Ok(PageFound::Candidates(Vec::new())) };
        let near = sqlx::query(
            "SELECT DISTINCT g.slug, g.title FROM memory_passage_words w
             JOIN memory_passages p ON p.id = w.rowid JOIN memory_pages g ON g.id = p.page
             WHERE memory_passage_words MATCH $1 ORDER BY bm25(memory_passage_words, 10.0, 2.0, 1.0) LIMIT $2",
        );
        let near = near.bind(&words).bind(CANDIDATES).fetch_all(&self.pool).await?;
        let candidates = near.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        Ok(PageFound::Candidates(candidates))
    }
}

impl MemoryStore for SqliteMemory {
    fn recall<'a>(&'a self, asked: &'a Recall) -> BoxFuture<'a, Result<Recalled, MemoryError>> {
        Box::pin(self.find(asked))
    }

    fn page<'a>(&'a self, reference: &'a str) -> BoxFuture<'a, Result<PageFound, MemoryError>> {
        Box::pin(self.referred(reference))
    }
}

/// Takes what has room.
fn take<T>(room: &mut usize, size: usize, item: T, into: &mut Vec<T>, more: &mut bool) {
    match room.checked_sub(size) {
        Some(left) => {
            *room = left;
            into.push(item);
        }
        None => *more = true,
    }
}

fn name(row: &SqliteRow) -> Result<PageName, MemoryError> {
    Ok(PageName { slug: row.try_get("slug")?, title: row.try_get("title")? })
}

/// A name in the form of slugs.
fn slug_of(name: &str) -> String {
    let mut slug = String::new();
    for c in name.trim().chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() || c == '/' {
            slug.push(c);
        } else if !slug.ends_with(['-', '/']) {
            slug.push('-');
        }
    }
    slug.trim_matches(['-', '/']).to_owned()
}
