//! What an argument of a tool may be. Traits decide, never the spelling of a type.

use serde::de::DeserializeOwned;

use crate::context::ToolContext;
use crate::params::ToolParams;
use crate::schema::ParametersSchema;
use crate::tool::NoParameters;

use super::call::Parameters;

/// State: kept by the tool, cloned for each call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the state of a tool",
    label = "not `Clone + Send + Sync + 'static`",
    note = "the state is cloned for each call, and calls run on any thread: derive `Clone`, and share what cannot be cloned \
            in an `Arc`, behind a `Mutex` if it changes"
)]
pub trait State {
    /// The state itself.
    type Kept: Clone + Send + Sync + 'static;

    fn keep(self) -> Self::Kept;
}

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> State for T {
    type Kept = T;

    fn keep(self) -> T {
        self
    }
}

/// The state, if it can be one.
pub fn state<S: State>(state: S) -> S::Kept {
    state.keep()
}

/// The context, as the argument of type `C`.
#[diagnostic::on_unimplemented(
    message = "`{C}` cannot be the context of a tool",
    label = "not the context of a call",
    note = "the arguments are: state marked `#[state]`, one parameters struct, and a `ToolContext`",
    note = "a tool has one parameters struct; put all parameters into it, or mark each `#[param]`"
)]
pub trait GiveContext<C> {
    fn give(self) -> C;
}

impl GiveContext<Self> for ToolContext {
    fn give(self) -> Self {
        self
    }
}

/// The context, if it can be one.
pub fn context<X: GiveContext<C>, C>(context: X) -> C {
    context.give()
}

/// Parameters that fit their kind of tool. Where they do not, the type of the context stays unknown, and only the
/// parameters are reported.
pub trait Known<M> {
    type Context;
}

impl<P: ToolParams> Known<IsParams> for P {
    type Context = ToolContext;
}

impl<P: RawParams> Known<IsRaw> for P {
    type Context = ToolContext;
}

impl<T: TextArgument> Known<IsText> for T {
    type Context = ToolContext;
}

/// Marks parameters.
pub struct IsParams;

/// Marks parameters under a raw schema.
pub struct IsRaw;

/// Marks the free text of a custom tool.
pub struct IsText;

/// Marks the context.
pub struct IsContext;

/// What fits a raw schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool with a `schema`",
    label = "not `Deserialize + Send + 'static`",
    note = "derive `Deserialize`, without borrowed fields, or take a `serde_json::Value`"
)]
pub trait RawParams: DeserializeOwned + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<P: DeserializeOwned + Send + 'static> RawParams for P {}

/// A single argument without a mark.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the parameters or the context of a tool",
    label = "neither parameters nor context",
    note = "parameters are one JSON object: use a struct with named fields and \
            `#[derive(Deserialize, JsonSchema, ToolParams)]`",
    note = "mark single values `#[param]`, and what the tool keeps for all calls `#[state]`"
)]
pub trait Argument<M>: Sized {
    type Params: DeserializeOwned + Send + 'static;

    fn parameters() -> Parameters;
    fn from_call(params: Self::Params, context: ToolContext) -> Self;
}

#[diagnostic::do_not_recommend]
impl<P: ToolParams> Argument<IsParams> for P {
    type Params = P;

    fn parameters() -> Parameters {
        Parameters::Type(ParametersSchema::of::<P>)
    }

    fn from_call(params: P, _: ToolContext) -> P {
        params
    }
}

#[diagnostic::do_not_recommend]
impl Argument<IsContext> for ToolContext {
    type Params = NoParameters;

    fn parameters() -> Parameters {
        Parameters::None
    }

    fn from_call(_: NoParameters, context: ToolContext) -> Self {
        context
    }
}

/// A single argument without a mark, under a raw schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool with a `schema`",
    label = "not `Deserialize + Send + 'static`",
    note = "derive `Deserialize`, without borrowed fields, or take a `serde_json::Value`"
)]
pub trait RawArgument<M>: Sized {
    type Params: DeserializeOwned + Send + 'static;

    fn from_call(params: Self::Params, context: ToolContext) -> Self;
}

#[diagnostic::do_not_recommend]
impl<P: RawParams> RawArgument<IsRaw> for P {
    type Params = P;

    fn from_call(params: P, _: ToolContext) -> P {
        params
    }
}

#[diagnostic::do_not_recommend]
impl RawArgument<IsContext> for ToolContext {
    type Params = NoParameters;

    fn from_call(_: NoParameters, context: ToolContext) -> Self {
        context
    }
}

/// The argument of a custom tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take the free text of a tool",
    label = "not a `String`",
    note = "a tool with `input = text` gets what the model wrote as a `String`"
)]
pub trait TextArgument: Send + 'static {
    fn from_text(text: &str) -> Self;
}

impl TextArgument for String {
    fn from_text(text: &str) -> Self {
        text.to_owned()
    }
}
