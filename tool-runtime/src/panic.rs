//! Keeps a panic of code that others wrote from reaching any other.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;

/// Runs `work`; a panic becomes its message.
///
/// What the closure borrows may be left half changed by a panic. Callers pass the tool's own values only, which nobody
/// looks at afterwards.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(taken)
}

/// Polls `future` to its end; a panic becomes its message. Dropping is cancelling.
pub(crate) fn caught_future<T>(
    future: &mut Pin<Box<dyn Future<Output = T> + Send + '_>>,
) -> impl Future<Output = Result<T, String>> {
    poll_fn(move |context| {
        // Put into its place from within, since a large value is moved again by each closure that returns it.
        let mut done = None;
        let polled = caught(|| {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                done = Some(value);
            }
        });
        match polled {
            Err(message) => Poll::Ready(Err(message)),
            Ok(()) => done.map_or(Poll::Pending, |value| Poll::Ready(Ok(value))),
        }
    })
}

/// The text of what was thrown; that of `panic!` is a `&str` or a `String`.
pub(crate) fn taken(payload: Box<dyn Any + Send>) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
        .to_owned();
    // What was thrown may itself panic when it is dropped. What that throws is left alone, since it may do so again.
    if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
        std::mem::forget(again);
    }
    text
}
