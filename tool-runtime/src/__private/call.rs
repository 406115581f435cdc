//! How a call gets from its arguments to the author's function: one function for each shape that a tool can have.
//!
//! Each function holds one bound that an author can miss, and the macros blame it on the author's tokens.

use std::sync::Arc;

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::schema::ParametersSchema;
use crate::tool::{NoParameters, Prepare, Work, prepare, read_json};

use super::argument::{Argument, Checked, Params, RawParams, TextParams};
use super::labels::Labels;
use super::output::{Finish, Output};

/// How a tool reads its arguments and runs. The author's types end here, so that what they do not fit is told once.
pub struct Call {
    pub(super) parameters: Parameters,
    pub(super) prepare: Arc<Prepare>,
    pub(super) output_schema: fn() -> Option<serde_json::Value>,
}

/// Where the parameters of a tool come from.
#[derive(Clone, Copy)]
pub enum Parameters {
    /// There are none.
    None,
    /// A type.
    Type(fn() -> Result<ParametersSchema, Vec<SchemaProblem>>),
    /// The attribute's `schema`, or the free text that it asks for.
    Spec,
}

/// A call without arguments.
pub fn call_of_none<R, D, F>(output: Output<R, D>, run: F, labels: fn() -> Labels<NoParameters, D>) -> Call
where
    D: 'static,
    F: FnOnce(Finish<Checked, D>) -> Work + Clone + Send + Sync + 'static,
{
    let start = move |NoParameters {}, _, label| run.clone()(Finish::new(label));
    Call {
        parameters: Parameters::None,
        prepare: prepare(read_json, move |params| labels().of(params), start),
        output_schema: output.schema,
    }
}

/// A call with one argument, which may be parameters or the context.
pub fn call_of_one<T, M, R, D, F>(output: Output<R, D>, run: F, labels: fn() -> Labels<T::Params, D>) -> Call
where
    T: Argument<M>,
    D: 'static,
    F: FnOnce(T, Finish<T::Checked, D>) -> Work + Clone + Send + Sync + 'static,
{
    let start = move |params, context: ToolContext, label| {
        run.clone()(T::from_call(params, context), Finish::new(label))
    };
    Call {
        parameters: T::parameters(),
        prepare: prepare(read_json, move |params| labels().of(params), start),
        output_schema: output.schema,
    }
}

/// A call with parameters, and with a context or not.
pub fn call<P, M, R, D, F>(output: Output<R, D>, run: F, labels: fn() -> Labels<P::Params, D>) -> Call
where
    P: Params<M>,
    D: 'static,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work + Clone + Send + Sync + 'static,
{
    let start =
        move |params, context: ToolContext, label| run.clone()(params, context.into(), Finish::new(label));
    Call {
        parameters: Parameters::Type(ParametersSchema::of::<P::Params>),
        prepare: prepare(read_json, move |params| labels().of(params), start),
        output_schema: output.schema,
    }
}

/// [`call`] under a raw schema.
pub fn raw_call<P, M, R, D, F>(output: Output<R, D>, run: F, labels: fn() -> Labels<P::Params, D>) -> Call
where
    P: RawParams<M>,
    D: 'static,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work + Clone + Send + Sync + 'static,
{
    let start =
        move |params, context: ToolContext, label| run.clone()(params, context.into(), Finish::new(label));
    Call {
        parameters: Parameters::Spec,
        prepare: prepare(read_json, move |params| labels().of(params), start),
        output_schema: output.schema,
    }
}

/// [`call`] with free text.
pub fn text_call<P, R, D, F>(output: Output<R, D>, run: F, labels: fn() -> Labels<String, D>) -> Call
where
    P: TextParams,
    D: 'static,
    F: FnOnce(P::Params, P::Context, Finish<P::Checked, D>) -> Work + Clone + Send + Sync + 'static,
{
    let start =
        move |params, context: ToolContext, label| run.clone()(params, context.into(), Finish::new(label));
    Call {
        parameters: Parameters::Spec,
        prepare: prepare(P::READ, move |params| labels().of(P::text(params)), start),
        output_schema: output.schema,
    }
}
