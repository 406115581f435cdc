//! What hostile trees do: sizes, special files, links that come and go.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use serde_json::{Value, json};
use tool_runtime::ToolSet;
use tool_std::computer::{Computer, computer_tools};

use crate::size::{assert_little_memory, size};
use crate::tree::Tree;

fn pipe(path: &Path) {
    rustix::fs::mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

/// Adds `bytes` times the same byte to a file.
fn write_much(path: &Path, byte: u8, bytes: u64) {
    let mut file = File::options().create(true).append(true).open(path).unwrap();
    std::io::copy(&mut std::io::repeat(byte).take(bytes), &mut file).unwrap();
}

/// Whether a search says that it had no time for all; that depends on the machine.
fn is_partial(text: &str) -> bool {
    text.contains("; not all: stopped after 10 seconds")
}

#[tokio::test]
async fn a_folder_of_200_000_files() {
    let tree = Tree::new();
    let many = size(4_000, 200_000);
    fs::create_dir(tree.path("many")).unwrap();
    for file in 0..many {
        File::create(tree.path("many").join(format!("file-{file:06}"))).unwrap();
    }
    fs::write(tree.path("many/file-000777"), "the needle\n").unwrap();

    let call = tree.call("ls", json!({"path": "many", "limit": 2_000})).await;
    let details: Value = call.details().unwrap();
    assert_eq!((&details["entries"], &details["total"]), (&json!(2_000), &json!(many)));
    assert!(call.text().starts_with("file-000000\nfile-000001\n"));

    let call = tree.call("find", json!({"pattern": "file", "limit": 100})).await;
    assert!(call.details::<Value>().unwrap()["total_matched"] == many || is_partial(&call.text()));
    let text = tree.text("find", json!({"pattern": "file-000777"})).await;
    assert!(text.starts_with("many/file-000777\n") || is_partial(&text), "{text}");

    let text = tree.text("grep", json!({"pattern": "needle"})).await;
    assert!(text.starts_with("many/file-000777\n 1:the needle\n[") || is_partial(&text), "{text}");

    let text = tree.text("read_file", json!({"path": "many/file-000778x"})).await;
    assert!(text.starts_with("`many/file-000778x` does not exist; did you mean "), "{text}");
    assert_little_memory("a folder of many files");
}

#[tokio::test]
async fn a_folder_of_200_000_folders() {
    let tree = Tree::new();
    let many = size(4_000, 200_000);
    fs::create_dir(tree.path("many")).unwrap();
    for folder in 0..many {
        fs::create_dir(tree.path("many").join(format!("folder-{folder:06}"))).unwrap();
    }
    fs::write(tree.path("many/folder-000777/a.txt"), "the needle\n").unwrap();
    for (tool, arguments) in
        [("find", json!({"pattern": "a.txt"})), ("grep", json!({"pattern": "the needle"}))]
    {
        let text = tree.text(tool, arguments).await;
        assert!(text.starts_with("many/folder-000777/a.txt\n") || is_partial(&text), "{tool}: {text}");
    }
    assert_little_memory("a folder of many folders");
}

#[tokio::test]
async fn a_path_longer_than_paths_can_be() {
    let tree = Tree::new();
    // Made step by step, since no single path reaches the end.
    let mut at: std::os::fd::OwnedFd = File::open(tree.computer.workspace()).unwrap().into();
    for _ in 0..size(150, 400) {
        let name = "x".repeat(50);
        rustix::fs::mkdirat(&at, name.as_str(), Mode::RWXU).unwrap();
        at = rustix::fs::openat(&at, name.as_str(), rustix::fs::OFlags::DIRECTORY, Mode::empty()).unwrap();
    }
    tree.write("needle.txt", "needle\n");
    for (tool, pattern) in [("find", "needle.txt"), ("grep", "needle")] {
        let text = tree.text(tool, json!({"pattern": pattern})).await;
        assert!(text.starts_with("needle.txt\n"), "{tool}: {text}");
        assert!(text.contains("; 1 folder could not be read"), "{tool}: {text}");
    }
}

#[tokio::test]
async fn a_sparse_file_of_5_gib() {
    let tree = Tree::new();
    let bytes = size(256 << 20, 5 << 30);
    let path = tree.write("zeros.bin", "");
    File::options().write(true).open(&path).unwrap().set_len(bytes).unwrap();
    // One that begins like text: 1,000 lines, then nothing but zeros, then one line more.
    let path = tree.write("log.txt", "needle\n".repeat(2_000));
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(bytes).unwrap();
    file.write_all_at(b"\nlast needle\n", bytes - 13).unwrap();
    let attached = File::create(tree.computer.user_files().unwrap().join("zeros.bin")).unwrap();
    attached.set_len(bytes).unwrap();

    let text = tree.text("read_file", json!({"path": "zeros.bin"})).await;
    assert_eq!(text, "`zeros.bin` is no text (it holds NUL bytes), so it is not shown");
    let call = tree.call("read_file", json!({"path": "log.txt", "limit": 2})).await;
    let note = "[lines 1 to 2 of at least 2,000; go on with offset 3]";
    assert_eq!(call.text(), format!("1|needle\n2|needle\n{note}"));
    assert_eq!(call.details::<Value>().unwrap()["counted_all"], false);
    // The line of zeros is passed, or it is said that there was no time for it.
    let text = tree.text("read_file", json!({"path": "log.txt", "offset": 2_001})).await;
    let is_known = text.contains("line 2,001 holds NUL bytes") || text.contains("out of reach");
    assert!(is_known, "{text}");

    let text = tree.text("grep", json!({"pattern": "needle"})).await;
    assert!(text.starts_with("no line in `.` matches `needle`; 0 files searched"), "{text}");
    let path = json!({"path": "~/files/zeros.bin"});
    let call = tree.call("reply_attachment", path).await;
    assert_eq!(call.details::<Value>().unwrap()["attachments"][0]["size"], bytes);
    assert_little_memory("a sparse file");
}

#[tokio::test]
async fn a_line_of_1_gib() {
    let tree = Tree::new();
    let bytes = size(300 << 20, 1 << 30);
    let path = tree.write("line.txt", "needle one\n");
    write_much(&path, b'x', bytes);
    File::options().append(true).open(&path).unwrap().write_all(b"\nneedle two\n").unwrap();

    let call = tree.call("read_file", json!({"path": "line.txt"})).await;
    let text = call.text();
    assert!(
        text.starts_with(&format!("1|needle one\n2|{} … [line cut, it has ", "x".repeat(2_000))),
        "{}",
        text.len()
    );
    assert!(
        text.contains("3|needle two\n[end of the file") || text.contains("out of reach"),
        "{}",
        text.len()
    );
    assert!(text.len() < 3_000, "{}", text.len());

    let text = tree.text("grep", json!({"pattern": "needle"})).await;
    assert_eq!(
        text,
        "line.txt\n 1:needle one\n[1 match in 1 file, of 1 searched; \
         `line.txt` was searched only up to a line longer than 8 MiB]"
    );
    assert_little_memory("a long line");
}

#[tokio::test]
async fn an_ignore_file_that_is_huge_a_pipe_or_a_link() {
    let tree = Tree::of(&[("pipe/a.rs", "needle\n"), ("link/a.rs", "needle\n"), ("huge/a.rs", "needle\n")]);
    pipe(&tree.path("pipe/.gitignore"));
    pipe(&tree.path("pipe/.ignore"));
    fs::write(tree.outside().join("rules"), "*.rs\n").unwrap();
    tree.link("link/.gitignore", tree.outside().join("rules"));
    write_much(&tree.path("huge/.gitignore"), b'*', size(20 << 20, 1 << 30));
    let call = tree.call("find", json!({"pattern": "a.rs"})).await;
    assert_eq!(call.details::<Value>().unwrap()["total_matched"], 3, "{}", call.text());
    let call = tree.call("grep", json!({"pattern": "needle"})).await;
    assert_eq!(call.details::<Value>().unwrap()["total_matched"], 3, "{}", call.text());
    assert_little_memory("a huge ignore file");
}

#[tokio::test]
async fn an_ignore_file_of_very_many_patterns() {
    let tree = Tree::of(&[("a.rs", ""), ("b/b.rs", ""), ("b/c.rs", "")]);
    let patterns: String = (0..size(2_000, 200_000)).map(|line| format!("*{line}*x?y*\n")).collect();
    tree.write(".gitignore", format!("b.rs\n{patterns}"));
    for folder in 0..20 {
        tree.write(format!("d{folder}/.gitignore"), &patterns);
    }
    let text = tree.text("find", json!({})).await;
    let all = text == "a.rs\nb/c.rs\n[2 files of 2 that were looked at]";
    assert!(all || is_partial(&text), "{text}");
    assert_little_memory("many patterns");
}

#[tokio::test]
async fn a_call_with_very_much_to_look_for() {
    let tree = Tree::of(&[("a.rs", "needle\n")]);
    // A path whose letters fit as well as any can.
    tree.write(["a".repeat(200).as_str(); 15].join("/"), "");
    for (tool, arguments, said) in [
        ("find", json!({"pattern": "a ".repeat(100_000)}), "the pattern has more than 20 words: give fewer"),
        (
            "find",
            json!({"pattern": "a".repeat(1_001)}),
            "a word of the pattern has more than 1000 characters",
        ),
        ("find", json!({"pattern": "a".repeat(1_000)}), "[1 file of 2"),
        (
            "find",
            json!({"pattern": "{a,b}*".repeat(20_000)}),
            "a word of the pattern has more than 1000 characters",
        ),
        ("find", json!({"path": "{a,b}*".repeat(20_000)}), "is longer than a path can be"),
        (
            "find",
            json!({"exclude": "a, ".repeat(50_000)}),
            "these are 50000 paths to leave out; give at most 100",
        ),
        ("grep", json!({"pattern": "a".repeat(200_000)}), "is too large a pattern: search for less"),
        ("grep", json!({"pattern": "(".repeat(100_000)}), "no line in `.` matches `(((("),
        ("grep", json!({"pattern": "[a-z]{1000}".repeat(1_000)}), "is too large a pattern"),
        ("read_file", json!({"path": "a/".repeat(100_000)}), "is longer than a path can be"),
    ] {
        let text = tree.text(tool, arguments).await;
        let start: String = text.chars().take(200).collect();
        assert!(text.contains(said), "{tool}: {start}");
    }
    assert_little_memory("much to look for");
}

#[tokio::test]
async fn pipes_sockets_and_devices_are_not_opened() {
    let tree = Tree::of(&[("a.txt", "needle\n")]);
    pipe(&tree.path("pipe.txt"));
    let _socket = UnixListener::bind(tree.path("socket.txt")).unwrap();
    tree.link("zero.txt", "/dev/zero");
    for (path, said) in [
        ("pipe.txt", "error: `pipe.txt` is a pipe, no file"),
        ("socket.txt", "error: `socket.txt` is a socket, no file"),
    ] {
        assert_eq!(tree.text("read_file", json!({"path": path})).await, said);
        let text = tree.text("grep", json!({"path": path, "pattern": "x"})).await;
        assert!(text.starts_with(&format!("`{path}` is a ")), "{text}");
    }
    let text = tree.text("read_file", json!({"path": "zero.txt"})).await;
    assert!(text.contains("lies outside of what may be used here"), "{text}");
    let call = tree.call("grep", json!({"pattern": "needle"})).await;
    assert_eq!(call.details::<Value>().unwrap(), json!({"total_matched": 1, "total_files_searched": 1}));
    let call = tree.call("find", json!({"limit": 100})).await;
    assert!(call.text().starts_with("a.txt\nzero.txt (a link)\n["), "{}", call.text());

    // Where devices may be read, they still are none of the files.
    let computer = Computer::builder(tree.computer.workspace()).readable("/dev").build().unwrap();
    let set = ToolSet::new(computer_tools(&computer)).unwrap();
    for device in ["/dev/zero", "/dev/random", "/dev/full"] {
        let read = set.call("read_file", &json!({"path": device}).to_string()).await;
        assert_eq!(read.unwrap_err().to_string(), format!("`{device}` is a device, no file"));
    }
    let found = set.call("grep", r#"{"path": "/dev", "pattern": "x"}"#).await.unwrap();
    assert!(found.text().contains("0 files searched"), "{}", found.text());
}

#[tokio::test]
async fn the_root_by_way_of_a_process() {
    let tree = Tree::new();
    let secret = tree.outside().join("secret.txt");
    let computer = Computer::builder(tree.computer.workspace()).readable("/proc/self").build().unwrap();
    let set = ToolSet::new(computer_tools(&computer)).unwrap();
    for way in ["/proc/self/root", "/proc/thread-self/root", "/proc/self/task/1/root", "/proc/1/root"] {
        let path = format!("{way}{}", secret.display());
        for tool in ["read_file", "find", "ls"] {
            let text = set.call(tool, &json!({"path": path}).to_string()).await;
            let text = text.map_or_else(|error| error.to_string(), |output| output.text());
            assert!(
                text.contains("outside of what may be used")
                    || text.contains("does not exist")
                    || text.contains("may not be"),
                "{tool} {path}: {text}"
            );
        }
    }
    let walked = set.call("find", r#"{"path": "/proc/self", "pattern": "secret.txt"}"#).await.unwrap();
    assert!(!walked.text().contains("outside/secret.txt"), "{}", walked.text());
}

#[tokio::test]
async fn names_that_are_no_utf8_hide_nothing() {
    let tree = Tree::new();
    tree.write(OsStr::from_bytes(b"caf\xe9/\xff.txt"), "needle\n");
    tree.write(OsStr::from_bytes(b"caf\xe9/.gitignore"), b"ignored\xff\n*.log\n");
    tree.write(OsStr::from_bytes(b"caf\xe9/a.log"), "needle\n");
    let text = tree.text("grep", json!({"pattern": "needle"})).await;
    assert!(text.starts_with("caf�/�.txt (name is not UTF-8)\n 1:needle\n[1 match"), "{text}");
    let text = tree.text("read_file", json!({"path": "caf\u{fffd}/\u{fffd}.txt"})).await;
    assert!(text.contains("does not exist"), "{text}");
    let text = tree.text("read_file", json!({"path": "a\u{0}b"})).await;
    assert!(text.contains("holds a NUL character, which no path can"), "{text}");
}

/// Exchanges both of each pair again and again until it is told to stop.
fn exchange(pairs: &[(PathBuf, PathBuf)], is_over: &AtomicBool) {
    while !is_over.load(Ordering::Relaxed) {
        for (a, b) in pairs {
            rustix::fs::renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).unwrap();
            std::thread::yield_now();
        }
    }
}

#[test]
fn a_link_that_is_made_after_the_check() {
    let tree = Tree::of(&[("real/secret.txt", "harmless\n"), ("file.txt", "harmless\n")]);
    fs::write(tree.outside().join("only-outside.txt"), "the secret of the outside\n").unwrap();
    tree.link("link", tree.outside());
    tree.link("file-link.txt", tree.outside().join("secret.txt"));
    // Folder and file are now themselves, now links that lead out.
    let pairs = [("real", "link"), ("file.txt", "file-link.txt")].map(|(a, b)| (tree.path(a), tree.path(b)));
    let is_over = AtomicBool::new(false);
    let (mut read, mut refused) = (0, 0);
    std::thread::scope(|threads| {
        threads.spawn(|| exchange(&pairs, &is_over));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let attack = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for _ in 0..size(30, 1_000) {
                for (tool, arguments) in [
                    ("read_file", json!({"path": "real/secret.txt"})),
                    ("read_file", json!({"path": "file.txt"})),
                    ("read_file", json!({"path": "secret.txt", "cwd": "real"})),
                    ("ls", json!({"path": "real"})),
                    ("find", json!({"path": "real", "pattern": "outside"})),
                    ("find", json!({"pattern": "outside"})),
                    ("grep", json!({"path": "real", "pattern": "secret of"})),
                    ("grep", json!({"path": "file.txt", "pattern": "secret of"})),
                    ("grep", json!({"pattern": "secret of"})),
                ] {
                    let text = runtime.block_on(tree.text(tool, arguments.clone()));
                    assert!(!text.contains("the secret of the outside"), "{tool} {arguments}: {text}");
                    assert!(!text.contains("only-outside.txt"), "{tool} {arguments}: {text}");
                    read += u64::from(text.contains("harmless"));
                    refused += u64::from(text.contains("outside of what may be used"));
                }
            }
        }));
        is_over.store(true, Ordering::Relaxed);
        attack.unwrap();
    });
    // Both sides of the exchange were met, so that some calls came between.
    assert!(read > 0 && refused > 0, "{read} read, {refused} refused");
}
