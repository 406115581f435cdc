//! Ways for events to leave a turn without holding it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use tokio::sync::mpsc;

use crate::event::{Event, Observer};
use crate::panic::caught;

/// How many events may wait for an observer before the newest are left out.
const WAITING: usize = 10_000;

/// A channel for the events of a turn. At most `capacity` of them wait to be read (at least 1); what comes while it is full
/// is left out, which shows as a gap in the [revisions](Event::revision) and in [`lost`](EventReceiver::lost).
///
/// ```
/// use tool_runtime::{Agent, CancellationToken, event_channel};
/// # use tool_runtime::provider::RecordedModel;
/// # let model = RecordedModel::from_text(r#"{"output":[{"type":"message","content":"hello"}]}"#)?;
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # runtime.block_on(async {
/// let (sender, mut events) = event_channel(1_000);
/// let agent = Agent::new(model, Vec::new())?.events(sender);
/// agent.run("hi", &CancellationToken::new()).await?;
/// let mut seen = 0;
/// while let Some(event) = events.next().await {
///     seen = event.revision;
/// }
/// assert!(seen > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn event_channel(capacity: usize) -> (EventSender, EventReceiver) {
    let (sender, receiver) = mpsc::channel(capacity.max(1));
    let lost = Arc::new(AtomicU64::new(0));
    (EventSender { sender, lost: Arc::clone(&lost) }, EventReceiver { receiver, lost })
}

/// The end of an [`event_channel`] that the turn writes to. Writing never waits.
#[derive(Clone, Debug)]
pub struct EventSender {
    sender: mpsc::Sender<Event>,
    lost: Arc<AtomicU64>,
}

impl Observer for EventSender {
    fn observe(&self, event: &Event) {
        if self.sender.try_send(event.clone()).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The end of an [`event_channel`] that the host reads.
#[derive(Debug)]
pub struct EventReceiver {
    receiver: mpsc::Receiver<Event>,
    lost: Arc<AtomicU64>,
}

impl EventReceiver {
    /// The next event; `None` when the turn is over and all were read.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Event> {
        self.receiver.recv().await
    }

    /// The next event, if there is one already.
    pub fn try_next(&mut self) -> Option<Event> {
        self.receiver.try_recv().ok()
    }

    /// How many events were left out, since too many waited.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

/// Hands events on to an observer on a thread of its own, so that the observer may take its time.
pub(super) struct OwnThread {
    sender: Option<SyncSender<Event>>,
}

impl OwnThread {
    pub(super) fn new(observer: impl Observer + 'static) -> Self {
        let (sender, receiver) = sync_channel::<Event>(WAITING);
        let work = move || {
            for event in receiver {
                // An observer that fails must not lose the events behind the one it failed at.
                let _ = caught(|| observer.observe(&event));
            }
        };
        // Without a thread to be had, the turn goes on unobserved.
        let started = thread::Builder::new().name("turn-events".to_owned()).spawn(work).is_ok();
        Self { sender: started.then_some(sender) }
    }
}

impl Observer for OwnThread {
    fn observe(&self, event: &Event) {
        if let Some(sender) = &self.sender {
            // Full: the gap in the revisions tells.
            let _ = sender.try_send(event.clone());
        }
    }
}
