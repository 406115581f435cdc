//! Labels of attributed tools.

use std::marker::PhantomData;

use crate::label::{IntoLabel, LabelText, LabelValue};
use crate::tool::{self, Activity, CompletedLabel};

/// Both labels of a tool.
pub struct Labels<P, D> {
    /// Before the call.
    pub activity: Label<P>,
    /// After it; made in two steps, since the call consumes the parameters.
    pub completed: Option<MakeCompleted<P, D>>,
}

type MakeCompleted<P, D> = fn(&P, DetailsType<D>) -> CompletedLabel<D>;

/// The label before a call.
pub enum Label<P> {
    /// The author gave none.
    Generic,
    /// `activity = none`.
    Hidden,
    /// A text with fields.
    Text(fn(&P) -> String),
    /// A function.
    Function(fn(&P) -> Option<String>),
}

impl<P, D> Labels<P, D> {
    pub(super) fn of(&self, params: &P) -> tool::Labels<D> {
        let activity = match self.activity {
            Label::Generic => Activity::Generic,
            Label::Hidden => Activity::Hidden,
            Label::Text(label) => Activity::Label(label(params)),
            Label::Function(label) => label(params).map_or(Activity::Hidden, Activity::Label),
        };
        let completed = self.completed.map(|label| label(params, DetailsType(PhantomData)));
        tool::Labels { activity, completed }
    }
}

/// Tells a closure the type of the details, before its body is read.
pub struct DetailsType<D>(PhantomData<fn(D)>);

impl<D> DetailsType<D> {
    pub fn label<L: IntoLabel>(self, label: impl FnOnce(&D) -> L + Send + 'static) -> CompletedLabel<D> {
        Box::new(move |details| label(details).into_label())
    }
}

/// What a label function returned.
pub fn into_label(label: impl IntoLabel) -> Option<String> {
    label.into_label()
}

/// One value of a label.
pub fn label_value<T: LabelValue + ?Sized>(label: &mut LabelText, value: &T) {
    value.write_label(label);
}

/// One value of a label, to be kept while the call runs.
pub fn label_part<T: LabelValue + ?Sized>(value: &T) -> String {
    let mut label = LabelText::new();
    value.write_label(&mut label);
    label.finish()
}

/// A copy of the parameters for a label function, which gets them when the call has consumed them.
pub fn clone_for_label<P>(params: &P) -> P
where
    Copier: Copies<P>,
{
    Copier::copy(params)
}

/// Copies parameters.
pub struct Copier;

/// Says which parameters a label function may see after the call.
#[diagnostic::on_unimplemented(
    message = "a `completed_activity` function needs parameters that are `Clone`",
    label = "takes `&{P}` when the call has consumed it",
    note = "derive `Clone` for `{P}`, or write a text with `{{fields}}`"
)]
pub trait Copies<P> {
    fn copy(params: &P) -> P;
}

#[diagnostic::do_not_recommend]
impl<P: Clone> Copies<P> for Copier {
    fn copy(params: &P) -> P {
        params.clone()
    }
}
