//! Which page is meant by a reference.

use std::collections::HashSet;

use super::StateMemory;
use crate::memory::page::{Page, PageFound, PageName};
use crate::memory::{MemoryError, names, words};
use crate::state::{Row, StateError, args};

/// The most candidates that are named.
const CANDIDATES: usize = 10;

/// Pages by what may be meant, the surest first.
const BY_SLUG_OR_TITLE: &str = "SELECT slug, title FROM memory_pages WHERE agent = $1 AND (slug = $2 OR title_key = $3) ORDER BY slug LIMIT 11";
const BY_NAME: &str =
    "SELECT slug, title FROM memory_pages WHERE agent = $1 AND name = $2 ORDER BY slug LIMIT 11";

impl StateMemory {
    /// The page of exactly this slug; else the only one with this title, or with this name in its folder; else candidates.
    pub(super) async fn referred(&self, reference: &str) -> Result<PageFound, MemoryError> {
        let reference = reference.trim();
        let (slug, title) = (names::slug_of(reference), names::key(reference));
        // A slug names one page for ever, whatever titles others have.
        if slug == reference
            && let Some(page) = self.page_of(&slug).await?
        {
            return Ok(PageFound::Page(page));
        }
        let database = &self.state.database;
        let mut rows = database.rows(BY_SLUG_OR_TITLE, args![&self.agent, &slug, &title]).await?;
        if rows.is_empty() {
            rows = database.rows(BY_NAME, args![&self.agent, &slug]).await?;
        }
        let mut found = rows.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        if let [one] = found.as_slice()
            && let Some(page) = self.page_of(&one.slug).await?
        {
            return Ok(PageFound::Page(page));
        }
        if !found.is_empty() {
            found.truncate(CANDIDATES);
            return Ok(PageFound::Candidates(found));
        }
        Ok(PageFound::Candidates(self.like(reference).await?))
    }

    async fn page_of(&self, slug: &str) -> Result<Option<Page>, StateError> {
        let select = "SELECT slug, title, body FROM memory_pages WHERE agent = $1 AND slug = $2";
        let row = self.state.database.row(select, args![&self.agent, slug]).await?;
        let page = |row: Row| {
            Ok(Page { slug: row.text("slug")?, title: row.text("title")?, body: row.text("body")? })
        };
        row.map(page).transpose()
    }

    /// Pages that share words with the reference.
    async fn like(&self, reference: &str) -> Result<Vec<PageName>, StateError> {
        let wanted = words::of_query(reference);
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let passages = self.passages_of(&wanted).await?;
        let mut seen = HashSet::new();
        let pages = passages.into_iter().filter(|passage| seen.insert(passage.page.clone()));
        Ok(pages
            .take(CANDIDATES)
            .map(|passage| PageName { slug: passage.page, title: passage.title })
            .collect())
    }
}

fn name(row: &Row) -> Result<PageName, StateError> {
    Ok(PageName { slug: row.text("slug")?, title: row.text("title")? })
}
