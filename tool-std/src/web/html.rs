//! From an HTML page to readable Markdown.

mod article;
mod links;
mod parse;
mod whole;

use std::thread;

use reqwest::Url;
use tokio::sync::oneshot;

use super::fetch::{FetchError, FetchErrorKind, Page};
use super::http::Decoded;
use super::shown;

/// The stack of the thread that reads a page, in bytes. Markdown of nested lists, tables and quotes is written by
/// recursion, as deep as [`parse::MAX_DEPTH`] allows.
const STACK: usize = 64 * 1024 * 1024;
/// The longest title, in characters.
const MAX_TITLE: usize = 300;

/// The page at `url` as Markdown.
///
/// # Errors
///
/// When it cannot be read.
///
/// # Cancel safety
///
/// Dropping the future leaves the thread to end by itself, which the limits of [`parse`] see to.
pub(super) async fn page(url: Url, html: Decoded) -> Result<Page, FetchError> {
    let unreadable =
        |why: &str| FetchError::new(FetchErrorKind::Content, format!("the page cannot be read: {why}"));
    let (done, outcome) = oneshot::channel();
    let work = move || {
        // Nobody may be waiting any more.
        let _ = done.send(readable(&url, html));
    };
    thread::Builder::new()
        .name("web page".to_owned())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| unreadable(&format!("there is no thread for it: {error}")))?;
    outcome.await.map_err(|_| unreadable("its HTML is too strange"))
}

fn readable(url: &Url, html: Decoded) -> Page {
    let parsed = parse::parse(&html.text);
    links::complete(&parsed.document, url);
    let mut title = whole::title(&parsed.document);
    let mut text = None;
    if parsed.is_small
        && let Some(article) = article::of(&parsed.document, url)
    {
        title = Some(article.title).filter(|title| !title.is_empty()).or(title);
        text = Some(article.text);
    }
    let text = text.unwrap_or_else(|| whole::markdown(&parsed.document));
    let mut page = Page::new(url.as_str(), text);
    page.title = title.map(|title| shown::line(&title, MAX_TITLE)).filter(|title| !title.is_empty());
    page.notes.extend(html.note.into_iter().chain(parsed.cut.map(str::to_owned)));
    page
}
