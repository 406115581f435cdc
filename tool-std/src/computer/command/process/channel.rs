//! The socket to the inner shell: what is to be written, and the lines that came.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::PollFlags;

/// The longest line that is believed.
const MAX_LINE: usize = 64;

#[derive(Debug)]
pub(super) struct Channel {
    socket: UnixStream,
    outgoing: Vec<u8>,
    written: usize,
    incoming: Vec<u8>,
    /// The other end is closed.
    is_closed: bool,
}

impl Channel {
    pub(super) fn new(socket: UnixStream) -> io::Result<Self> {
        socket.set_nonblocking(true)?;
        Ok(Self { socket, outgoing: Vec::new(), written: 0, incoming: Vec::new(), is_closed: false })
    }

    pub(super) fn send(&mut self, bytes: &[u8]) {
        self.outgoing.extend_from_slice(bytes);
    }

    /// What to wait for; nothing once it is closed.
    pub(super) fn wants(&self) -> PollFlags {
        match (self.is_closed, self.written < self.outgoing.len()) {
            (true, _) => PollFlags::empty(),
            (false, true) => PollFlags::IN | PollFlags::OUT,
            (false, false) => PollFlags::IN,
        }
    }

    /// Reads and writes what can be without waiting.
    pub(super) fn advance(&mut self) {
        if self.is_closed {
            return;
        }
        if self.try_advance().is_err() {
            // The chain has ended; its process says so too.
            self.is_closed = true;
        }
    }

    fn try_advance(&mut self) -> io::Result<()> {
        while let Some(bytes) = self.outgoing.get(self.written..).filter(|bytes| !bytes.is_empty()) {
            match self.socket.write(bytes) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let mut bytes = [0; MAX_LINE];
        loop {
            match self.socket.read(&mut bytes) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) if self.incoming.len() < 2 * MAX_LINE => {
                    self.incoming.extend(bytes.iter().take(count));
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The next line that came whole.
    pub(super) fn line(&mut self) -> Option<String> {
        let end = self.incoming.iter().position(|byte| *byte == b'\n')?;
        let rest = self.incoming.split_off(end + 1);
        let line = std::mem::replace(&mut self.incoming, rest);
        Some(String::from_utf8_lossy(&line).trim_end().to_owned())
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
