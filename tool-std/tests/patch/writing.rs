//! All or nothing: disks that are full or read-only, writes that fail half-way, files that change meanwhile.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;

use tool_runtime::testing;
use tool_std::computer::{Computer, apply_patch};

use crate::folder::{Folder, LockHolder, Over, busy, patch, snapshot, update};
use crate::nobody::as_nobody;
use crate::privileges::{has_namespace, mount};

/// A workspace that is a small disk of its own.
fn small_disk(size: &str) -> Folder {
    let folder = Folder::new();
    mount(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"], &folder.path(""));
    folder
}

/// The tool has to open the workspace anew after something was mounted on it.
async fn refused(folder: &Folder, patch: &str) -> String {
    let tool = apply_patch(Computer::new(folder.path("")).unwrap());
    let before = snapshot(folder.around());
    let call = testing::call(&tool, patch.into()).await;
    assert!(call.outcome.is_err(), "{}", call.model_text);
    assert_eq!(snapshot(folder.around()), before, "{}", call.model_text);
    call.model_text
}

#[tokio::test]
async fn a_full_disk_leaves_everything_as_it_was() {
    if !has_namespace("writing::a_full_disk_leaves_everything_as_it_was") {
        return;
    }
    let folder = small_disk("64k");
    folder.write("a", "one\n");
    folder.write("b", "two\n");
    let large = "+0123456789abcdef\n".repeat(8_000);
    let lines = format!(
        "*** Update File: a\n@@\n-one\n+1\n*** Add File: new/folders/large\n{large}*** Delete File: b\n"
    );
    let text = refused(&folder, &patch(&lines)).await;
    assert!(text.contains("`new/folders/large` cannot be written: No space left on device"), "{text}");
    // There is room for the rest of it.
    let tool = apply_patch(Computer::new(folder.path("")).unwrap());
    let call =
        testing::call(&tool, patch("*** Update File: a\n@@\n-one\n+1\n*** Delete File: b\n").into()).await;
    assert!(call.outcome.is_ok(), "{}", call.model_text);
    assert_eq!((folder.read("a").as_str(), folder.has("b")), ("1\n", false));
}

#[tokio::test]
async fn a_read_only_disk_is_refused() {
    if !has_namespace("writing::a_read_only_disk_is_refused") {
        return;
    }
    let folder = small_disk("64k");
    folder.write("a", "one\n");
    mount(&["-o", "remount,ro"], &folder.path(""));
    let text = refused(&folder, &update("a", "@@\n-one\n+1\n")).await;
    assert!(text.contains("`a` may not be changed by this user"), "{text}");
    let text = refused(&folder, &patch("*** Add File: b\n+b\n")).await;
    assert!(text.contains("`b` cannot be written: Read-only file system"), "{text}");
    let text = refused(&folder, &patch("*** Add File: new/b\n+b\n")).await;
    assert!(text.contains("`new/b` lies in a folder that cannot be made: Read-only file system"), "{text}");
}

#[tokio::test]
async fn a_folder_without_write_permission_is_refused() {
    let name = "writing::a_folder_without_write_permission_is_refused";
    let folder = Folder::with(&[("open/a", "one\n"), ("closed/b", "two\n")]);
    folder.set_mode("closed", 0o555);
    if fs::File::create(folder.path("closed/probe")).is_ok() {
        // Root may write everywhere.
        fs::remove_file(folder.path("closed/probe")).unwrap();
        as_nobody(name);
        return;
    }
    let both = patch("*** Update File: open/a\n@@\n-one\n+1\n*** Update File: closed/b\n@@\n-two\n+2\n");
    let text = folder.refused(&both).await;
    assert!(text.contains("`closed/b` cannot be written: Permission denied"), "{text}");
    for lines in
        ["*** Delete File: closed/b\n", "*** Add File: closed/new\n+x\n", "*** Add File: closed/new/x\n+x\n"]
    {
        let text = folder.refused(&patch(&format!("*** Update File: open/a\n@@\n-one\n+1\n{lines}"))).await;
        assert!(text.contains("Permission denied"), "{text}");
    }
    folder.set_mode("closed", 0o755);
    folder.applied(&both).await;
}

#[tokio::test]
async fn a_write_that_fails_half_way_is_taken_back() {
    if !has_namespace("writing::a_write_that_fails_half_way_is_taken_back") {
        return;
    }
    let folder = Folder::with(&[
        ("a", "one\n"),
        ("b", "two\n"),
        ("gone", "x\n"),
        ("moved", "y\n"),
        ("fixed", "three\n"),
    ]);
    folder.set_mode("a", 0o751);
    // A file on which something is mounted can be written to, but nothing can take its place.
    fs::write(folder.around().join("other"), "three\n").unwrap();
    let other = folder.around().join("other");
    mount(&["--bind", other.to_str().unwrap()], &folder.path("fixed"));
    let lines = "*** Update File: a\n@@\n-one\n+1\n*** Add File: new/deep/file\n+n\n*** Delete File: gone\n*** Update File: moved\n\
                 *** Move to: new/moved\n*** Update File: b\n@@\n-two\n+2\n*** Update File: fixed\n@@\n-three\n+3\n";
    let inode = fs::metadata(folder.path("a")).unwrap().ino();
    let text = folder.refused(&patch(lines)).await;
    assert!(text.contains("`fixed` cannot be written: Device or resource busy"), "{text}");
    // The very files are back, not copies of them.
    assert_eq!(fs::metadata(folder.path("a")).unwrap().ino(), inode);
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
}

#[tokio::test]
async fn folders_that_were_made_for_a_patch_that_fails_are_removed_and_others_stay() {
    if !has_namespace("writing::folders_that_were_made_for_a_patch_that_fails_are_removed_and_others_stay") {
        return;
    }
    let folder = small_disk("64k");
    fs::create_dir(folder.path("was")).unwrap();
    let large = "+0123456789abcdef\n".repeat(8_000);
    refused(&folder, &patch(&format!("*** Add File: was/x/y/z\n+z\n*** Add File: n/m/large\n{large}"))).await;
    assert!(folder.has("was") && !folder.has("was/x") && !folder.has("n"));
}

#[tokio::test]
async fn twenty_patches_at_once_are_applied_one_after_the_other() {
    let folder = Folder::with(&[("list", "top\nbottom\n"), ("other", "x\n")]);
    let patches: Vec<String> = (0..20)
        .map(|n| {
            let new = format!("*** Add File: new-{n}\n+{n}\n");
            patch(&format!("{new}*** Update File: list\n@@ top\n+line {n}\n"))
        })
        .collect();
    let mut calls = tokio::task::JoinSet::new();
    for patch in patches {
        let tool = folder.tool().clone();
        calls.spawn(async move { testing::call(&tool, patch.into()).await });
    }
    while let Some(call) = calls.join_next().await {
        let call = call.unwrap();
        assert!(call.outcome.is_ok(), "{}", call.model_text);
    }
    let mut lines: Vec<String> = folder.read("list").lines().map(str::to_owned).collect();
    lines.sort();
    let mut expected: Vec<String> = (0..20).map(|n| format!("line {n}")).collect();
    expected.extend(["top".to_owned(), "bottom".to_owned()]);
    expected.sort();
    assert_eq!(lines, expected);
}

/// Several computers know nothing of each other: each patch is applied on what the others have done, or refused.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn patches_of_several_computers_lose_nothing() {
    let folder = Folder::with(&[("a", "top\n"), ("b", "top\n")]);
    let mut calls = tokio::task::JoinSet::new();
    for n in 0..8 {
        let tool = apply_patch(Computer::new(folder.path("")).unwrap());
        calls.spawn(async move {
            let mut applied = Vec::new();
            for round in 0..10 {
                let line = format!("{n}-{round}");
                let hunk = format!("@@ top\n+{line}\n");
                let patch = patch(&format!("*** Update File: a\n{hunk}*** Update File: b\n{hunk}"));
                let call = testing::call(&tool, patch.into()).await;
                match call.outcome {
                    Ok(_) => applied.push(line),
                    Err(_) => assert!(
                        call.model_text.contains("was changed by something else"),
                        "{}",
                        call.model_text
                    ),
                }
            }
            applied
        });
    }
    let mut applied = vec!["top".to_owned()];
    while let Some(lines) = calls.join_next().await {
        applied.extend(lines.unwrap());
    }
    applied.sort();
    assert!(applied.len() > 1);
    for path in ["a", "b"] {
        let mut lines: Vec<String> = folder.read(path).lines().map(str::to_owned).collect();
        lines.sort();
        assert_eq!(lines, applied, "{path}");
    }
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
}

/// Something else writes all the time: a patch is applied as a whole, or refused as a whole, and no write is lost.
#[test]
fn a_file_that_changes_meanwhile_is_not_overwritten() {
    let folder = Folder::with(&[("a", "patched 0\n"), ("b", "0\n")]);
    let done = Over::default();
    let (mut applied, mut refused) = (0, 0);
    thread::scope(|scope| {
        let _end = done.on_drop();
        let (path, done) = (folder.path("b"), &done);
        scope.spawn(move || keep_counting(&path, done));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        for round in 0.. {
            if round >= 200 && applied > 0 && refused > 0 {
                break;
            }
            let before = folder.read("a");
            let count = folder.read("b");
            let lines = format!(
                "*** Update File: a\n@@\n-{before}+patched {round}\n*** Update File: b\n@@\n {count}+{round}\n"
            );
            let call = runtime.block_on(folder.call(&patch(&lines)));
            let after = folder.read("a");
            match call.outcome {
                Ok(_) => {
                    applied += 1;
                    assert_eq!(after, format!("patched {round}\n"));
                }
                Err(_) => {
                    refused += 1;
                    assert_eq!(after, before, "{}", call.model_text);
                }
            }
        }
    });
    eprintln!("{applied} applied, {refused} refused");
    assert_eq!(folder.left_over(), Vec::<std::path::PathBuf>::new());
}

/// Writes a file anew, by rename, over and over; its content is always one whole number and a newline.
fn keep_counting(path: &Path, done: &Over) {
    let beside = path.with_extension("writing");
    let mut count = 0_usize;
    while !done.is_over() {
        count += 1;
        fs::write(&beside, format!("{count}\n")).unwrap();
        fs::rename(&beside, path).unwrap();
        busy(count);
    }
    let _removed = fs::remove_file(beside);
}

#[tokio::test]
async fn a_lock_that_another_process_never_gives_back_does_not_hang_the_call() {
    let folder = Folder::with(&[("a", "one\n")]);
    let holder = LockHolder::start(&folder);
    let text = folder.refused(&update("a", "@@\n-one\n+1\n")).await;
    assert!(text.contains("another patch is being written in the same folder; try again"), "{text}");
    holder.stop();
    folder.applied(&update("a", "@@\n-one\n+1\n")).await;
}
