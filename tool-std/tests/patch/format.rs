//! The envelope: what is read, what is read although it is not quite right, and what is refused.

use crate::folder::{Folder, patch, update};

const TEN: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

fn ten() -> Folder {
    Folder::with(&[("ten.txt", TEN)])
}

#[tokio::test]
async fn one_patch_adds_updates_moves_and_deletes() {
    let folder = Folder::with(&[("a.txt", "one\ntwo\n"), ("b.txt", "x\ny\n"), ("c.txt", "gone\n")]);
    let text = folder
        .applied(&patch(
            "*** Add File: new/d.txt\n+first\n+\n+third\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** Update File: b.txt\n\
             *** Move to: moved/b.txt\n@@\n-x\n+X\n y\n*** Delete File: c.txt\n",
        ))
        .await;
    assert_eq!(folder.read("new/d.txt"), "first\n\nthird\n");
    assert_eq!(folder.read("a.txt"), "one\n2\n");
    assert_eq!(folder.read("moved/b.txt"), "X\ny\n");
    assert!(!folder.has("b.txt") && !folder.has("c.txt"));
    assert_eq!(text, "A new/d.txt (+3 -0)\nM a.txt (+1 -1)\nM b.txt -> moved/b.txt (+1 -1)\nD c.txt (+0 -1)");
}

#[tokio::test]
async fn text_around_the_envelope_is_skipped() {
    let folder = ten();
    let change = "*** Update File: ten.txt\n@@\n-two\n+2\n";
    folder.applied(&format!("Here it is:\n```\n{}```\nDone.\n", patch(change))).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\n"));
}

#[tokio::test]
async fn the_begin_and_the_end_may_be_missing() {
    for (begin, end) in [("*** Begin Patch\n", ""), ("", "*** End Patch\n"), ("", ""), ("Sure.\n", "")] {
        let folder = ten();
        folder.applied(&format!("{begin}*** Update File: ten.txt\n@@\n-two\n+2\n{end}")).await;
        assert!(folder.read("ten.txt").starts_with("one\n2\nthree\n"));
    }
}

#[tokio::test]
async fn what_follows_the_end_is_a_patch_only_if_it_begins_like_one() {
    let folder = ten();
    let second = patch("*** Add File: b.txt\n+b\n");
    folder
        .applied(&format!("{}*** Add File: no.txt\n+no\n{second}", patch("*** Add File: a.txt\n+a\n")))
        .await;
    assert!(folder.has("a.txt") && folder.has("b.txt") && !folder.has("no.txt"));
}

#[tokio::test]
async fn blanks_and_case_of_markers_may_vary() {
    let folder = ten();
    folder
        .applied(
            " ***  begin patch \n***Update File:ten.txt  \n*** MOVE TO:   eleven.txt\n@@\n-two\n+2\n  *** End Patch\n\n",
        )
        .await;
    assert!(folder.read("eleven.txt").starts_with("one\n2\n"));
}

#[tokio::test]
async fn a_patch_with_carriage_returns_is_read_as_without() {
    let folder = ten();
    folder.applied(&update("ten.txt", "@@\n one\n-two\n+2\n").replace('\n', "\r\n")).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\nthree\n"));
}

#[tokio::test]
async fn a_line_without_a_mark_is_context() {
    let folder = ten();
    folder.applied(&update("ten.txt", "@@\none\n-two\n+2\nthree\n")).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\nthree\n"));
}

#[tokio::test]
async fn an_empty_line_is_context_within_a_hunk_and_spacing_behind_it() {
    let folder = Folder::with(&[("a.txt", "one\n\ntwo\n")]);
    folder.applied(&update("a.txt", "@@\n one\n\n-two\n+2\n\n\n*** Add File: b.txt\n+b\n\n")).await;
    assert_eq!(folder.read("a.txt"), "one\n\n2\n");
    assert_eq!(folder.read("b.txt"), "b\n");
}

#[tokio::test]
async fn lines_with_a_backslash_are_ignored() {
    let folder = ten();
    folder.applied(&update("ten.txt", "@@\n-ten\n+10\n\\ No newline at end of file\n")).await;
    assert!(folder.read("ten.txt").ends_with("nine\n10\n"));
}

#[tokio::test]
async fn a_bare_header_without_lines_is_dropped() {
    let folder = ten();
    folder.applied(&update("ten.txt", "@@\n@@\n-two\n+2\n@@\n")).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\n"));
}

#[tokio::test]
async fn line_numbers_in_a_header_are_ignored() {
    let folder = ten();
    folder.applied(&update("ten.txt", "@@ -90,3 +90,3 @@ fn f()\n-two\n+2\n")).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\n"));
}

#[tokio::test]
async fn the_first_hunk_needs_no_header() {
    let folder = ten();
    folder.applied(&update("ten.txt", " one\n-two\n+2\n@@\n-four\n+4\n")).await;
    assert!(folder.read("ten.txt").starts_with("one\n2\nthree\n4\n"));
}

#[tokio::test]
async fn markers_with_a_mark_before_them_are_lines_of_the_file() {
    let folder = Folder::with(&[("doc.md", "*** Begin Patch\n*** End Patch\n")]);
    folder
        .applied(&update(
            "doc.md",
            " *** Begin Patch\n+*** Add File: x\n *** End Patch\n*** Add File: n.md\n+*** End Patch\n",
        ))
        .await;
    assert_eq!(folder.read("doc.md"), "*** Begin Patch\n*** Add File: x\n*** End Patch\n");
    assert_eq!(folder.read("n.md"), "*** End Patch\n");
}

#[tokio::test]
async fn a_new_file_may_be_empty() {
    let folder = Folder::new();
    folder.applied(&patch("*** Add File: a.txt\n*** Add File: b.txt\n")).await;
    assert_eq!((folder.read("a.txt"), folder.read("b.txt")), (String::new(), String::new()));
}

/// A patch that cannot be read, and what is said about it.
async fn misread(patch: &str, expected: &str) {
    let text = ten().refused(patch).await;
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("no file was changed"), "{text}");
}

#[tokio::test]
async fn texts_without_an_operation_are_refused() {
    misread("", "the patch is empty").await;
    misread(" \n\n", "the patch is empty").await;
    misread("*** Begin Patch\n*** End Patch\n", "the patch holds no operation").await;
    misread("Nothing to do.", "`*** Begin Patch`").await;
    misread("--- a/ten.txt\n+++ b/ten.txt\n@@ -1 +1 @@\n-one\n+1\n", "a diff of another form").await;
}

#[tokio::test]
async fn every_line_that_cannot_be_read_is_named() {
    let text = ten()
        .refused(&patch(
            "stray\n*** Add File: a.txt\n+a\nb\n*** Delete File: ten.txt\n-one\n*** Rename File: ten.txt\n*** Update File: \n\
             @@ one\n*** Update File: ten.txt\n@@\n one\n*** Move to: b.txt\n",
        ))
        .await;
    for expected in [
        "line 2 of the patch: `stray` belongs to no operation",
        "line 5 of the patch: `b` has no `+`",
        "line 7 of the patch: `-one` follows a deletion",
        "line 8 of the patch: `*** Rename File: ten.txt` is no operation",
        "line 9 of the patch: names no file",
        "line 10 of the patch: is an anchor without lines",
        "line 11 of the patch: changes nothing",
        "line 14 of the patch: comes after changes",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[tokio::test]
async fn lines_that_have_two_readings_are_refused() {
    misread(&patch("*** Add File: a.txt\n+a\n\n+b\n"), "line 4 of the patch: is empty and stands among")
        .await;
    misread(&patch("*** Move to: a.txt\n"), "belongs to no update").await;
    misread(&update("ten.txt", "*** Move to: a\n*** Move to: b\n"), "moves the file a second time").await;
}

#[tokio::test]
async fn a_patch_has_at_most_262_144_characters() {
    let line = |length: usize| patch(&format!("*** Add File: a.txt\n+{}\n", "ä".repeat(length)));
    let room = 262_144 - line(0).len();
    misread(&line(room + 1), "262145 characters").await;
    ten().applied(&line(room)).await;
}
