//! One connection: its tools, and its answers to the requests of the protocol.

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ErrorData, ListToolsResult, PaginatedRequestParams,
    ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer, SubscriptionContext};
use tokio::sync::RwLock;
use tokio::task::JoinSet;

use crate::mcp::definition;
use crate::panic::caught;
use crate::set::ToolSet;
use crate::tool::WorkerAgentTool;

use super::call::Turn;
use super::{Connection, McpServer, call};

/// Answers one connection.
pub(super) struct Handler {
    server: McpServer,
    tools: Mutex<Option<Made>>,
    /// Sequential calls run alone: they write, parallel ones read.
    alone: RwLock<()>,
    /// Tells the client of changes; ends with the connection.
    telling: Mutex<JoinSet<()>>,
}

/// The tools as they were made last.
#[derive(Clone)]
struct Made {
    revision: u64,
    set: Arc<ToolSet>,
}

impl Handler {
    pub(super) fn new(server: McpServer) -> Self {
        Self { server, tools: Mutex::default(), alone: RwLock::default(), telling: Mutex::default() }
    }

    /// The tools of the connection, made anew if they have changed.
    fn tools(&self, context: &RequestContext<RoleServer>) -> Result<Made, ErrorData> {
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        let revision = *self.server.changes.borrow();
        if let Some(made) = tools.as_ref().filter(|made| made.revision == revision) {
            return Ok(made.clone());
        }
        let made = Made { revision, set: Arc::new(self.make(context)?) };
        *tools = Some(made.clone());
        Ok(made)
    }

    fn make(&self, context: &RequestContext<RoleServer>) -> Result<ToolSet, ErrorData> {
        let connection = Connection::of(context);
        let tools = caught(|| (self.server.tools)(&connection))
            .map_err(|_| ErrorData::internal_error("the function that makes the tools panicked", None))?;
        let deferred: Vec<WorkerAgentTool> =
            tools.iter().filter(|tool| tool.spec().defer_loading).cloned().collect();
        let mut set =
            ToolSet::new(tools).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        for tool in deferred {
            // The protocol has no tool search: what is served is before the model.
            let spec = tool.spec();
            set.load(spec.namespace.as_ref().map(|namespace| &*namespace.name), &spec.name);
        }
        Ok(set)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.server.config()
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let Made { revision, set } = self.tools(&context)?;
        let start = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => start_of(&cursor, revision, set.len())?,
        };
        let mut entries = definition::entries(&set).skip_while(|(position, _)| *position < start);
        let page = entries.by_ref().take(self.server.page).map(|(_, entry)| entry).collect();
        let mut result = ListToolsResult::with_all_items(page);
        result.next_cursor = entries.next().map(|(position, _)| format!("{revision}.{position}"));
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Made { set, .. } = self.tools(&context)?;
        let turn = Turn { server: &self.server, set: &set, alone: &self.alone };
        call::run(turn, request, context).await.map(CallToolResponse::from)
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let mut changes = self.server.changes.subscribe();
        let peer: Peer<RoleServer> = context.peer;
        let mut telling = self.telling.lock().unwrap_or_else(PoisonError::into_inner);
        telling.spawn(async move {
            while changes.changed().await.is_ok() && peer.notify_tool_list_changed().await.is_ok() {}
        });
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.server.changes.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                changed = changes.changed() => {
                    if changed.is_err() || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Where a page starts. A cursor of a list that has changed since would skip or repeat tools.
fn start_of(cursor: &str, revision: u64, tools: usize) -> Result<usize, ErrorData> {
    let parts = cursor
        .split_once('.')
        .and_then(|(of, position)| Some((of.parse::<u64>().ok()?, position.parse::<usize>().ok()?)));
    match parts {
        Some((of, position)) if of == revision && position < tools => Ok(position),
        Some((of, _)) if of != revision => Err(ErrorData::invalid_params(
            "the list of tools has changed: start again without a cursor",
            None,
        )),
        _ => Err(ErrorData::invalid_params(
            "the cursor is none that this server gave: start without one",
            None,
        )),
    }
}
