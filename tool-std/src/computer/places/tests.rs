//! What becomes of a place when something else is put there after it was found, before it is opened. Through the tools
//! that moment can only be met by chance.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// A folder with a file, two folders deep, and its double outside.
fn places() -> (TempDir, Places) {
    let around = tempfile::tempdir().unwrap();
    for folder in ["work/a/b", "outside/b"] {
        fs::create_dir_all(around.path().join(folder)).unwrap();
        let (place, _) = folder.split_once('/').unwrap();
        fs::write(around.path().join(folder).join("file"), place).unwrap();
    }
    let work = around.path().join("work");
    let places = Places::open(&work, &work, []).unwrap();
    (around, places)
}

/// Puts a link to the double in the place of a part of `a/b/file`.
fn exchange(around: &TempDir, part: &str) {
    let real = around.path().join("work").join(part);
    fs::rename(&real, around.path().join("moved")).unwrap();
    symlink(around.path().join("outside").join(part.strip_prefix("a/").unwrap_or("")), &real).unwrap();
}

const PARTS: [&str; 3] = ["a", "a/b", "a/b/file"];

#[test]
fn a_file_is_not_opened_through_a_link_that_took_its_place() {
    for part in PARTS {
        let (around, places) = places();
        let place = places.to_read("a/b/file", places.workspace()).unwrap();
        exchange(&around, part);
        assert!(place.open_file().is_err(), "{part}");
        assert!(part == "a/b/file" || place.status().is_err(), "{part}");
    }
}

#[test]
fn a_folder_is_neither_listed_nor_filled_through_a_link_that_took_its_place() {
    for part in ["a", "a/b"] {
        let (around, places) = places();
        let folder = places.to_read("a/b", places.workspace()).unwrap();
        let known = places.to_write("a/b/file", places.workspace()).unwrap();
        let new = places.to_write("a/b/c/d/new", places.workspace()).unwrap();
        exchange(&around, part);
        assert!(folder.open_folder().is_err(), "{part}");
        assert!(known.parent().is_err(), "{part}");
        let mut made = Vec::new();
        assert!(new.make_parent(&mut made).is_err(), "{part}");
        assert!(made.is_empty(), "{part}: {made:?}");
        assert!(!around.path().join("outside/b/c").exists(), "{part}");
    }
}

#[test]
fn a_folder_that_was_made_is_not_removed_through_a_link_that_took_its_place() {
    let (around, places) = places();
    let new = places.to_write("a/b/c/new", places.workspace()).unwrap();
    let mut made = Vec::new();
    new.make_parent(&mut made).unwrap();
    assert_eq!(made.len(), 1);
    exchange(&around, "a/b");
    fs::create_dir(around.path().join("outside/b/c")).unwrap();
    made.iter().for_each(MadeFolder::remove);
    assert!(around.path().join("outside/b/c").is_dir());
}

#[test]
fn what_was_opened_stays_what_it_was() {
    for part in PARTS {
        let (around, places) = places();
        let place = places.to_read("a/b/file", places.workspace()).unwrap();
        let mut file = place.open_file().unwrap();
        exchange(&around, part);
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "work");
    }
}

/// Where the system has no single call that follows no link.
#[test]
fn step_by_step_no_link_is_followed_either() {
    use std::os::fd::AsFd as _;

    for part in ["a", "a/b"] {
        let (around, _) = places();
        let work = fs::File::open(around.path().join("work")).unwrap();
        let open = || beneath::open_step_by_step(work.as_fd(), Path::new("a/b"), beneath::FOLDER);
        open().unwrap();
        exchange(&around, part);
        assert!(open().is_err(), "{part}");
    }
}
