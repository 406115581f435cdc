//! The connection to one server: opened by whoever needs it first, opened again after it broke, with growing pauses.

use std::sync::Arc;
use std::time::Duration;

use rmcp::service::{Peer, RoleClient};
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::handler::{Handler, Watched};
use super::transport::{Open, open};
use super::{McpClient, McpError};

/// The pause after the second failure in a row; it doubles from there. The first is no reason to wait.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

pub(super) struct Link {
    pub(super) client: McpClient,
    state: Mutex<State>,
    watched: Watched,
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    open: Option<Open>,
    /// Which connection it is, counted from 1.
    number: u64,
    /// Failures since the last connection that worked.
    failures: u32,
    not_before: Option<Instant>,
    closed: bool,
    last_reason: String,
}

/// What a call needs of an open connection.
pub(super) struct Line {
    number: u64,
    pub(super) peer: Peer<RoleClient>,
    pub(super) watched: Watched,
    /// What the server says about itself as a whole.
    pub(super) instructions: Option<String>,
}

impl Link {
    pub(super) fn new(client: McpClient) -> Self {
        let (state, watched) = (Mutex::default(), Watched::default());
        Self { client, state, watched, changes: watch::Sender::new(0) }
    }

    pub(super) fn error(&self, reason: impl Into<String>) -> McpError {
        McpError { server: self.client.name.clone(), reason: reason.into() }
    }

    /// The connection, opened if there is none.
    pub(super) async fn line(&self) -> Result<Line, McpError> {
        let mut state = self.state.lock().await;
        if state.closed {
            return Err(self.error("was closed"));
        }
        if state.open.as_ref().is_some_and(|open| open.service.peer().is_transport_closed()) {
            state.bury().await;
        }
        if state.open.is_none() {
            let now = Instant::now();
            if let Some(at) = state.not_before.filter(|at| *at > now) {
                let wait = (at - now).as_secs_f32().ceil();
                return Err(self
                    .error(format!("{}; it is tried again in {wait} s at the earliest", state.last_reason)));
            }
            let opened = self.open().await;
            state.open = match opened {
                Ok(open) => {
                    state.number += 1;
                    Some(open)
                }
                Err(reason) => {
                    state.fail(reason.clone());
                    return Err(self.error(reason));
                }
            };
        }
        let Some(open) = &state.open else { return Err(self.error("is not there")) };
        let peer = open.service.peer().clone();
        let instructions = peer.peer_info().and_then(|info| info.instructions.clone());
        Ok(Line { number: state.number, peer, watched: self.watched.clone(), instructions })
    }

    /// Why a connection broke under a call that ran on it.
    pub(super) async fn autopsy(&self, line: &Line) -> McpError {
        let mut state = self.state.lock().await;
        if state.closed {
            return self.error("was closed");
        }
        // Another call on the same connection may have been here before.
        if state.number == line.number && state.open.is_some() {
            state.bury().await;
        }
        self.error(state.last_reason.clone())
    }

    async fn open(&self) -> Result<Open, String> {
        let handler = Handler { watched: self.watched.clone(), changes: self.changes.clone() };
        let limit = self.client.connect_timeout;
        match tokio::time::timeout(limit, open(&self.client, handler)).await {
            Ok(opened) => opened,
            Err(_) => Err(format!("did not answer within {} s", limit.as_secs_f32())),
        }
    }

    /// A connection has done its work: the next failure is the first again.
    pub(super) async fn worked(&self) {
        let mut state = self.state.lock().await;
        (state.failures, state.not_before) = (0, None);
    }

    pub(super) fn revision(&self) -> u64 {
        *self.changes.borrow()
    }

    pub(super) async fn list_changed(&self, since: u64) {
        // The sender is our own, so it cannot be gone.
        let _ = self.changes.subscribe().wait_for(|revision| *revision != since).await;
    }

    pub(super) async fn close(self: Arc<Self>) {
        let open = {
            let mut state = self.state.lock().await;
            state.closed = true;
            state.open.take()
        };
        let Some(Open { service, process }) = open else { return };
        // Closing its input is how the protocol asks a server to end.
        let _ = service.cancel().await;
        if let Some(process) = process {
            process.end().await;
        }
    }
}

impl State {
    /// Takes down a connection that broke.
    async fn bury(&mut self) {
        let reason = match self.open.take() {
            Some(Open { process: Some(mut process), service }) => {
                // Closes its input, which ends a server that has not ended yet.
                drop(service);
                process.obituary().await
            }
            _ => "has closed the connection".to_owned(),
        };
        self.fail(reason);
    }

    fn fail(&mut self, reason: String) {
        self.failures = self.failures.saturating_add(1);
        self.last_reason = reason;
        let doublings = self.failures.checked_sub(2);
        let pause =
            doublings.map(|doublings| FIRST_PAUSE.saturating_mul(1 << doublings.min(10)).min(LONGEST_PAUSE));
        self.not_before = pause.map(|pause| Instant::now() + pause);
    }
}
