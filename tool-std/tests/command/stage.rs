//! What the tests share: computers in each sandbox, calls, and a look at what is left running.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde_json::{Value, json};
use tempfile::TempDir;
use tool_runtime::testing::{self, TestCall};
use tool_std::computer::sandbox::SandboxChoice;
use tool_std::computer::{Computer, ComputerBuilder, command};

/// Between being asked to end and being killed, where programs end when they are asked.
const GRACE: Duration = Duration::from_secs(10);
/// The same, where they do not.
pub(crate) const NO_GRACE: Duration = Duration::from_millis(200);

/// A computer in a folder of its own.
pub(crate) struct Stage {
    pub(crate) level: &'static str,
    pub(crate) computer: Computer,
    pub(crate) folder: TempDir,
}

impl Stage {
    pub(crate) fn new(
        choice: SandboxChoice,
        adjust: impl FnOnce(ComputerBuilder) -> ComputerBuilder,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let level = name(&choice);
        let builder = Computer::builder(folder.path()).sandbox(choice).kill_after(GRACE);
        Self { level, computer: adjust(builder).build().unwrap(), folder }
    }

    pub(crate) async fn call(&self, arguments: Value) -> TestCall {
        testing::call(&command(self.computer.clone()), arguments).await
    }

    /// Runs a command for at most a minute.
    pub(crate) async fn run(&self, text: &str) -> Ran {
        self.run_with(json!({"command": text, "timeout": 60})).await
    }

    pub(crate) async fn run_with(&self, arguments: Value) -> Ran {
        let call = self.call(arguments).await;
        let Ok(details) = call.details() else { panic!("{}: {}", self.level, call.model_text) };
        Ran { text: call.model_text, details }
    }

    /// A pipe in the workspace that a command can open to say how far it is.
    pub(crate) fn pipe(&self, name: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        path
    }
}

/// What came of a command.
pub(crate) struct Ran {
    pub(crate) text: String,
    pub(crate) details: Value,
}

impl Ran {
    pub(crate) fn code(&self) -> i64 {
        self.details["exit_code"].as_i64().unwrap()
    }

    /// What the command wrote.
    pub(crate) fn output(&self) -> &str {
        self.text.split_once("\n\n").unwrap().1
    }

    /// The lines above it.
    pub(crate) fn head(&self) -> Vec<&str> {
        self.text.split_once("\n\n").unwrap().0.lines().collect()
    }
}

fn name(choice: &SandboxChoice) -> &'static str {
    match choice {
        SandboxChoice::Auto => "auto",
        SandboxChoice::Bubblewrap => "bubblewrap",
        SandboxChoice::Landlock => "landlock",
        SandboxChoice::None => "none",
        _ => "custom",
    }
}

/// The sandboxes that are to be had here.
pub(crate) fn sandboxes() -> Vec<SandboxChoice> {
    let mut choices = enclosing();
    choices.push(SandboxChoice::None);
    choices
}

/// Those that enclose anything.
pub(crate) fn enclosing() -> Vec<SandboxChoice> {
    let mut choices = vec![SandboxChoice::Bubblewrap, SandboxChoice::Landlock];
    choices.retain(is_there);
    choices
}

fn is_there(choice: &SandboxChoice) -> bool {
    let folder = tempfile::tempdir().unwrap();
    match Computer::builder(folder.path()).sandbox(choice.clone()).build().unwrap().open_sandbox() {
        Ok(_) => true,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            eprintln!("not tested with {}: {error}", name(choice));
            false
        }
    }
}

/// Whether everything is to be tried at its full size.
pub(crate) fn is_full_size() -> bool {
    std::env::var_os("ATTACK").is_some_and(|size| size == "full")
}

/// An argument of `sleep` that no other process has.
pub(crate) fn token() -> String {
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    let nanos = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().subsec_nanos();
    format!("3{:09}{:04}", nanos, GIVEN.fetch_add(1, Ordering::Relaxed))
}

/// The processes, dead ones left out, on whose command line `token` stands.
pub(crate) fn with_token(token: &str) -> Vec<Pid> {
    processes().filter(|pid| read(*pid, "cmdline").contains(token)).filter(|pid| is_alive(*pid)).collect()
}

/// The shells that this program has started and that run, those of its other tests included.
pub(crate) fn shells() -> Vec<Pid> {
    let own = std::process::id().to_string();
    let is_own = |pid: &Pid| fields(*pid).get(1) == Some(&own) && !read(*pid, "cmdline").contains("--exact");
    processes().filter(is_own).filter(|pid| is_alive(*pid)).collect()
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
}

fn read(pid: Pid, file: &str) -> String {
    let bytes = fs::read(format!("/proc/{}/{file}", pid.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What stands behind the name in `stat`: the state, the parent and more.
fn fields(pid: Pid) -> Vec<String> {
    let stat = read(pid, "stat");
    let behind = stat.rsplit_once(')').map_or("", |(_, behind)| behind);
    behind.split_whitespace().map(ToOwned::to_owned).collect()
}

fn is_alive(pid: Pid) -> bool {
    fields(pid).first().is_some_and(|state| state != "Z" && state != "X")
}

/// Waits until none is left of the processes that `find` gives. Gives up after half a minute without an end of one.
pub(crate) fn wait_until_none(what: &str, find: impl Fn() -> Vec<Pid>) {
    loop {
        let running = find();
        let Some(first) = running.first() else { return };
        let Ok(handle) = pidfd_open(*first, PidfdFlags::empty()) else { continue };
        let limit = Timespec { tv_sec: 30, tv_nsec: 0 };
        let ended = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit)).unwrap();
        assert!(ended > 0, "{what}: {running:?} still run: {}", read(*first, "cmdline").replace('\0', " "));
    }
}

pub(crate) fn assert_gone(token: &str) {
    wait_until_none(token, || with_token(token));
}

/// Reads what somebody writes to a pipe; that they do is what is waited for.
pub(crate) async fn read_pipe(path: &Path) -> String {
    let path = path.to_path_buf();
    tokio::task::spawn_blocking(move || fs::read_to_string(path).unwrap()).await.unwrap()
}

pub(crate) fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

/// Runs some tests of this program again, as `wrapper` starts it.
pub(crate) fn again(wrapper: &[&str], tests: &[&str], variable: Option<&str>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("command");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let mut command = Command::new("chmod");
    assert!(command.arg("755").args([folder.path(), &program]).status().unwrap().success());
    let mut command = Command::new(wrapper[0]);
    command
        .args(&wrapper[1..])
        .arg(&program)
        .args(tests)
        .args(["--exact", "--nocapture"])
        .env("TMPDIR", "/tmp");
    if let Some(variable) = variable {
        command.env(variable, "1");
    }
    let output = command.output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|stream| String::from_utf8_lossy(&stream).into_owned()).concat();
    assert!(output.status.success(), "{text}");
    assert!(text.contains(&format!("{} passed", tests.len())), "{text}");
    text
}
