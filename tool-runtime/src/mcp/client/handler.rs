//! What a server tells us unasked: progress of calls, changes of its list.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{NotificationContext, RoleClient};
use tokio::sync::watch;

use crate::context::{Progress, ToolContext};

/// The running calls by the token under which their progress comes.
#[derive(Clone, Default)]
pub(super) struct Watched(Arc<Mutex<HashMap<ProgressToken, ToolContext>>>);

/// Keeps one call watched.
pub(super) struct Watching {
    watched: Watched,
    token: ProgressToken,
}

impl Watched {
    pub(super) fn watch(&self, token: ProgressToken, context: ToolContext) -> Watching {
        self.lock().insert(token.clone(), context);
        Watching { watched: self.clone(), token }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ProgressToken, ToolContext>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.watched.lock().remove(&self.token);
    }
}

/// Our end of a connection. It offers the server nothing: no sampling, no questions to the user, no folders.
pub(super) struct Handler {
    pub(super) watched: Watched,
    pub(super) changes: watch::Sender<u64>,
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), us)
    }

    async fn on_progress(
        &self,
        report: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let Some(context) = self.watched.lock().get(&report.progress_token).cloned() else { return };
        context.progress(Progress {
            message: report.message,
            current: Some(report.progress),
            total: report.total,
        });
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.changes.send_modify(|revision| *revision += 1);
    }
}
