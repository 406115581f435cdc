//! What a worker does again and again.

use std::time::Duration;

use tool_runtime::CancellationToken;

use super::StateError;

/// How long it waits for a database that is away.
pub(crate) const AGAIN: Duration = Duration::from_secs(1);

/// Does something now and then until `stop` fires, whatever comes of it.
pub(crate) async fn every<F>(
    time: Duration,
    stop: &CancellationToken,
    problem: impl Fn(StateError),
    work: impl Fn() -> F,
) where
    F: Future<Output = Result<(), StateError>>,
{
    loop {
        if let Err(error) = work().await {
            problem(error);
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(time) => {}
        }
    }
}

/// Tries something until the database answers.
///
/// # Errors
///
/// The last one, once `stop` has fired.
pub(crate) async fn until_it_answers<T, F>(
    stop: &CancellationToken,
    problem: impl Fn(StateError),
    work: impl Fn() -> F,
) -> Result<T, StateError>
where
    F: Future<Output = Result<T, StateError>>,
{
    loop {
        match work().await {
            Err(error) if !stop.is_cancelled() => problem(error),
            answer => return answer,
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(AGAIN) => {}
        }
    }
}
