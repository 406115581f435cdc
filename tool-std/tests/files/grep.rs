//! Searching the content of files.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::tree::Tree;

fn project() -> Tree {
    Tree::of(&[
        ("src/main.rs", "fn main() {\n    let userName = load();\n}\n"),
        ("src/load.rs", "/// Loads it.\nfn load() -> Name {\n    todo()\n}\n"),
        ("docs/guide.md", "Load first.\nThen main.\n"),
        (".hidden", "load\n"),
        (".gitignore", "/out\n"),
        ("out/main.js", "load\n"),
    ])
}

#[tokio::test]
async fn lines_by_path_and_number() {
    let call = project().call("grep", json!({"pattern": "load()"})).await;
    assert_eq!(
        call.text(),
        "docs/guide.md\n 1:Load first.\n\nsrc/load.rs\n 1:/// Loads it.\n 2:fn load() -> Name {\n\n\
         src/main.rs\n 2:    let userName = load();\n[4 matches in 3 files, of 3 searched]"
    );
    assert_eq!(call.details::<Value>().unwrap(), json!({"total_matched": 4, "total_files_searched": 3}));
    assert_eq!(call.activity.as_deref(), Some("Searching files"));
}

#[tokio::test]
async fn a_pattern_is_a_regular_expression_or_a_text() {
    let tree = Tree::of(&[("a.txt", "call(x)\nfoo.bar\nfooxbar\nend of line\r\n\n")]);
    for (pattern, lines) in [
        (r"foo.bar", vec![2, 3]),
        (r"foo\.bar", vec![2]),
        ("^foo", vec![2, 3]),
        ("line$", vec![4]),
        ("^$", vec![5]),
        ("call(", vec![1]),
        (r"call\(", vec![1]),
    ] {
        let text = tree.text("grep", json!({"pattern": pattern})).await;
        let found: Vec<u32> =
            text.lines().filter_map(|row| row.strip_prefix(' ')?.split(':').next()?.parse().ok()).collect();
        assert_eq!(found, lines, "{pattern}: {text}");
    }
    let text = tree.text("grep", json!({"pattern": "call("})).await;
    assert!(
        text.ends_with("; `call(` is no regular expression (unclosed group) and was searched as it stands]"),
        "{text}"
    );
}

#[tokio::test]
async fn case_counts_if_the_pattern_has_a_capital_or_the_caller_says() {
    let tree = Tree::of(&[("a.txt", "alpha\nAlpha\nALPHA\n")]);
    for (arguments, matches) in [
        (json!({"pattern": "alpha"}), 3),
        (json!({"pattern": "Alpha"}), 1),
        (json!({"pattern": "alpha", "caseSensitive": true}), 1),
        (json!({"pattern": "Alpha", "caseSensitive": false}), 3),
        (json!({"pattern": "Alph.", "caseSensitive": false}), 3),
        (json!({"pattern": "alph."}), 3),
        (json!({"pattern": "Alph."}), 1),
    ] {
        let call = tree.call("grep", arguments.clone()).await;
        assert_eq!(call.details::<Value>().unwrap()["total_matched"], matches, "{arguments}");
    }
}

#[tokio::test]
async fn lines_around_a_match() {
    let tree = Tree::of(&[("a.txt", "1\n2\nhit 3\n4\n5\n6\n7\nhit 8\nhit 9\n10\n"), ("b.txt", "hit\n")]);
    assert_eq!(
        tree.text("grep", json!({"pattern": "hit", "context": 1})).await,
        "a.txt\n 2-2\n 3:hit 3\n 4-4\n --\n 7-7\n 8:hit 8\n 9:hit 9\n 10-10\n\nb.txt\n 1:hit\n\
         [4 matches in 2 files, of 2 searched]"
    );
    // A page that begins between two neighbours shows the one before as a line around.
    assert_eq!(
        tree.text("grep", json!({"pattern": "hit", "context": 1, "limit": 2})).await,
        "a.txt\n 2-2\n 3:hit 3\n 4-4\n --\n 7-7\n 8:hit 8\n[1 to 2 of 4 matches in 2 files; go on with cursor grep-1]"
    );
    assert_eq!(
        tree.text("grep", json!({"cursor": "grep-1"})).await,
        "a.txt\n 8-hit 8\n 9:hit 9\n 10-10\n\nb.txt\n 1:hit\n[3 to 4 of 4 matches in 2 files]"
    );
}

#[tokio::test]
async fn all_pages_together_are_what_a_plain_reading_finds() {
    let tree = Tree::new();
    let mut expected = Vec::new();
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for file in 0..60 {
        let path = format!("d{}/f{file:02}.txt", file % 7);
        let mut text = String::new();
        for line in 1..=next(40) {
            let word = if next(4) == 0 { "needle" } else { "straw" };
            writeln!(text, "{word} {line} of {path}").unwrap();
            if word == "needle" {
                expected.push((path.clone(), line));
            }
        }
        tree.write(&path, text);
    }
    expected.sort();
    for limit in [4_u64, 50] {
        let mut found = Vec::new();
        let mut call = tree.call("grep", json!({"pattern": "needle", "limit": limit, "context": 3})).await;
        loop {
            let mut file = String::new();
            for row in call.text().lines() {
                match row.strip_prefix(' ').map(|row| row.split_once(':').map(|(line, _)| line.parse())) {
                    Some(Some(Ok(line))) => found.push((file.clone(), line)),
                    Some(_) => {}
                    None => file = row.to_owned(),
                }
            }
            let details: Value = call.details().unwrap();
            assert_eq!(details["total_matched"], expected.len());
            let Some(cursor) = details.get("cursor") else { break };
            call = tree.call("grep", json!({"cursor": cursor})).await;
        }
        assert_eq!(found, expected, "with limit {limit}");
    }
}

#[tokio::test]
async fn a_path_is_a_folder_a_file_or_a_glob() {
    let tree = project();
    for (path, files) in [
        (json!("src"), 2),
        (json!("src/main.rs"), 1),
        (json!("*.md"), 1),
        (json!("**/*.{rs,md}"), 3),
        (json!(".hidden"), 1),
        (json!("out"), 1),
        (json!(tree.path("docs")), 1),
    ] {
        let call = tree.call("grep", json!({"pattern": "load|main", "path": path})).await;
        assert_eq!(call.details::<Value>().unwrap()["total_files_searched"], files, "{path}");
    }
    let text = tree.text("grep", json!({"pattern": "load", "exclude": "*.md, main.rs"})).await;
    assert!(text.ends_with("[2 matches in 1 file, of 1 searched]"), "{text}");
}

#[tokio::test]
async fn what_is_in_every_line_is_refused() {
    let tree = project();
    for pattern in ["", ".", ".*", ".+", "^", "$", "a*", "(x?)*", r"^\s*", r"[^\x01]"] {
        let call = tree.call("grep", json!({"pattern": pattern})).await;
        assert_eq!(
            call.text(),
            format!(
                "`{pattern}` is in every line: search for something that stands in few, or read a file with `read_file`"
            )
        );
        assert_eq!(call.details::<Value>().unwrap()["total_files_searched"], 0);
    }
}

#[tokio::test]
async fn patterns_that_cannot_be_searched_are_answered() {
    let tree = project();
    for (pattern, said) in [
        (
            "a\nb",
            r"`a\nb` has a line break, and a pattern is looked for within lines: search for one of its lines",
        ),
        (
            r"a\nb",
            r"`a\nb` has a line break, and a pattern is looked for within lines: search for one of its lines",
        ),
        ("(x{1000}){1000}", "`(x{1000}){1000}` is too large a pattern: search for less"),
        (r"a\x00", r"`a\x00` has a NUL character, which no text has"),
    ] {
        assert_eq!(tree.text("grep", json!({"pattern": pattern})).await, said);
    }
    assert_eq!(tree.text("grep", json!({"path": "src"})).await, "say in `pattern` what to search for");
}

#[tokio::test]
async fn a_text_that_is_not_there_is_looked_for_loosely() {
    let tree = Tree::of(&[("a.rs", "fn read_file() {}\nlet readFile = 1;\n"), ("b.rs", "Read file.\n")]);
    let call = tree.call("grep", json!({"pattern": "ReadFile", "context": 2})).await;
    assert_eq!(
        call.text(),
        "no line has `ReadFile`; maybe you meant:\na.rs\n 1:fn read_file() {}\n 2:let readFile = 1;\n\n\
         b.rs\n 1:Read file.\n[3 of 3 lines that are like it, in 2 files]"
    );
    assert_eq!(call.details::<Value>().unwrap().get("cursor"), None);
    // A regular expression is taken at its word.
    let text = tree.text("grep", json!({"pattern": "Read.File"})).await;
    assert_eq!(
        text,
        "no line in `.` matches `Read.File`; 2 files searched, hidden, ignored and binary ones left out"
    );
}

#[tokio::test]
async fn encodings_and_binary_files() {
    let tree = Tree::new();
    let utf16: Vec<u8> =
        "\u{feff}eins\r\nzwei größer\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    tree.write("utf16.txt", utf16);
    tree.write("bom.txt", "\u{feff}größer\n");
    tree.write("late.bin", [&b"gr\xc3\xb6\xc3\x9fer\n".repeat(9_000)[..], b"\0"].concat());
    tree.write("latin.txt", ["größer? ".as_bytes(), b"gr\xf6\xdfer\n"].concat());
    let call = tree.call("grep", json!({"pattern": "größer"})).await;
    assert_eq!(
        call.text(),
        "bom.txt\n 1:größer\n\nlatin.txt\n 1:größer? gr\u{fffd}\u{fffd}er\n\nutf16.txt\n 2:zwei größer\n\
         [3 matches in 3 files, of 3 searched]"
    );
    let text = tree.text("grep", json!({"pattern": "größer", "path": "late.bin"})).await;
    assert_eq!(text, "`late.bin` is no text, so it was not searched");
}

#[tokio::test]
async fn a_long_line_is_shown_around_the_match() {
    let tree = Tree::of(&[("min.js", &format!("{}needle{}\n", "é".repeat(3_000), "x".repeat(3_000)))]);
    let text = tree.text("grep", json!({"pattern": "needle"})).await;
    let row = text.lines().nth(1).unwrap();
    let shown = row.strip_prefix(" 1:…").unwrap().strip_suffix('…').unwrap();
    assert_eq!(shown.chars().count(), 500);
    assert!(shown.starts_with("éé") && shown.contains("éneedlex"), "{row}");
}

#[tokio::test]
async fn a_page_holds_50_000_characters_in_whole_lines() {
    let tree = Tree::of(&[("a.txt", &format!("{}\n", "needle".repeat(80)).repeat(400))]);
    let call = tree.call("grep", json!({"pattern": "needle", "limit": 50, "context": 20})).await;
    let text = call.text();
    assert!(text.chars().count() < 50_200, "{}", text.len());
    // Neighbours share their lines, so that 50 matches are 70 rows.
    assert!(text.ends_with("[1 to 50 of 400 matches in 1 file; go on with cursor grep-1]"), "{}", text.len());

    let lines: String = (0..4_000)
        .map(|line| if line % 50 == 25 { "needle" } else { "straw" })
        .fold(String::new(), |text, word| text + &word.repeat(90) + "\n");
    let tree = Tree::of(&[("a.txt", &lines)]);
    let text = tree.text("grep", json!({"pattern": "needle", "limit": 50, "context": 20})).await;
    assert!(text.chars().count() < 50_200, "{}", text.len());
    assert!(text.ends_with("[1 to 2 of 80 matches in 1 file; go on with cursor grep-1]"), "{}", text.len());
    let text = tree.text("grep", json!({"cursor": "grep-1"})).await;
    assert!(text.contains("\n 126:needle"), "{text}");
}

#[tokio::test]
async fn limits_are_kept() {
    let tree = Tree::new();
    for bad in [json!({"limit": 0}), json!({"limit": 51}), json!({"context": 21}), json!({"glob": "*"})] {
        let mut arguments = json!({"pattern": "a"});
        arguments.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert!(tree.call("grep", arguments).await.outcome.is_err(), "{bad}");
    }
    let text = tree.text("grep", json!({"cursor": "find-1"})).await;
    assert_eq!(text, "the cursor `find-1` is not known (any more): search again without a cursor");
}
