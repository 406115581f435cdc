//! Waits for work that is shown while it goes on and can be stopped.

use std::io;
use std::task::Poll;

use tool_runtime::{CancellationToken, EventReceiver};

use crate::failure::Failure;
use crate::person::Person;
use crate::screen::Screen;

/// Runs a command's work, with threads for tools that run side by side.
///
/// # Errors
///
/// When the threads cannot be had.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let output = runtime.block_on(work);
    // Blocking work that could not be stopped was reported; it must not keep the program.
    runtime.shutdown_background();
    Ok(output)
}

/// Waits for `work` and shows what happens meanwhile. Ctrl-C, and the signal to end, cancel it.
///
/// # Errors
///
/// When nothing can be shown, or signals cannot be had; the work is then dropped.
pub(crate) async fn attend<T>(
    work: impl Future<Output = T>,
    mut events: EventReceiver,
    mut person: Option<Person<'_>>,
    screen: &mut Screen,
    cancel: &CancellationToken,
) -> Result<T, Failure> {
    tokio::pin!(work);
    let mut stop = Stop::listen()?;
    let done = loop {
        tokio::select! {
            biased;
            Some(event) = events.next() => screen.event(&event)?,
            () = stop.asked(), if !cancel.is_cancelled() => cancel.cancel(),
            done = &mut work => break done,
            Some(shown) = attend_to(&mut person, screen) => shown?,
        }
    };
    while let Some(event) = events.try_next() {
        screen.event(&event)?;
    }
    screen.rest()?;
    Ok(done)
}

/// Runs `work` until it is done. Ctrl-C, and the signal to end, cancel it.
///
/// # Errors
///
/// When signals cannot be had.
pub(crate) async fn until_stopped<T>(
    work: impl Future<Output = T>,
    cancel: &CancellationToken,
) -> Result<T, Failure> {
    tokio::pin!(work);
    let mut stop = Stop::listen()?;
    loop {
        tokio::select! {
            () = stop.asked(), if !cancel.is_cancelled() => cancel.cancel(),
            done = &mut work => return Ok(done),
        }
    }
}

/// Waits for the person, if there is one.
async fn attend_to(person: &mut Option<Person<'_>>, screen: &mut Screen) -> Option<io::Result<()>> {
    person.as_mut()?.attend(screen).await
}

/// Hears when the program is asked to stop: by Ctrl-C, or by the signals that end programs.
pub(crate) struct Stop {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 3],
    #[cfg(windows)]
    signals: [tokio::signal::windows::CtrlC; 1],
}

impl Stop {
    /// Listens from now on.
    ///
    /// # Errors
    ///
    /// When signals cannot be had.
    pub(crate) fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let [interrupt, terminate, hang_up] =
                [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal);
            Ok(Self { signals: [interrupt?, terminate?, hang_up?] })
        }
        #[cfg(windows)]
        Ok(Self { signals: [tokio::signal::windows::ctrl_c()?] })
    }

    /// Returns once it was asked.
    pub(crate) async fn asked(&mut self) {
        std::future::poll_fn(|context| {
            let mut asked = self.signals.iter_mut().map(|signal| signal.poll_recv(context));
            if asked.any(|asked| asked.is_ready()) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}
