//! Keeping and removing pages.

use super::StateMemory;
use crate::memory::page::{IfThere, Keeping, KeptPage, NewPage, Page, PageSummary, shortened};
use crate::memory::passages::{Piece, pieces};
use crate::memory::{MemoryError, MemoryErrorKind, names, words};
use crate::state::{StateError, Tx, args};

/// A page that is ready to be kept. What takes time is done before the transaction, in which others wait.
struct Ready {
    page: Page,
    /// The words of the title and of the slug, which may name more than it does.
    words: Vec<String>,
    pieces: Vec<(Piece, [Vec<String>; 2])>,
}

impl StateMemory {
    /// Keeps a page. A page of the same slug is left as it is if title and text are the same; else `if_there` decides.
    ///
    /// # Errors
    ///
    /// When the page cannot be kept ([`MemoryErrorKind::Invalid`]), another one has its slug
    /// ([`MemoryErrorKind::Exists`]), or the database fails.
    pub async fn add_page(&self, page: &NewPage, if_there: IfThere) -> Result<KeptPage, MemoryError> {
        let kept = self.add_pages(std::slice::from_ref(page), if_there).await?;
        kept.into_iter().next().unwrap_or_else(|| Err(MemoryError::invalid("there is no page to keep")))
    }

    /// Keeps pages in one transaction, which is much faster than one by one. What cannot be kept is told in its place and
    /// does not touch the others. Others who write wait meanwhile, so hand over a few megabytes at a time.
    ///
    /// # Errors
    ///
    /// When the database fails; then none is kept. As [`add_page`](Self::add_page) for each.
    pub async fn add_pages(
        &self,
        pages: &[NewPage],
        if_there: IfThere,
    ) -> Result<Vec<Result<KeptPage, MemoryError>>, MemoryError> {
        let checked: Vec<_> = pages.iter().map(NewPage::checked).collect();
        // Taking megabytes apart must not hold up what else the thread of the caller does.
        let ready = move || checked.into_iter().map(|page| page.map(ready)).collect::<Vec<_>>();
        let ready = tokio::task::spawn_blocking(ready).await;
        let ready =
            ready.map_err(|error| StateError::unreadable(format!("the pages were not read: {error}")))?;
        let mut kept = Vec::with_capacity(ready.len());
        let mut tx = self.change().await?;
        for page in ready {
            kept.push(match page {
                Ok(page) => self.keep(&mut tx, page, if_there).await?,
                Err(error) => Err(error),
            });
        }
        tx.commit().await?;
        Ok(kept)
    }

    /// Removes the page of this slug; says whether there was one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn remove_page(&self, slug: &str) -> Result<bool, MemoryError> {
        if names::slug_of(slug) != slug {
            return Ok(false);
        }
        let mut tx = self.change().await?;
        let select = "SELECT id FROM memory_pages WHERE agent = $1 AND slug = $2";
        let Some(row) = tx.row(select, args![&self.agent, slug]).await? else { return Ok(false) };
        let id = row.int("id")?;
        remove_passages(&mut tx, id).await?;
        tx.run("DELETE FROM memory_pages WHERE id = $1", args![id]).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// All pages, by their slugs.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn pages(&self) -> Result<Vec<PageSummary>, MemoryError> {
        let select = "SELECT slug, title, bytes FROM memory_pages WHERE agent = $1 ORDER BY slug";
        let rows = self.state.database.rows(select, args![&self.agent]).await?;
        let summary = |row: &crate::state::Row| -> Result<PageSummary, StateError> {
            let bytes = usize::try_from(row.int("bytes")?).unwrap_or_default();
            Ok(PageSummary { slug: row.text("slug")?, title: row.text("title")?, bytes })
        };
        Ok(rows.iter().map(summary).collect::<Result<_, _>>()?)
    }

    /// Keeps a page. The outer error ends the transaction; the inner one leaves it as it was.
    async fn keep(
        &self,
        tx: &mut Tx,
        ready: Ready,
        if_there: IfThere,
    ) -> Result<Result<KeptPage, MemoryError>, StateError> {
        let page = &ready.page;
        let select = "SELECT id, title, body FROM memory_pages WHERE agent = $1 AND slug = $2";
        let there = tx.row(select, args![&self.agent, &page.slug]).await?;
        let (id, keeping) = match there {
            None => (self.insert(tx, page).await?, Keeping::Added),
            Some(row) if row.text("title")? == page.title && row.text("body")? == page.body => {
                return Ok(Ok(KeptPage { slug: ready.page.slug, keeping: Keeping::Unchanged }));
            }
            Some(row) if if_there == IfThere::Refuse => {
                let message = format!(
                    "the page `{}` is there already, titled `{}` and with another title or text; replace it, or give this one \
                     another slug",
                    page.slug,
                    shortened(&row.text("title")?)
                );
                return Ok(Err(MemoryError::new(MemoryErrorKind::Exists, message)));
            }
            Some(row) => {
                let id = row.int("id")?;
                remove_passages(tx, id).await?;
                self.update(tx, id, page).await?;
                (id, Keeping::Replaced)
            }
        };
        for (piece, piece_words) in &ready.pieces {
            insert_passage(tx, id, piece, &ready.words, piece_words).await?;
        }
        Ok(Ok(KeptPage { slug: ready.page.slug, keeping }))
    }

    async fn insert(&self, tx: &mut Tx, page: &Page) -> Result<i64, StateError> {
        let insert = "INSERT INTO memory_pages (agent, slug, name, title, title_key, body, bytes, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING id";
        let (name, key) = (names::last(&page.slug), names::key(&page.title));
        let values = args![
            &self.agent,
            &page.slug,
            name,
            &page.title,
            &key,
            &page.body,
            bytes(page),
            self.state.now()
        ];
        let row = tx.row(insert, values).await?;
        row.ok_or_else(|| StateError::unreadable("the database gave a new page no id"))?.int("id")
    }

    async fn update(&self, tx: &mut Tx, id: i64, page: &Page) -> Result<(), StateError> {
        let update = "UPDATE memory_pages SET title = $2, title_key = $3, body = $4, bytes = $5, updated_at = $6 WHERE id = $1";
        let key = names::key(&page.title);
        tx.run(update, args![id, &page.title, &key, &page.body, bytes(page), self.state.now()]).await?;
        Ok(())
    }
}

fn ready(page: Page) -> Ready {
    let title = words::of_text(&page.title);
    let folders = words::of_text(&page.slug).into_iter().filter(|word| !title.contains(word));
    let words = title.iter().cloned().chain(folders).collect();
    let with_words = |piece: Piece| {
        let words =
            [words::of_text(piece.heading.as_deref().unwrap_or_default()), words::of_text(&piece.text)];
        (piece, words)
    };
    let pieces = pieces(&page.title, &page.body).into_iter().map(with_words).collect();
    Ready { page, words, pieces }
}

fn bytes(page: &Page) -> i64 {
    i64::try_from(page.body.len()).unwrap_or(i64::MAX)
}

async fn insert_passage(
    tx: &mut Tx,
    page: i64,
    piece: &Piece,
    title: &[String],
    [heading, text]: &[Vec<String>; 2],
) -> Result<(), StateError> {
    let told = piece.heading.as_deref();
    let size = i64::try_from(title.len() + heading.len() + text.len()).unwrap_or(i64::MAX);
    if let Tx::Postgres(_) = tx {
        let words = words::vector(&[(title, 'A'), (heading, 'B'), (text, 'D')]);
        let insert = "INSERT INTO memory_passages (page, heading, text, size, words)
             VALUES ($1, $2, $3, $4, $5::text::tsvector)";
        tx.run(insert, args![page, told, &piece.text, size, &words]).await?;
        return Ok(());
    }
    let insert =
        "INSERT INTO memory_passages (page, heading, text, size) VALUES ($1, $2, $3, $4) RETURNING id";
    let row = tx.row(insert, args![page, told, &piece.text, size]).await?;
    let id = row.ok_or_else(|| StateError::unreadable("the database gave a new passage no id"))?.int("id")?;
    let insert = "INSERT INTO memory_passage_words (rowid, title, heading, text) VALUES ($1, $2, $3, $4)";
    tx.run(insert, args![id, &title.join(" "), &heading.join(" "), &text.join(" ")]).await?;
    Ok(())
}

async fn remove_passages(tx: &mut Tx, page: i64) -> Result<(), StateError> {
    if let Tx::Sqlite(_) = tx {
        let delete = "DELETE FROM memory_passage_words WHERE rowid IN (SELECT id FROM memory_passages WHERE page = $1)";
        tx.run(delete, args![page]).await?;
    }
    tx.run("DELETE FROM memory_passages WHERE page = $1", args![page]).await?;
    Ok(())
}
