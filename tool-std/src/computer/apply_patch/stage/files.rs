//! The paths and files of a patch that is carried out in memory.

use super::super::disk::{MAX_FILE, OnDisk};
use super::super::edit::Loose;
use super::super::write::Content;
use crate::computer::places::Place;

/// How many bytes of files are read for one patch.
const MAX_HELD: usize = 64 << 20;

/// A path that the patch names.
pub(super) struct Spot<'t> {
    pub(super) place: Place,
    /// As it was first written.
    pub(super) path: &'t str,
    pub(super) on_disk: Option<OnDisk>,
    /// The file that is there by now, by its place in the list.
    pub(super) file: Option<usize>,
}

/// A file that the patch names, wherever it was and will be.
pub(in super::super) struct File<'t> {
    /// Where it was on the disk, by spot.
    pub(super) origin: Option<usize>,
    /// Where it is by now, by spot.
    pub(super) now: Option<usize>,
    /// What it holds, if that is not what is on the disk.
    pub(super) content: Option<Vec<u8>>,
    /// Where it was, as it was written.
    pub(in super::super) from: &'t str,
    /// Where it is by now, as it was written.
    pub(in super::super) to: &'t str,
    pub(in super::super) added: usize,
    pub(in super::super) removed: usize,
    pub(in super::super) loose: Loose,
}

/// What becomes of a file in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Fate {
    Added,
    Modified,
    Moved,
    Deleted,
    /// It is made and removed by the same patch.
    Nothing,
}

impl<'t> File<'t> {
    /// A file of the disk, or a new one.
    pub(super) fn new(path: &'t str, origin: Option<usize>) -> Self {
        Self {
            origin,
            now: origin,
            content: None,
            from: path,
            to: path,
            added: 0,
            removed: 0,
            loose: Loose::default(),
        }
    }

    pub(in super::super) fn fate(&self) -> Fate {
        match (self.origin, self.now) {
            (None, None) => Fate::Nothing,
            (None, Some(_)) => Fate::Added,
            (Some(_), None) => Fate::Deleted,
            (Some(origin), Some(now)) if origin == now => Fate::Modified,
            (Some(_), Some(_)) => Fate::Moved,
        }
    }

    /// Whether it is where it was, with what it held.
    pub(super) fn stays(&self, spots: &[Spot<'_>]) -> bool {
        self.fate() == Fate::Modified
            && match (&self.content, self.on_disk(spots).and_then(|on_disk| on_disk.bytes.as_ref())) {
                (None, _) => true,
                (Some(content), Some(bytes)) => content == bytes,
                (Some(_), None) => false,
            }
    }

    /// What it shall hold.
    pub(super) fn content_for<'s>(&'s self, spots: &'s [Spot<'_>]) -> Content<'s> {
        let on_disk = self.on_disk(spots);
        let held = on_disk.and_then(|on_disk| on_disk.bytes.as_deref());
        Content {
            bytes: self.content.as_deref().or(held).unwrap_or_default(),
            like: on_disk.map(|on_disk| &on_disk.status),
        }
    }

    /// How many lines it has on the disk; what is too large to be changed, or no text, has none that are counted.
    pub(super) fn lines_on_disk(&self, spots: &[Spot<'_>]) -> usize {
        let spot = self.origin.and_then(|spot| spots.get(spot));
        spot.and_then(|spot| spot.on_disk.as_ref()?.count_lines(&spot.place)).unwrap_or(0)
    }

    fn on_disk<'s>(&self, spots: &'s [Spot<'_>]) -> Option<&'s OnDisk> {
        spots.get(self.origin?)?.on_disk.as_ref()
    }
}

/// What a file holds by now; read from the disk when it is first asked for, and counted in `held`.
///
/// # Errors
///
/// A sentence: it is too large, cannot be read, or the patch holds too much already.
pub(super) fn held_bytes<'s>(
    file: usize,
    files: &'s [File<'_>],
    spots: &'s mut [Spot<'_>],
    held: &mut usize,
) -> Result<&'s [u8], String> {
    let Some(file) = files.get(file) else { return Ok(&[]) };
    if let Some(content) = &file.content {
        return Ok(content);
    }
    let Some(Spot { place, path, on_disk: Some(on_disk), .. }) =
        file.origin.and_then(|spot| spots.get_mut(spot))
    else {
        return Ok(&[]);
    };
    if on_disk.bytes.is_none() {
        let size = on_disk.size();
        if size > MAX_FILE {
            return Err(format!(
                "`{path}` is over {} MiB, the most that a patch can change or move",
                MAX_FILE >> 20
            ));
        }
        if *held + size > MAX_HELD {
            return Err(format!(
                "the files of the patch are over {} MiB in all; give several patches",
                MAX_HELD >> 20
            ));
        }
        *held += size;
    }
    on_disk.read(place, path)
}
