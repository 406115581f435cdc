//! Keeping and removing facts.

use super::StateMemory;
use crate::memory::fact::{Fact, KeptFact};
use crate::memory::{MemoryError, names, words};
use crate::state::{Row, StateError, Tx, args};

impl StateMemory {
    /// Keeps a fact; the same fact about the same is kept once. Gives its number.
    ///
    /// # Errors
    ///
    /// When it is blank or too long ([`MemoryErrorKind::Invalid`](crate::memory::MemoryErrorKind::Invalid)), or the database
    /// fails.
    pub async fn add_fact(&self, fact: &Fact) -> Result<i64, MemoryError> {
        let fact = fact.checked()?;
        let entity = fact.entity.as_deref();
        let key = entity.map(names::key).unwrap_or_default();
        let (claim_words, entity_words) =
            (words::of_text(&fact.claim), words::of_text(entity.unwrap_or_default()));
        let mut tx = self.change().await?;
        let select = "SELECT id FROM memory_facts WHERE agent = $1 AND entity_key = $2 AND claim = $3";
        if let Some(row) = tx.row(select, args![&self.agent, &key, &fact.claim]).await? {
            return Ok(row.int("id")?);
        }
        let now = self.state.now();
        let row = if let Tx::Postgres(_) = tx {
            let insert = "INSERT INTO memory_facts (agent, claim, entity, entity_key, created_at, words)
                 VALUES ($1, $2, $3, $4, $5, $6::text::tsvector) RETURNING id";
            let vector = words::vector(&[(&entity_words, 'A'), (&claim_words, 'D')]);
            tx.row(insert, args![&self.agent, &fact.claim, entity, &key, now, &vector]).await?
        } else {
            let insert = "INSERT INTO memory_facts (agent, claim, entity, entity_key, created_at)
                 VALUES ($1, $2, $3, $4, $5) RETURNING id";
            tx.row(insert, args![&self.agent, &fact.claim, entity, &key, now]).await?
        };
        let row = row.ok_or_else(|| StateError::unreadable("the database gave a new fact no id"))?;
        let id = row.int("id")?;
        if let Tx::Sqlite(_) = tx {
            let insert = "INSERT INTO memory_fact_words (rowid, claim, entity) VALUES ($1, $2, $3)";
            tx.run(insert, args![id, &claim_words.join(" "), &entity_words.join(" ")]).await?;
        }
        tx.commit().await?;
        Ok(id)
    }

    /// Removes the fact of this number; says whether there was one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn remove_fact(&self, id: i64) -> Result<bool, MemoryError> {
        let mut tx = self.change().await?;
        let delete = "DELETE FROM memory_facts WHERE agent = $1 AND id = $2";
        if tx.run(delete, args![&self.agent, id]).await? == 0 {
            return Ok(false);
        }
        if let Tx::Sqlite(_) = tx {
            tx.run("DELETE FROM memory_fact_words WHERE rowid = $1", args![id]).await?;
        }
        tx.commit().await?;
        Ok(true)
    }

    /// All facts, the oldest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn facts(&self) -> Result<Vec<KeptFact>, MemoryError> {
        let select = "SELECT id, claim, entity FROM memory_facts WHERE agent = $1 ORDER BY id";
        let rows = self.state.database.rows(select, args![&self.agent]).await?;
        Ok(rows.iter().map(kept).collect::<Result<_, _>>()?)
    }
}

/// A fact of a row.
pub(super) fn kept(row: &Row) -> Result<KeptFact, StateError> {
    let fact = Fact { claim: row.text("claim")?, entity: row.optional_text("entity")? };
    Ok(KeptFact { id: row.int("id")?, fact })
}
