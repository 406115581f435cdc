//! Carries out the operations of a patch in memory: each sees what the ones before it have done, and the disk stays as it is.

mod files;

pub(super) use files::{Fate, File};

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::disk;
use super::edit::{Edited, edit};
use super::explain::{Explainer, Failure};
use super::ladder::Steps;
use super::parse::{Change, Hunk, Mark, Operation};
use super::write::Write;
use crate::computer::near;
use crate::computer::places::Places;
use files::{Spot, held_bytes};

/// How many lines are compared for one patch.
const MAX_STEPS: usize = 10_000_000;

/// The files of a patch as they shall be.
pub(super) struct Stage<'t, 'c> {
    places: &'c Places,
    base: &'c Path,
    spots: Vec<Spot<'t>>,
    by_path: HashMap<PathBuf, usize>,
    files: Vec<File<'t>>,
    /// Spots at which an operation has failed: what comes later there would fail for that reason only.
    failed: HashSet<usize>,
    /// How many bytes of files have been read.
    held: usize,
    steps: Steps,
    explainer: Explainer,
}

impl<'t, 'c> Stage<'t, 'c> {
    /// Nothing is changed yet. Relative paths begin at `base`.
    pub(super) fn new(places: &'c Places, base: &'c Path) -> Self {
        Self {
            places,
            base,
            spots: Vec::new(),
            by_path: HashMap::new(),
            files: Vec::new(),
            failed: HashSet::new(),
            held: 0,
            steps: Steps::new(MAX_STEPS),
            explainer: Explainer::default(),
        }
    }

    /// Carries out an operation.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it. An operation on a file on which another one failed does nothing.
    pub(super) fn apply(&mut self, operation: &Operation<'t>) -> Result<(), Vec<Failure>> {
        let Operation { path, line, change } = operation;
        let one = |text| vec![Failure { line: *line, text }];
        let spot = self.spot(path).map_err(one)?;
        let target = match change {
            Change::Update { move_to: Some(target), .. } => Some((self.spot(target).map_err(one)?, *target)),
            _ => None,
        };
        let touched = [Some(spot), target.map(|(target, _)| target)];
        if touched.iter().flatten().any(|spot| self.failed.contains(spot)) {
            return Ok(());
        }
        let done = match change {
            Change::Add(lines) => self.add(spot, path, lines).map_err(one),
            Change::Delete => self.delete(spot, path).map_err(one),
            Change::Update { hunks, .. } => self.update(spot, path, *line, hunks).and_then(|()| {
                target.map_or(Ok(()), |(target, to)| self.move_to(spot, target, to).map_err(one))
            }),
        };
        if done.is_err() {
            self.failed.extend(touched.iter().flatten());
        }
        done
    }

    /// What is to be written, once all operations are carried out.
    ///
    /// # Errors
    ///
    /// Files that would have to be folders too.
    pub(super) fn writes(&self) -> Result<Vec<Write<'_>>, String> {
        let writes: Vec<Write<'_>> = self.spots.iter().filter_map(|spot| self.write_of(spot)).collect();
        let made: HashMap<PathBuf, &str> = writes
            .iter()
            .filter(|write| write.after.is_some())
            .map(|write| (write.place.path(), write.path))
            .collect();
        for (path, written) in &made {
            if let Some(file) = path.ancestors().skip(1).find_map(|folder| made.get(folder)) {
                return Err(format!("`{written}` would lie in `{file}`, which is a file"));
            }
        }
        Ok(writes)
    }

    /// The files in the order in which the patch named them.
    pub(super) fn files(&self) -> &[File<'t>] {
        &self.files
    }

    fn add(&mut self, spot: usize, path: &'t str, lines: &[&str]) -> Result<(), String> {
        if self.file_at(spot).is_some() {
            return Err(format!(
                "`{path}` exists already; change it with `*** Update File:`, or delete it first"
            ));
        }
        let content: String = lines.iter().flat_map(|line| [*line, "\n"]).collect();
        // A file that this patch has deleted is that file with new content.
        let is_on_disk = self.spots.get(spot).is_some_and(|spot| spot.on_disk.is_some());
        let is_that = |file: &File<'_>| file.origin == Some(spot) && file.now.is_none();
        let known = if is_on_disk { self.files.iter().position(is_that) } else { None };
        let file = match known {
            Some(file) => file,
            None => {
                self.files.push(File::new(path, None));
                self.files.len() - 1
            }
        };
        if let Some(known) = self.files.get_mut(file) {
            known.to = path;
            known.now = Some(spot);
            known.content = Some(content.into_bytes());
            known.added += lines.len();
        }
        self.put(spot, Some(file));
        Ok(())
    }

    fn delete(&mut self, spot: usize, path: &'t str) -> Result<(), String> {
        let Some(at) = self.file_at(spot) else { return Err(self.missing(spot, path)) };
        self.put(spot, None);
        if let Some(file) = self.files.get_mut(at) {
            (file.now, file.content, file.added) = (None, None, 0);
        }
        if let Some(file) = self.files.get_mut(at) {
            file.removed = file.lines_on_disk(&self.spots);
        }
        Ok(())
    }

    fn update(
        &mut self,
        spot: usize,
        path: &'t str,
        line: usize,
        hunks: &[Hunk<'_>],
    ) -> Result<(), Vec<Failure>> {
        let one = |text| vec![Failure { line, text }];
        let Some(file) = self.file_at(spot) else {
            let missing = self.missing(spot, path);
            return Err(one(format!("{missing}; a new file is made by `*** Add File:`")));
        };
        let Self { spots, files, held, steps, explainer, .. } = self;
        let bytes = held_bytes(file, files, spots, held).map_err(one)?;
        if hunks.is_empty() {
            return Ok(());
        }
        let Edited { bytes, loose } = edit(path, line, bytes, hunks, steps, explainer)?;
        if let Some(file) = self.files.get_mut(file) {
            file.content = Some(bytes);
            file.added += hunks.iter().map(|hunk| hunk.count(Mark::Add)).sum::<usize>();
            file.removed += hunks.iter().map(|hunk| hunk.count(Mark::Remove)).sum::<usize>();
            file.loose = file.loose.and(loose);
        }
        Ok(())
    }

    fn move_to(&mut self, spot: usize, target: usize, to: &'t str) -> Result<(), String> {
        if self.file_at(target).is_some() {
            return Err(format!("`{to}` exists already, so nothing can be moved there; delete it first"));
        }
        let file = self.file_at(spot);
        self.put(spot, None);
        self.put(target, file);
        if let Some(file) = file.and_then(|file| self.files.get_mut(file)) {
            file.now = Some(target);
            file.to = to;
        }
        Ok(())
    }

    /// The spot of a path, looked at when it is first named.
    fn spot(&mut self, path: &'t str) -> Result<usize, String> {
        let place = self.places.to_write(path, self.base).map_err(|error| error.to_string())?;
        if path.ends_with('/') {
            return Err(format!("`{path}` is the path of a folder, no file"));
        }
        let real = place.path();
        if let Some(spot) = self.by_path.get(&real) {
            return Ok(*spot);
        }
        let on_disk = disk::look(&place, path)?;
        let spot = self.spots.len();
        let file = on_disk.is_some().then(|| {
            self.files.push(File::new(path, Some(spot)));
            self.files.len() - 1
        });
        self.spots.push(Spot { place, path, on_disk, file });
        self.by_path.insert(real, spot);
        Ok(spot)
    }

    /// Says that there is no file, and what there is instead.
    fn missing(&self, spot: usize, path: &str) -> String {
        match self.spots.get(spot).map(|spot| (&spot.place, spot.place.status())) {
            Some((place, Err(error))) => near::describe(&error, place, self.base),
            // The patch itself has deleted or moved it.
            _ => format!("`{path}` does not exist any more"),
        }
    }

    fn file_at(&self, spot: usize) -> Option<usize> {
        self.spots.get(spot).and_then(|spot| spot.file)
    }

    fn put(&mut self, spot: usize, file: Option<usize>) {
        if let Some(spot) = self.spots.get_mut(spot) {
            spot.file = file;
        }
    }

    fn write_of<'s>(&'s self, spot: &'s Spot<'t>) -> Option<Write<'s>> {
        let file = spot.file.and_then(|file| self.files.get(file));
        let after = file.map(|file| file.content_for(&self.spots));
        let before = spot.on_disk.as_ref();
        let stays = file.is_some_and(|file| file.stays(&self.spots));
        if stays || (before.is_none() && after.is_none()) {
            return None;
        }
        Some(Write { place: &spot.place, path: spot.path, before, after })
    }
}
