//! What makes a type the parameters of a tool.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

/// A type that is read from the arguments of a call, which are one JSON object with known keys.
///
/// It is a promise, kept by `#[derive(ToolParams)]`: the derive refuses every shape whose schema is not an object. A
/// promise made by hand (`impl ToolParams for … {}`) is checked by [`ToolSet::new`](crate::ToolSet::new).
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use tool_runtime::ToolParams;
///
/// #[derive(Deserialize, JsonSchema, ToolParams)]
/// struct ReadFile {
///     /// Text file to read.
///     #[schemars(length(min = 1))]
///     path: String,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the parameters of a tool",
    label = "not a parameters struct",
    note = "parameters are one JSON object: use a struct with named fields and \
            `#[derive(Deserialize, JsonSchema, ToolParams)]`",
    note = "mark single values `#[param]`, and what the tool keeps for all calls `#[state]`"
)]
pub trait ToolParams: DeserializeOwned + JsonSchema + Send + 'static {}
