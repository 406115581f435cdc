//! A command from its start to its end.

use std::collections::HashSet;
use std::io::{self, ErrorKind, PipeReader, Read as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};

use super::super::super::sandbox::SandboxReport;
use super::super::capture::Capture;
use super::super::launch::{self, Launched};
use super::super::limit::{ProcessLimit, limit};
use super::super::mark::Mark;
use super::super::members::Members;
use super::super::temporary::TemporaryFolder;
use super::channel::Channel;
use super::control::{Asked, Control, Target};
use super::first::First;
use super::phase::{Phase, Stop, Why};
use super::{Ended, Failure, Order};

/// How long what the shell left running may go on writing, once the shell has ended.
const LINGER: Duration = Duration::from_millis(250);
/// The time between two looks for what is left running.
const LOOK: Duration = Duration::from_millis(10);
/// The most that a cancelled command gets to end by itself. Dispatch gives a cancelled call a second by default.
const CANCEL_GRACE: Duration = Duration::from_millis(500);
/// How long killing may take.
const KILLING: Duration = Duration::from_secs(2);
/// The most that is read in one go.
const CHUNK: usize = 64 * 1024;
/// How many chunks are read before other things are looked at.
const CHUNKS: usize = 16;

/// What `timeout` gives for a command that ended when asked to.
const TIMED_OUT: i32 = 124;
/// 128 and KILL.
const KILLED: i32 = 137;

/// A started command. Dropped, it is killed.
pub(super) struct Running {
    control: Arc<Control>,
    first: First,
    target: Target,
    limit: ProcessLimit,
    output: Option<PipeReader>,
    channel: Channel,
    capture: Option<Capture>,
    sandbox: SandboxReport,
    started: Instant,
    timeout: Duration,
    grace: Duration,
    phase: Phase,
    stop: Option<Stop>,
    has_ended: bool,
    /// Removed when the rest is gone.
    _temporary: Option<TemporaryFolder>,
}

impl Running {
    /// Starts a command. It begins once limits and mark are set and the waiting side can kill it.
    pub(super) fn start(order: Order, control: Arc<Control>) -> Result<Self, Failure> {
        let started = Instant::now();
        let Launched { child, output, channel } =
            launch::launch(order.sandbox.as_ref(), &order.within).map_err(Failure::Start)?;
        // From here on, until it is part of the command, the first process is killed when it is dropped.
        let first = First::new(child).map_err(Failure::Start)?;
        let mut channel = Channel::new(channel).map_err(Failure::Start)?;
        rustix::io::ioctl_fionbio(&output, true).map_err(|error| Failure::Start(error.into()))?;
        let mark = Mark::new();
        mark.put(first.pid).map_err(Failure::Start)?;
        let (limit, group) = limit(first.pid, order.processes);
        let target = Target { first: first.pid, members: Members { mark, group } };
        *control.target() = Some(target.clone());
        channel.send(launch::OPEN);
        channel.send(order.prologue.as_bytes());
        Ok(Self {
            control,
            first,
            target,
            limit,
            output: Some(output),
            channel,
            capture: Some(order.capture),
            sandbox: order.sandbox.report(),
            started,
            timeout: order.timeout,
            grace: order.grace,
            phase: Phase::Starting,
            stop: None,
            has_ended: false,
            _temporary: order.temporary,
        })
    }

    /// Waits for the end, and kills what is left then.
    pub(super) fn finish(mut self) -> Result<Ended, Failure> {
        let is_killed = self.watch()?;
        let left_running = match (&self.phase, self.stop) {
            (Phase::Over { around, .. }, None) => self.members_but(around).len(),
            _ => 0,
        };
        let duration = match self.phase {
            Phase::Over { since, .. } if self.stop.is_none() => since - self.started,
            _ => self.started.elapsed(),
        };
        let survivors = self.end();
        self.read_output();
        let timed_out = match self.stop.map(|stop| stop.why) {
            Some(Why::Cancelled) => return Err(Failure::Cancelled),
            Some(Why::Timeout) => true,
            None => false,
        };
        let code = match self.phase {
            _ if timed_out && is_killed => KILLED,
            _ if timed_out => TIMED_OUT,
            Phase::Over { code, .. } => code,
            Phase::Starting | Phase::Working { .. } => KILLED,
        };
        let Some(capture) = self.capture.take() else { return Err(Failure::Cancelled) };
        Ok(Ended {
            code,
            duration,
            timed_out,
            left_running,
            survivors,
            output: capture.finish(),
            sandbox: self.sandbox,
            limit: self.limit,
        })
    }

    /// Goes on until nothing of the command runs, or what does is to be killed; whether it had its chance to end.
    fn watch(&mut self) -> Result<bool, Failure> {
        loop {
            self.wait().map_err(Failure::Start)?;
            self.read_output();
            self.listen()?;
            self.heed()?;
            let now = Instant::now();
            if self.stop.is_some_and(|stop| now >= stop.kill_at) {
                return Ok(true);
            }
            if let Phase::Over { around, since, .. } = &self.phase {
                let may_linger = self.stop.is_some() || (self.output.is_some() && now < *since + LINGER);
                if !may_linger || self.members_but(around).is_empty() {
                    return Ok(false);
                }
            }
        }
    }

    /// Waits until something happened or is due.
    fn wait(&self) -> io::Result<()> {
        let mut events = vec![PollFd::new(self.control.woken(), PollFlags::IN)];
        if let Some(output) = &self.output {
            events.push(PollFd::new(output, PollFlags::IN));
        }
        events.extend(self.first.end().map(|end| PollFd::new(end, PollFlags::IN)));
        let wants = self.channel.wants();
        if !wants.is_empty() {
            events.push(PollFd::new(&self.channel, wants));
        }
        let now = Instant::now();
        let due = match (&self.phase, self.stop) {
            (Phase::Over { .. }, _) => Some(now + LOOK),
            (_, Some(stop)) => Some(stop.kill_at),
            (_, None) => self.started.checked_add(self.timeout),
        };
        let left = due.map(|due| due.saturating_duration_since(now));
        let left = left.and_then(|left| {
            Some(Timespec { tv_sec: left.as_secs().try_into().ok()?, tv_nsec: left.subsec_nanos().into() })
        });
        match poll(&mut events, left.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads what came, a bounded amount of it.
    fn read_output(&mut self) {
        let mut bytes = [0; CHUNK];
        for _ in 0..CHUNKS {
            let (Some(output), Some(capture)) = (&mut self.output, &mut self.capture) else { return };
            match output.read(&mut bytes) {
                Ok(count) if count > 0 => capture.push(bytes.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) | Err(_) => self.output = None,
            }
        }
    }

    /// Takes what the inner shell said, and the end of the first process.
    fn listen(&mut self) -> Result<(), Failure> {
        self.channel.advance();
        while let Some(line) = self.channel.line() {
            match (&self.phase, line.parse()) {
                (Phase::Starting, _) if line == launch::READY => {
                    let around = self.target.members.all();
                    self.phase = Phase::Working { around };
                    self.channel.send(b"\n");
                    self.channel.advance();
                }
                (Phase::Working { .. }, Ok(code)) => self.phase.end(code),
                _ => {}
            }
        }
        match self.first.ended() {
            Some(_) if matches!(self.phase, Phase::Starting) => Err(self.sandbox_failed()),
            // It may be that the command killed the shells around it.
            Some(code) => {
                self.phase.end(code);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Does what the waiting side wants, and what is due.
    fn heed(&mut self) -> Result<(), Failure> {
        match self.control.asked() {
            Asked::ToVanish => return Err(Failure::Cancelled),
            Asked::ToCancel if self.stop.is_none_or(|stop| stop.why != Why::Cancelled) => {
                self.stop(Why::Cancelled, self.grace.min(CANCEL_GRACE));
            }
            Asked::ToCancel | Asked::Nothing => {}
        }
        let is_over = matches!(self.phase, Phase::Over { .. });
        if self.stop.is_none() && !is_over && self.started.elapsed() >= self.timeout {
            self.stop(Why::Timeout, self.grace);
        }
        Ok(())
    }

    /// Asks all programs of the command to end.
    fn stop(&mut self, why: Why, grace: Duration) {
        let grace = match &self.phase {
            Phase::Starting => Duration::ZERO,
            Phase::Working { around } | Phase::Over { around, .. } => {
                // All hear it at once: a shell whose child ended first would go on to its next command.
                let members = self.members_but(around);
                for signal in [Signal::STOP, Signal::TERM, Signal::CONT] {
                    for process in &members {
                        let _ = self.target.members.signal(*process, signal);
                    }
                }
                grace
            }
        };
        let now = Instant::now();
        self.stop = Some(Stop { why, kill_at: now.checked_add(grace).unwrap_or(now) });
    }

    /// The processes of the command without those around it.
    fn members_but(&self, around: &HashSet<Pid>) -> HashSet<Pid> {
        self.target.members.all().difference(around).copied().collect()
    }

    fn sandbox_failed(&mut self) -> Failure {
        self.read_output();
        let words = self.capture.take().map(|capture| capture.finish().text).unwrap_or_default();
        Failure::Sandbox(words)
    }

    /// Kills all that runs, waits until it is gone, and gives how many could not be killed.
    fn end(&mut self) -> usize {
        if std::mem::replace(&mut self.has_ended, true) {
            return 0;
        }
        self.target.kill_once();
        let survivors = self.target.members.kill_all(KILLING);
        // From here on the number of the first process may be another's.
        *self.control.target() = None;
        match survivors {
            0 => self.first.wait(),
            _ => self.first.give_up(),
        }
        survivors
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}
