//! Links that are made after a path was checked: another thread exchanges folders and files for links all the time.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::folder::{Folder, LockHolder, Over, busy, patch, snapshot, update};

/// Runs `work` while `one` and `other` change places over and over.
fn while_exchanged(one: &Path, other: &Path, work: impl FnOnce()) {
    let done = Over::default();
    thread::scope(|scope| {
        let _end = done.on_drop();
        scope.spawn(|| {
            for round in 0.. {
                if done.is_over() {
                    break;
                }
                renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).unwrap();
                busy(round);
            }
        });
        work();
    });
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
}

/// All paths of a patch are judged before the first file is written, and each folder is opened when its turn comes.
#[test]
fn a_folder_that_becomes_a_link_before_its_turn_leads_nothing_outside() {
    const FILES: usize = 300;
    let folder = Folder::with(&[("first/x", ""), ("folder/x", "")]);
    let outside = folder.around().join("outside");
    fs::create_dir(&outside).unwrap();
    symlink(&outside, folder.path("link")).unwrap();
    let before = snapshot(&outside);
    let first: String = (0..FILES).map(|n| format!("*** Add File: first/{n}\n+x\n")).collect();
    let change = patch(&format!("{first}*** Add File: folder/new\n+x\n"));
    let call = thread::scope(|scope| {
        let patching = scope.spawn(|| block_on(folder.call(&change)));
        while fs::read_dir(folder.path("first")).unwrap().count() < 2 && !patching.is_finished() {}
        renameat_with(CWD, folder.path("folder"), CWD, folder.path("link"), RenameFlags::EXCHANGE).unwrap();
        patching.join().unwrap()
    });
    assert_eq!(snapshot(&outside), before, "{}", call.model_text);
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
    // All, where the folder's turn had come before, or nothing.
    let is_done = call.outcome.is_ok();
    let written = fs::read_dir(folder.path("first")).unwrap().count() - 1;
    assert_eq!(written, if is_done { FILES } else { 0 }, "{}", call.model_text);
    assert_eq!(folder.has("link/new"), is_done);
    eprintln!("{}", call.model_text.lines().take(2).collect::<Vec<_>>().join(" "));
}

#[test]
fn a_folder_that_becomes_a_link_while_a_patch_waits_leads_nothing_outside() {
    let folder = Folder::with(&[("folder/file", "inside\n"), ("folder/other", "inside\n")]);
    let outside = folder.around().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "inside\n").unwrap();
    fs::write(outside.join("other"), "inside\n").unwrap();
    let before = snapshot(&outside);
    let holder = LockHolder::of(&folder.path("folder"));
    let change = patch(
        "*** Update File: folder/file\n@@\n-inside\n+patched\n*** Delete File: folder/other\n\
         *** Add File: folder/new\n+x\n",
    );
    let call = thread::scope(|scope| {
        let patching = scope.spawn(|| block_on(folder.call(&change)));
        // Until what the two files shall hold is written beside them, and the patch waits for the lock.
        while folder.left_over().len() < 2 && !patching.is_finished() {
            thread::yield_now();
        }
        fs::rename(folder.path("folder"), folder.path("moved")).unwrap();
        symlink(&outside, folder.path("folder")).unwrap();
        holder.stop();
        patching.join().unwrap()
    });
    assert_eq!(snapshot(&outside), before, "{}", call.model_text);
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
    // It holds the folder that it was made for, unless it has waited too long.
    let is_done = call.outcome.is_ok();
    assert_eq!(folder.read("moved/file"), if is_done { "patched\n" } else { "inside\n" });
    assert_eq!((folder.has("moved/new"), folder.has("moved/other")), (is_done, !is_done));
}

#[test]
fn a_folder_that_becomes_a_link_leads_nothing_outside() {
    let folder = Folder::with(&[("folder/file", "inside\n")]);
    let outside = folder.around().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file"), "outside\n").unwrap();
    symlink(&outside, folder.path("link")).unwrap();
    let before = snapshot(&outside);
    let (mut applied, mut refused) = (0, 0);
    while_exchanged(&folder.path("folder"), &folder.path("link"), || {
        for round in 0.. {
            if round >= 200 && applied > 0 && refused > 0 {
                break;
            }
            let patch = match round % 4 {
                0 => patch(&format!("*** Add File: folder/new-{round}\n+x\n")),
                1 => patch(&format!("*** Add File: folder/made-{round}/new\n+x\n")),
                2 => update("folder/file", "@@\n-outside\n+stolen\n"),
                _ => update(
                    "folder/file",
                    "@@\n-inside\n+inside\n+more\n*** Update File: folder/file\n@@\n-more\n",
                ),
            };
            match block_on(folder.call(&patch)).outcome {
                Ok(_) => applied += 1,
                Err(_) => refused += 1,
            }
        }
    });
    assert_eq!(snapshot(&outside), before);
    eprintln!("{applied} applied, {refused} refused");
}

#[test]
fn a_file_that_becomes_a_link_is_neither_read_nor_written_through_it() {
    let folder = Folder::with(&[("file", "inside\n")]);
    let outside = folder.around().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "secret\n").unwrap();
    symlink(outside.join("secret"), folder.path("link")).unwrap();
    let before = snapshot(&outside);
    let (mut applied, mut refused) = (0, 0);
    while_exchanged(&folder.path("file"), &folder.path("link"), || {
        for round in 0.. {
            if round >= 200 && applied > 0 && refused > 0 {
                break;
            }
            let (old, new) = if applied % 2 == 0 { ("inside", "within") } else { ("within", "inside") };
            let hunks = if round % 4 == 0 {
                "@@\n-secret\n+stolen\n".to_owned()
            } else {
                format!("@@\n-{old}\n+{new}\n")
            };
            let call = block_on(folder.call(&update("file", &hunks)));
            assert!(!call.model_text.contains("is `secret`"), "{}", call.model_text);
            match call.outcome {
                Ok(_) => applied += 1,
                Err(_) => refused += 1,
            }
        }
    });
    assert_eq!(snapshot(&outside), before);
    eprintln!("{applied} applied, {refused} refused");
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
}
