//! A path that leads outside of the allowed folders has one answer, whatever is there; a path inside has its own.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use rustix::fs::{CWD, FileType, Mode};
use serde_json::{Value, json};
use tool_runtime::{ToolSet, testing};
use tool_std::computer::computer_tools;

use crate::nobody::as_nobody;
use crate::tree::Tree;

/// Paths from the folder outside on: what is there, and what is not.
fn shapes(tree: &Tree) -> Vec<String> {
    let outside = tree.outside();
    fs::create_dir_all(outside.join("folder")).unwrap();
    fs::create_dir(outside.join("locked")).unwrap();
    for file in ["folder/a.txt", "locked/a.txt"] {
        fs::write(outside.join(file), "the secret of the outside\n").unwrap();
    }
    fs::set_permissions(outside.join("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    rustix::fs::mknodat(CWD, outside.join("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    for (link, target) in
        [("dangling", "nowhere"), ("loop", "round"), ("round", "loop"), ("to-file", "secret.txt")]
    {
        symlink(target, outside.join(link)).unwrap();
    }
    let long = "n".repeat(300);
    let mut shapes = Vec::new();
    for there in [
        "secret.txt",
        "nothing",
        "folder",
        "folder/a.txt",
        "folder/nothing",
        "folder/a.txt/x",
        "dangling",
        "loop",
        "to-file",
        "locked",
        "locked/a.txt",
        "locked/nothing",
        "pipe",
        &long,
    ] {
        shapes.push(there.to_owned());
        shapes.push(format!("{there}/"));
        shapes.push(format!("{there}/x"));
        // Back inside, by a folder outside that may or may not be there.
        shapes.push(format!("{there}/../../home/work/a.txt"));
        shapes.push(format!("{there}/../../../home/work/a.txt"));
    }
    shapes.push("x/".repeat(3_000));
    shapes
}

/// Paths of the system that are outside.
const OF_THE_SYSTEM: &[&str] = &[
    "/etc/passwd",
    "/etc/passwd/x",
    "/etc/nothing",
    "/etc/nothing/x",
    "/etc/../etc/passwd",
    "/nothing/../etc/passwd",
    "/proc/self/root",
    "/proc/self/root/nothing",
    "/proc/self/root/etc/passwd",
    "/proc/self/nothing/etc/passwd",
    "/proc/1/root/etc/passwd",
    "/proc/1/cwd",
    "/dev/fd/0",
    "/dev/fd/0/x",
    "/dev/fd/99999",
    "/dev/stdin",
    "/dev/zero",
    "/dev/zero/x",
];

/// Each spelling of each path outside that a model may write, and links in the workspace that lead to each.
fn paths(tree: &Tree) -> Vec<String> {
    let outside = tree.outside();
    let mut paths: Vec<String> = OF_THE_SYSTEM.iter().map(ToString::to_string).collect();
    tree.link("out", &outside);
    tree.link("near", "../../outside");
    for (at, shape) in shapes(tree).iter().enumerate() {
        let absolute = format!("{}/{shape}", outside.display());
        paths.push(format!("/proc/self/root{absolute}"));
        for before in ["../../outside", "~/../outside", "out", "near", "~/work/out", "sub/../out"] {
            paths.push(format!("{before}/{shape}"));
        }
        if absolute.len() < 4_000 {
            tree.link(format!("links/{at}"), &absolute);
            tree.link(format!("links/second-{at}"), at.to_string());
            paths.extend([format!("links/{at}"), format!("links/{at}/x"), format!("links/second-{at}")]);
        }
        paths.push(absolute);
    }
    fs::create_dir(tree.path("sub")).unwrap();
    tree.write("a.txt", "inside\n");
    paths
}

/// What the model reads, without the path that it gave.
async fn answer(tools: &ToolSet, tool: &str, arguments: &Value, path: &str) -> String {
    let text = testing::call(tools.get(None, tool).unwrap(), arguments.clone()).await.model_text;
    let cut: String = path.chars().take(100).collect();
    text.replace(&format!("`{path}`"), "PATH").replace(&format!("`{cut}…`"), "PATH")
}

async fn assert_one_answer(tree: &Tree) {
    let computer = &tree.computer;
    let tools = ToolSet::new(computer_tools(computer)).unwrap();
    let (work, home) = (computer.workspace().display(), computer.home().display());
    let outside = format!("PATH lies outside of what may be used here: use a path in `{work}` or `{home}`");
    for path in paths(tree) {
        for (tool, arguments, before) in [
            ("read_file", json!({"path": path}), "error: "),
            ("read_file", json!({"path": "a.txt", "cwd": path}), "error: "),
            ("ls", json!({"path": path}), ""),
            ("find", json!({"path": path}), ""),
            ("grep", json!({"path": path, "pattern": "secret"}), ""),
            ("reply_attachment", json!({"path": path}), "error: "),
            ("command", json!({"command": "true", "workdir": path}), "error: `workdir`: "),
        ] {
            let text = answer(&tools, tool, &arguments, &path).await;
            assert_eq!(text, format!("{before}{outside}"), "{tool} {arguments}");
        }
        // A link at the end of a path is not followed for writing, and so is refused as a link.
        if path.starts_with("links/") && !path.ends_with("/x") {
            continue;
        }
        for change in [
            format!("*** Add File: {path}\n+x\n"),
            format!("*** Delete File: {path}\n"),
            format!("*** Update File: {path}\n@@\n-the secret of the outside\n+x\n"),
            format!("*** Update File: a.txt\n*** Move to: {path}\n@@\n-inside\n+x\n"),
        ] {
            let patch = json!(format!("*** Begin Patch\n{change}*** End Patch\n"));
            let text = answer(&tools, "apply_patch", &patch, &path).await;
            let start = "error: the patch was not applied, and no file was changed\n- line 2 of the patch: ";
            assert_eq!(text, format!("{start}{outside}"), "{change}");
        }
    }
    let text = tree.text("ls", json!({"path": "links"})).await;
    let (note, rows) = text.lines().collect::<Vec<_>>().split_last().map(|(a, b)| (*a, b.to_vec())).unwrap();
    assert!(note.ends_with("entries]"), "{text}");
    for row in rows {
        assert!(row.ends_with(" (leads outside)"), "{row}");
    }
    // So that it can be removed.
    fs::set_permissions(tree.outside().join("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn a_path_outside_has_one_answer_whatever_is_there() {
    assert_one_answer(&Tree::new()).await;
    if rustix::process::geteuid().is_root() {
        // For root no folder is locked.
        as_nobody("outside::a_path_outside_has_one_answer_whatever_is_there");
    }
}

#[tokio::test]
async fn a_path_inside_says_what_is_wrong_with_it() {
    let tree = Tree::of(&[("a.txt", "inside\n"), ("folder/b.txt", "")]);
    tree.link("dangling", "nowhere");
    tree.link("through", "a.txt/x");
    tree.link("loop", "round");
    tree.link("round", "loop");
    let long = "n".repeat(300);
    for (path, said) in [
        ("nothing", "`nothing` does not exist"),
        ("nothing/x", "`nothing/x` does not exist: there is no `nothing` in `.`"),
        ("nothing/../a.txt", "`nothing/../a.txt` does not exist"),
        ("dangling", "`dangling` does not exist"),
        ("dangling/x", "`dangling/x` does not exist"),
        ("folder", "error: `folder` is a folder, no file"),
        ("a.txt/", "error: `a.txt/` leads through something that is no folder"),
        ("a.txt/x", "error: `a.txt/x` leads through something that is no folder"),
        ("a.txt/../a.txt", "error: `a.txt/../a.txt` leads through something that is no folder"),
        ("through", "error: `through` leads through something that is no folder"),
        ("loop", "error: `loop` leads round in a circle of links"),
        ("loop/x", "error: `loop/x` leads round in a circle of links"),
        (&long, &format!("`{long}` is longer than a path can be")),
        (&"n/".repeat(3_000), &format!("`{}…` is longer than a path can be", "n/".repeat(50))),
    ] {
        assert_eq!(tree.text("read_file", json!({"path": path})).await, said);
    }
}

#[tokio::test]
async fn a_locked_folder_inside_is_named() {
    if rustix::process::geteuid().is_root() {
        return as_nobody("outside::a_locked_folder_inside_is_named");
    }
    let tree = Tree::of(&[("locked/a.txt", "")]);
    fs::set_permissions(tree.path("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    for path in ["locked/a.txt", "locked/nothing", "locked/a/b"] {
        let text = tree.text("read_file", json!({"path": path})).await;
        assert_eq!(text, format!("error: `{path}` may not be read by this user"));
    }
    // One that may not be listed may be gone through.
    fs::set_permissions(tree.path("locked"), fs::Permissions::from_mode(0o300)).unwrap();
    tree.write("locked/inner/b.txt", "inside\n");
    for path in ["locked/inner/b.txt", "locked/inner/../inner/b.txt", "locked/a.txt"] {
        let text = tree.text("read_file", json!({"path": path})).await;
        assert!(text.starts_with("1|inside\n") || text == "[the file is empty]", "{path}: {text}");
    }
    fs::set_permissions(tree.path("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn ways_round_that_end_inside_are_taken() {
    let tree = Tree::of(&[("a.txt", "inside\n"), ("folder/b.txt", "")]);
    tree.link("out", tree.outside());
    symlink(tree.computer.workspace(), tree.outside().join("back")).unwrap();
    let work = tree.computer.workspace().display().to_string();
    let outside = tree.outside().display().to_string();
    for path in [
        "../../home/work/a.txt",
        &format!("../../../../../../../../../..{work}/a.txt"),
        "~/work/../../home/./work//a.txt",
        "folder/../a.txt",
        &format!("{work}/a.txt"),
        &format!("/..{work}/../work/a.txt"),
        // Links that lie outside are the host's.
        &format!("/proc/self/root{work}/a.txt"),
        &format!("{outside}/back/a.txt"),
        "out/back/a.txt",
        "out/back/../work/a.txt",
    ] {
        let text = tree.text("read_file", json!({"path": path})).await;
        assert!(text.starts_with("1|inside\n"), "{path}: {text}");
    }
}
