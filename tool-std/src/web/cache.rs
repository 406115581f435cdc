//! The pages that were fetched lately.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fetch::Page;

/// How long a page is kept.
const KEPT_FOR: Duration = Duration::from_secs(15 * 60);
/// How many pages, and bytes of text, are kept; the oldest leave first.
const MAX_PAGES: usize = 100;
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// Pages by the address that they were asked for. Only those that came whole and without a note are kept.
#[derive(Default)]
pub(super) struct Cache {
    pages: VecDeque<Kept>,
}

struct Kept {
    asked: String,
    since: Instant,
    page: Arc<Page>,
}

impl Cache {
    /// A page, and how old it is at `now`.
    pub(super) fn get(&mut self, asked: &str, now: Instant) -> Option<(Arc<Page>, Duration)> {
        self.pages.retain(|kept| now.saturating_duration_since(kept.since) < KEPT_FOR);
        let kept = self.pages.iter().find(|kept| kept.asked == asked)?;
        Some((Arc::clone(&kept.page), now.saturating_duration_since(kept.since)))
    }

    pub(super) fn keep(&mut self, asked: &str, page: &Arc<Page>, now: Instant) {
        if !page.notes.is_empty() || page.text.is_empty() {
            return;
        }
        self.pages.retain(|kept| kept.asked != asked);
        self.pages.push_back(Kept { asked: asked.to_owned(), since: now, page: Arc::clone(page) });
        while self.pages.len() > MAX_PAGES || self.bytes() > MAX_BYTES {
            self.pages.pop_front();
        }
    }

    fn bytes(&self) -> usize {
        self.pages.iter().map(|kept| kept.page.text.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Arc<Page> {
        Arc::new(Page::new("https://example.com/", text))
    }

    #[test]
    fn a_page_is_kept_for_a_quarter_of_an_hour() {
        let (mut cache, start) = (Cache::default(), Instant::now());
        cache.keep("a", &page("text"), start);
        let soon = start + KEPT_FOR - Duration::from_secs(1);
        assert_eq!(cache.get("a", soon).unwrap().1, KEPT_FOR - Duration::from_secs(1));
        assert!(cache.get("a", start + KEPT_FOR).is_none());
        assert!(cache.pages.is_empty());
    }

    #[test]
    fn the_oldest_leave_first() {
        let (mut cache, now) = (Cache::default(), Instant::now());
        for number in 0..=MAX_PAGES {
            cache.keep(&number.to_string(), &page("text"), now);
        }
        assert!(cache.get("0", now).is_none() && cache.get("1", now).is_some());
        let large = "x".repeat(MAX_BYTES / 2 + 1);
        cache.keep("first", &page(&large), now);
        cache.keep("second", &page(&large), now);
        assert_eq!(cache.pages.len(), 1);
        assert!(cache.get("second", now).is_some());
    }

    #[test]
    fn what_is_not_clean_is_not_kept() {
        let (mut cache, now) = (Cache::default(), Instant::now());
        cache.keep("empty", &page(""), now);
        cache.keep("noted", &Arc::new(Page::new("https://example.com/", "text").with_note("half")), now);
        assert!(cache.pages.is_empty());
    }
}
