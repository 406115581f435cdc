//! From the arguments of a call to the future that answers it.
//!
//! Each function holds one bound that an author can miss, and the macros blame it on the author's tokens. What a failed
//! bound would have given is an associated type, which is then unknown, so that nothing after it adds a second message.

use std::marker::PhantomData;

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::params::ToolParams;
use crate::schema::ParametersSchema;
use crate::tool::{NoParameters, Read, Work, read_json};

use super::argument::{Argument, IsParams, IsRaw, IsText, Known, RawArgument, RawParams, TextArgument};
use super::output::{Finish, Output};

/// How a tool reads its arguments and runs.
pub struct Call<P, D, F> {
    details: PhantomData<fn(D)>,
    pub(super) parameters: Parameters,
    pub(super) read: Read<P>,
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
pub fn call_of_none<R, D, F>(output: Output<R, D>, run: F) -> Call<NoParameters, D, F>
where
    D: 'static,
    F: FnOnce(NoParameters, ToolContext, Finish<D>) -> Work + Send + 'static,
{
    start(Parameters::None, read_json, &output, run)
}

/// A call with parameters, and with a context or not.
pub fn call<P, R, D, F>(output: Output<R, D>, run: F) -> Call<P, D, F>
where
    P: ToolParams,
    D: 'static,
    F: FnOnce(P, <P as Known<IsParams>>::Context, Finish<D>) -> Work + Send + 'static,
{
    start(Parameters::Type(ParametersSchema::of::<P>), read_json, &output, run)
}

/// A call with one argument, which may be parameters or the context.
pub fn call_of_one<T, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<T::Params, D, impl FnOnce(T::Params, ToolContext, Finish<D>) -> Work + Clone + Send + Sync + 'static>
where
    T: Argument<M>,
    D: 'static,
    F: FnOnce(T, Finish<D>) -> Work + Clone + Send + Sync + 'static,
{
    let run = move |params, context, finish| run(T::from_call(params, context), finish);
    start(T::parameters(), read_json, &output, run)
}

/// [`call`] under a raw schema.
pub fn raw_call<P, R, D, F>(output: Output<R, D>, run: F) -> Call<P, D, F>
where
    P: RawParams,
    D: 'static,
    F: FnOnce(P, <P as Known<IsRaw>>::Context, Finish<D>) -> Work + Send + 'static,
{
    start(Parameters::Spec, read_json, &output, run)
}

/// [`call_of_one`] under a raw schema.
pub fn raw_call_of_one<T, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<T::Params, D, impl FnOnce(T::Params, ToolContext, Finish<D>) -> Work + Clone + Send + Sync + 'static>
where
    T: RawArgument<M>,
    D: 'static,
    F: FnOnce(T, Finish<D>) -> Work + Clone + Send + Sync + 'static,
{
    let run = move |params, context, finish| run(T::from_call(params, context), finish);
    start(Parameters::Spec, read_json, &output, run)
}

/// A call with the free text of a custom tool.
pub fn text_call<T, R, D, F>(output: Output<R, D>, run: F) -> Call<T, D, F>
where
    T: TextArgument,
    D: 'static,
    F: FnOnce(T, <T as Known<IsText>>::Context, Finish<D>) -> Work + Send + 'static,
{
    start(Parameters::Spec, |text| Ok(T::from_text(text)), &output, run)
}

fn start<P, R, D, F>(parameters: Parameters, read: Read<P>, output: &Output<R, D>, run: F) -> Call<P, D, F> {
    Call { details: PhantomData, parameters, read, run, output_schema: output.schema }
}
