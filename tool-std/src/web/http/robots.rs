//! What a site's `robots.txt` allows.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::Url;
use texting_robots::Robot;

use super::super::fetch::{FetchError, FetchErrorKind};
use super::{Answer, Shared};

/// The most bytes of a `robots.txt`; a longer one is not obeyed but refused.
const MAX_ROBOTS: usize = 500 * 1024;
/// The most rules with `*` or `$`, each of which becomes a regular expression.
const MAX_PATTERNS: usize = 1_000;
/// How long the rules of a site are kept, and of how many sites.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
const KEPT: usize = 100;

/// The rules of the sites that were asked lately, for one reader.
pub(super) struct Robots {
    /// The name that the rules are for.
    reader: String,
    known: Mutex<VecDeque<Known>>,
}

struct Known {
    origin: String,
    since: Instant,
    rules: Arc<Rules>,
}

enum Rules {
    /// The site has none.
    None,
    Some(Robot),
    /// They cannot be had, so that nothing is allowed; with the reason.
    Unknown(String),
}

impl Robots {
    pub(super) fn of(user_agent: &str) -> Self {
        let reader = user_agent.split(['/', ' ']).next().unwrap_or_default().to_owned();
        Self { reader, known: Mutex::default() }
    }

    /// Whether the site lets `url` be read.
    ///
    /// # Errors
    ///
    /// When it does not, or cannot be asked.
    pub(super) async fn check(&self, shared: &Shared, url: &Url) -> Result<(), FetchError> {
        let refused = |message: String| Err(FetchError::new(FetchErrorKind::Refused, message));
        let origin = url.origin().ascii_serialization();
        let rules = match self.kept(&origin) {
            Some(rules) => rules,
            None => self.ask(shared, &origin, url).await,
        };
        match &*rules {
            Rules::None => Ok(()),
            Rules::Some(robot) if robot.allowed(url.as_str()) => Ok(()),
            Rules::Some(_) => {
                refused(format!("the site's `robots.txt` does not allow `{}` to read this", self.reader))
            }
            Rules::Unknown(why) => {
                refused(format!("the site's `robots.txt` could not be read, so nothing is fetched: {why}"))
            }
        }
    }

    fn kept(&self, origin: &str) -> Option<Arc<Rules>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.since.elapsed() < KEPT_FOR);
        known.iter().find(|known| known.origin == origin).map(|known| Arc::clone(&known.rules))
    }

    async fn ask(&self, shared: &Shared, origin: &str, url: &Url) -> Arc<Rules> {
        let rules = Arc::new(self.rules(shared, url).await);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.origin != origin);
        if known.len() >= KEPT {
            known.pop_front();
        }
        let (origin, since) = (origin.to_owned(), Instant::now());
        known.push_back(Known { origin, since, rules: Arc::clone(&rules) });
        rules
    }

    async fn rules(&self, shared: &Shared, url: &Url) -> Rules {
        let Ok(url) = url.join("/robots.txt") else { return Rules::None };
        // In a box, since following a page asks for its rules.
        let text = match Box::pin(shared.follow(url, false)).await {
            Ok(Answer { response, .. }) => super::body::read(response, MAX_ROBOTS).await,
            Err(error) => Err(error),
        };
        match text {
            Ok(text) => self.read(text).await,
            // The site has no such file, or does not show it.
            Err(error) if error.status.is_some_and(|status| (400..500).contains(&status)) => Rules::None,
            Err(error) => Rules::Unknown(error.message),
        }
    }

    async fn read(&self, text: Vec<u8>) -> Rules {
        let is_pattern = |line: &&[u8]| line.contains(&b'*') || line.contains(&b'$');
        let patterns = text.split(|byte| matches!(byte, b'\n' | b'\r')).filter(is_pattern).count();
        if patterns > MAX_PATTERNS {
            return Rules::Unknown(format!("it has more than {MAX_PATTERNS} rules with `*` or `$`"));
        }
        let reader = self.reader.clone();
        match tokio::task::spawn_blocking(move || Robot::new(&reader, &text)).await {
            Ok(Ok(robot)) => Rules::Some(robot),
            Ok(Err(error)) => Rules::Unknown(error.to_string()),
            Err(_) => Rules::Unknown("it cannot be understood".to_owned()),
        }
    }
}
