//! From what a tool returns to the output of its call.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use pin_project_lite::pin_project;

use crate::call::CallError;
use crate::output::{CallOutput, IntoToolOutput};
use crate::tool::{CompletedLabel, Work, finish};

use super::argument::{Checked, Then, Unchecked};

/// What the end of a call needs: the label to make, if anybody wants one. `C` is known if the arguments fit.
pub struct Finish<C, D> {
    label: Option<CompletedLabel<D>>,
    checked: PhantomData<C>,
}

impl<C, D> Finish<C, D> {
    pub(super) fn new(label: Option<CompletedLabel<D>>) -> Self {
        Self { label, checked: PhantomData }
    }
}

/// How the type `R`, whose details are `D`, becomes the output of a call.
pub struct Output<R, D> {
    finish: fn(R, Option<CompletedLabel<D>>) -> Result<CallOutput, CallError>,
    pub(super) schema: fn() -> Option<serde_json::Value>,
}

impl<R, D> Clone for Output<R, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R, D> Copy for Output<R, D> {}

/// The output of a tool that returns `R`, if that can be one.
#[must_use]
pub fn output<R: IntoToolOutput>() -> Output<R, R::Details> {
    Output { finish: |returned, label| finish(returned.into_tool_output(), label), schema: R::output_schema }
}

/// A future that can be sent between threads, once state and arguments were checked.
pub trait Sends<C>: Future + Sized {
    fn run<D: 'static>(self, output: Output<Self::Output, D>, label: Option<CompletedLabel<D>>) -> Work;
}

impl<F: Future + Send + 'static> Sends<Checked> for F {
    fn run<D: 'static>(self, output: Output<F::Output, D>, label: Option<CompletedLabel<D>>) -> Work {
        Box::pin(Finishing { future: self, output, label })
    }
}

pin_project! {
    // The work of a call. An `async` block would hold the author's future twice, and move it when it is first polled.
    struct Finishing<F: Future, D> {
        #[pin]
        future: F,
        output: Output<F::Output, D>,
        label: Option<CompletedLabel<D>>,
    }
}

impl<F: Future, D> Future for Finishing<F, D> {
    type Output = Result<CallOutput, CallError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let returned = ready!(this.future.poll(context));
        Poll::Ready((this.output.finish)(returned, this.label.take()))
    }
}

/// Where state or arguments do not fit, it is they that the future holds, and they are reported already: then this
/// implementation applies, in a program that is not built.
impl<F: Future> Sends<Unchecked> for F {
    fn run<D: 'static>(self, _: Output<F::Output, D>, _: Option<CompletedLabel<D>>) -> Work {
        Box::pin(std::future::pending())
    }
}

/// The work of a call, if its future can be sent between threads. What was checked comes first, so that it is known when the
/// future is looked at.
pub fn run<F, S, C, D>(_state: S, finish: Finish<C, D>, future: F, output: Output<F::Output, D>) -> Work
where
    F: Sends<S::Both>,
    S: Then<C>,
    D: 'static,
{
    future.run(output, finish.label)
}
