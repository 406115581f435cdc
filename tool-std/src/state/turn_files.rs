//! The files of a conversation that is led in the background: one journal a turn, and a lock, so that of two processes that
//! both think that it is theirs one writes.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use tool_runtime::{FileJournal, Item, Recovered};

/// The files of a conversation, held by this process.
pub(crate) struct TurnFiles {
    turns: PathBuf,
    /// Held for as long as the file is open.
    _lock: File,
}

impl TurnFiles {
    /// Makes what is missing and takes the lock; `None` while another process holds it. Blocks.
    pub(crate) fn open(folder: &Path) -> Result<Option<Self>, String> {
        let turns = folder.join("turns");
        fs::create_dir_all(&turns)
            .map_err(|error| format!("the folder `{}` cannot be made: {error}", turns.display()))?;
        let path = folder.join("lock");
        let failed = |error| format!("the file `{}` cannot be locked: {error}", path.display());
        let lock = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { turns, _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// The number of the last turn; 0 before the first. Blocks.
    pub(crate) fn last(&self) -> Result<i64, String> {
        let failed = |error| format!("the folder `{}` cannot be read: {error}", self.turns.display());
        let mut last = 0;
        for entry in fs::read_dir(&self.turns).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            last = last.max(number.and_then(|number| number.parse().ok()).unwrap_or_default());
        }
        Ok(last)
    }

    /// The journal of a turn, made if it is not there. Blocks.
    pub(crate) fn turn(&self, turn: i64) -> Result<(FileJournal, Recovered), String> {
        FileJournal::open(self.path(turn)).map_err(|error| error.to_string())
    }

    /// The conversation before a turn: that of the last one that began. Blocks.
    pub(crate) fn before(&self, turn: i64) -> Result<Vec<Item>, String> {
        for earlier in (1..turn).rev() {
            if self.path(earlier).exists() {
                let (_, recovered) = self.turn(earlier)?;
                if !recovered.items.is_empty() {
                    return Ok(recovered.items);
                }
            }
        }
        Ok(Vec::new())
    }

    fn path(&self, turn: i64) -> PathBuf {
        self.turns.join(format!("{turn:04}.jsonl"))
    }
}
