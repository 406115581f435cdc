//! Finding files by name.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde_json::{Value, json};

use crate::tree::Tree;

/// The paths of a list, without the note.
async fn found(tree: &Tree, arguments: Value) -> Vec<String> {
    let text = tree.text("find", arguments).await;
    text.lines().filter(|row| !row.starts_with('[')).map(str::to_owned).collect()
}

fn project() -> Tree {
    Tree::of(&[
        ("src/main.rs", ""),
        ("src/user/user_controller.rs", ""),
        ("src/user/user.rs", ""),
        ("src/user/super_user.rs", ""),
        ("docs/user guide.md", ""),
        ("docs/User.md", ""),
        ("web/index.ts", ""),
        ("web/app.tsx", ""),
        ("README.md", ""),
        (".github/workflows/ci.yml", ""),
        (".gitignore", "/target\n*.log\n!keep.log\n"),
        ("target/debug/user.rs", ""),
        ("a.log", ""),
        ("keep.log", ""),
    ])
}

#[tokio::test]
async fn all_files_by_name() {
    let tree = Tree::of(&[("b/x.rs", ""), ("a.rs", ""), ("b.rs", ""), ("b/a/y.rs", "")]);
    let call = tree.call("find", json!({})).await;
    assert_eq!(call.text(), "a.rs\nb/a/y.rs\nb/x.rs\nb.rs\n[4 files of 4 that were looked at]");
    assert_eq!(call.details::<Value>().unwrap(), json!({"total_matched": 4, "total_files": 4}));
    assert_eq!(call.activity.as_deref(), Some("Finding files"));
}

#[tokio::test]
async fn the_best_names_come_first() {
    let tree = project();
    assert_eq!(
        found(&tree, json!({"pattern": "user"})).await,
        [
            "docs/User.md",
            "src/user/user.rs",
            "docs/user guide.md",
            "src/user/user_controller.rs",
            "src/user/super_user.rs",
        ]
    );
    // With a capital, case counts.
    assert_eq!(found(&tree, json!({"pattern": "User"})).await, ["docs/User.md"]);
    assert_eq!(found(&tree, json!({"pattern": "usrctl"})).await, ["src/user/user_controller.rs"]);
    for path in ["src/user/user.rs", "user/user.rs"] {
        assert_eq!(found(&tree, json!({"pattern": path})).await[0], "src/user/user.rs");
    }
}

#[tokio::test]
async fn every_word_must_fit() {
    let tree = project();
    assert_eq!(found(&tree, json!({"pattern": "guide docs"})).await, ["docs/user guide.md"]);
    assert_eq!(found(&tree, json!({"pattern": "user *.md"})).await, ["docs/User.md", "docs/user guide.md"]);
    assert_eq!(
        tree.text("find", json!({"pattern": "guide web"})).await,
        "no path in `.` is like `guide web`; 10 files looked at, hidden and ignored ones left out"
    );
}

#[tokio::test]
async fn globs_match_names_or_paths() {
    let tree = project();
    assert_eq!(found(&tree, json!({"pattern": "*.{ts,tsx}"})).await, ["web/app.tsx", "web/index.ts"]);
    assert_eq!(found(&tree, json!({"pattern": "src/*.rs"})).await, ["src/main.rs"]);
    assert_eq!(found(&tree, json!({"pattern": "src/**/main.rs"})).await, ["src/main.rs"]);
    let text = tree.text("find", json!({"pattern": "{a,b*"})).await;
    assert!(text.starts_with("`**/{a,b*` is no glob: "), "{text}");
}

#[tokio::test]
async fn a_path_is_a_folder_a_file_or_a_glob() {
    let tree = project();
    assert_eq!(found(&tree, json!({"path": "docs"})).await, ["docs/User.md", "docs/user guide.md"]);
    assert_eq!(found(&tree, json!({"path": "docs/"})).await, ["docs/User.md", "docs/user guide.md"]);
    assert_eq!(found(&tree, json!({"path": "src/main.rs"})).await, ["src/main.rs"]);
    assert_eq!(found(&tree, json!({"path": "src/*.rs"})).await, ["src/main.rs"]);
    assert_eq!(found(&tree, json!({"path": "*.tsx"})).await, ["web/app.tsx"]);
    assert_eq!(
        found(&tree, json!({"path": "s*/user", "pattern": "super"})).await,
        ["src/user/super_user.rs"]
    );
    assert_eq!(found(&tree, json!({"path": tree.path("web"), "pattern": "*.ts"})).await, ["web/index.ts"]);
    let home = tree.computer.home().join("work/docs");
    assert_eq!(
        found(&tree, json!({"path": "~/work/docs", "pattern": "guide"})).await,
        ["docs/user guide.md"]
    );
    assert_eq!(found(&tree, json!({"path": home, "pattern": "guide"})).await, ["docs/user guide.md"]);
    assert_eq!(tree.text("find", json!({"path": "src/*.py"})).await, "no path in `src` matches `*.py`");
}

#[tokio::test]
async fn outside_of_the_workspace_paths_are_absolute() {
    let tree = Tree::new();
    std::fs::write(tree.computer.home().join("notes.md"), "").unwrap();
    let notes = tree.computer.home().join("notes.md").display().to_string();
    assert_eq!(found(&tree, json!({"path": "~", "pattern": "notes"})).await, [notes]);
}

#[tokio::test]
async fn a_name_with_brackets_is_a_path() {
    let tree = Tree::of(&[("app/[id]/page.tsx", ""), ("app/i/page.tsx", "")]);
    assert_eq!(found(&tree, json!({"path": "app/[id]"})).await, ["app/[id]/page.tsx"]);
    assert_eq!(found(&tree, json!({"path": "app/[id]/*.tsx"})).await, ["app/[id]/page.tsx"]);
    assert_eq!(found(&tree, json!({"pattern": "[id]"})).await, ["app/[id]/page.tsx"]);
}

#[tokio::test]
async fn a_path_that_is_not_there_is_looked_for_in_all_paths() {
    let tree = project();
    assert_eq!(
        tree.text("find", json!({"path": "user", "pattern": "super"})).await,
        "src/user/super_user.rs\n[1 file of 3 that were looked at; \
         `user` is no path here, these end with it or go through it]"
    );
    assert_eq!(
        tree.text("find", json!({"path": "scr/user"})).await,
        "`scr/user` does not exist: there is no `scr` in `.`; did you mean `src`"
    );
    assert_eq!(tree.text("find", json!({"path": "scr/../x"})).await, "`scr/../x` does not exist");
}

#[tokio::test]
async fn hidden_and_ignored_files_are_left_out_unless_they_are_named() {
    let tree = project();
    let all = found(&tree, json!({"limit": 100})).await;
    assert_eq!(all.len(), 10);
    assert!(all.contains(&"keep.log".to_owned()), "{all:?}");
    assert_eq!(found(&tree, json!({"path": ".github"})).await, [".github/workflows/ci.yml"]);
    assert_eq!(found(&tree, json!({"pattern": ".github/**"})).await, [".github/workflows/ci.yml"]);
    assert_eq!(found(&tree, json!({"pattern": ".gitig"})).await, [".gitignore"]);
    assert_eq!(found(&tree, json!({"path": "target"})).await, ["target/debug/user.rs"]);
    assert_eq!(found(&tree, json!({"path": "a.log"})).await, ["a.log"]);
}

#[tokio::test]
async fn deeper_ignore_files_and_those_above_the_start_count() {
    let tree = Tree::of(&[
        (".gitignore", "*.tmp\n/only-here\n"),
        ("a/.gitignore", "!b.tmp\nsecret/\n"),
        ("a/.ignore", "c.rs\n"),
        ("a/b.tmp", ""),
        ("a/x.tmp", ""),
        ("a/c.rs", ""),
        ("a/secret/d.rs", ""),
        ("a/only-here", ""),
        ("only-here", ""),
    ]);
    for path in [".", "a"] {
        assert_eq!(found(&tree, json!({"path": path})).await, ["a/b.tmp", "a/only-here"], "{path}");
    }
}

#[tokio::test]
async fn the_folder_of_git_is_never_searched_unless_it_is_named() {
    let tree = Tree::of(&[(".git/config", ""), (".config/config", "")]);
    assert_eq!(found(&tree, json!({"pattern": ".config"})).await, [".config/config"]);
    assert_eq!(found(&tree, json!({"path": ".git"})).await, [".git/config"]);
}

#[tokio::test]
async fn excluded_paths_are_left_out() {
    let tree = Tree::of(&[
        ("a/x.rs", ""),
        ("a/gen/y.rs", ""),
        ("b/gen/z.rs", ""),
        ("b/z.lock", ""),
        ("c.txt", ""),
        ("#d.txt", ""),
    ]);
    for (exclude, rest) in [
        (json!("gen, *.lock"), vec!["#d.txt", "a/x.rs", "c.txt"]),
        (json!("gen *.lock #d.txt"), vec!["a/x.rs", "c.txt"]),
        (json!(["gen/", "*.{lock,txt}"]), vec!["a/x.rs"]),
        (json!("!gen !*.lock"), vec!["#d.txt", "a/x.rs", "c.txt"]),
        (json!(["a/gen", "./b", "#d.txt"]), vec!["a/x.rs", "c.txt"]),
    ] {
        assert_eq!(found(&tree, json!({"exclude": exclude})).await, rest, "{exclude}");
    }
    assert_eq!(found(&tree, json!({"path": "a", "exclude": "a/gen"})).await, ["a/x.rs"]);
}

#[tokio::test]
async fn pages_lead_to_each_other_and_can_be_asked_for_again() {
    let tree = Tree::new();
    for file in 0..25 {
        tree.write(format!("file-{file:02}.txt"), "");
        tree.write(format!("other-{file:02}.md"), "");
    }
    let mut seen = Vec::new();
    let mut call = tree.call("find", json!({"pattern": "file", "exclude": "*.md", "limit": 10})).await;
    let text = call.text();
    assert!(text.ends_with("[1 to 10 of 25 files that fit; go on with cursor find-1]"), "{text}");
    loop {
        seen.extend(call.text().lines().filter(|row| !row.starts_with('[')).map(str::to_owned));
        let details: Value = call.details().unwrap();
        assert_eq!(details["total_matched"], 25);
        let Some(cursor) = details.get("cursor") else { break };
        // What else is asked for does not count.
        call = tree.call("find", json!({"cursor": cursor, "pattern": "other", "limit": 1})).await;
        let again = tree.call("find", json!({"cursor": cursor})).await;
        let rows = |text: String| {
            text.lines().map(str::to_owned).filter(|row| !row.starts_with('[')).collect::<Vec<_>>()
        };
        assert_eq!(rows(call.text()), rows(again.text()));
    }
    assert!(call.text().ends_with("[21 to 25 of 25 files that fit]"), "{}", call.text());
    let all: Vec<_> = (0..25).map(|file| format!("file-{file:02}.txt")).collect();
    assert_eq!(seen, all);
}

#[tokio::test]
async fn unknown_and_old_cursors_are_answered() {
    let tree = Tree::of(&[("a", ""), ("b", "")]);
    let said = "the cursor `find-1` is not known (any more): search again without a cursor";
    assert_eq!(tree.text("find", json!({"cursor": "find-1"})).await, said);
    for _ in 0..201 {
        tree.call("find", json!({"limit": 1})).await;
    }
    assert_eq!(tree.text("find", json!({"cursor": "find-1"})).await, said);
    assert!(tree.text("find", json!({"cursor": "find-2"})).await.starts_with("b\n"));
    for cursor in ["", "find", "find-", "grep-2", "find-x", "find--2"] {
        let text = tree.text("find", json!({"cursor": cursor})).await;
        assert!(text.contains("is not known"), "{text}");
    }
}

#[tokio::test]
async fn weak_matches_are_a_sample_without_a_cursor() {
    let tree = Tree::new();
    for file in 0..20 {
        tree.write(format!("a{file:02}xxxxb{file:02}xxxxc{file:02}xxxxd"), "");
    }
    let call = tree.call("find", json!({"pattern": "abcd"})).await;
    let text = call.text();
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(
        text.ends_with("[weak matches only: no path is like `abcd`; these are the best of 20]"),
        "{text}"
    );
    assert_eq!(call.details::<Value>().unwrap(), json!({"total_matched": 20, "total_files": 20}));
}

#[tokio::test]
async fn names_that_are_near_are_offered() {
    let tree = project();
    let text = tree.text("find", json!({"pattern": "mian.rs"})).await;
    assert!(text.ends_with("left out; did you mean `src/main.rs`"), "{text}");
}

#[tokio::test]
async fn links_are_shown_and_not_followed() {
    let tree = Tree::of(&[("real/a.txt", "")]);
    tree.link("link", "real");
    tree.link("b.txt", "real/a.txt");
    assert_eq!(found(&tree, json!({})).await, ["b.txt (a link)", "link (a link)", "real/a.txt"]);
}

#[tokio::test]
async fn names_that_cannot_be_written_are_marked() {
    let tree = Tree::new();
    tree.write(OsStr::from_bytes(b"caf\xe9/menu.txt"), "");
    tree.write("two\nlines.txt", "");
    assert_eq!(
        found(&tree, json!({"pattern": "txt"})).await,
        ["caf\u{fffd}/menu.txt (name is not UTF-8)", "two\\nlines.txt (name holds control characters)"]
    );
}

#[tokio::test]
async fn limits_are_kept() {
    let tree = Tree::new();
    for arguments in [json!({"limit": 0}), json!({"limit": 101}), json!({"patern": "a"})] {
        assert!(tree.call("find", arguments.clone()).await.outcome.is_err(), "{arguments}");
    }
    let long = "x".repeat(240);
    for file in 0..60 {
        tree.write(format!("{long}/{long}/{long}/{long}/{long}/{file:02}"), "");
    }
    // Each row has 1,208 characters with its line end.
    let call = tree.call("find", json!({"limit": 100})).await;
    let text = call.text();
    assert!(
        text.ends_with("/40\n[1 to 41 of 60 files that fit; go on with cursor find-1]"),
        "{}",
        text.len()
    );
    let text = tree.text("find", json!({"cursor": "find-1"})).await;
    assert!(text.ends_with("/59\n[42 to 60 of 60 files that fit]"), "{}", text.len());
}
