//! One `tools/call`.

use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ErrorData};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::RwLock;
use tokio_util::sync::CancellationToken;

use crate::call::{CallInput, ToolCall, ToolResult};
use crate::dispatch::{dispatch, unknown};
use crate::event::Events;
use crate::mcp::content::to_block;
use crate::output::{CallOutput, Content};
use crate::provider::named_call;
use crate::set::ToolSet;
use crate::spec::{ExecutionMode, ToolSpec};

use super::McpServer;
use super::progress::Reports;

/// What a call runs in.
#[derive(Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) server: &'a McpServer,
    pub(super) set: &'a ToolSet,
    pub(super) alone: &'a RwLock<()>,
}

/// Runs a call. A name that is not in the list is an error of the protocol; what goes wrong from there on is an error
/// result, which the model reads and can act on.
pub(super) async fn run(
    turn: Turn<'_>,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResult, ErrorData> {
    let Turn { server, set, alone } = turn;
    let position = set.wire_names().position(&request.name);
    let Some(tool) = position.and_then(|position| set.tools().get(position)) else {
        return Err(ErrorData::invalid_params(unknown(set, None, &request.name).to_string(), None));
    };
    let arguments =
        request.arguments.map(Value::Object).map_or_else(String::new, |arguments| arguments.to_string());
    let call = named_call(set, context.id.to_string(), &request.name, CallInput::Json(arguments));
    let (reports, events) = match context.meta.get_progress_token() {
        Some(token) => {
            let (reports, events) = Reports::new(context.peer.clone(), token);
            (Some(reports), events)
        }
        None => (None, Events::none()),
    };
    let work = async {
        // Closed never, so that the only way not to get one is to wait for ever.
        let _one_of_many = server.calls.acquire().await;
        match tool.spec().execution_mode {
            ExecutionMode::Parallel => {
                let _with_others = alone.read().await;
                limited(server, set, call, &events, &context.ct).await
            }
            ExecutionMode::Sequential => {
                let _alone = alone.write().await;
                limited(server, set, call, &events, &context.ct).await
            }
        }
    };
    let ran = match reports {
        Some(reports) => reports.while_running(work).await,
        None => work.await,
    };
    Ok(answer(ran, tool.spec(), server.max_message))
}

/// What came of a call; `None` when its time was up.
async fn limited(
    server: &McpServer,
    set: &ToolSet,
    call: ToolCall,
    events: &Events,
    cancel: &CancellationToken,
) -> Option<ToolResult> {
    let cancel = cancel.child_token();
    let running = dispatch(set, vec![call], &server.dispatch, events, &cancel);
    tokio::pin!(running);
    let results = match server.call_timeout {
        None => running.await,
        Some(limit) => match tokio::time::timeout(limit, &mut running).await {
            Ok(results) => results,
            Err(_) => {
                cancel.cancel();
                // It has its grace to stop; what it says then does not matter any more.
                running.await;
                return None;
            }
        },
    };
    results.into_iter().next()
}

fn answer(ran: Option<ToolResult>, spec: &ToolSpec, max_message: usize) -> CallToolResult {
    let Some(result) = ran else {
        return failure(
            "the call took longer than this server allows and was stopped; it may have had effects".into(),
        );
    };
    match result.outcome {
        Err(error) => failure(error.to_string()),
        Ok(output) if size(&output) > max_message => failure(format!(
            "the tool ran, and its result of {} bytes is larger than this server sends ({max_message} bytes): ask for less",
            size(&output)
        )),
        Ok(output) => success(&output, spec),
    }
}

fn success(output: &CallOutput, spec: &ToolSpec) -> CallToolResult {
    let mut result = CallToolResult::success(output.for_model().into_iter().map(to_block).collect());
    if spec.output_schema.is_some() {
        result.structured_content =
            output.details().and_then(|details| serde_json::from_str(details.get()).ok());
    }
    result
}

fn failure(message: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(message)])
}

fn size(output: &CallOutput) -> usize {
    let content: usize = output.content.iter().map(Content::len).sum();
    content + output.details().map_or(0, |details| details.get().len())
}
