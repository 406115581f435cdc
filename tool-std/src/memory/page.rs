//! Pages: texts with a title, and a slug by which they are called.

use schemars::JsonSchema;
use serde::Serialize;

use super::error::MemoryError;
use super::{names, passages};

/// The longest page, in bytes of UTF-8.
pub const MAX_PAGE: usize = 4 << 20;
/// The longest title and the longest slug, in bytes of UTF-8.
pub const MAX_TITLE: usize = 300;

/// A page to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NewPage {
    title: String,
    slug: Option<String>,
    body: String,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What it is called in references: letters and digits in lower case, `-`, and `/` between folders.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// Its text, in Markdown or plain.
    pub body: String,
}

/// A page in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PageName {
    /// Its slug, which names no other page.
    pub slug: String,
    /// Its title.
    pub title: String,
}

/// A page in the list of the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PageSummary {
    /// Its slug.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// How long its text is, in bytes of UTF-8.
    pub bytes: usize,
}

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageFound {
    /// This page.
    Page(Page),
    /// One of these; none of them if there is nothing like it. Nothing is guessed.
    Candidates(Vec<PageName>),
}

/// What to do with a page whose slug is taken by one with another title or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfThere {
    /// Keep the one that is there and say so, [`MemoryErrorKind::Exists`](super::MemoryErrorKind::Exists).
    Refuse,
    /// Keep the new one in its place.
    Replace,
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptPage {
    /// The slug of the page.
    pub slug: String,
    /// What came of it.
    pub keeping: Keeping,
}

/// What came of a page that was to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// It is new.
    Added,
    /// It stands in the place of an older one.
    Replaced,
    /// The same was there.
    Unchanged,
}

impl NewPage {
    /// A page whose slug is made of its title.
    pub fn new(title: impl Into<String>, body: impl Into<String>) -> Self {
        Self { title: title.into(), slug: None, body: body.into() }
    }

    /// A page whose title is the heading that its text begins with, or else `name`; its slug is made of `name`.
    ///
    /// ```
    /// use tool_std::memory::NewPage;
    ///
    /// let page = NewPage::from_text("notes/keys", "# Rotating keys\n\nOn the first of a month.");
    /// assert_eq!(page, NewPage::new("Rotating keys", "# Rotating keys\n\nOn the first of a month.").slug("notes/keys"));
    /// ```
    pub fn from_text(name: &str, body: impl Into<String>) -> Self {
        let body = body.into();
        let title = passages::first_heading(&body).unwrap_or_else(|| name.to_owned());
        Self { slug: Some(names::slug_of(name)), title: names::bounded(&title), body }
    }

    /// Gives it a slug: letters and digits in lower case, `-`, and `/` between folders.
    pub fn slug(mut self, slug: impl Into<String>) -> Self {
        self.slug = Some(slug.into());
        self
    }

    /// The page as it is kept.
    pub(super) fn checked(&self) -> Result<Page, MemoryError> {
        let title = names::title("the title of the page", &self.title)?;
        let slug = match &self.slug {
            None => names::slug_of(&title),
            Some(slug) => given_slug(slug)?,
        };
        if slug.is_empty() {
            return Err(MemoryError::invalid(format!(
                "the title `{title}` has no letter or digit that a slug could be made of; give the page a slug"
            )));
        }
        if slug.len() > MAX_TITLE {
            return Err(MemoryError::invalid(format!(
                "the slug of the page has {} bytes and may have {MAX_TITLE}; give it a shorter one",
                slug.len()
            )));
        }
        if self.body.trim().is_empty() {
            return Err(MemoryError::invalid(format!("the page `{slug}` holds no text; give it one")));
        }
        if self.body.len() > MAX_PAGE {
            return Err(MemoryError::invalid(format!(
                "the page `{slug}` has {} bytes and may have {MAX_PAGE}; split it",
                self.body.len()
            )));
        }
        names::check_text(&format!("the page `{slug}`"), &self.body)?;
        Ok(Page { slug, title, body: self.body.clone() })
    }
}

/// A slug that was given is taken as it is or not at all.
fn given_slug(given: &str) -> Result<String, MemoryError> {
    let slug = names::slug_of(given);
    if slug == given && !slug.is_empty() {
        return Ok(slug);
    }
    let way_out = match slug.as_str() {
        "" => "it needs a letter or a digit".to_owned(),
        slug => format!("`{}` would be one", shortened(slug)),
    };
    Err(MemoryError::invalid(format!(
        "`{}` is no slug, which has letters and digits in lower case, `-`, and `/` between folders; {way_out}",
        shortened(&given.escape_debug().to_string())
    )))
}

/// The start of a name, for a message.
pub(super) fn shortened(name: &str) -> String {
    match name.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}
