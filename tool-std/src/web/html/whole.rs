//! All of a page, for pages that are no article.

use dom_query::Document;

/// What holds nothing to read.
const SKIPPED: &[&str] =
    &["script", "style", "meta", "head", "template", "svg", "iframe", "object", "canvas"];

pub(super) fn markdown(document: &Document) -> String {
    document.md(Some(SKIPPED)).trim().to_owned()
}

/// What stands in `title`.
pub(super) fn title(document: &Document) -> Option<String> {
    let title = document.select_single("head title").text();
    (!title.trim().is_empty()).then(|| title.to_string())
}
