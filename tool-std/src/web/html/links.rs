//! Links that hold wherever the text is read.

use dom_query::Document;
use reqwest::Url;

/// The longest address that is kept, in bytes.
const MAX_LINK: usize = 2_000;

/// Makes the addresses of links and images whole, and takes away those that are none to go to.
pub(super) fn complete(document: &Document, url: &Url) {
    let base = document.base_uri().and_then(|base| url.join(&base).ok());
    let base = base.as_ref().unwrap_or(url);
    for (selector, attribute) in [("a[href]", "href"), ("img[src]", "src")] {
        for node in document.select(selector).nodes() {
            let given = node.attr(attribute).unwrap_or_default();
            let whole = base.join(given.trim()).ok();
            match whole.filter(|whole| matches!(whole.scheme(), "http" | "https" | "mailto")) {
                Some(whole) if whole.as_str().len() <= MAX_LINK => node.set_attr(attribute, whole.as_str()),
                // Scripts, and images that stand in the address itself.
                _ => node.remove_attr(attribute),
            }
        }
    }
}
