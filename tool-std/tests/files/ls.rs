//! Lists of folders.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode};
use serde_json::{Value, json};

use crate::tree::Tree;

#[tokio::test]
async fn names_in_order_without_case_folders_and_hidden_ones_too() {
    let tree =
        Tree::of(&[("b.txt", ""), ("A.txt", ""), (".hidden", ""), ("a/x", ""), ("Ä.txt", ""), ("C/x", "")]);
    let call = tree.call("ls", json!({})).await;
    assert_eq!(call.text(), ".hidden\na/\nA.txt\nb.txt\nC/\nÄ.txt\n[6 entries]");
    assert_eq!(
        call.details::<Value>().unwrap(),
        json!({"path": ".", "entries": 6, "total": 6, "truncated": false})
    );
    assert_eq!(call.activity.as_deref(), Some("Listing files"));
    let call = tree.call("ls", json!({"path": "a"})).await;
    assert_eq!(call.text(), "x\n[1 entry]");
    assert_eq!(call.activity.as_deref(), Some("Listing a"));
}

#[tokio::test]
async fn links_show_what_they_lead_to() {
    let tree = Tree::of(&[("real/a.txt", "")]);
    tree.link("file", "real/a.txt");
    tree.link("folder", "real");
    tree.link("dangling", "real/none");
    tree.link("out", tree.outside().join("secret.txt"));
    tree.link("out-to-nothing", tree.outside().join("nothing"));
    tree.link("round", "round");
    tree.link("tilde", "~/a");
    let outside = tree.outside().display().to_string();
    assert_eq!(
        tree.text("ls", json!({})).await,
        format!(
            "dangling -> real/none (leads nowhere)\nfile -> real/a.txt\nfolder/ -> real\n\
             out -> {outside}/secret.txt (leads outside)\nout-to-nothing -> {outside}/nothing (leads outside)\n\
             real/\nround -> round (cannot be followed)\ntilde -> ~/a (leads nowhere)\n[8 entries]"
        )
    );
}

#[tokio::test]
async fn what_is_neither_file_nor_folder_is_named() {
    let tree = Tree::new();
    rustix::fs::mknodat(CWD, tree.path("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    let _socket = UnixListener::bind(tree.path("socket")).unwrap();
    assert_eq!(tree.text("ls", json!({})).await, "pipe (a pipe)\nsocket (a socket)\n[2 entries]");
}

#[tokio::test]
async fn names_that_cannot_be_written_are_marked() {
    let tree = Tree::new();
    tree.write(OsStr::from_bytes(b"caf\xe9.txt"), "");
    tree.write("two\nlines", "");
    std::fs::create_dir(tree.path(OsStr::from_bytes(b"dir\xff"))).unwrap();
    assert_eq!(
        tree.text("ls", json!({})).await,
        "caf�.txt (name is not UTF-8)\ndir�/ (name is not UTF-8)\ntwo\\nlines (name holds control characters)\n[3 entries]"
    );
}

#[tokio::test]
async fn a_limit_says_how_to_see_the_others() {
    let tree = Tree::new();
    for file in 0..30 {
        tree.write(format!("{file:02}"), "");
    }
    let call = tree.call("ls", json!({"limit": 2})).await;
    assert_eq!(call.text(), "00\n01\n[2 of 30 entries; call `ls` with limit 30 for all]");
    assert_eq!(
        call.details::<Value>().unwrap(),
        json!({"path": ".", "entries": 2, "total": 30, "truncated": true})
    );
    for limit in [0, 2_001] {
        let text = tree.text("ls", json!({"limit": limit})).await;
        assert!(text.contains("from 1 to 2000"), "{text}");
    }
}

#[tokio::test]
async fn a_list_holds_50_000_characters_in_whole_rows() {
    let tree = Tree::new();
    for file in 0..300 {
        tree.write(format!("{file:03}{}", "x".repeat(196)), "");
    }
    let call = tree.call("ls", json!({})).await;
    let text = call.text();
    let note = "[250 of 300 entries: the list is full at 50,000 characters; use `find` for the others]";
    assert!(text.ends_with(note), "{}", text.lines().last().unwrap());
    assert!(text.lines().rev().skip(1).all(|row| row.len() == 199));
    assert_eq!(call.details::<Value>().unwrap()["entries"], 250);
}

#[tokio::test]
async fn what_cannot_be_listed_is_an_answer() {
    let tree = Tree::of(&[("a.txt", ""), ("source/x", "")]);
    std::fs::create_dir(tree.path("empty")).unwrap();
    for (path, said) in [
        ("empty", "`empty` is an empty folder"),
        ("a.txt", "`a.txt` is a file, no folder"),
        ("a.txt/b", "`a.txt/b` leads through something that is no folder"),
        ("sorce", "`sorce` does not exist; did you mean `source`"),
        ("zzz", "`zzz` does not exist"),
    ] {
        let call = tree.call("ls", json!({"path": path})).await;
        assert_eq!(call.text(), said);
        assert_eq!(
            call.details::<Value>().unwrap(),
            json!({"path": path, "entries": 0, "total": 0, "truncated": false})
        );
    }
}
