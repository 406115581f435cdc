//! Operations together: later ones see earlier ones, all failures are said at once, and nothing is written if there is one.

use crate::folder::{Folder, patch, snapshot, update};

#[tokio::test]
async fn later_operations_see_what_earlier_ones_have_done() {
    let folder = Folder::with(&[("a", "one\ntwo\n"), ("gone", "x\n")]);
    let text = folder
        .applied(&patch(
            "*** Update File: a\n@@\n-one\n+1\n*** Update File: a\n@@\n-1\n+uno\n*** Add File: b\n+b\n*** Update File: b\n\
             @@\n-b\n+B\n*** Update File: b\n*** Move to: c\n*** Delete File: gone\n*** Add File: gone\n+y\n*** Add File: t\n+t\n\
             *** Delete File: t\n",
        ))
        .await;
    assert_eq!(folder.read("a"), "uno\ntwo\n");
    assert_eq!(folder.read("c"), "B\n");
    assert_eq!(folder.read("gone"), "y\n");
    assert!(!folder.has("b") && !folder.has("t"));
    assert_eq!(text, "M a (+2 -2)\nA c (+2 -1)\nM gone (+1 -1)");
}

#[tokio::test]
async fn files_can_change_places() {
    let folder = Folder::with(&[("a", "A\n"), ("b", "B\n")]);
    folder
        .applied(&patch(
            "*** Update File: a\n*** Move to: t\n*** Update File: b\n*** Move to: a\n*** Update File: t\n*** Move to: b\n",
        ))
        .await;
    assert_eq!((folder.read("a"), folder.read("b")), ("B\n".to_owned(), "A\n".to_owned()));
    assert!(!folder.has("t"));
}

#[tokio::test]
async fn a_patch_that_deletes_what_it_later_updates_is_refused() {
    let folder = Folder::with(&[("a", "x\n")]);
    let text = folder.refused(&patch("*** Delete File: a\n*** Update File: a\n@@\n-x\n+y\n")).await;
    assert!(
        text.contains(
            "line 3 of the patch: `a` does not exist any more; a new file is made by `*** Add File:`"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn a_path_that_leads_nowhere_is_refused_with_the_nearest_names() {
    let folder = Folder::with(&[("src/main.rs", "x\n")]);
    let text = folder.refused(&update("src/mian.rs", "@@\n-x\n+y\n")).await;
    let expected =
        "`src/mian.rs` does not exist; did you mean `src/main.rs`; a new file is made by `*** Add File:`";
    assert!(text.contains(expected), "{text}");
}

#[tokio::test]
async fn what_exists_is_not_added_and_nothing_is_moved_over_it() {
    let folder = Folder::with(&[("a", "x\n"), ("b", "y\n")]);
    let text =
        folder.refused(&patch("*** Add File: a\n+z\n*** Add File: n\n+1\n*** Add File: n\n+2\n")).await;
    assert!(
        text.contains("line 2 of the patch: `a` exists already; change it with `*** Update File:`"),
        "{text}"
    );
    assert!(text.contains("line 6 of the patch: `n` exists already"), "{text}");
    let text = folder.refused(&update("a", "*** Move to: b\n")).await;
    assert!(text.contains("`b` exists already, so nothing can be moved there"), "{text}");
    let text = folder.refused(&update("a", "*** Move to: a\n@@\n-x\n+y\n")).await;
    assert!(text.contains("`a` exists already"), "{text}");
}

#[tokio::test]
async fn all_operations_that_fail_are_named_at_once() {
    let folder = Folder::with(&[("a", "x\nx\n"), ("b", "y\n"), ("fine", "z\n")]);
    let text = folder
        .refused(&patch(
            "*** Update File: fine\n@@\n-z\n+Z\n*** Update File: a\n@@\n-x\n+y\n*** Update File: b\n@@\n-nothing like it\n+y\n@@\n\
             -neither is this\n+y\n*** Delete File: missing\n*** Add File: b\n+y\n*** Update File: a\n@@\n-no\n+yes\n",
        ))
        .await;
    assert_eq!(
        text,
        "error: the patch was not applied, and no file was changed\n\
         - line 7 of the patch: the hunk of `a` fits at lines 1 and 2; add lines around it, or an anchor `@@ line above it`, that \
         only one of them has\n\
         - line 11 of the patch: hunk 1 of `b` does not fit: its lines do not follow each other in the file\n\
         - line 14 of the patch: hunk 2 of `b` does not fit: its lines do not follow each other in the file\n\
         - line 17 of the patch: `missing` does not exist"
    );
}

#[tokio::test]
async fn a_thousand_failures_are_told_in_a_few_thousand_characters() {
    let folder = Folder::new();
    let lines: String = (0..1_000).map(|n| format!("*** Delete File: missing-{n}\n")).collect();
    let text = folder.refused(&patch(&lines)).await;
    assert!(text.chars().count() < 4_200, "{}", text.len());
    assert!(text.contains("missing-0") && text.contains("more like these"), "{text}");
}

#[tokio::test]
async fn a_file_cannot_be_a_folder_too() {
    let text = Folder::new().refused(&patch("*** Add File: a\n+x\n*** Add File: a/b\n+y\n")).await;
    assert!(text.contains("`a/b` would lie in `a`, which is a file"), "{text}");
    let text = Folder::with(&[("a", "")]).refused(&patch("*** Add File: a/b\n+y\n")).await;
    assert!(text.contains("`a/b` leads through something that is no folder"), "{text}");
}

#[tokio::test]
async fn files_over_10_mib_are_deleted_but_not_changed_or_moved() {
    let folder = Folder::new();
    let large = std::fs::File::create(folder.path("large")).unwrap();
    large.set_len(5 << 30).unwrap();
    for patch in [update("large", "@@\n-a\n+b\n"), update("large", "*** Move to: b\n")] {
        let call = folder.call(&patch).await;
        assert!(call.model_text.contains("`large` is over 10 MiB"), "{}", call.model_text);
    }
    assert_eq!(folder.applied(&patch("*** Delete File: large\n")).await, "D large (+0 -0)");
    assert!(!folder.has("large"));
}

#[tokio::test]
async fn a_file_has_at_most_500_000_lines() {
    let folder = Folder::with(&[("many", &"\n".repeat(500_001))]);
    let text = folder.refused(&update("many", "@@\n-a\n+b\n")).await;
    assert!(text.contains("`many` has over 500000 lines"), "{text}");
}

#[tokio::test]
async fn a_patch_holds_at_most_64_mib_of_files() {
    let folder = Folder::new();
    for n in 0..8 {
        let mut file = vec![b'x'; 9 << 20];
        file.extend_from_slice(b"\nlast\n");
        folder.write(&format!("f{n}"), file);
    }
    let lines: String = (0..8).map(|n| format!("*** Update File: f{n}\n@@\n-last\n+LAST\n")).collect();
    let text = folder.refused(&patch(&lines)).await;
    assert!(text.contains("the files of the patch are over 64 MiB in all"), "{text}");
    // What is deleted is not held.
    let lines: String = (0..8).map(|n| format!("*** Delete File: f{n}\n")).collect();
    let text = folder.applied(&patch(&lines)).await;
    assert!(text.starts_with("D f0 (+0 -2)\n") && text.ends_with("D f7 (+0 -2)"), "{text}");
}

#[tokio::test]
async fn a_thousand_files_in_folders_of_their_own() {
    let folder = Folder::new();
    let lines: String = (0..1_000).map(|n| format!("*** Add File: a{n}/b/file\n+{n}\n")).collect();
    let call = folder.call(&patch(&lines)).await;
    // Each folder is held open while files are written into it. Where this process may not hold so many, none is made.
    if call.outcome.is_ok() {
        assert_eq!(folder.read("a999/b/file"), "999\n");
    } else {
        assert!(call.model_text.contains("Too many open files"), "{}", call.model_text);
        assert!(snapshot(&folder.path("")).is_empty());
    }
}

#[tokio::test]
async fn a_path_as_long_as_a_patch_is_refused_in_a_few_words() {
    let folder = Folder::new();
    let text = folder.refused(&patch(&format!("*** Add File: {}\n+x\n", "long/".repeat(40_000)))).await;
    assert!(text.len() < 300 && text.contains("long/…` is longer than a path can be"), "{text}");
}

#[tokio::test]
async fn a_file_that_ends_as_it_was_is_not_written() {
    let folder = Folder::with(&[("a", "x\n")]);
    let before = std::fs::metadata(folder.path("a")).unwrap();
    folder.applied(&update("a", "@@\n-x\n+x\n")).await;
    use std::os::unix::fs::MetadataExt as _;
    assert_eq!(std::fs::metadata(folder.path("a")).unwrap().ino(), before.ino());
}
