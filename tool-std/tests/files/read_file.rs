//! Pages of text files.

use serde_json::{Value, json};

use crate::tree::Tree;

async fn page(tree: &Tree, arguments: Value) -> (String, Value) {
    let call = tree.call("read_file", arguments).await;
    (call.text(), call.details().unwrap())
}

fn numbered(lines: std::ops::RangeInclusive<u64>) -> String {
    lines.map(|line| format!("line {line}\n")).collect()
}

#[tokio::test]
async fn a_whole_file_with_numbered_lines() {
    let tree = Tree::of(&[("src/a.rs", "fn a() {\n}\n")]);
    let call = tree.call("read_file", json!({"path": "src/a.rs"})).await;
    assert_eq!(call.text(), "1|fn a() {\n2|}\n[end of the file, which has 2 lines]");
    assert_eq!(
        call.details::<Value>().unwrap(),
        json!({"path": "src/a.rs", "found": true, "total_lines": 2, "counted_all": true, "truncated": false})
    );
}

#[tokio::test]
async fn the_label_shows_the_last_two_parts_of_the_path() {
    let tree = Tree::of(&[("very/secret/place/a.rs", "")]);
    for path in ["very/secret/place/a.rs", "./very/secret/place/a.rs"] {
        let call = tree.call("read_file", json!({"path": path})).await;
        assert_eq!(call.activity.as_deref(), Some("Reading place/a.rs"));
    }
}

#[tokio::test]
async fn pages_lead_to_each_other() {
    let tree = Tree::of(&[("long.txt", &numbered(1..=1_234))]);
    let (text, details) = page(&tree, json!({"path": "long.txt"})).await;
    assert!(text.starts_with("1|line 1\n2|line 2\n"), "{text}");
    assert!(text.ends_with("\n500|line 500\n[lines 1 to 500 of 1,234; go on with offset 501]"), "{text}");
    assert_eq!((&details["total_lines"], &details["truncated"]), (&json!(1_234), &json!(true)));

    let (text, details) = page(&tree, json!({"path": "long.txt", "offset": 501, "limit": 2})).await;
    assert_eq!(text, "501|line 501\n502|line 502\n[lines 501 to 502 of 1,234; go on with offset 503]");
    assert_eq!(details["truncated"], true);

    let (text, details) = page(&tree, json!({"path": "long.txt", "offset": 1_233, "limit": 2_000})).await;
    assert_eq!(text, "1233|line 1233\n1234|line 1234\n[end of the file, which has 1,234 lines]");
    assert_eq!(details["truncated"], false);
}

#[tokio::test]
async fn a_page_past_the_end_and_an_empty_file() {
    let tree = Tree::of(&[("three.txt", "a\nb\nc"), ("empty.txt", "")]);
    let (text, details) = page(&tree, json!({"path": "three.txt", "offset": 4})).await;
    assert_eq!(text, "[offset 4 is past the end: the file has 3 lines]");
    assert_eq!((&details["total_lines"], &details["truncated"]), (&json!(3), &json!(false)));
    let (text, details) = page(&tree, json!({"path": "empty.txt"})).await;
    assert_eq!(text, "[the file is empty]");
    assert_eq!(details["total_lines"], 0);
}

#[tokio::test]
async fn lines_end_at_line_feeds_only() {
    let tree = Tree::of(&[("mixed.txt", "a\r\nb\rc\u{2028}d\n\nlast")]);
    let (text, _) = page(&tree, json!({"path": "mixed.txt"})).await;
    assert_eq!(text, "1|a\r\n2|b\rc\u{2028}d\n3|\n4|last\n[end of the file, which has 4 lines]");
}

#[tokio::test]
async fn limits_are_kept() {
    let tree = Tree::of(&[("a.txt", "a\n")]);
    for (arguments, said) in [
        (json!({"path": "a.txt", "limit": 2_001}), "from 1 to 2000"),
        (json!({"path": "a.txt", "limit": 0}), "from 1 to 2000"),
        (json!({"path": "a.txt", "offset": 0}), "at least 1"),
        (json!({"path": ""}), "at least 1 character"),
        (json!({"file": "a.txt"}), "`path` is required"),
    ] {
        let text = tree.text("read_file", arguments).await;
        assert!(text.contains(said), "{text}");
    }
}

#[tokio::test]
async fn a_page_holds_100_000_characters_in_whole_lines() {
    let tree = Tree::of(&[("wide.txt", &format!("{}\n", "é".repeat(1_500)).repeat(200))]);
    let (text, details) = page(&tree, json!({"path": "wide.txt"})).await;
    // Each row is `N|` and 1,500 characters and a line feed.
    assert_eq!(text.lines().count(), 67);
    let end = "[lines 1 to 66 of 200; the page is full at 100,000 characters; go on with offset 67]";
    assert!(text.ends_with(end), "{}", text.lines().last().unwrap());
    assert!(text.chars().count() - end.len() <= 100_000);
    assert_eq!(details["truncated"], true);

    let (text, _) = page(&tree, json!({"path": "wide.txt", "offset": 67, "limit": 1})).await;
    assert!(text.starts_with("67|é"), "{text}");
}

#[tokio::test]
async fn a_page_of_short_lines_with_long_characters_is_not_cut_by_the_runtime() {
    let tree = Tree::of(&[("wide.txt", &format!("{}\n", "🦀".repeat(1_990)).repeat(60))]);
    let (text, _) = page(&tree, json!({"path": "wide.txt"})).await;
    assert!(text.ends_with("go on with offset 51]"), "{}", text.lines().last().unwrap());
}

#[tokio::test]
async fn a_long_line_is_cut() {
    let tree = Tree::of(&[("long.txt", &format!("{}\nshort\n", "é".repeat(5_000)))]);
    let (text, details) = page(&tree, json!({"path": "long.txt"})).await;
    let first = text.lines().next().unwrap();
    assert_eq!(first, format!("1|{} … [line cut, it has 10,000 bytes]", "é".repeat(2_000)));
    assert!(text.contains("\n2|short\n"), "{text}");
    assert_eq!(details["total_lines"], 2);
}

#[tokio::test]
async fn a_line_of_2_000_characters_is_whole() {
    let line = "🦀".repeat(2_000);
    let tree = Tree::of(&[("long.txt", &line)]);
    let (text, _) = page(&tree, json!({"path": "long.txt"})).await;
    assert_eq!(text, format!("1|{line}\n[end of the file, which has 1 line]"));
}

#[tokio::test]
async fn paths_start_from_the_workspace_or_from_cwd() {
    let tree = Tree::of(&[("src/a.txt", "in src\n"), ("a.txt", "at the top\n")]);
    std::fs::write(tree.computer.home().join("a.txt"), "at home\n").unwrap();
    let absolute = tree.path("src/a.txt");
    for (arguments, said) in [
        (json!({"path": "a.txt"}), "at the top"),
        (json!({"path": "a.txt", "cwd": "src"}), "in src"),
        (json!({"path": "a.txt", "workdir": "src"}), "in src"),
        (json!({"path": "a.txt", "cwd": "src", "workdir": "."}), "in src"),
        (json!({"path": "../a.txt", "cwd": "src"}), "at the top"),
        (json!({"path": "~/a.txt"}), "at home"),
        (json!({"path": "a.txt", "cwd": "~"}), "at home"),
        (json!({"path": absolute}), "in src"),
    ] {
        let text = tree.text("read_file", arguments.clone()).await;
        assert!(text.starts_with(&format!("1|{said}\n")), "{arguments}: {text}");
    }
}

#[tokio::test]
async fn a_missing_file_is_an_answer_with_what_is_near() {
    let tree = Tree::of(&[
        ("src/main.rs", ""),
        ("src/main_test.rs", ""),
        ("src/README.md", ""),
        ("src/other.rs", ""),
    ]);
    for (path, said) in [
        ("src/mian.rs", "`src/mian.rs` does not exist; did you mean `src/main.rs`"),
        ("src/readme.txt", "`src/readme.txt` does not exist; did you mean `src/README.md`"),
        ("scr/main.rs", "`scr/main.rs` does not exist: there is no `scr` in `.`; did you mean `src`"),
        ("src/zzzzzz", "`src/zzzzzz` does not exist"),
    ] {
        let (text, details) = page(&tree, json!({"path": path})).await;
        assert_eq!(text, said);
        assert_eq!((&details["found"], &details["total_lines"]), (&json!(false), &json!(0)));
    }
}

#[tokio::test]
async fn what_is_no_text_is_named_and_not_shown() {
    let tree = Tree::of(&[("nul.bin", "text\0text")]);
    tree.write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    tree.write("page.pdf", b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n");
    tree.write("late.bin", [&b"text\n".repeat(2_000)[..], b"\0\n"].concat());
    tree.write("noise.bin", (1..=250).rev().collect::<Vec<u8>>());
    for (path, said) in [
        ("nul.bin", "`nul.bin` is no text (it holds NUL bytes), so it is not shown"),
        ("image.png", "`image.png` is no text (image/png), so it is not shown"),
        ("page.pdf", "`page.pdf` is no text (application/pdf), so it is not shown"),
        ("noise.bin", "`noise.bin` is no text (it holds control bytes), so it is not shown"),
    ] {
        let (text, details) = page(&tree, json!({"path": path})).await;
        assert_eq!(text, said);
        assert_eq!((&details["found"], &details["total_lines"]), (&json!(true), &json!(0)));
    }
    let (text, _) = page(&tree, json!({"path": "late.bin", "offset": 2_000})).await;
    assert_eq!(text, "`late.bin` is no text (line 2,001 holds NUL bytes), so it is not shown");
}

#[tokio::test]
async fn text_that_begins_like_another_format_is_text() {
    let tree = Tree::of(&[
        ("cars.txt", "BM and MZ\n"),
        ("script.sh", "#!/bin/sh\n"),
        ("page.html", "<!doctype html>\n"),
    ]);
    for path in ["cars.txt", "script.sh", "page.html"] {
        let (text, _) = page(&tree, json!({"path": path})).await;
        assert!(text.starts_with("1|"), "{text}");
    }
}

#[tokio::test]
async fn encodings() {
    let tree = Tree::new();
    let utf16 = |order: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}größer\r\nzwei 🦀\n".encode_utf16().flat_map(order).collect()
    };
    tree.write("le.txt", utf16(u16::to_le_bytes));
    tree.write("be.txt", utf16(u16::to_be_bytes));
    tree.write("bom.txt", "\u{feff}größer\r\nzwei 🦀\n");
    for (path, encoding) in
        [("le.txt", "UTF-16LE"), ("be.txt", "UTF-16BE"), ("bom.txt", "UTF-8 with a byte order mark")]
    {
        let (text, details) = page(&tree, json!({"path": path})).await;
        let note = format!("[end of the file, which has 2 lines; encoding: {encoding}]");
        assert_eq!(text, format!("1|größer\r\n2|zwei 🦀\n{note}"));
        assert_eq!(details["encoding"], *encoding);
    }

    tree.write("latin.txt", b"Stra\xdfe, gr\xf6\xdfer, \xdcbung, sch\xf6n\n".repeat(20));
    let (text, details) = page(&tree, json!({"path": "latin.txt", "limit": 1})).await;
    assert!(text.starts_with("1|Straße, größer, Übung, schön\n"), "{text}");
    assert_eq!(details["encoding"], "windows-1252 (guessed)");

    tree.write("sjis.txt", b"\x93\xfa\x96\x7b\x8c\xea\x82\xcc\x83\x65\x83\x4c\x83\x58\x83\x67\n".repeat(5));
    let (text, details) = page(&tree, json!({"path": "sjis.txt", "limit": 1})).await;
    assert!(text.starts_with("1|日本語のテキスト\n"), "{text}");
    assert_eq!(details["encoding"], "Shift_JIS (guessed)");

    tree.write("broken.txt", b"gr\xc3\xb6\xc3\x9fer \xff und mehr\n");
    let (text, details) = page(&tree, json!({"path": "broken.txt"})).await;
    assert!(text.starts_with("1|größer \u{fffd} und mehr\n"), "{text}");
    assert_eq!(details["encoding"], "UTF-8 with invalid bytes, shown as �");
}

#[tokio::test]
async fn a_character_across_the_bytes_that_are_looked_at_is_no_fault() {
    let tree = Tree::of(&[("a.txt", &format!("{}é\n", "a".repeat(8 * 1024 - 1)))]);
    let (_, details) = page(&tree, json!({"path": "a.txt"})).await;
    assert_eq!(details.get("encoding"), None);
}
