//! The files in which long outputs are kept whole.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::mem;
use std::path::PathBuf;

use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags, openat, unlinkat};
use rustix::io::Errno;

use super::super::{Computer, keep_newest};

/// Where they lie, in the home.
const FOLDER: &str = "~/.worker-tools/command-logs";
/// How many are kept.
const MAX_LOGS: usize = 20;
/// The most bytes of one.
const MAX_BYTES: u64 = 128 * 1024 * 1024;
/// The longest name that is made of a call's id.
const MAX_NAME: usize = 100;
const NEW_FILE: OFlags =
    OFlags::WRONLY.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// Where the file of a call is made, if it is needed.
#[derive(Debug)]
pub(super) struct LogFolder {
    computer: Computer,
    name: String,
}

/// What became of the file.
#[derive(Debug)]
pub(super) enum LogState {
    /// There was no need for one.
    None,
    /// It holds the output, or its first bytes.
    Saved {
        /// Where it is.
        path: PathBuf,
        /// Whether it holds all of it.
        is_whole: bool,
    },
    /// It could not be made or written.
    Failed(String),
}

impl LogFolder {
    pub(super) fn new(computer: &Computer, call_id: &str) -> Self {
        let safe = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let name: String = call_id.chars().take(MAX_NAME).map(safe).collect();
        let name = if name.is_empty() { "call".to_owned() } else { name };
        Self { computer: computer.clone(), name }
    }

    /// Makes the file. One of an earlier call with the same id is left as it is, since a result names it.
    fn make(&self) -> Result<Written, String> {
        for name in self.names() {
            let path = format!("{FOLDER}/{name}");
            let place = self
                .computer
                .places()
                .to_write(&path, self.computer.home())
                .map_err(|error| error.to_string())?;
            // From the handle of the home on, without following a link: commands can write here too.
            let (folder, file_name) =
                place.make_parent(&mut Vec::new()).map_err(|error| error.to_string())?;
            match openat(&folder, &file_name, NEW_FILE, Mode::RUSR | Mode::WUSR) {
                Ok(file) => {
                    keep_newest(&folder, b".log", MAX_LOGS);
                    let file = BufWriter::new(File::from(file));
                    return Ok(Written {
                        path: place.path(),
                        folder,
                        file_name,
                        file,
                        room: MAX_BYTES,
                        missing: 0,
                    });
                }
                Err(Errno::EXIST) => {}
                Err(error) => return Err(io::Error::from(error).to_string()),
            }
        }
        Err(format!("`{FOLDER}` has a file for each name that is left"))
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let numbered = (2..).map(|number| format!("{}-{number}.log", self.name));
        std::iter::once(format!("{}.log", self.name)).chain(numbered).take(10 * MAX_LOGS)
    }
}

/// The file of one call, made when the first text comes.
#[derive(Debug)]
pub(super) struct Log {
    folder: LogFolder,
    state: State,
}

#[derive(Debug)]
enum State {
    Unused,
    Writing(Written),
    Failed(String),
}

/// A file with what came so far.
#[derive(Debug)]
struct Written {
    path: PathBuf,
    folder: OwnedFd,
    file_name: OsString,
    file: BufWriter<File>,
    /// The bytes that still fit.
    room: u64,
    /// The bytes that did not.
    missing: u64,
}

impl Written {
    fn write(&mut self, text: &str) -> io::Result<()> {
        let room = usize::try_from(self.room).unwrap_or(usize::MAX);
        let fits = if text.len() <= room {
            text
        } else {
            // The first text that does not fit ends the file, so that nothing is missing in its middle.
            self.room = 0;
            text.char_indices()
                .take_while(|(at, c)| at + c.len_utf8() <= room)
                .last()
                .map_or("", |(at, c)| &text[..at + c.len_utf8()])
        };
        self.room = self.room.saturating_sub(fits.len() as u64);
        self.missing += (text.len() - fits.len()) as u64;
        self.file.write_all(fits.as_bytes())
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.missing > 0 {
            write!(self.file, "\n[… this file is full; {} more bytes came …]\n", self.missing)?;
        }
        self.file.flush()
    }

    /// A part of a log is worth less than the room that it takes on a full disk.
    fn remove(self) {
        // What is still in the buffer shall not be written when it is dropped.
        let _ = self.file.into_parts();
        let _ = unlinkat(self.folder, self.file_name, AtFlags::empty());
    }
}

impl Log {
    pub(super) fn new(folder: LogFolder) -> Self {
        Self { folder, state: State::Unused }
    }

    pub(super) fn has_begun(&self) -> bool {
        !matches!(self.state, State::Unused)
    }

    /// Adds text. A fault ends the log, not the command.
    pub(super) fn write(&mut self, text: &str) {
        if let State::Unused = self.state {
            self.state = self.folder.make().map_or_else(State::Failed, State::Writing);
        }
        if let State::Writing(written) = &mut self.state
            && let Err(error) = written.write(text)
        {
            self.fail(&error);
        }
    }

    fn fail(&mut self, error: &io::Error) {
        if let State::Writing(written) = mem::replace(&mut self.state, State::Failed(error.to_string())) {
            written.remove();
        }
    }

    pub(super) fn finish(mut self) -> LogState {
        if let State::Writing(written) = &mut self.state
            && let Err(error) = written.finish()
        {
            self.fail(&error);
        }
        match self.state {
            State::Unused => LogState::None,
            State::Writing(written) => LogState::Saved { path: written.path, is_whole: written.missing == 0 },
            State::Failed(fault) => LogState::Failed(fault),
        }
    }
}
