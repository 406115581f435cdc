//! Runs a test as a user who is not root.

use std::env;
use std::fs;
use std::process::Command;

/// Runs the test `name` as a user who is not root, who needs a program and folders that are open to all.
pub(crate) fn as_nobody(name: &str) {
    let place = tempfile::tempdir_in("/tmp").unwrap();
    let program = place.path().join("test");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    assert!(Command::new("chmod").args(["-R", "a+rwx"]).arg(place.path()).status().unwrap().success());
    let out = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&program)
        .args(["--exact", name, "--nocapture"])
        .current_dir(place.path())
        .env("TMPDIR", place.path())
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
}
