//! One call of a server's tool.

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest, JsonObject, ServerResult,
};
use rmcp::service::{PeerRequestOptions, ServiceError};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::context::ToolContext;
use crate::error::{ToolError, ToolErrorKind};
use crate::mcp::content::from_block;
use crate::output::{Content, ToolOutput};

use super::link::Link;

/// Calls the tool that the server names `name`. A call that is cancelled or takes too long is cancelled there too.
pub(super) async fn call(
    link: &Link,
    name: &str,
    arguments: &RawValue,
    context: &ToolContext,
) -> Result<ToolOutput<Option<Value>>, ToolError> {
    let unavailable = |reason: &dyn std::fmt::Display| {
        ToolError::new(reason.to_string()).with_kind(ToolErrorKind::Unavailable)
    };
    let line = link.line().await.map_err(|error| unavailable(&error))?;
    let arguments: JsonObject = serde_json::from_str(arguments.get())?;
    let request = CallToolRequestParams::new(Cow::Owned(name.to_owned())).with_arguments(arguments);
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(request));
    let sent = line.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    let mut sent = sent.map_err(|error| unavailable(&link.error(format!("cannot be asked: {error}"))))?;
    let _watching = line.watched.watch(sent.progress_token.clone(), context.clone());
    let limit = link.client.call_timeout;
    tokio::select! {
        biased;
        answer = &mut sent.rx => {
            let answer = answer.unwrap_or(Err(ServiceError::TransportClosed));
            let result = match answer {
                Ok(result) => result,
                Err(ServiceError::McpError(error)) => return Err(ToolError::new(link.error(format!("refuses the call: {}", error.message)).to_string())),
                Err(ServiceError::TransportClosed) => {
                    return Err(unavailable(&format_args!("{}; the call may have had effects", link.autopsy(&line).await)));
                }
                Err(error) => return Err(unavailable(&link.error(format!("gave no result: {error}; the call may have had effects")))),
            };
            link.worked().await;
            output(link, result)
        }
        () = context.cancellation().cancelled() => {
            // The server is told; whether it stops is its own affair.
            let _ = sent.cancel(Some("the call was cancelled".to_owned())).await;
            Err(ToolError::new("the call was cancelled; the server was told to stop, and it may have had effects"))
        }
        () = tokio::time::sleep(limit) => {
            let _ = sent.cancel(Some("the call took too long".to_owned())).await;
            Err(unavailable(&link.error(format!(
                "did not answer within {} s and was told to stop; the call may have had effects",
                limit.as_secs_f32()
            ))))
        }
    }
}

fn output(link: &Link, result: ServerResult) -> Result<ToolOutput<Option<Value>>, ToolError> {
    let CallToolResult { content, structured_content, is_error, .. } = match result {
        ServerResult::CallToolResult(result) => result,
        ServerResult::InputRequiredResult(_) => {
            return Err(ToolError::new(
                link.error("asks a person for more input, which this host does not offer").to_string(),
            ));
        }
        _ => {
            return Err(ToolError::new(link.error("gave an answer that is no result of a call").to_string()));
        }
    };
    let content: Vec<Content> = content.into_iter().map(from_block).collect();
    if is_error == Some(true) {
        let text: Vec<Cow<'_, str>> = content.iter().map(Content::describe).collect();
        let text = text.join("\n");
        return Err(ToolError::new(if text.trim().is_empty() {
            "the tool failed and gave no reason".to_owned()
        } else {
            text
        }));
    }
    Ok(ToolOutput::from_content(content).with_details(structured_content))
}
