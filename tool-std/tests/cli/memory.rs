//! `worker-tools memory`: writing the memory, and what models read of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use serde_json::{Value, json};

use crate::program::{Ran, command, run, run_on};

/// The program on a state in a folder of its own, beside one for files.
struct Cli {
    folder: tempfile::TempDir,
}

impl Cli {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("files")).unwrap();
        Self { folder }
    }

    fn state(&self) -> String {
        self.folder.path().join("state").to_str().unwrap().to_owned()
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.files().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn memory(&self, arguments: &[&str]) -> Ran {
        run(&[&["memory", "--state", &self.state()], arguments].concat())
    }

    fn import(&self, arguments: &[&str]) -> Ran {
        self.memory(&[&["import", self.files().to_str().unwrap()], arguments].concat())
    }

    fn call(&self, tool: &str, arguments: &Value) -> Value {
        run(&["call", tool, &arguments.to_string(), "--state", &self.state()]).json()
    }

    fn slugs(&self) -> Vec<String> {
        let listed = self.memory(&["list", "--json"]).json();
        listed["pages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|page| page["slug"].as_str().unwrap().to_owned())
            .collect()
    }
}

#[test]
fn pages_and_facts_are_added_listed_shown_recalled_and_removed() {
    let cli = Cli::new();
    let state = cli.state();
    assert_eq!(cli.memory(&["list", "--json"]).json(), json!({ "pages": [], "facts": [] }));
    let added =
        run_on("Every Friday, by the fox.", &["memory", "--state", &state, "add", "Rotating keys"]).good();
    assert_eq!(added, "added: rotating-keys\n");
    let file = cli.write("owl.md", "The owl sleeps by day.\n");
    let added = cli.memory(&["add", "Birds", &file, "--slug", "animals/birds"]).good();
    assert_eq!(added, "added: animals/birds\n");
    let fact = cli.memory(&["fact", "Prefers short answers", "--about", "Ann"]).good();
    assert_eq!(cli.memory(&["fact", "Prefers short answers", "--about", "ann"]).good(), fact, "kept once");

    let listed = cli.memory(&["list"]).good();
    let lines: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["animals/birds", "23", "Birds"], "{listed}");
    assert_eq!(lines[2], ["rotating-keys", "25", "Rotating", "keys"], "{listed}");
    assert_eq!(lines[5], [fact.trim(), "Ann", "Prefers", "short", "answers"], "{listed}");
    assert_eq!(cli.memory(&["show", "Rotating Keys"]).good(), "Every Friday, by the fox.\n");
    assert_eq!(cli.memory(&["show", "birds"]).good(), "The owl sleeps by day.\n");

    let recalled = cli.call("recall", &json!({ "query": "what do owls do, and short answers" }));
    assert_eq!(recalled["passages"][0]["page"], "animals/birds");
    assert_eq!(recalled["facts"][0]["claim"], "Prefers short answers");
    let page = cli.call("get_page", &json!({ "reference": "animals/birds" }));
    assert_eq!(page["page"]["text"], "The owl sleeps by day.\n");

    assert_eq!(cli.memory(&["remove", "animals/birds"]).good(), "removed\n");
    assert_eq!(cli.memory(&["remove", "--fact", fact.trim()]).good(), "removed\n");
    let refused = cli.memory(&["remove", "animals/birds"]).refused(2);
    assert!(
        refused.contains("there is no page `animals/birds`; `worker-tools memory list` has all"),
        "{refused}"
    );
    let refused = cli.memory(&["remove", "--fact", "7"]).refused(2);
    assert!(refused.contains("there is no fact 7"), "{refused}");
    assert_eq!(cli.slugs(), ["rotating-keys"]);
}

/// Killed when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn a_background_job_reads_the_memory_of_the_state_that_it_is_in() {
    let cli = Cli::new();
    let state = cli.state();
    let page = ["memory", "--state", &state, "add", "Owl"];
    run_on("The owl sleeps by day.", &page).good();
    let call = json!({
        "type": "function_call", "call_id": "c1", "name": "recall", "arguments": json!({ "query": "owls" }).to_string(),
    });
    let said = json!({ "type": "output_text", "text": "By day." });
    let message = json!({ "type": "message", "role": "assistant", "content": [said] });
    let answers = [call, message].map(|item| json!({ "status": "completed", "output": [item] }).to_string());
    let recording = cli.write("answers.jsonl", answers.join("\n"));
    // Named by the environment, as a worker may have it.
    let worker = command(&["worker", "--recording", &recording]).env("DATABASE_URL", &state).spawn().unwrap();
    let _worker = Running(worker);
    let job = run(&["jobs", "--state", &state, "create", "Owl", "When does it sleep?"]).good();
    while run(&["jobs", "--state", &state, "list", "--over", "--json"]).json() == json!([]) {}
    let journal = format!("{state}/jobs/{}/turns/0001.jsonl", job.trim());
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.contains("The owl sleeps by day."), "{journal}");
}

#[test]
fn without_a_state_there_is_no_memory_and_no_tool_of_it() {
    let refused = run(&["memory", "list"]).refused(2);
    assert!(refused.contains("no state is named; use `--state DIR`"), "{refused}");
    let refused = run(&["call", "recall", r#"{"query": "x"}"#]).refused(2);
    assert!(refused.contains("this turn has no `recall`: it needs `--state PLACE`"), "{refused}");
    let listed = run(&["list"]).good();
    assert!(!listed.lines().any(|line| line.starts_with("recall")), "{listed}");
}

#[test]
fn a_page_is_replaced_only_when_that_is_asked_for() {
    let cli = Cli::new();
    let (old, new) = (cli.write("old.md", "the owl"), cli.write("new.md", "the fox"));
    cli.memory(&["add", "Keys", &old]).good();
    assert_eq!(cli.memory(&["add", "Keys", &old]).good(), "unchanged: keys\n");
    let refused = cli.memory(&["add", "Keys", &new]).refused(2);
    assert!(
        refused.contains("the page `keys` is there already") && refused.contains("--replace"),
        "{refused}"
    );
    assert_eq!(cli.memory(&["show", "keys"]).good(), "the owl\n");
    assert_eq!(cli.memory(&["add", "Keys", &new, "--replace"]).good(), "replaced: keys\n");
    assert_eq!(cli.memory(&["show", "keys"]).good(), "the fox\n");
}

#[test]
fn what_may_be_meant_is_named() {
    let cli = Cli::new();
    cli.write("a/setup.md", "# Setup\n\nfor a");
    cli.write("b/setup.md", "# Setup\n\nfor b");
    assert_eq!(cli.import(&[]).good(), "2 added, 0 replaced, 0 unchanged\n");
    let refused = cli.memory(&["show", "setup"]).refused(2);
    assert!(
        refused.contains("no single page is called `setup`; it may be `a/setup`, `b/setup`"),
        "{refused}"
    );
    let candidates = cli.call("get_page", &json!({ "reference": "Setup" }));
    assert_eq!(candidates["candidates"][1], json!({ "slug": "b/setup", "title": "Setup" }));
    let refused = cli.memory(&["show", "owl"]).refused(2);
    assert!(refused.contains("no page is called `owl`, or like it"), "{refused}");
}

#[test]
fn an_import_takes_text_files_and_can_be_repeated() {
    let cli = Cli::new();
    cli.write("One.md", "\u{feff}# The first\n\nowl");
    cli.write("sub/two.TXT", "fox");
    cli.write("sub/Three & four.markdown", "bat");
    cli.write("sub/image.png", [0x89, b'P']);
    cli.write(".hidden/secret.md", "never");
    cli.write("sub/.secret.md", "never");
    assert_eq!(cli.import(&[]).good(), "3 added, 0 replaced, 0 unchanged\n");
    assert_eq!(cli.slugs(), ["one", "sub/three-four", "sub/two"]);
    assert_eq!(cli.memory(&["list", "--json"]).json()["pages"][0]["title"], "The first");
    assert_eq!(
        cli.memory(&["show", "one"]).good(),
        "# The first\n\nowl\n",
        "without the mark at its beginning"
    );

    assert_eq!(cli.import(&[]).good(), "0 added, 0 replaced, 3 unchanged\n");
    cli.write("sub/two.TXT", "other");
    let refused = cli.import(&[]);
    assert!(refused.stderr.contains("two.TXT: the page `sub/two` is there already"), "{refused:?}");
    assert!(refused.stderr.ends_with("worker-tools: 1 file was not imported\n"), "{refused:?}");
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), "0 added, 0 replaced, 2 unchanged\n"));
    assert_eq!(cli.import(&["--replace"]).good(), "0 added, 1 replaced, 2 unchanged\n");
    assert_eq!(cli.import(&["--under", "My docs"]).good(), "3 added, 0 replaced, 0 unchanged\n");
    assert!(cli.slugs().contains(&"my-docs/sub/two".to_owned()));
}

#[test]
fn a_file_that_cannot_be_a_page_is_named_and_the_others_are_imported() {
    let cli = Cli::new();
    cli.write("good.md", "owl");
    cli.write("latin1.md", b"caf\xe9");
    cli.write("wide.txt", b"\xff\xfeo\0w\0l\0");
    cli.write("nul.md", "a\0b");
    cli.write("empty.md", "");
    cli.write("blank.md", " \n\n");
    cli.write("large.md", "x".repeat((4 << 20) + 1));
    cli.write("a b.md", "one");
    cli.write("a-b.md", "other");
    cli.write("\u{1f389}.md", "party");
    let ran = cli.import(&[]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(2), "2 added, 0 replaced, 0 unchanged\n"),
        "{}",
        ran.stderr
    );
    for expected in [
        "latin1.md: it is no text in UTF-8 (byte 3); convert it first, as with `iconv -t UTF-8`",
        "wide.txt: it is no text in UTF-8 (byte 0)",
        "nul.md: the page `nul` holds a NUL character at byte 1",
        "empty.md: the page `empty` holds no text",
        "blank.md: the page `blank` holds no text",
        "large.md: it has more than 4194304 bytes",
        "a-b.md: it would have the same name as ",
        "\u{1f389}.md: ",
        "8 files were not imported",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
    assert_eq!(cli.slugs(), ["a-b", "good"]);
    assert_eq!(cli.memory(&["show", "a-b"]).good(), "one\n");
}

#[test]
fn what_is_not_there_or_no_text_file_is_said() {
    let cli = Cli::new();
    let ran = cli.memory(&["import", "/nowhere/at/all"]).refused(2);
    assert!(ran.contains("/nowhere/at/all: No such file or directory"), "{ran}");
    let ran = cli.import(&[]).refused(2);
    assert!(
        ran.contains("there is nothing to import: no file that ends with .md, .markdown or .txt"),
        "{ran}"
    );
    let ran = cli.memory(&["add", "Keys", "/nowhere/at/all"]).refused(2);
    assert!(ran.contains("/nowhere/at/all: No such file or directory"), "{ran}");
    let state = cli.state();
    let refused = run_on("", &["memory", "--state", &state, "add", "Keys"]).refused(2);
    assert!(refused.contains("the page `keys` holds no text"), "{refused}");
    assert!(!Path::new(&cli.state()).join("state.sqlite-journal").exists());
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_in_folders_are_not_followed_and_named_ones_are() {
        let cli = Cli::new();
        let outside = cli.folder.path().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("secret.md"), "outside").unwrap();
        cli.write("in.md", "owl");
        symlink(outside.join("secret.md"), cli.files().join("link.md")).unwrap();
        symlink(&outside, cli.files().join("folder")).unwrap();
        symlink(cli.files(), cli.files().join("circle")).unwrap();
        symlink("nowhere.md", cli.files().join("broken.md")).unwrap();
        let ran = cli.import(&[]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), "1 added, 0 replaced, 0 unchanged\n"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("link.md: it is a link"), "{}", ran.stderr);
        assert_eq!(cli.slugs(), ["in"]);

        let named = cli.files().join("folder");
        let ran =
            cli.memory(&["import", named.to_str().unwrap(), cli.files().join("link.md").to_str().unwrap()]);
        assert_eq!(ran.good(), "2 added, 0 replaced, 0 unchanged\n");
        assert_eq!(cli.slugs(), ["in", "link", "secret"]);
    }

    #[test]
    fn strange_names_and_things_that_are_no_files_hold_nothing_up() {
        let cli = Cli::new();
        cli.write("good.md", "owl");
        fs::write(cli.files().join(OsStr::from_bytes(b"bad\xff.md")), "text").unwrap();
        cli.write("new\nline \x1b[31m.md", "text");
        let pipe = cli.files().join("pipe.md");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let ran = cli.import(&[]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(2), "2 added, 0 replaced, 0 unchanged\n"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("its name is no text in UTF-8; rename it"), "{}", ran.stderr);
        assert_eq!(cli.slugs(), ["good", "new-line-31m"]);
        let ran = cli.memory(&["import", pipe.to_str().unwrap()]).refused(2);
        assert!(ran.contains("pipe.md: it is neither a file nor a folder"), "{ran}");
    }

    #[test]
    fn an_import_that_is_killed_goes_on_where_it_was() {
        let cli = Cli::new();
        for number in 0..1_500 {
            cli.write(
                &format!("{}/{number}.md", number % 7),
                format!("# Page {number}\n\nowl number{number}"),
            );
        }
        let files = cli.files();
        let arguments = ["memory", "--state", &cli.state(), "import", files.to_str().unwrap()];
        let mut kept = 0;
        for _ in 0..4 {
            let mut import = command(&arguments).spawn().unwrap();
            while cli.slugs().len() <= kept && import.try_wait().unwrap().is_none() {}
            import.kill().unwrap();
            import.wait().unwrap();
            kept = cli.slugs().len();
        }
        let rest = run(&arguments).good();
        assert!(rest.ends_with(&format!("{kept} unchanged\n")), "{kept}: {rest}");
        assert_eq!(cli.slugs().len(), 1_500);
        let recalled = cli.call("recall", &json!({ "query": "number1234" }));
        assert_eq!(recalled["passages"][0]["title"], "Page 1234");
    }
}

#[test]
fn several_imports_at_once_lose_nothing() {
    let cli = Cli::new();
    for folder in 0..4 {
        for number in 0..60 {
            cli.write(&format!("{folder}/{number}.md"), format!("owl {folder} {number}"));
        }
        cli.write(&format!("{folder}/shared.md"), format!("of {folder}"));
    }
    // The same pages from two, others from two more.
    let imports: Vec<_> = [0, 0, 1, 2]
        .iter()
        .map(|folder| {
            let files = cli.files().join(folder.to_string());
            let under = format!("f{folder}");
            let arguments =
                ["memory", "--state", &cli.state(), "import", files.to_str().unwrap(), "--under", &under];
            command(&arguments).spawn().unwrap()
        })
        .collect();
    for import in imports {
        let ran = Ran::from(import.wait_with_output().unwrap());
        assert!(ran.good().contains("unchanged"));
    }
    assert_eq!(cli.slugs().len(), 3 * 61);
}

/// `IMPORT_FILES=100000 cargo test … --test cli many_files -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes; IMPORT_FILES says how many"]
fn many_files_are_imported() {
    let count: usize = std::env::var("IMPORT_FILES").map_or(20_000, |count| count.parse().unwrap());
    let cli = Cli::new();
    for number in 0..count {
        let text = format!("# Page {number}\n\nowl number{number}\n\n{}", "Words of a page. ".repeat(30));
        cli.write(&format!("{}/{number}.md", number % 100), text);
    }
    assert_eq!(cli.import(&[]).good(), format!("{count} added, 0 replaced, 0 unchanged\n"));
    assert_eq!(cli.slugs().len(), count);
    let query = format!("owl number{}", count - 1);
    let recalled = cli.call("recall", &json!({ "query": query }));
    assert_eq!(recalled["passages"][0]["title"], format!("Page {}", count - 1));
    assert_eq!(cli.import(&[]).good(), format!("0 added, 0 replaced, {count} unchanged\n"));
}
