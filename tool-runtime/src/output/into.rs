//! The types that a tool may return.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::error::ToolError;
use crate::schema::output_schema;

use super::{Content, ToolOutput};

/// What a tool may return: texts, numbers, [`Json<T>`], [`ToolOutput`], `()`, and a `Result` of any of these with an
/// error that becomes a [`ToolError`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a tool",
    label = "not a tool output",
    note = "return `String`, `Json<T>` (with `T: Serialize + JsonSchema`), `ToolOutput`, `()`, or a `Result` of one of them \
            with `ToolError` as the error"
)]
pub trait IntoToolOutput {
    /// Typed data for the host; `{details.x}` in a completed-activity text is a field of it.
    type Details: Serialize + Send + 'static;

    /// Makes the output.
    ///
    /// # Errors
    ///
    /// The tool's own failure, or a value that cannot be written as JSON.
    fn into_tool_output(self) -> Result<ToolOutput<Self::Details>, ToolError>;

    /// JSON Schema of the structured result, for providers and MCP clients that take one.
    #[must_use]
    fn output_schema() -> Option<serde_json::Value> {
        None
    }
}

/// A structured result: the model reads it as JSON, the host gets it as details, and its schema is published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json<T>(pub T);

impl<T: Serialize + JsonSchema + Send + 'static> IntoToolOutput for Json<T> {
    type Details = T;

    fn into_tool_output(self) -> Result<ToolOutput<T>, ToolError> {
        Ok(ToolOutput::from_content(Vec::new()).with_details(self.0))
    }

    fn output_schema() -> Option<serde_json::Value> {
        Some(output_schema::<T>())
    }
}

impl<D: Serialize + Send + 'static> IntoToolOutput for ToolOutput<D> {
    type Details = D;

    fn into_tool_output(self) -> Result<Self, ToolError> {
        Ok(self)
    }
}

impl<T: IntoToolOutput, E: IntoToolError> IntoToolOutput for Result<T, E> {
    type Details = T::Details;

    fn into_tool_output(self) -> Result<ToolOutput<T::Details>, ToolError> {
        self.map_err(IntoToolError::into_tool_error)?.into_tool_output()
    }

    fn output_schema() -> Option<serde_json::Value> {
        T::output_schema()
    }
}

/// An error that a tool may return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "does not become a `ToolError`",
    note = "return `ToolError` and use `?`: every `std::error::Error` that is `Send + Sync + 'static` becomes one"
)]
pub trait IntoToolError {
    /// Makes the error that the model is told.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> IntoToolError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

impl IntoToolOutput for () {
    type Details = ();

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::from_content(Vec::new()))
    }
}

impl IntoToolOutput for Content {
    type Details = ();

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::from_content(vec![self]))
    }
}

impl IntoToolOutput for Vec<Content> {
    type Details = ();

    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::from_content(self))
    }
}

macro_rules! text_outputs {
    ($($ty:ty => $into:expr;)*) => {$(
        impl IntoToolOutput for $ty {
            type Details = ();

            #[inline]
            fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
                let into: fn($ty) -> String = $into;
                Ok(ToolOutput::text(into(self)))
            }
        }
    )*};
}

fn display(value: impl fmt::Display) -> String {
    value.to_string()
}

text_outputs! {
    String => |text| text;
    &'static str => str::to_owned;
    Cow<'static, str> => Cow::into_owned;
    Box<str> => String::from;
    bool => display;
    char => display;
    f32 => display;
    f64 => display;
    i8 => display;
    i16 => display;
    i32 => display;
    i64 => display;
    i128 => display;
    isize => display;
    u8 => display;
    u16 => display;
    u32 => display;
    u64 => display;
    u128 => display;
    usize => display;
}

impl From<ToolError> for Box<dyn Error + Send + Sync> {
    fn from(error: ToolError) -> Self {
        error.message().into()
    }
}
