//! From the arguments of a call to the future that answers it.
//!
//! Each function holds one bound that an author can miss, and the macros blame it on the author's tokens.

use std::marker::PhantomData;

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::schema::ParametersSchema;
use crate::tool::{CompletedLabel, NoParameters, Read, Work, read_json};

use super::argument::{Argument, Checked, Params, RawParams, TextParams};
use super::output::{Finish, Output};

/// How a tool reads its arguments and runs.
pub struct Call<P, D, F, S> {
    pub(super) parameters: Parameters,
    pub(super) read: Read<P>,
    /// Calls the closure that the macro wrote; the closure's own bounds end here.
    pub(super) start: S,
    pub(super) run: F,
    pub(super) output_schema: fn() -> Option<serde_json::Value>,
    /// What the work takes.
    pub(super) takes: PhantomData<fn(P, D)>,
}

/// Makes the work of a call from the author's closure. A type of its own for each call, so that the arguments go straight
/// through it.
pub trait Start<P, D, F>:
    Fn(F, P, ToolContext, Option<CompletedLabel<D>>) -> Work + Send + Sync + 'static
{
}

impl<P, D, F, S> Start<P, D, F> for S where
    S: Fn(F, P, ToolContext, Option<CompletedLabel<D>>) -> Work + Send + Sync + 'static
{
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
pub fn call_of_none<R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<NoParameters, D, F, impl Start<NoParameters, D, F>>
where
    F: FnOnce(Finish<Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::None,
        read: read_json,
        start: |run: F, NoParameters {}, _, label| run(Finish::new(label)),
        run,
        output_schema: output.schema,
        takes: PhantomData,
    }
}

/// A call with one argument, which may be parameters or the context.
pub fn call_of_one<T, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<T::Params, D, F, impl Start<T::Params, D, F>>
where
    T: Argument<M>,
    F: FnOnce(T, Finish<T::Checked, D>) -> Work,
{
    Call {
        parameters: T::parameters(),
        read: read_json,
        start: |run: F, params, context: ToolContext, label| {
            run(T::from_call(params, context), Finish::new(label))
        },
        run,
        output_schema: output.schema,
        takes: PhantomData,
    }
}

/// A call with parameters, and with a context or not.
pub fn call<P, M, R, D, F>(output: Output<R, D>, run: F) -> Call<P::Params, D, F, impl Start<P::Params, D, F>>
where
    P: Params<M>,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Type(ParametersSchema::of::<P::Params>),
        read: read_json,
        start: |run: F, params, context: ToolContext, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
        takes: PhantomData,
    }
}

/// [`call`] under a raw schema.
pub fn raw_call<P, M, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<P::Params, D, F, impl Start<P::Params, D, F>>
where
    P: RawParams<M>,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Spec,
        read: read_json,
        start: |run: F, params, context: ToolContext, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
        takes: PhantomData,
    }
}

/// [`call`] with free text.
pub fn text_call<P, R, D, F>(
    output: Output<R, D>,
    run: F,
) -> Call<P::Params, D, F, impl Start<P::Params, D, F>>
where
    P: TextParams,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Spec,
        read: P::READ,
        start: |run: F, params, context: ToolContext, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
        takes: PhantomData,
    }
}
