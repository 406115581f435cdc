//! From the arguments of a call to the future that answers it.
//!
//! Each function holds one bound that an author can miss, and the macros blame it on the author's tokens.

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::schema::ParametersSchema;
use crate::tool::{CompletedLabel, NoParameters, Read, Work, read_json};

use super::argument::{Argument, Checked, Params, RawParams, TextParams};
use super::output::{Finish, Output};

/// How a tool reads its arguments and runs.
pub struct Call<P, D, F> {
    pub(super) parameters: Parameters,
    pub(super) read: Read<P>,
    /// Calls the closure that the macro wrote; the closure's own bounds end here.
    pub(super) start: Start<P, D, F>,
    pub(super) run: F,
    pub(super) output_schema: fn() -> Option<serde_json::Value>,
}

type Start<P, D, F> = fn(F, P, ToolContext, Option<CompletedLabel<D>>) -> Work;

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
    F: FnOnce(Finish<Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::None,
        read: read_json,
        start: |run, NoParameters {}, _, label| run(Finish::new(label)),
        run,
        output_schema: output.schema,
    }
}

/// A call with one argument, which may be parameters or the context.
pub fn call_of_one<T, M, R, D, F>(output: Output<R, D>, run: F) -> Call<T::Params, D, F>
where
    T: Argument<M>,
    F: FnOnce(T, Finish<T::Checked, D>) -> Work,
{
    Call {
        parameters: T::parameters(),
        read: read_json,
        start: |run, params, context, label| run(T::from_call(params, context), Finish::new(label)),
        run,
        output_schema: output.schema,
    }
}

/// A call with parameters, and with a context or not.
pub fn call<P, M, R, D, F>(output: Output<R, D>, run: F) -> Call<P::Params, D, F>
where
    P: Params<M>,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Type(ParametersSchema::of::<P::Params>),
        read: read_json,
        start: |run, params, context, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
    }
}

/// [`call`] under a raw schema.
pub fn raw_call<P, M, R, D, F>(output: Output<R, D>, run: F) -> Call<P::Params, D, F>
where
    P: RawParams<M>,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Spec,
        read: read_json,
        start: |run, params, context, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
    }
}

/// [`call`] with free text.
pub fn text_call<P, R, D, F>(output: Output<R, D>, run: F) -> Call<P::Params, D, F>
where
    P: TextParams,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work,
{
    Call {
        parameters: Parameters::Spec,
        read: P::READ,
        start: |run, params, context, label| run(params, context.into(), Finish::new(label)),
        run,
        output_schema: output.schema,
    }
}
