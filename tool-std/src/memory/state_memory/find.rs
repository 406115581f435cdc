//! Finding facts and passages by their words.

use std::collections::{HashMap, HashSet};

use super::StateMemory;
use super::facts::kept;
use crate::memory::fact::Fact;
use crate::memory::recalled::{Passage, Recall, Recalled};
use crate::memory::{MemoryError, names, words};
use crate::state::{Database, Row, StateError, args};

/// How many facts, and how many passages, are looked at.
const LOOKED_AT: i64 = 60;
/// How many passages of a page come before those of others.
const OF_A_PAGE: usize = 3;

/// A word of a title counts as four of a text, one of a heading as three. `CROSS JOIN` keeps the order of the joins: to look for
/// the words in each page of an agent, one after the other, takes minutes where there are many.
const SQLITE_PASSAGES: &str = "SELECT g.slug, g.title, p.heading, p.text
    FROM memory_passage_words CROSS JOIN memory_passages p ON p.id = memory_passage_words.rowid
    CROSS JOIN memory_pages g ON g.id = p.page
    WHERE memory_passage_words MATCH $1 AND g.agent = $2
    ORDER BY bm25(memory_passage_words, 4.0, 3.0, 1.0), p.id LIMIT $3";

const SQLITE_FACTS: &str = "SELECT f.id, f.claim, f.entity
    FROM memory_fact_words CROSS JOIN memory_facts f ON f.id = memory_fact_words.rowid
    WHERE memory_fact_words MATCH $1 AND f.agent = $2 AND ($3 = '' OR f.entity_key = $3)
    ORDER BY bm25(memory_fact_words, 1.0, 2.0), f.id LIMIT $4";

/// The same rank as that of FTS5, which PostgreSQL does not have: rare words count more, words that come again less, and all
/// the less the longer a passage is. It is made for the best by PostgreSQL's own rank, since it looks at every word of a
/// passage.
const POSTGRES_PASSAGES: &str = "WITH wanted AS (
        SELECT word, quote_literal(word)::tsquery AS term FROM unnest(string_to_array($1, ' ')) AS word
    ), total AS (
        SELECT count(*)::float8 AS passages, avg(p.size)::float8 AS size
        FROM memory_passages p JOIN memory_pages g ON g.id = p.page WHERE g.agent = $2
    ), rated AS MATERIALIZED (
        SELECT word, term, greatest(ln((passages - found + 0.5) / (found + 0.5)), 0.000001) AS rare
        FROM wanted, total, LATERAL (
            SELECT count(*)::float8 AS found FROM memory_passages p JOIN memory_pages g ON g.id = p.page
            WHERE g.agent = $2 AND p.words @@ wanted.term
        ) AS counted
    ), near AS MATERIALIZED (
        SELECT p.id, g.slug, g.title, p.heading, p.text, p.size, p.words
        FROM memory_passages p JOIN memory_pages g ON g.id = p.page
        WHERE g.agent = $2 AND p.words @@ (SELECT string_agg(term::text, ' | ')::tsquery FROM wanted)
        ORDER BY (
            SELECT sum(rare * ts_rank('{0.25, 0.25, 0.75, 1.0}'::float4[], p.words, term, 1)) FROM rated
        ) DESC, p.id LIMIT 500
    )
    SELECT slug, title, heading, text FROM near
    ORDER BY (
        SELECT sum(rare * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * near.size / total.size)))
        FROM total, unnest(near.words) AS kept (word, positions, weights) JOIN rated ON rated.word = kept.word, LATERAL (
            SELECT sum(CASE weight WHEN 'A' THEN 4.0 WHEN 'B' THEN 3.0 ELSE 1.0 END)::float8 AS often
            FROM unnest(kept.weights) AS weight
        ) AS counted
    ) DESC, id LIMIT $3";

/// Facts are short, so PostgreSQL's own rank will do, with the rarity of words that it leaves out.
const POSTGRES_FACTS: &str = "WITH terms AS (
        SELECT quote_literal(term)::tsquery AS term FROM unnest(string_to_array($1, ' ')) AS term
    ), total AS (
        SELECT count(*) AS all_of_them FROM memory_facts WHERE agent = $2
    ), rated AS (
        SELECT term, ln(1 + (all_of_them - found + 0.5) / (found + 0.5)) AS rare
        FROM terms, total, LATERAL (
            SELECT count(*) AS found FROM memory_facts f WHERE f.agent = $2 AND f.words @@ terms.term
        ) AS counted
    )
    SELECT f.id, f.claim, f.entity FROM memory_facts f
    WHERE f.agent = $2 AND ($3 = '' OR f.entity_key = $3)
        AND f.words @@ (SELECT string_agg(term::text, ' | ')::tsquery FROM terms)
    ORDER BY (
        SELECT sum(rare * ts_rank('{0.5, 0.5, 0.5, 1.0}'::float4[], f.words, term, 1)) FROM rated
    ) DESC, f.id LIMIT $4";

impl StateMemory {
    pub(super) async fn find(&self, asked: &Recall) -> Result<Recalled, MemoryError> {
        let entity = asked.entity.as_deref().filter(|entity| !entity.trim().is_empty());
        let mut wanted = words::of_query(&asked.query);
        wanted.extend(entity.map(words::of_query).unwrap_or_default());
        let mut seen = HashSet::new();
        wanted.retain(|word| seen.insert(word.clone()));
        if wanted.is_empty() {
            return Err(MemoryError::invalid(
                "the query has no word that could be looked for; name what it is about, with letters or digits",
            ));
        }
        let facts = self.facts_of(&wanted, entity).await?;
        let passages = spread(self.passages_of(&wanted).await?);
        Ok(Recalled::within(asked.budget_tokens, facts, passages))
    }

    /// Passages that hold any of the words, the best first.
    pub(super) async fn passages_of(&self, wanted: &[String]) -> Result<Vec<Passage>, StateError> {
        let database = &self.state.database;
        let rows = match database {
            Database::Sqlite(_) => {
                let query = words::match_any(wanted);
                database.rows(SQLITE_PASSAGES, args![&query, &self.agent, LOOKED_AT]).await?
            }
            Database::Postgres(_) => {
                let query = wanted.join(" ");
                database.rows(POSTGRES_PASSAGES, args![&query, &self.agent, LOOKED_AT]).await?
            }
        };
        let passage = |row: &Row| -> Result<Passage, StateError> {
            Ok(Passage {
                page: row.text("slug")?,
                title: row.text("title")?,
                heading: row.optional_text("heading")?,
                text: row.text("text")?,
            })
        };
        rows.iter().map(passage).collect()
    }

    /// Facts that hold any of the words, the best first; behind them all others about the entity, the newest first.
    async fn facts_of(&self, wanted: &[String], entity: Option<&str>) -> Result<Vec<Fact>, StateError> {
        let database = &self.state.database;
        let key = entity.map(names::key).unwrap_or_default();
        let mut rows = match database {
            Database::Sqlite(_) => {
                let query = words::match_any(wanted);
                database.rows(SQLITE_FACTS, args![&query, &self.agent, &key, LOOKED_AT]).await?
            }
            Database::Postgres(_) => {
                let query = wanted.join(" ");
                database.rows(POSTGRES_FACTS, args![&query, &self.agent, &key, LOOKED_AT]).await?
            }
        };
        if entity.is_some() {
            let others = "SELECT id, claim, entity FROM memory_facts WHERE agent = $1 AND entity_key = $2
                 ORDER BY id DESC LIMIT $3";
            rows.extend(database.rows(others, args![&self.agent, &key, LOOKED_AT]).await?);
        }
        let facts = rows.iter().map(kept).collect::<Result<Vec<_>, _>>()?;
        let mut seen = HashSet::new();
        Ok(facts.into_iter().filter(|fact| seen.insert(fact.id)).map(|fact| fact.fact).collect())
    }
}

/// The passages in an order in which a page has no more than a few before the others had their turn.
fn spread(passages: Vec<Passage>) -> Vec<Passage> {
    let mut of_page: HashMap<String, usize> = HashMap::new();
    let mut later = Vec::new();
    let mut first = Vec::with_capacity(passages.len());
    for passage in passages {
        let count = of_page.entry(passage.page.clone()).or_default();
        *count += 1;
        if *count <= OF_A_PAGE { first.push(passage) } else { later.push(passage) }
    }
    first.extend(later);
    first
}
