//! Keeps a panic of one call from reaching another.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use crate::tool::BoxFuture;

/// Runs `work`; a panic becomes its message.
///
/// What the closure borrows may be left half changed by a panic. Callers pass the tool's own values only, which nobody
/// looks at afterwards.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = message(payload.as_ref());
        // What was thrown may itself panic when it is dropped. What that throws is left alone, since it may do so again.
        if let Err(again) = catch_unwind(AssertUnwindSafe(move || drop(payload))) {
            std::mem::forget(again);
        }
        text
    })
}

/// Polls `future` to its end; a panic becomes its message. Dropping is cancelling.
pub(super) async fn caught_future<T>(future: &mut BoxFuture<'_, T>) -> Result<T, String> {
    poll_fn(|context| match caught(|| future.as_mut().poll(context)) {
        Ok(poll) => poll.map(Ok),
        Err(message) => Poll::Ready(Err(message)),
    })
    .await
}

/// The text of a panic; those of `panic!` are `&str` or `String`.
pub(super) fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
