//! Writes all files of a patch, or none.
//!
//! First everything is prepared beside the files: the new contents in temporary files of the same folders, on the disk. Then
//! each file is exchanged for its temporary file by name, in one step, so that a reader finds the old or the new one. What
//! was exchanged is looked at once more: if it is not what the patch was made for, or a step fails, all steps are taken
//! back. A process that is killed between the first and the last exchange leaves some files old and some new, and
//! temporary files (`.apply_patch-…`) beside them.

mod lock;
mod rename;
mod temporary;

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::rc::Rc;

use rustix::fs::Stat;

use super::disk::{OnDisk, changed};
use crate::computer::places::{MadeFolder, Place};
use lock::Locks;
use temporary::Temporary;

/// What shall become of one place.
pub(super) struct Write<'s> {
    pub(super) place: &'s Place,
    /// As the model wrote it.
    pub(super) path: &'s str,
    pub(super) before: Option<&'s OnDisk>,
    pub(super) after: Option<Content<'s>>,
}

/// What a file shall hold.
pub(super) struct Content<'s> {
    pub(super) bytes: &'s [u8],
    /// The file whose permissions and owner it gets; a new one gets those of new files.
    pub(super) like: Option<&'s Stat>,
}

/// Does all writes, or none.
///
/// # Errors
///
/// What failed, as a sentence. Everything is then as it was, or the sentence says what could not be put back.
pub(super) fn write(writes: &[Write<'_>], stop: &dyn Fn() -> bool) -> Result<(), String> {
    let mut made = Vec::new();
    let written = prepare(writes, &mut made, stop).and_then(|steps| put(steps, stop));
    if written.is_err() {
        made.iter().rev().for_each(MadeFolder::remove);
    }
    written
}

/// What is said of a patch that was cancelled.
pub(super) fn cancelled() -> String {
    "the call was cancelled".to_owned()
}

/// A write that is prepared.
struct Step<'s> {
    write: &'s Write<'s>,
    folder: Rc<OwnedFd>,
    name: OsString,
    /// Beside it: what it shall hold, or the name that a deleted file gets until all is done.
    beside: Temporary,
}

fn prepare<'s>(
    writes: &'s [Write<'s>],
    made: &mut Vec<MadeFolder>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Step<'s>>, String> {
    let mut folders: HashMap<PathBuf, Rc<OwnedFd>> = HashMap::new();
    let mut steps = Vec::with_capacity(writes.len());
    for write in writes {
        if stop() {
            return Err(cancelled());
        }
        let path = write.place.path();
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(format!("`{}` is a folder, no file", write.path));
        };
        let folder = match folders.get(parent) {
            Some(folder) => Rc::clone(folder),
            None => {
                let folder = Rc::new(open(write, made)?);
                folders.insert(parent.to_path_buf(), Rc::clone(&folder));
                folder
            }
        };
        let beside = match &write.after {
            Some(content) => Temporary::write(&folder, content),
            None => Ok(Temporary::name_only(&folder)),
        };
        let beside = beside.map_err(|error| format!("`{}` cannot be written: {error}", write.path))?;
        steps.push(Step { write, folder, name: name.to_os_string(), beside });
    }
    Ok(steps)
}

fn open(write: &Write<'_>, made: &mut Vec<MadeFolder>) -> Result<OwnedFd, String> {
    let parent = if write.after.is_some() { write.place.make_parent(made) } else { write.place.parent() };
    parent.map(|(folder, _)| folder).map_err(|error| error.to_string())
}

fn put(mut steps: Vec<Step<'_>>, stop: &dyn Fn() -> bool) -> Result<(), String> {
    // Against other patches; against everything else there is the second look.
    let _locks = Locks::take(steps.iter().map(|step| &step.folder), stop)?;
    for step in &steps {
        step.check(&step.name)?;
    }
    if stop() {
        return Err(cancelled());
    }
    for at in 0..steps.len() {
        let Some(step) = steps.get_mut(at) else { break };
        let Err(reason) = step.take() else { continue };
        let lost: Vec<String> =
            steps.iter_mut().take(at).rev().filter_map(|step| step.take_back().err()).collect();
        return Err(lost.into_iter().fold(reason, |reason, lost| format!("{reason}; {lost}")));
    }
    Ok(())
}

impl Step<'_> {
    /// Puts the new file in the place of the old one, and sees whether the old one was what the patch was made for.
    fn take(&mut self) -> Result<(), String> {
        let (folder, name) = (&self.folder, self.name.as_os_str());
        let done = match (self.write.before, &self.write.after) {
            (Some(_), Some(_)) => rename::exchange(folder, self.beside.name(), name),
            (Some(_), None) => rename::to_free(folder, name, self.beside.name()),
            (None, _) => rename::to_free(folder, self.beside.name(), name),
        };
        done.map_err(|error| match error {
            rustix::io::Errno::NOENT | rustix::io::Errno::EXIST => changed(self.write.path),
            error => format!("`{}` cannot be written: {error}", self.write.path),
        })?;
        let checked = match self.write.before {
            Some(_) => self.check(self.beside.name()),
            None => Ok(()),
        };
        checked.map_err(|reason| match self.take_back() {
            Ok(()) => reason,
            Err(lost) => format!("{reason}; {lost}"),
        })
    }

    fn take_back(&mut self) -> Result<(), String> {
        let (folder, name) = (&self.folder, self.name.as_os_str());
        let done = match (self.write.before, &self.write.after) {
            (Some(_), Some(_)) => rename::exchange(folder, self.beside.name(), name),
            (Some(_), None) => rename::to_free(folder, self.beside.name(), name),
            (None, _) => rename::to_free(folder, name, self.beside.name()),
        };
        done.map_err(|error| {
            let kept = self.beside.keep();
            let path = self.write.path;
            format!(
                "`{path}` could not be put back as it was ({error}); what it held is in `{kept}` beside it"
            )
        })
    }

    /// Whether the file with this name is what the patch was made for.
    fn check(&self, name: &OsStr) -> Result<(), String> {
        match self.write.before.map(|before| before.is_still(&self.folder, name)) {
            None | Some(Ok(true)) => Ok(()),
            Some(Ok(false)) => Err(changed(self.write.path)),
            Some(Err(error)) => Err(format!("`{}` cannot be read: {error}", self.write.path)),
        }
    }
}
