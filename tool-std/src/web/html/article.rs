//! The article of a page, without what stands around it.

use dom_query::Document;
use dom_smoothie::{Config, Readability, TextMode, is_probably_readable};
use reqwest::Url;

/// What a page is about.
pub(super) struct Article {
    pub(super) title: String,
    /// Markdown.
    pub(super) text: String,
}

/// The article; `None` for a page that is none, such as a list of links.
pub(super) fn of(document: &Document, url: &Url) -> Option<Article> {
    if !is_probably_readable(document, None, None) {
        return None;
    }
    let config = Config { text_mode: TextMode::Markdown, ..Config::default() };
    let mut readability =
        Readability::with_document(document.clone(), Some(url.as_str()), Some(config)).ok()?;
    let article = readability.parse().ok()?;
    let text = article.text_content.trim();
    (!text.is_empty()).then(|| Article { title: article.title.to_string(), text: text.to_owned() })
}
