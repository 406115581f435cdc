//! Sending a file along with the reply.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{Json, ToolContext, ToolError, ToolErrorKind, ToolParams, worker_tool};

use super::places::{Kind, PathError, PathErrorKind};
use super::{Computer, near, shown, stop};

/// Which file, and how it is shown.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct ReplyAttachmentParams {
    /// The file, in the folder of the user's files: absolute, from `~` on, or relative to the workspace.
    #[schemars(length(min = 1))]
    path: String,
    /// The name that the user sees. Otherwise it is the file's own.
    #[schemars(length(min = 1, max = 255), regex(pattern = r"^[^/\\]+$"))]
    name: Option<String>,
    /// The type of the content, as in `text/csv`.
    #[serde(rename = "mimeType")]
    #[schemars(regex(pattern = r"^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$"))]
    mime_type: Option<String>,
}

/// The files that [`reply_attachment()`] put down for the reply. The host takes them from here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueuedAttachments {
    /// `reply_attachment`.
    pub tool: &'static str,
    /// Always true; what cannot be attached is an error.
    pub ok: bool,
    /// `queued`: the file is sent when the reply is.
    pub delivery_state: &'static str,
    /// The files; one for each call.
    pub attachments: Vec<Attachment>,
}

/// A file that goes along with the reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Attachment {
    /// Its real path on the computer.
    pub agent_computer_path: String,
    /// Its path from the folder of the user's files on.
    pub user_files_relative_path: String,
    /// The name that the user sees.
    pub name: String,
    /// The type of its content, if the model said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// Its size in bytes when it was attached.
    pub size: u64,
}

/// Sends a file to the user along with the reply.
///
/// The file must lie in the folder of the user's files; copy it there first. Say in the reply what it is. Nothing is
/// sent before the reply.
#[worker_tool(destructive = false, open_world = false, activity = attaching)]
pub async fn reply_attachment(
    #[state] computer: Computer,
    params: ReplyAttachmentParams,
    context: ToolContext,
) -> Result<Json<QueuedAttachments>, ToolError> {
    let attachment = stop::run(&context, move |_| attach(&computer, params)).await?;
    Ok(Json(QueuedAttachments {
        tool: "reply_attachment",
        ok: true,
        delivery_state: "queued",
        attachments: vec![attachment],
    }))
}

fn attaching(params: &ReplyAttachmentParams) -> String {
    format!("Attaching {}", shown::last_two(&params.path))
}

fn attach(computer: &Computer, params: ReplyAttachmentParams) -> Result<Attachment, ToolError> {
    let Some(user_files) = computer.user_files() else {
        return Err(ToolError::new("files cannot be attached here").with_kind(ToolErrorKind::Unavailable));
    };
    let place = computer.places().to_read(&params.path, computer.workspace());
    let place = place.map_err(PathError::into_tool_error)?;
    let path = place.path();
    let inside = path.strip_prefix(user_files).map_err(|_| not_there(&params.path, user_files))?;
    let (kind, size) = place.status().map_err(|error| match error.kind() {
        PathErrorKind::NotFound => ToolError::new(near::describe(&error, &place, computer.workspace()))
            .with_kind(ToolErrorKind::NotFound),
        _ => error.into_tool_error(),
    })?;
    if kind != Kind::File {
        let message = format!("`{}` is {}; only a file can be attached", params.path, kind.name());
        return Err(ToolError::new(message).with_kind(ToolErrorKind::InvalidArguments));
    }
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or_else(|| not_utf8(&params.path));
    let own_name = || inside.file_name().map_or_else(String::new, |name| shown::name(name).0.into_owned());
    Ok(Attachment {
        agent_computer_path: text(&path)?,
        user_files_relative_path: text(inside)?,
        name: params.name.unwrap_or_else(own_name),
        mime_type: params.mime_type,
        size,
    })
}

fn not_there(path: &str, user_files: &Path) -> ToolError {
    let folder = shown::path(user_files);
    ToolError::new(format!("`{path}` cannot be attached from where it is: copy it to `{folder}` first"))
        .with_kind(ToolErrorKind::Denied)
}

/// A link of good UTF-8 may lead to such a name.
fn not_utf8(path: &str) -> ToolError {
    ToolError::new(format!("`{path}` leads to a name that is not UTF-8: copy it to one that is first"))
}
