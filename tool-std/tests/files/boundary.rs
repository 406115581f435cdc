//! Nothing outside of the allowed folders is read, by whatever path.

use std::fs;

use serde_json::json;

use crate::tree::Tree;

/// Paths that lead to the secret, with why.
fn ways_out(tree: &Tree) -> Vec<(String, &'static str)> {
    let secret = tree.outside().join("secret.txt");
    let shown = secret.display().to_string();
    tree.link("link.txt", &secret);
    tree.link("folder", tree.outside());
    tree.link("to-link", "folder/secret.txt");
    tree.link("root", "/proc/self/root");
    tree.link("up", "../..");
    vec![
        ("../../outside/secret.txt".to_owned(), "the parent's parent"),
        ("sub/../../../outside/secret.txt".to_owned(), "through a folder that is missing"),
        ("./link.txt/../../../outside/secret.txt".to_owned(), "through a file"),
        (shown.clone(), "an absolute path"),
        ("~/../outside/secret.txt".to_owned(), "out of the home"),
        ("link.txt".to_owned(), "a link to the file"),
        ("folder/secret.txt".to_owned(), "a link to the folder"),
        ("to-link".to_owned(), "a link to a link"),
        ("up/outside/secret.txt".to_owned(), "a link upwards"),
        (format!("root{shown}"), "a link to the root of the system"),
        (format!("/proc/self/root{shown}"), "the root by way of the process"),
        (format!("/proc/self/cwd/../../../../../../../..{shown}"), "the folder of the process"),
        (format!("//{shown}"), "two slashes"),
    ]
}

#[tokio::test]
async fn no_way_out_for_reading() {
    let tree = Tree::new();
    for (path, way) in ways_out(&tree) {
        let text = tree.text("read_file", json!({"path": path})).await;
        assert!(!text.contains("the secret of the outside"), "{way}: {text}");
        assert!(
            text.contains("outside of what may be used here")
                || text.contains("does not exist")
                || text.contains("is no folder"),
            "{way}: {text}"
        );
    }
}

#[tokio::test]
async fn a_refused_path_says_which_folders_may_be_used() {
    let tree = Tree::new();
    let text = tree.text("read_file", json!({"path": "/etc/passwd"})).await;
    let (work, home) = (tree.computer.workspace().display(), tree.computer.home().display());
    // That of the user files lies in the home.
    assert_eq!(
        text,
        format!(
            "error: `/etc/passwd` lies outside of what may be used here: use a path in `{work}` or `{home}`"
        )
    );
    let also = tempfile::tempdir().unwrap();
    let computer = tool_std::computer::Computer::builder(tree.computer.workspace())
        .readable(tree.path(""))
        .readable(also.path())
        .build()
        .unwrap();
    let set = tool_runtime::ToolSet::new(tool_std::computer::computer_tools(&computer)).unwrap();
    let error = set.call("read_file", r#"{"path": "/etc/passwd"}"#).await.unwrap_err().to_string();
    let also = also.path().canonicalize().unwrap();
    assert!(error.ends_with(&format!(" use a path in `{work}` or `{}`", also.display())), "{error}");
}

#[tokio::test]
async fn links_that_stay_inside_are_followed() {
    let tree = Tree::of(&[("real/a.txt", "inside\n")]);
    tree.link("link.txt", "real/a.txt");
    tree.link("folder", tree.path("real"));
    for path in ["link.txt", "folder/a.txt", "folder/../folder/a.txt"] {
        let text = tree.text("read_file", json!({"path": path})).await;
        assert!(text.starts_with("1|inside\n"), "{path}: {text}");
    }
}

#[tokio::test]
async fn a_cwd_outside_is_refused() {
    let tree = Tree::new();
    let text = tree.text("read_file", json!({"path": "secret.txt", "cwd": tree.outside()})).await;
    assert!(text.contains("lies outside of what may be used here"), "{text}");
    tree.write("a.txt", "");
    let text = tree.text("read_file", json!({"path": "a.txt", "cwd": "a.txt"})).await;
    assert_eq!(text, "error: `a.txt` is a file, no folder");
}

#[tokio::test]
async fn folders_that_may_be_read_are_read() {
    let tree = Tree::new();
    let also = tempfile::tempdir().unwrap();
    fs::write(also.path().join("a.txt"), "also\n").unwrap();
    let computer = tool_std::computer::Computer::builder(tree.computer.workspace())
        .readable(also.path())
        .build()
        .unwrap();
    let set = tool_runtime::ToolSet::new(tool_std::computer::computer_tools(&computer)).unwrap();
    let path = json!({"path": also.path().join("a.txt")}).to_string();
    assert!(set.call("read_file", &path).await.unwrap().text().starts_with("1|also\n"));
}

#[tokio::test]
async fn no_way_out_for_listing() {
    let tree = Tree::new();
    for (path, way) in ways_out(&tree) {
        for path in [path.clone(), path.replace("/secret.txt", "")] {
            let text = tree.text("ls", json!({"path": path})).await;
            assert!(!text.lines().any(|row| row.starts_with("secret.txt")), "{way}: {text}");
        }
    }
}

#[tokio::test]
async fn no_way_out_for_finding() {
    let tree = Tree::new();
    for (path, way) in ways_out(&tree) {
        for path in [path.clone(), path.replace("/secret.txt", ""), path.replace("secret.txt", "*.txt")] {
            let text = tree.text("find", json!({"path": path})).await;
            assert!(!text.lines().any(|row| row.ends_with("secret.txt")), "{way}: {text}");
        }
    }
    let text = tree.text("find", json!({"pattern": "secret"})).await;
    assert!(text.starts_with("no path in `.` is like `secret`"), "{text}");
}

#[tokio::test]
async fn no_way_out_for_searching() {
    let tree = Tree::new();
    for (path, way) in ways_out(&tree) {
        for path in [path.clone(), path.replace("/secret.txt", ""), path.replace("secret.txt", "*.txt")] {
            let text = tree.text("grep", json!({"pattern": "secret of", "path": path})).await;
            assert!(!text.contains("the secret of the outside"), "{way}: {text}");
        }
    }
    let text = tree.text("grep", json!({"pattern": "secret of"})).await;
    assert!(text.starts_with("no line in `.` matches `secret of`; 0 files searched"), "{text}");
}

#[tokio::test]
async fn a_search_does_not_go_on_in_a_link_that_took_the_place_of_its_folder() {
    let tree = Tree::of(&[("folder/a.txt", "hit\n"), ("folder/b.txt", "hit\n")]);
    for file in ["a.txt", "b.txt", "c.txt"] {
        fs::write(tree.outside().join(file), "hit of the outside\n").unwrap();
    }
    let searches = [
        ("find", json!({"path": "folder", "pattern": "txt", "limit": 1})),
        ("grep", json!({"path": "folder", "pattern": "hit", "limit": 1})),
    ];
    for (tool, arguments) in &searches {
        let text = tree.text(tool, arguments.clone()).await;
        assert!(text.contains(&format!("go on with cursor {tool}-1")), "{text}");
    }
    fs::rename(tree.path("folder"), tree.path("moved")).unwrap();
    tree.link("folder", tree.outside());
    for (tool, _) in &searches {
        let text = tree.text(tool, json!({"cursor": format!("{tool}-1")})).await;
        assert!(text.starts_with("`folder` lies outside of what may be used here"), "{tool}: {text}");
    }
}
