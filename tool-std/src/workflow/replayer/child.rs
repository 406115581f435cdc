//! The process in which a program is replayed.

use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::exit;
use std::rc::Rc;

use super::wire;
use crate::workflow::program::Replay;

/// How a process ends whose replay panicked: as Rust does it.
pub(super) const PANICKED: i32 = 101;
/// How one ends that was not asked in the right way.
const NOT_ASKED: i32 = 2;
/// The stack of a replay: that of the largest limit, with room for the host.
const STACK: usize = 4 << 20;

/// Replays the program that stands on the first line of standard input, writes down what came of it, and ends.
pub(super) fn serve() -> ! {
    leave_no_core();
    let mut line = Vec::new();
    if io::stdin().lock().read_until(b'\n', &mut line).is_err() {
        exit(NOT_ASKED);
    }
    let Some(asked) = wire::asked(&line) else { exit(NOT_ASKED) };
    // The parent holds the other end. When it is gone nobody waits for the answer.
    let watch = std::thread::Builder::new().name("parent".to_owned());
    let watched = watch.spawn(|| {
        let mut rest = [0; 64];
        while io::stdin().read(&mut rest).is_ok_and(|bytes| bytes > 0) {}
        exit(NOT_ASKED);
    });
    let replay = std::thread::Builder::new().name("replay".to_owned()).stack_size(STACK);
    // It never comes back: whatever is left in the engine is not looked at again.
    let replayed = replay.spawn(move || asked.replay(&(Rc::new(tell) as Rc<dyn Fn(Replay)>)));
    if watched.is_ok()
        && let Ok(replayed) = replayed
    {
        let _ = replayed.join();
        exit(PANICKED);
    }
    exit(NOT_ASKED);
}

/// Writes the answer, and ends.
fn tell(replay: Replay) {
    let mut out = io::stdout().lock();
    let is_told = out.write_all(&wire::answer(&replay)).and_then(|()| out.flush()).is_ok();
    exit(if is_told { 0 } else { NOT_ASKED });
}

/// A crash is expected, and its picture nobody's business.
fn leave_no_core() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    }
}
