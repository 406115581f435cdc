//! Which files can be patched: those in the workspace and the home, and no links, folders, devices or pipes.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;

use tool_runtime::testing;
use tool_std::computer::{Computer, apply_patch};

use crate::folder::{Folder, patch, update};
use crate::nobody::as_nobody;

/// Each operation on a path, none of which may do anything.
async fn all_refused(folder: &Folder, path: &str, expected: &str) {
    for patch in [
        patch(&format!("*** Add File: {path}\n+x\n")),
        patch(&format!("*** Delete File: {path}\n")),
        update(path, "@@\n-inside\n+x\n"),
        update("mine", &format!("*** Move to: {path}\n@@\n-mine\n+x\n")),
    ] {
        let text = folder.refused(&patch).await;
        assert!(text.contains(expected), "{patch}{text}");
    }
}

#[tokio::test]
async fn paths_that_lead_outside_are_refused() {
    let folder = Folder::with(&[("mine", "mine\n"), ("sub/x", "")]);
    std::fs::write(folder.around().join("secret"), "inside\n").unwrap();
    symlink(folder.around(), folder.path("out")).unwrap();
    let absolute = folder.around().join("secret");
    let absolute = absolute.to_str().unwrap();
    for path in [
        "../secret",
        "sub/../../secret",
        "out/secret",
        absolute,
        &format!("/proc/self/root{absolute}"),
        "out/new/file",
    ] {
        all_refused(&folder, path, "lies outside of what may be used here").await;
    }
}

#[tokio::test]
async fn links_are_refused_wherever_they_lead() {
    let folder = Folder::with(&[("mine", "mine\n"), ("real", "inside\n")]);
    std::fs::write(folder.around().join("secret"), "inside\n").unwrap();
    symlink("real", folder.path("link")).unwrap();
    symlink(folder.around().join("secret"), folder.path("outward")).unwrap();
    symlink("nowhere", folder.path("dangling")).unwrap();
    for path in ["link", "outward", "dangling"] {
        all_refused(&folder, path, &format!("`{path}` is a link")).await;
    }
}

#[tokio::test]
async fn what_is_no_file_is_refused() {
    let folder = Folder::with(&[("mine", "mine\n"), ("folder/x", "")]);
    let made = Command::new("mkfifo").arg(folder.path("pipe")).status().unwrap();
    assert!(made.success());
    let _listener = UnixListener::bind(folder.path("socket")).unwrap();
    all_refused(&folder, "pipe", "`pipe` is a pipe, no file").await;
    all_refused(&folder, "socket", "`socket` is a socket, no file").await;
    all_refused(&folder, "folder", "`folder` is a folder, no file").await;
    all_refused(&folder, "folder/", "`folder/` is the path of a folder, no file").await;
    all_refused(&folder, ".", "is a folder, no file").await;
    all_refused(&folder, "folder/..", "is a folder, no file").await;
    let device = Command::new("mknod").arg(folder.path("device")).args(["c", "1", "3"]).output().unwrap();
    if device.status.success() {
        all_refused(&folder, "device", "`device` is a device, no file").await;
    } else {
        eprintln!("only root can make a device");
    }
}

#[tokio::test]
async fn one_file_under_two_paths_is_one_file() {
    let folder = Folder::with(&[("sub/a", "x\n")]);
    symlink("sub", folder.path("link")).unwrap();
    folder
        .applied(&patch("*** Update File: sub/a\n@@\n-x\n+y\n*** Update File: link/../sub/./a\n@@\n-y\n+z\n"))
        .await;
    assert_eq!(folder.read("sub/a"), "z\n");
    let text = folder.refused(&patch("*** Delete File: link/a\n*** Delete File: sub/a\n")).await;
    assert!(text.contains("`sub/a` does not exist any more"), "{text}");
}

#[tokio::test]
async fn home_and_absolute_paths_can_be_patched_and_readable_folders_cannot() {
    let folder = Folder::new();
    let home = folder.around();
    std::fs::create_dir(home.join("library")).unwrap();
    let computer = Computer::builder(folder.path("")).home(home).build().unwrap();
    let tool = apply_patch(computer);
    let absolute = home.join("absolute");
    let lines = format!(
        "*** Add File: ~/home\n+h\n*** Add File: {}\n+a\n*** Add File: here\n+w\n",
        absolute.display()
    );
    let call = testing::call(&tool, patch(&lines).into()).await;
    assert!(call.outcome.is_ok(), "{}", call.model_text);
    assert!(home.join("home").is_file() && absolute.is_file() && folder.has("here"));

    let computer = Computer::builder(folder.path("")).readable(home.join("library")).build().unwrap();
    let library = home.join("library/x");
    let lines = format!("*** Add File: {}\n+x\n", library.display());
    let call = testing::call(&apply_patch(computer), patch(&lines).into()).await;
    assert!(call.model_text.contains("lies outside of what may be used here"), "{}", call.model_text);
    assert!(!library.exists());
}

#[tokio::test]
async fn a_file_that_may_not_be_changed_is_refused() {
    let folder = Folder::with(&[("mine", "mine\n"), ("fixed", "inside\n")]);
    folder.set_mode("fixed", 0o444);
    if std::fs::OpenOptions::new().write(true).open(folder.path("fixed")).is_ok() {
        // Root may change any file.
        as_nobody("paths::a_file_that_may_not_be_changed_is_refused");
        return;
    }
    all_refused(&folder, "fixed", "`fixed` may not be changed by this user").await;
}

#[tokio::test]
async fn odd_names_are_names() {
    let folder = Folder::new();
    let long = "n".repeat(255);
    for path in ["with blank", "ümläut", "a:b", "-x", "'q'", &long] {
        folder.applied(&patch(&format!("*** Add File: {path}\n+x\n"))).await;
        folder.applied(&update(path, "@@\n-x\n+y\n")).await;
        assert_eq!(folder.read(path), "y\n");
    }
    for path in ["n".repeat(256), "a\0b".to_owned()] {
        folder.refused(&patch(&format!("*** Add File: {path}\n+x\n"))).await;
    }
}
