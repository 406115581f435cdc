//! What stays as it was: line endings, the final newline, byte order marks, permissions, bytes that are no text.

use crate::folder::{Folder, patch, update};

async fn result(file: impl AsRef<[u8]>, hunks: &str) -> Vec<u8> {
    let folder = Folder::new();
    folder.write("f", file);
    folder.applied(&update("f", hunks)).await;
    folder.bytes("f")
}

#[track_caller]
fn same(result: &[u8], expected: &str) {
    assert_eq!(String::from_utf8_lossy(result), expected);
}

#[tokio::test]
async fn added_lines_of_a_crlf_file_end_with_crlf() {
    same(&result("a\r\nb\r\nc\r\n", "@@\n a\n-b\n+B\n+BB\n").await, "a\r\nB\r\nBB\r\nc\r\n");
    same(&result("a\r\nb\r\n", "@@\n+top\n a\n").await, "top\r\na\r\nb\r\n");
}

#[tokio::test]
async fn lines_of_a_mixed_file_keep_their_endings_and_new_ones_end_like_their_neighbours() {
    let file = "a\r\nb\nc\r\nd\ne\r\n";
    same(&result(file, "@@\n b\n-c\n+C\n d\n").await, "a\r\nb\nC\r\nd\ne\r\n");
    same(&result(file, "@@\n b\n+x\n c\n").await, "a\r\nb\nx\nc\r\nd\ne\r\n");
    same(&result(file, "@@\n c\n+x\n d\n").await, "a\r\nb\nc\r\nx\r\nd\ne\r\n");
}

#[tokio::test]
async fn a_lone_carriage_return_is_no_line_ending() {
    same(&result("a\rb\nc\n", "@@\n-c\n+C\n").await, "a\rb\nC\n");
}

#[tokio::test]
async fn the_end_of_the_file_stays_as_it_was() {
    same(&result("a\nb", "@@\n-b\n+B\n").await, "a\nB");
    same(&result("a\nb", "@@\n b\n+c\n").await, "a\nb\nc");
    same(&result("a\r\nb", "@@\n b\n+c\n").await, "a\r\nb\r\nc");
    same(&result("a\nb", "@@\n-b\n").await, "a");
    same(&result("a\nb\n", "@@\n-b\n").await, "a\n");
    same(&result("a\nb", "@@\n-a\n+A\n").await, "A\nb");
    same(&result("a", "@@\n-a\n").await, "");
    same(&result("", "@@\n+a\n").await, "a\n");
}

#[tokio::test]
async fn a_deletion_leaves_no_empty_line() {
    same(&result("a\nb\nc\n", "@@\n-b\n").await, "a\nc\n");
    same(&result("a\nb\nc\n", "@@\n-a\n").await, "b\nc\n");
    same(&result("a\nb\nc\n", "@@\n-a\n-b\n-c\n").await, "");
}

#[tokio::test]
async fn a_byte_order_mark_stays_before_the_first_line() {
    same(&result("\u{feff}a\r\nb\r\n", "@@\n-a\n+A\n").await, "\u{feff}A\r\nb\r\n");
    same(&result("\u{feff}a\n", "@@\n+top\n a\n").await, "\u{feff}top\na\n");
    same(&result("\u{feff}", "@@\n+a\n").await, "\u{feff}a\n");
}

#[tokio::test]
async fn bytes_that_are_no_utf8_stay_in_lines_that_stay() {
    assert_eq!(result(b"caf\xe9\nb\n\xff\n", "@@\n-b\n+B\n").await, b"caf\xe9\nB\n\xff\n");
    let folder = Folder::new();
    folder.write("f", b"caf\xe9\nb\n");
    let text = folder.refused(&update("f", "@@\n-b\n+\u{e9}\n")).await;
    assert!(text.contains("`f` is not UTF-8, so only lines of ASCII characters can be added"), "{text}");
}

#[tokio::test]
async fn a_file_with_nul_bytes_is_moved_or_deleted_but_not_changed_by_hunks() {
    let folder = Folder::new();
    folder.write("f", b"a\0b\n");
    let text = folder.refused(&update("f", "@@\n-a\n+b\n")).await;
    assert!(text.contains("it holds NUL bytes"), "{text}");
    folder.applied(&update("f", "*** Move to: g\n")).await;
    assert_eq!(folder.bytes("g"), b"a\0b\n");
    assert_eq!(folder.applied(&patch("*** Delete File: g\n")).await, "D g (+0 -0)");
}

#[tokio::test]
async fn permissions_stay_also_when_a_file_moves_or_is_written_anew() {
    let folder = Folder::with(&[("run.sh", "a\n"), ("secret", "a\n"), ("anew", "a\n")]);
    for (path, mode) in [("run.sh", 0o755), ("secret", 0o600), ("anew", 0o640)] {
        folder.set_mode(path, mode);
    }
    folder
        .applied(&patch(
            "*** Update File: run.sh\n@@\n-a\n+b\n*** Update File: secret\n*** Move to: moved\n@@\n-a\n+b\n*** Delete File: anew\n\
             *** Add File: anew\n+b\n",
        ))
        .await;
    assert_eq!((folder.mode("run.sh"), folder.mode("moved"), folder.mode("anew")), (0o755, 0o600, 0o640));
}

#[tokio::test]
async fn a_new_file_has_the_permissions_of_new_files() {
    let folder = Folder::with(&[("reference", "")]);
    folder.applied(&patch("*** Add File: new\n+a\n")).await;
    assert_eq!(folder.mode("new"), folder.mode("reference"));
}

#[tokio::test]
async fn the_owner_stays_where_this_user_may_give_files_away() {
    let folder = Folder::with(&[("f", "a\n")]);
    if std::os::unix::fs::chown(folder.path("f"), Some(12_345), Some(12_346)).is_err() {
        eprintln!("only root can give files away");
        return;
    }
    folder.applied(&update("f", "@@\n-a\n+b\n")).await;
    let status = std::fs::metadata(folder.path("f")).unwrap();
    use std::os::unix::fs::MetadataExt as _;
    assert_eq!((status.uid(), status.gid()), (12_345, 12_346));
}
