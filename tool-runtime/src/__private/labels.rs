//! Labels of attributed tools.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::label::{IntoLabel, LabelText, LabelValue};
use crate::tool::Activity;

/// Makes a label from the details of a call that worked.
pub(super) type Completed<D> = Box<dyn FnOnce(&D) -> Option<String> + Send>;

/// The label to make when the call has worked, if anybody wants one.
pub(super) type Finish<D> = Option<Completed<D>>;

/// Both labels of a tool.
pub struct Labels<P, D> {
    /// Before the call.
    pub activity: Label<P>,
    /// After it; made in two steps, since the call consumes the parameters.
    pub completed: Option<fn(&P, DetailsType<D>) -> Completed<D>>,
}

/// The label before a call.
pub enum Label<P> {
    /// The author gave none.
    Generic,
    /// `activity = none`.
    Hidden,
    /// From the parameters.
    Made(fn(&P) -> Option<String>),
}

impl<P, D> Labels<P, D> {
    pub(super) fn activity(&self, params: &P) -> Activity {
        match self.activity {
            Label::Generic => Activity::Generic,
            Label::Hidden => Activity::Hidden,
            Label::Made(make) => {
                guarded(|| make(params)).flatten().map_or(Activity::Generic, Activity::Label)
            }
        }
    }

    pub(super) fn finish(&self, params: &P) -> Finish<D> {
        let make = self.completed?;
        guarded(|| make(params, DetailsType(PhantomData)))
    }
}

/// The label after a call.
pub(super) fn complete<D>(finish: Completed<D>, details: &D) -> Option<String> {
    guarded(|| finish(details)).flatten()
}

/// A label that panics is left out; it never fails the call. Nothing that it could leave half-done is used again.
fn guarded<T>(make: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(make)).ok()
}

/// Tells a closure the type of the details, before its body is read.
pub struct DetailsType<D>(PhantomData<fn(D)>);

impl<D> DetailsType<D> {
    pub fn label<F: FnOnce(&D) -> Option<String> + Send + 'static>(self, make: F) -> Completed<D> {
        Box::new(make)
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
    label.finish().unwrap_or_default()
}

/// A copy of the parameters for a label function, which gets them when the call has consumed them.
pub fn clone_for_label<P: LabelParams>(params: &P) -> P {
    params.clone()
}

/// Parameters that a label function may see after the call.
#[diagnostic::on_unimplemented(
    message = "a `completed_activity` function needs parameters that are `Clone`",
    label = "takes `&{Self}` after the call has consumed it",
    note = "derive `Clone` for `{Self}`, or write a text with `{{fields}}`"
)]
pub trait LabelParams: Clone + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<P: Clone + Send + 'static> LabelParams for P {}
