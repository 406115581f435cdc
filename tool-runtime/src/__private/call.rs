//! From the arguments of a call to the future that answers it.
//!
//! Each function holds one bound that an author can miss, and the macros blame it on the author's tokens. What a failed
//! bound would have given is an associated type, which is then unknown, so that nothing after it adds a second message.

use serde::de::DeserializeOwned;

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::params::ToolParams;
use crate::schema::ParametersSchema;
use crate::tool::Run;

use super::argument::{
    Argument, IsParams, IsRaw, IsText, Known, NoParams, RawArgument, RawParams, TextArgument,
};
use super::labels::Finish;
use super::output::{Outcome, Output};

/// How a tool reads its arguments and runs.
pub struct Call<P, D, F> {
    pub(super) parameters: Parameters,
    pub(super) read: fn(&str) -> Result<P, serde_json::Error>,
    pub(super) bind: fn(F, P, Finish<D>) -> Run,
    pub(super) run: F,
    pub(super) output_schema: fn() -> Option<serde_json::Value>,
}

/// Where the parameters of a tool come from.
#[derive(Clone, Copy)]
pub enum Parameters {
    /// From a type.
    Type(fn() -> Result<ParametersSchema, Vec<SchemaProblem>>),
    /// There are none.
    None,
    /// The author's own schema, or the free text of a custom tool: both stand in the spec.
    Spec,
}

/// A call without arguments.
pub fn call_of_none<R, D, F>(output: Output<R, D>, run: F) -> Call<NoParams, D, F>
where
    D: 'static,
    F: FnOnce(NoParams, ToolContext, Finish<D>) -> Outcome + Send + 'static,
{
    start(Parameters::None, read_json, &output, run)
}

/// A call with parameters, and with a context or not.
pub fn call<P, R, D, F>(output: Output<R, D>, run: F) -> Call<P, D, F>
where
    P: ToolParams,
    D: 'static,
    F: FnOnce(P, <P as Known<IsParams>>::Context, Finish<D>) -> Outcome + Send + 'static,
{
    start(Parameters::Type(ParametersSchema::of::<P>), read_json, &output, run)
}

/// A call with one argument, which may be parameters or the context.
pub fn call_of_one<T, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<
    T::Params,
    D,
    impl FnOnce(T::Params, ToolContext, Finish<D>) -> Outcome + Clone + Send + Sync + 'static,
>
where
    T: Argument<M>,
    D: 'static,
    F: FnOnce(T, Finish<D>) -> Outcome + Clone + Send + Sync + 'static,
{
    let run = move |params, context, finish| run(T::from_call(params, context), finish);
    start(T::parameters(), read_json, &output, run)
}

/// [`call`] under a raw schema.
pub fn raw_call<P, R, D, F>(output: Output<R, D>, run: F) -> Call<P, D, F>
where
    P: RawParams,
    D: 'static,
    F: FnOnce(P, <P as Known<IsRaw>>::Context, Finish<D>) -> Outcome + Send + 'static,
{
    start(Parameters::Spec, read_json, &output, run)
}

/// [`call_of_one`] under a raw schema.
pub fn raw_call_of_one<T, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<
    T::Params,
    D,
    impl FnOnce(T::Params, ToolContext, Finish<D>) -> Outcome + Clone + Send + Sync + 'static,
>
where
    T: RawArgument<M>,
    D: 'static,
    F: FnOnce(T, Finish<D>) -> Outcome + Clone + Send + Sync + 'static,
{
    let run = move |params, context, finish| run(T::from_call(params, context), finish);
    start(Parameters::Spec, read_json, &output, run)
}

/// A call with the free text of a custom tool.
pub fn text_call<T, R, D, F>(output: Output<R, D>, run: F) -> Call<T, D, F>
where
    T: TextArgument,
    D: 'static,
    F: FnOnce(T, <T as Known<IsText>>::Context, Finish<D>) -> Outcome + Send + 'static,
{
    start(Parameters::Spec, |text| Ok(T::from_text(text)), &output, run)
}

fn read_json<P: DeserializeOwned>(text: &str) -> Result<P, serde_json::Error> {
    serde_json::from_str(text)
}

fn start<P, R, D, F>(
    parameters: Parameters,
    read: fn(&str) -> Result<P, serde_json::Error>,
    output: &Output<R, D>,
    run: F,
) -> Call<P, D, F>
where
    P: Send + 'static,
    D: 'static,
    F: FnOnce(P, ToolContext, Finish<D>) -> Outcome + Send + 'static,
{
    Call {
        parameters,
        read,
        bind: |run, params, finish| Box::new(move |context| run(params, context, finish)),
        run,
        output_schema: output.schema,
    }
}
