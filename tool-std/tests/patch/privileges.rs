//! Runs a test in a mount namespace of its own.

use std::env;
use std::path::Path;
use std::process::Command;

const INSIDE: &str = "PATCH_TEST_IN_NAMESPACE";

/// Whether the test `name` is to run here, since it has a mount namespace of its own. If not, it has been run in one.
///
/// Where there are no namespaces, the test says so, and fails if `CI` is set.
pub(crate) fn has_namespace(name: &str) -> bool {
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let able = |way: &&&[&str]| {
        Command::new("unshare").args(**way).arg("true").output().is_ok_and(|out| out.status.success())
    };
    let Some(way) = ways.iter().find(able) else {
        assert!(env::var_os("CI").is_none(), "{name} needs a mount namespace, and this machine gives none");
        eprintln!("{name} was not run: this machine gives no mount namespace");
        return false;
    };
    let out = Command::new("unshare")
        .args(*way)
        .arg(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success() && text.contains("1 passed"), "{text}");
    false
}

/// Mounts something, as the program `mount` takes it.
pub(crate) fn mount(arguments: &[&str], at: &Path) {
    let out = Command::new("mount").args(arguments).arg(at).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
}
