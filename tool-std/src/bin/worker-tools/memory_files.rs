//! Files that become pages of the memory.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use tool_std::memory::{Keeping, MAX_PAGE, NewPage, StateMemory, slug_of};

use crate::failure::Failure;
use crate::memory::{if_there, said};
use crate::screen::one_line;

/// The most that is read of a file, in bytes: one more than a page may have, so that it is refused and not cut.
pub(crate) const MAX_READ: u64 = MAX_PAGE as u64 + 1;

/// The most pages, and about the most bytes, that are kept at once. Others who write wait meanwhile.
const BATCH: usize = 200;
const BATCH_BYTES: usize = 2 << 20;
/// The most problems that are told one by one.
const TOLD: usize = 100;

#[derive(Args)]
pub(crate) struct Import {
    /// Folders and files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Folder of the memory in which the pages are put [default: none, a page is called by its path within PATH]
    #[arg(long, value_name = "FOLDER")]
    under: Option<String>,
    /// Put pages in the place of others of the same names
    #[arg(long)]
    replace: bool,
}

/// What came of an import.
#[derive(Default)]
struct Done {
    added: usize,
    replaced: usize,
    unchanged: usize,
    refused: usize,
}

impl Import {
    pub(crate) async fn run(self, memory: &StateMemory, out: &mut impl Write) -> Result<(), Failure> {
        let mut found = Found::default();
        self.paths.iter().for_each(|path| found.take(path));
        let (mut done, mut batch, mut bytes) = (Done::default(), Vec::new(), 0);
        found.problems.drain(..).for_each(|problem| done.refuse(&problem));
        if found.files.is_empty() && done.refused == 0 {
            return Err("there is nothing to import: no file that ends with .md, .markdown or .txt"
                .to_owned()
                .into());
        }
        // Shown on terminals only.
        let bar = ProgressBar::new(found.files.len() as u64);
        let mut names: HashMap<String, PathBuf> = HashMap::new();
        for file in found.files {
            bar.inc(1);
            match self.page(&file, &mut names) {
                Ok(None) => {}
                Ok(Some(page)) => {
                    bytes += page.1;
                    batch.push((file.path, page.0));
                }
                Err(problem) => bar.suspend(|| done.refuse(&format!("{}: {problem}", shown(&file.path)))),
            }
            if batch.len() >= BATCH || bytes >= BATCH_BYTES {
                bytes = 0;
                self.keep(memory, std::mem::take(&mut batch), &mut done).await?;
            }
        }
        self.keep(memory, batch, &mut done).await?;
        bar.finish_and_clear();
        done.tell(out)
    }

    /// The page of a file and how long it is; none if the file was named twice.
    fn page(
        &self,
        file: &TextFile,
        names: &mut HashMap<String, PathBuf>,
    ) -> Result<Option<(NewPage, usize)>, String> {
        let name = file.name.to_str().ok_or("its name is no text in UTF-8; rename it")?;
        let name = match &self.under {
            Some(folder) => format!("{folder}/{name}"),
            None => name.to_owned(),
        };
        match names.insert(slug_of(&name), file.path.clone()) {
            Some(other) if other == file.path => return Ok(None),
            Some(other) => {
                return Err(format!("it would have the same name as {}; rename one", shown(&other)));
            }
            None => {}
        }
        let body = read(&file.path)?;
        let length = body.len();
        Ok(Some((NewPage::from_text(&name, body), length)))
    }

    async fn keep(
        &self,
        memory: &StateMemory,
        batch: Vec<(PathBuf, NewPage)>,
        done: &mut Done,
    ) -> Result<(), Failure> {
        let (paths, pages): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let kept = memory.add_pages(&pages, if_there(self.replace)).await.map_err(said)?;
        for (path, kept) in paths.iter().zip(kept) {
            match kept.map(|kept| kept.keeping) {
                Ok(Keeping::Added) => done.added += 1,
                Ok(Keeping::Replaced) => done.replaced += 1,
                Ok(Keeping::Unchanged) => done.unchanged += 1,
                Err(error) => done.refuse(&format!("{}: {}", shown(path), said(error).into_words())),
            }
        }
        Ok(())
    }
}

impl Done {
    fn refuse(&mut self, problem: &str) {
        self.refused += 1;
        if self.refused <= TOLD {
            say!("worker-tools: {problem}");
        }
    }

    fn tell(&self, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "{} added, {} replaced, {} unchanged", self.added, self.replaced, self.unchanged)?;
        match self.refused {
            0 => Ok(()),
            1 => Err("1 file was not imported".to_owned().into()),
            TOLD.. => {
                Err(format!("{} files were not imported, of which the first {TOLD} are told", self.refused)
                    .into())
            }
            refused => Err(format!("{refused} files were not imported").into()),
        }
    }
}

/// A file, and what it is called in the memory: its path within the folder that was named, without its ending.
struct TextFile {
    path: PathBuf,
    name: PathBuf,
}

/// What is to be imported, and what cannot be.
#[derive(Default)]
struct Found {
    files: Vec<TextFile>,
    problems: Vec<String>,
}

impl Found {
    /// Takes a path that a person named. What it leads to is used, also by a link.
    fn take(&mut self, path: &Path) {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => self.take_folder(path),
            Ok(metadata) if metadata.is_file() => {
                let name = Path::new(path.file_name().unwrap_or_default()).with_extension("");
                self.files.push(TextFile { path: path.to_owned(), name });
            }
            Ok(_) => {
                self.problem(path, "it is neither a file nor a folder; `memory add` reads standard input")
            }
            Err(error) => self.problem(path, error),
        }
    }

    /// Takes the text files of a folder and of all within it, by name.
    fn take_folder(&mut self, root: &Path) {
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let mut entries = match fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>) {
                Ok(entries) => entries,
                Err(error) => {
                    self.problem(&folder, error);
                    continue;
                }
            };
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                if entry.file_name().as_encoded_bytes().starts_with(b".") {
                    continue;
                }
                // Of a link it tells the kind of the link, so what it leads to is left out.
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(path),
                    Ok(kind) if kind.is_file() && is_text(&path) => {
                        let name = path.strip_prefix(root).unwrap_or(&path).with_extension("");
                        self.files.push(TextFile { path, name });
                    }
                    Ok(kind) if kind.is_symlink() && is_text(&path) => {
                        self.problem(
                            &path,
                            "it is a link, and links in folders are not followed; name it to import it",
                        );
                    }
                    Ok(_) => {}
                    Err(error) => self.problem(&path, error),
                }
            }
        }
    }

    fn problem(&mut self, path: &Path, problem: impl std::fmt::Display) {
        self.problems.push(format!("{}: {problem}", shown(path)));
    }
}

fn is_text(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["md", "markdown", "txt"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The text of a file.
///
/// # Errors
///
/// When it cannot be read, is too long, or is no text in UTF-8.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(MAX_READ).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    text(bytes)
}

/// The text that bytes are.
///
/// # Errors
///
/// When they are too many, or no text in UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() > MAX_PAGE {
        return Err(format!("it has more than {MAX_PAGE} bytes, the most that a page may have; split it"));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("it is no text in UTF-8 (byte {at}); convert it first, as with `iconv -t UTF-8`")
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// A path as it may stand on one line.
fn shown(path: &Path) -> String {
    one_line(&path.display().to_string())
}
