//! A journal in a file that survives being cut off at any byte.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::tool::BoxFuture;

use super::{Journal, JournalEntry, JournalError, Recovered, recover};

/// When a file journal waits for the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JournalSync {
    /// After each entry, so that entries survive a loss of power. Costs a write to the disk for each.
    #[default]
    EachEntry,
    /// Never: entries survive the end of the program, however it ends, and are lost only with the operating system.
    Never,
}

/// A journal in a file: JSON Lines, one entry a line, only ever added to.
///
/// The program may be killed at any byte: a last line that is cut off is dropped when the file is opened again. An entry is
/// handed to the operating system before the turn goes on, and by default to the disk too, see [`JournalSync`].
///
/// One turn at a time writes to a file. Its turns follow each other, each beginning with its whole conversation, so a
/// conversation of many turns is better kept in a file for each.
///
/// ```
/// use tool_runtime::{Agent, CancellationToken, FileJournal, Item};
/// # use tool_runtime::provider::RecordedModel;
/// # let model = RecordedModel::from_text(r#"{"output":[{"type":"message","content":"hello"}]}"#)?;
/// # let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
/// # let folder = std::env::temp_dir().join(format!("journal-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("turn.jsonl");
/// # runtime.block_on(async {
/// let (journal, recovered) = FileJournal::open(&path)?;
/// let mut conversation = recovered.items;
/// if recovered.ended.is_some() || conversation.is_empty() {
///     conversation.push(Item::user("hi"));
/// }
/// let outcome =
///     Agent::new(model, Vec::new())?.journal(journal).run(conversation, &CancellationToken::new()).await?;
/// # std::fs::remove_dir_all(&folder)?;
/// # assert_eq!(outcome.text, "hello");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileJournal {
    writer: Arc<Mutex<Writer>>,
}

#[derive(Debug)]
struct Writer {
    path: PathBuf,
    file: File,
    /// How much of the file is whole lines.
    len: u64,
    sync: JournalSync,
    /// Why nothing can be added any more.
    broken: Option<JournalError>,
}

impl FileJournal {
    /// Opens the journal at `path`, made if it is not there, and reads what stands in it.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened, read or written, and when a line is no entry and not a last one that is
    /// cut off; the message names it.
    pub fn open(path: impl AsRef<Path>) -> Result<(Self, Recovered), JournalError> {
        let path = path.as_ref().to_owned();
        let failed = |what: &str, error: io::Error| failure(&path, what, &error);
        let is_new = !path.exists();
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(&path)
            .map_err(|error| failed("opened", error))?;
        let kind = file.metadata().map_err(|error| failed("read", error))?;
        if !kind.is_file() {
            // A device may be read for ever.
            return Err(JournalError::new(format!("the journal `{}` is no regular file", path.display())));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|error| failed("read", error))?;
        let (entries, whole) = read_entries(&path, &bytes)?;
        let len = u64::try_from(whole).unwrap_or(u64::MAX);
        if whole < bytes.len() {
            file.set_len(len).map_err(|error| failed("cut to its last whole line", error))?;
        }
        if is_new {
            sync_folder(&path);
        }
        let sync = JournalSync::default();
        let writer = Writer { path, file, len, sync, broken: None };
        Ok((Self { writer: Arc::new(Mutex::new(writer)) }, recover(entries)))
    }

    /// Sets when it waits for the disk.
    #[must_use]
    pub fn sync(self, sync: JournalSync) -> Self {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).sync = sync;
        self
    }
}

impl Journal for FileJournal {
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>> {
        Box::pin(async move {
            let mut line = serde_json::to_vec(&entry)
                .map_err(|error| JournalError::new(format!("an entry cannot be written as JSON: {error}")))?;
            line.push(b'\n');
            let writer = Arc::clone(&self.writer);
            // On a thread of its own: waiting for the disk must not hold the turn's other calls.
            let written = tokio::task::spawn_blocking(move || {
                writer.lock().unwrap_or_else(PoisonError::into_inner).append(&line)
            });
            written.await.unwrap_or_else(|_| {
                Err(JournalError::new("the journal was not written, since the runtime shuts down"))
            })
        })
    }
}

impl Writer {
    fn append(&mut self, line: &[u8]) -> Result<(), JournalError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let written = self.file.write_all(line).and_then(|()| match self.sync {
            JournalSync::EachEntry => self.file.sync_data(),
            JournalSync::Never => Ok(()),
        });
        match written {
            Ok(()) => {
                self.len = self.len.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
                Ok(())
            }
            Err(error) => {
                // Half a line would spoil every line behind it, and an entry that was refused must not come back. What
                // stands there after a failure is unknown, so this is the last attempt.
                let _ = self.file.set_len(self.len);
                let error = failure(&self.path, "written", &error);
                self.broken = Some(error.clone());
                Err(error)
            }
        }
    }
}

/// The entries, and how many bytes they take. A last line that is cut off counts for nothing: nobody was told that it is
/// kept.
fn read_entries(path: &Path, bytes: &[u8]) -> Result<(Vec<JournalEntry<'static>>, usize), JournalError> {
    let mut entries = Vec::new();
    let mut whole = 0;
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        // What does not even begin like an entry is some other file, which must not be cut.
        if line.starts_with(b"{") && !line.ends_with(b"\n") {
            break;
        }
        let entry = serde_json::from_slice(line).map_err(|error| {
            let (path, line) = (path.display(), index + 1);
            JournalError::new(format!("the journal `{path}`, line {line}, is no entry: {error}"))
        })?;
        entries.push(entry);
        whole += line.len();
    }
    Ok((entries, whole))
}

fn failure(path: &Path, what: &str, error: &io::Error) -> JournalError {
    JournalError::new(format!("the journal `{}` cannot be {what}: {error}", path.display()))
}

/// A new file survives a loss of power only if its folder is on the disk too. Where folders cannot be opened, the system
/// takes care of it.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or_else(|| Path::new("."))) {
        let _ = folder.sync_all();
    }
}
