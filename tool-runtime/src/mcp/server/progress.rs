//! Progress of a running call, told to a client that asked for it.

use std::future::Future;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::watch;

use crate::context::Progress;
use crate::event::{Event, EventKind, Events};

/// The reports of one call. Only the newest is kept, so that a tool that reports faster than the client reads costs nothing.
pub(super) struct Reports {
    newest: watch::Receiver<Option<Progress>>,
    peer: Peer<RoleServer>,
    token: ProgressToken,
    /// The protocol wants it to rise from report to report.
    sent: Option<f64>,
}

impl Reports {
    pub(super) fn new(peer: Peer<RoleServer>, token: ProgressToken) -> (Self, Events) {
        let (sender, newest) = watch::channel(None);
        let events = Events::to(move |event: &Event| {
            if let EventKind::Progress { progress, .. } = &event.kind {
                sender.send_replace(Some(progress.clone()));
            }
        });
        (Self { newest, peer, token, sent: None }, events)
    }

    /// Runs `work` and tells what it reports meanwhile, the last report before the result.
    pub(super) async fn while_running<T>(mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                Ok(()) = self.newest.changed() => self.tell().await,
                done = &mut work => {
                    if self.newest.has_changed().unwrap_or(false) {
                        self.tell().await;
                    }
                    return done;
                }
            }
        }
    }

    async fn tell(&mut self) {
        let Some(progress) = self.newest.borrow_and_update().clone() else { return };
        let told = |current: &f64| current.is_finite() && self.sent.is_none_or(|sent| *current > sent);
        let value = match progress.current.filter(told) {
            Some(current) => current,
            // Words between two steps rise by less than a step.
            None if progress.message.is_some() && progress.total.is_some() => {
                self.sent.map_or(0.0, f64::next_up)
            }
            None if progress.message.is_some() => self.sent.map_or(0.0, |sent| sent + 1.0),
            None => return,
        };
        self.sent = Some(value);
        let mut report = ProgressNotificationParam::new(self.token.clone(), value);
        report.total = progress.total;
        report.message = progress.message;
        // A client that is gone needs no report; the call notices by itself.
        let _ = self.peer.notify_progress(report).await;
    }
}
