//! Large patches and files take time in proportion to their size. Nothing here measures time: what is not linear would not
//! end within the time that a test has.

use std::fmt::Write as _;

use crate::folder::{Folder, update};

#[tokio::test]
async fn ten_thousand_hunks_on_a_file_of_100_000_lines() {
    let line = |n: usize| if n % 10 == 1 { "\n".to_owned() } else { format!("line {n}\n") };
    let folder = Folder::with(&[("f", &(0..100_000).map(line).collect::<String>())]);
    let (mut hunks, mut expected) = (String::new(), String::new());
    for n in 0..100_000 {
        if n % 10 == 0 {
            write!(hunks, "@@\n-{}+{n}\n", line(n)).unwrap();
            writeln!(expected, "{n}").unwrap();
        } else {
            expected.push_str(&line(n));
        }
    }
    let text = folder.applied(&update("f", &hunks)).await;
    assert_eq!(text, "M f (+10000 -10000)");
    assert!(folder.read("f") == expected);
}

#[tokio::test]
async fn ten_thousand_hunks_that_fit_loosely_only() {
    let file: String = (0..100_000).map(|n| format!("  a {} \u{2013} {n}\t\n", n % 7)).collect();
    let folder = Folder::with(&[("f", &file)]);
    let hunks: String = (0..100_000).step_by(10).map(|n| format!("@@\n-a {} - {n}\n", n % 7)).collect();
    let text = folder.applied(&update("f", &hunks)).await;
    assert_eq!(text, "M f (+0 -10000; 10000 hunks fit but for typographic characters)");
    assert_eq!(folder.read("f").lines().count(), 90_000);
}

#[tokio::test]
async fn ten_thousand_hunks_of_repeated_lines_in_order() {
    // Each hunk fits everywhere, and together they fit in one way only.
    let folder = Folder::with(&[("f", &"x\n".repeat(10_000))]);
    folder.applied(&update("f", &"@@\n-x\n+y\n".repeat(10_000))).await;
    assert!(folder.read("f") == "y\n".repeat(10_000));
}

#[tokio::test]
async fn ten_thousand_hunks_below_one_anchor() {
    let file: String =
        std::iter::once("class Big:\n".to_owned()).chain((0..10_000).map(|n| format!("  {n}\n"))).collect();
    let folder = Folder::with(&[("f", &file)]);
    let hunks: String = (0..10_000).map(|n| format!("@@ class Big:\n-  {n}\n")).collect();
    folder.applied(&update("f", &hunks)).await;
    assert_eq!(folder.read("f"), "class Big:\n");
}

#[tokio::test]
async fn ten_thousand_hunks_that_do_not_fit() {
    let file: String = (0..100_000).map(|n| format!("line {n} of the file\n")).collect();
    let folder = Folder::with(&[("f", &file)]);
    let hunks: String = (0..10_000).map(|n| format!("@@\n-line{n}\n")).collect();
    let text = folder.refused(&update("f", &hunks)).await;
    assert!(text.chars().count() < 4_200 && text.contains("hunk 1 of `f` does not fit"), "{text}");
}

#[tokio::test]
async fn lines_that_repeat_without_end_are_given_up() {
    // Every start looks right for thousands of lines.
    let file = format!("{}y\n", "x\n".repeat(3_000)).repeat(60);
    let folder = Folder::with(&[("f", &file)]);
    let hunks = format!("@@\n{}-z\n", " x\n".repeat(3_001)).replace("-z", "-x").repeat(15);
    let text = folder.refused(&update("f", &hunks)).await;
    assert!(text.contains("was not placed, since too many lines of the file are alike"), "{text}");
}
