//! What an argument of a tool may be. Traits decide, never the spelling of a type.
//!
//! Where a trait has a blanket implementation it has a marker parameter too, which is inferred, and a second implementation
//! that never applies. With two to choose from, the compiler reports a type that does not fit by the trait's own sentence,
//! and leaves the associated types unknown, so that nothing behind it adds a message.

use std::marker::PhantomData;

use serde::de::DeserializeOwned;

use crate::context::ToolContext;
use crate::params::ToolParams;
use crate::schema::ParametersSchema;
use crate::tool::{NoParameters, Read, read_text};

use super::call::Parameters;

/// Marks the implementation that counts.
pub struct Fits;

/// Marks the implementation that never applies.
pub struct Never;

/// Nothing implements it.
pub trait Impossible: ToolParams {}

/// Stands for "no mistake so far".
#[derive(Clone, Copy)]
pub struct Checked;

/// Stands for a mistake that was reported.
pub struct Unchecked;

/// One check behind another: what is unknown after the first stays unknown.
pub trait Then<C> {
    type Both;

    fn then(self, next: C) -> Self::Both;
}

impl<C> Then<C> for Checked {
    type Both = C;

    fn then(self, next: C) -> C {
        next
    }
}

/// Says which types can be state: kept by the tool, cloned for each call.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be the state of a tool",
    label = "not `Clone + Send + Sync + 'static`",
    note = "the state is cloned for each call, and calls run on any thread: derive `Clone`, and share what cannot be cloned \
            in an `Arc`, behind a `Mutex` if it changes"
)]
pub trait Keeps<T, M> {
    type Kept;
    type Checked;

    const CHECKED: Self::Checked;
}

/// What keeps the state.
pub struct Keeper;

#[diagnostic::do_not_recommend]
impl<T: Clone + Send + Sync + 'static> Keeps<T, Fits> for Keeper {
    type Kept = T;
    type Checked = Checked;

    const CHECKED: Checked = Checked;
}

#[diagnostic::do_not_recommend]
impl<T: Impossible> Keeps<T, Never> for Keeper {
    type Kept = T;
    type Checked = Checked;

    const CHECKED: Checked = Checked;
}

/// State of a type that can be state.
pub struct StateOf<K, C> {
    checked: C,
    kept: PhantomData<fn(K)>,
}

/// The state's type, if it can be one.
#[must_use]
pub fn state<T, M>() -> StateOf<<Keeper as Keeps<T, M>>::Kept, <Keeper as Keeps<T, M>>::Checked>
where
    Keeper: Keeps<T, M>,
{
    StateOf { checked: Keeper::CHECKED, kept: PhantomData }
}

impl<K, C> StateOf<K, C> {
    /// The state itself, and whether all was well so far.
    pub fn keep<B: Then<C>>(self, so_far: B, state: K) -> (K, B::Both) {
        (state, so_far.then(self.checked))
    }
}

/// The context, as the argument of type `C`.
#[diagnostic::on_unimplemented(
    message = "`{C}` cannot be the context of a tool",
    label = "not the context of a call",
    note = "a tool takes state marked `#[state]`, then one parameters struct, then a `ToolContext`"
)]
pub trait GiveContext<C> {
    fn give(self) -> C;
}

#[diagnostic::do_not_recommend]
impl GiveContext<Self> for ToolContext {
    fn give(self) -> Self {
        self
    }
}

/// The context, if the argument can be one.
pub fn context<C, X: GiveContext<C>>(context: X) -> C {
    context.give()
}

/// A parameters struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the parameters of a tool",
    label = "not a parameters struct",
    note = "parameters are one JSON object: use a struct with named fields and \
            `#[derive(Deserialize, JsonSchema, ToolParams)]`",
    note = "mark single values `#[param]`, and what the tool keeps for all calls `#[state]`"
)]
pub trait Params<M> {
    type Params: ToolParams;
    type Context: From<ToolContext>;
    type Checked;
}

impl<P: ToolParams> Params<Fits> for P {
    type Params = P;
    type Checked = Checked;
    type Context = ToolContext;
}

impl<P: Impossible> Params<Never> for P {
    type Params = P;
    type Checked = Checked;
    type Context = ToolContext;
}

/// What fits a raw schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool with a `schema`",
    label = "not `Deserialize + Send + 'static`",
    note = "derive `Deserialize`, without borrowed fields, or take a `serde_json::Value`; a context comes behind it"
)]
pub trait RawParams<M> {
    type Params: DeserializeOwned + Send + 'static;
    type Context: From<ToolContext>;
    type Checked;
}

impl<P: DeserializeOwned + Send + 'static> RawParams<Fits> for P {
    type Params = P;
    type Checked = Checked;
    type Context = ToolContext;
}

impl<P: Impossible> RawParams<Never> for P {
    type Params = P;
    type Checked = Checked;
    type Context = ToolContext;
}

/// The argument of a free-text tool.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take the free text of a tool",
    label = "not a `String`",
    note = "a tool with `input = text` gets what the model wrote as a `String`; a context comes behind it"
)]
pub trait TextParams {
    type Params: Send + 'static;
    type Context: From<ToolContext>;
    type Checked;

    const READ: Read<Self::Params>;

    /// What a label shows of it; a label knows its type whatever the author wrote.
    fn text(params: &Self::Params) -> &String;
}

impl TextParams for String {
    type Params = String;
    type Checked = Checked;
    type Context = ToolContext;

    const READ: Read<String> = read_text;

    fn text(params: &String) -> &String {
        params
    }
}

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
    type Checked;

    fn parameters() -> Parameters;
    fn from_call(params: Self::Params, context: ToolContext) -> Self;
}

impl<P: ToolParams> Argument<Fits> for P {
    type Params = P;
    type Checked = Checked;

    fn parameters() -> Parameters {
        Parameters::Type(ParametersSchema::of::<P>)
    }

    fn from_call(params: P, _: ToolContext) -> P {
        params
    }
}

/// Marks the context as the single argument.
pub struct OnlyContext;

#[diagnostic::do_not_recommend]
impl Argument<OnlyContext> for ToolContext {
    type Params = NoParameters;
    type Checked = Checked;

    fn parameters() -> Parameters {
        Parameters::None
    }

    fn from_call(_: NoParameters, context: ToolContext) -> Self {
        context
    }
}

impl<P: Impossible> Argument<Never> for P {
    type Params = P;
    type Checked = Checked;

    fn parameters() -> Parameters {
        Parameters::None
    }

    fn from_call(params: P, _: ToolContext) -> P {
        params
    }
}
