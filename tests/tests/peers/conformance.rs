//! The conformance suite of the protocol against our server.

use std::process::Command;

use crate::installed::{HttpServer, node, peers, script};

/// All scenarios but those of `expected-failures.yml`, which says why each of them cannot pass.
#[test]
fn the_suite_finds_no_failure_but_the_known_ones() {
    let Some(peers) = peers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = HttpServer::start(folder.path());
    let output = Command::new(node(&peers))
        .arg(peers.join("node_modules/.bin/conformance"))
        .args(["server", "--suite", "active", "--url", &server.url, "--expected-failures"])
        .arg(script("expected-failures.yml"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    println!("{text}");
}
