//! Any text: nothing panics, and files are changed only if success is reported.

use proptest::prelude::*;

use crate::folder::{Folder, snapshot};

/// Lines that a patch is made of, and some that it is not.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[ +-](a|b|c|  a|)",
        2 => Just("@@".to_owned()),
        1 => "@@ (a|b|zz)",
        2 => "\\*\\*\\* (Add|Update|Delete) File: (f|g|h|sub/f|new/x|\\.\\./out|/etc/hostname|link|)",
        1 => "\\*\\*\\* Move to: (f|g|moved|sub/moved|\\.\\./out)",
        1 => Just("*** End of File".to_owned()),
        1 => "\\*\\*\\* ?(Begin|End) Patch ?",
        1 => ".{0,20}",
        1 => Just("\\ No newline at end of file".to_owned()),
        1 => "\\PC{0,8}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    let ending = || prop_oneof![9 => Just("\n"), 1 => Just("\r\n")];
    let lines = || {
        proptest::collection::vec((line(), ending()), 0..24)
            .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect::<String>())
    };
    prop_oneof![
        4 => lines().prop_map(|lines| format!("*** Begin Patch\n*** Update File: f\n@@\n{lines}*** End Patch\n")),
        4 => lines().prop_map(|lines| format!("*** Begin Patch\n{lines}*** End Patch\n")),
        1 => any::<String>(),
    ]
}

fn folder(content: &str) -> Folder {
    let folder = Folder::with(&[("f", content), ("g", "a\r\nb"), ("sub/f", "a\na\n")]);
    std::os::unix::fs::symlink("f", folder.path("link")).unwrap();
    std::fs::write(folder.around().join("out"), "a\n").unwrap();
    folder
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_applied_as_a_whole_or_changes_nothing(text in text(), content in "((a|b|c|  a|)\n){0,6}") {
        let folder = folder(&content);
        let outside = std::fs::read(folder.around().join("out")).unwrap();
        let before = snapshot(folder.around());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let call = runtime.block_on(folder.call(&text));
        prop_assert!(!call.model_text.contains("panicked"), "{}", call.model_text);
        let after = snapshot(folder.around());
        if call.outcome.is_err() {
            prop_assert_eq!(after, before);
        } else {
            prop_assert!(folder.left_over().is_empty());
            prop_assert_eq!(std::fs::read(folder.around().join("out")).unwrap(), outside);
            prop_assert!(folder.path("link").is_symlink());
        }
    }

    /// What the grammar admits is read; it may still not fit.
    #[test]
    fn every_text_of_the_grammar_can_be_read(operations in proptest::collection::vec(operation(), 1..5)) {
        let folder = folder("a\n");
        let text = crate::folder::patch(&operations.concat());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let call = runtime.block_on(folder.call(&text));
        for misread in ["belongs to no", "is no operation", "has no `+`", "follows a deletion", "names no file", "an anchor without"] {
            prop_assert!(!call.model_text.contains(misread), "{text}{}", call.model_text);
        }
    }
}

/// As `patch.lark` has it.
fn operation() -> impl Strategy<Value = String> {
    let content = || "(a|\\*\\*\\* End Patch|\\+|@@ x|\\\\|ü| )?";
    let changed = move || {
        (prop_oneof![Just(" "), Just("+"), Just("-")], content())
            .prop_map(|(mark, text)| format!("{mark}{text}\n"))
    };
    let anchor = "@@( a| b)?\n";
    let end = || prop_oneof![3 => Just(""), 1 => Just("*** End of File\n")];
    let hunk = move || {
        (proptest::collection::vec(anchor, 0..3), proptest::collection::vec(changed(), 1..5), end())
            .prop_map(|(anchors, body, end)| anchors.concat() + &body.concat() + end)
    };
    let added = proptest::collection::vec(content().prop_map(|text| format!("+{text}\n")), 0..4);
    prop_oneof![
        added.prop_map(|lines| format!("*** Add File: n\n{}", lines.concat())),
        Just("*** Delete File: g\n".to_owned()),
        proptest::collection::vec(hunk(), 1..4)
            .prop_map(|hunks| format!("*** Update File: f\n{}", hunks.concat())),
        proptest::collection::vec(hunk(), 0..3)
            .prop_map(|hunks| format!("*** Update File: f\n*** Move to: m\n{}", hunks.concat())),
    ]
}
