//! Generated pairs of files, changed from the old to the new one by a patch that was derived by `git diff`, an independent
//! program. The tool has to give the new file byte for byte, as `git apply` does with the diff itself.
//!
//! `PATCH_PAIRS` says how many pairs (200 otherwise), `PATCH_SEED` which.

mod derive;
mod generate;

use std::fs;
use std::path::Path;
use std::process::Command;

use derive::{Noise, envelope};
use generate::{Pair, Random};

use crate::folder::Folder;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |value| value.parse().unwrap())
}

/// Runs git, whatever the person who runs the test has configured.
fn git(folder: &Path, arguments: &[&str]) -> (Option<i32>, Vec<u8>) {
    let out = Command::new("git")
        .args(["-c", "core.autocrlf=false", "-c", "core.safecrlf=false", "-c", "core.quotePath=false"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        .output()
        .unwrap_or_else(|error| panic!("this test needs git: {error}"));
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    (out.status.code(), out.stdout)
}

/// The pairs in folders `old` and `new`, and the diff from one to the other.
fn written(pairs: &[Pair]) -> (tempfile::TempDir, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    for (side, content) in [("old", (|pair| &pair.old) as fn(&Pair) -> &String), ("new", |pair| &pair.new)] {
        fs::create_dir(folder.path().join(side)).unwrap();
        for (number, pair) in pairs.iter().enumerate() {
            fs::write(folder.path().join(side).join(format!("{number}.txt")), content(pair)).unwrap();
        }
    }
    let (code, diff) =
        git(folder.path(), &["diff", "--no-index", "--text", "--no-renames", "-U3", "old", "new"]);
    assert!(matches!(code, Some(0 | 1)));
    (folder, diff)
}

#[tokio::test]
async fn a_patch_gives_what_git_gives() {
    let (count, seed) = (number("PATCH_PAIRS", 200), number("PATCH_SEED", 1));
    let mut random = Random::new(seed);
    let pairs: Vec<Pair> = (0..count).map(|_| Pair::generate(&mut random)).collect();
    let (git_folder, diff) = written(&pairs);

    // What git makes of its own diff.
    fs::write(git_folder.path().join("diff"), &diff).unwrap();
    let (code, _) = git(&git_folder.path().join("old"), &["apply", "--whitespace=nowarn", "-p2", "../diff"]);
    assert_eq!(code, Some(0));

    let files = derive::files(&diff);
    let (mut loose, mut unsaid) = (0, 0);
    for (number, pair) in pairs.iter().enumerate() {
        let by_git = fs::read(git_folder.path().join(format!("old/{number}.txt"))).unwrap();
        assert_eq!(by_git, pair.new.as_bytes(), "pair {number} of seed {seed}: git");
        let Some(hunks) = files.get(&format!("{number}.txt")) else {
            assert_eq!(pair.old, pair.new);
            continue;
        };
        if !derive::endings_follow(&pair.old, hunks) {
            unsaid += 1;
            continue;
        }
        for noise in [Noise::None, Noise::Random] {
            let patch = envelope("f.txt", &pair.old, hunks, noise, &mut random);
            let folder = Folder::with(&[("f.txt", &pair.old)]);
            let call = folder.call(&patch).await;
            let context =
                || format!("pair {number} of seed {seed}\n{:?}\n{patch}\n{}", pair.old, call.model_text);
            assert!(call.outcome.is_ok(), "{}", context());
            assert_eq!(folder.read("f.txt"), pair.new, "{}", context());
            loose += usize::from(call.model_text.contains("but for"));
        }
    }
    assert!(loose > 0 && unsaid * 5 < pairs.len(), "{unsaid}");
    eprintln!(
        "{count} pairs of seed {seed}, {} of them changed, {unsaid} with endings that no envelope says, {loose} placed loosely",
        files.len()
    );
}

#[tokio::test]
async fn many_files_in_one_patch_give_what_git_gives() {
    let mut random = Random::new(number("PATCH_SEED", 1) + 1_000_000);
    let pairs: Vec<Pair> = (0..100).map(|_| Pair::generate(&mut random)).collect();
    let (_git_folder, diff) = written(&pairs);
    let files = derive::files(&diff);
    let folder = Folder::new();
    let mut patch = String::new();
    for (number, pair) in pairs.iter().enumerate() {
        let path = format!("{number}.txt");
        folder.write(&path, &pair.old);
        if let Some(hunks) = files.get(&path)
            && derive::endings_follow(&pair.old, hunks)
        {
            let one = envelope(&path, &pair.old, hunks, Noise::None, &mut random);
            let one =
                one.strip_prefix("*** Begin Patch\n").and_then(|one| one.strip_suffix("*** End Patch\n"));
            patch.push_str(one.unwrap());
        }
    }
    folder.applied(&crate::folder::patch(&patch)).await;
    for (number, pair) in pairs.iter().enumerate() {
        let path = format!("{number}.txt");
        if files.get(&path).is_none_or(|hunks| derive::endings_follow(&pair.old, hunks)) {
            assert_eq!(folder.read(&path), pair.new, "pair {number}");
        }
    }
}
