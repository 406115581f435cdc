#![allow(dead_code, unused_macros)]

use tool_runtime::{ToolContext, tools, worker_tool};

struct MyError;

impl ::std::convert::From<MyError> for tool_runtime::ToolError {
    fn from(_: MyError) -> Self {
        tool_runtime::ToolError::new("mine")
    }
}

type Result<T> = ::std::result::Result<T, MyError>;

struct Option;
struct String;
struct Vec;
struct Some;
struct None;
struct Ok;
struct Err;
struct Box;
struct Duration;
trait Fn {}
trait FnOnce {}
trait Send {}
trait Sync {}
trait Clone {}
trait Future {}
trait Sized {}
trait Into {}
trait From {}
trait Default {}
trait ToString {}
mod std {}
mod core {}
mod serde {}
mod schemars {}
mod serde_json {}
macro_rules! concat {
    () => {};
}
macro_rules! vec {
    () => {};
}

/// Takes a number.
/// In two lines.
#[worker_tool(
    timeout = "1s",
    title = "Number",
    activity = "Taking {n}",
    completed_activity = "Took {n}: {details}",
    input = text,
)]
async fn text(n: ::std::string::String) -> tool_runtime::Json<u32> {
    tool_runtime::Json(::std::convert::TryFrom::try_from(n.len()).unwrap_or_default())
}

/// Takes a number.
#[worker_tool(activity = "Taking {n}", completed_activity = "Took {n}", function = plain)]
async fn number(#[state] base: u32, #[param] n: u32, #[param] m: ::std::option::Option<u32>) -> Result<u32> {
    Result::Ok(base + n + m.unwrap_or(0))
}

#[derive(::serde::Deserialize, ::schemars::JsonSchema, tool_runtime::ToolParams, ::std::clone::Clone)]
#[schemars(crate = "::schemars")]
struct Params {
    n: u32,
}

fn label(params: &Params) -> ::std::string::String {
    ::std::format!("{}", params.n)
}

fn completed(params: &Params, _: &()) -> ::std::option::Option<&'static ::core::primitive::str> {
    (params.n > 1).then_some("many")
}

#[worker_tool(description = "Takes a struct.", activity = label, completed_activity = completed)]
async fn structure(params: Params, _: ToolContext) -> Result<u32> {
    Result::Ok(params.n)
}

fn main() {
    assert_eq!(tools![text, number(1), if true => structure].len(), 3);
}
