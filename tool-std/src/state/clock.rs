//! What time it is: the system's, or what a test says.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Tells the time. Cheap to clone.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use tool_std::state::Clock;
///
/// let clock = Clock::of(|| UNIX_EPOCH + Duration::from_secs(1));
/// assert_eq!(clock.now(), UNIX_EPOCH + Duration::from_secs(1));
/// ```
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

impl Clock {
    /// The clock of this machine.
    #[must_use]
    pub fn system() -> Self {
        Self::of(SystemTime::now)
    }

    /// A clock that asks `now`.
    pub fn of(now: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self { now: Arc::new(now) }
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> SystemTime {
        (self.now)()
    }

    /// Milliseconds since 1970; 0 before it.
    pub(crate) fn milliseconds(&self) -> i64 {
        let since = self.now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").field("now", &self.now()).finish()
    }
}
