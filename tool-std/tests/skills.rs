//! Skills from real folders, through the tool as a model calls it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "skills")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_runtime::{CallError, ExecutionMode, ToolErrorKind, testing};
use tool_std::skills::{SkillRuntime, Skills, TurnKind, skill_tools, skill_view};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/skills").canonicalize().unwrap()
}

fn skills() -> Skills {
    Skills::from_roots([fixtures()])
}

async fn view(skills: &Skills, arguments: Value) -> String {
    let call = testing::call(&skill_view(skills.clone()), arguments).await;
    assert!(call.outcome.is_ok(), "{}", call.model_text);
    call.model_text
}

async fn refused(skills: &Skills, arguments: Value) -> (ToolErrorKind, String) {
    let call = testing::call(&skill_view(skills.clone()), arguments).await;
    match call.outcome {
        Err(CallError::Tool(error)) => (error.kind(), call.model_text),
        other => panic!("{other:?}"),
    }
}

fn names(skills: &Skills) -> Vec<&str> {
    skills.all().iter().map(|skill| skill.name()).collect()
}

fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let file = root.join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text).unwrap();
}

/// A skill that is named like its folder.
fn skill(root: &Path, folder: &str, more: &str) {
    let name = folder.rsplit('/').next().unwrap();
    write(
        root,
        &format!("{folder}/SKILL.md"),
        format!("---\nname: {name}\ndescription: About {name}.\n{more}---\nDo it.\n"),
    );
}

#[test]
fn skills_are_found_with_what_they_say_of_themselves() {
    let skills = skills();
    assert_eq!(skills.problems(), []);
    let all =
        ["house-style", "mac-shortcuts", "market-survey", "probe-server", "release-notes", "table-cleanup"];
    assert_eq!(names(&skills), all);

    let survey = skills.get("market-survey").unwrap();
    assert_eq!(survey.runtime(), SkillRuntime::BackgroundJob);
    assert_eq!(survey.category(), Some("research"));
    assert_eq!(survey.directory(), fixtures().join("research/market-survey"));
    assert_eq!(skills.get("table-cleanup").unwrap().tags(), ["csv", "data"]);
    assert!(
        skills.get("release-notes").unwrap().description().starts_with("Write release notes from a list")
    );
    assert!(!skills.get("house-style").unwrap().default_enabled());
    assert_eq!(skills.get("mac-shortcuts").unwrap().platforms(), ["macos"]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_projection_names_each_enabled_skill_in_one_line() {
    let projection = skills().projection();
    let lines: Vec<_> = projection.lines().skip(1).map(|line| line.split(':').next().unwrap()).collect();
    // One that is off at first and one of another system are left out.
    assert_eq!(
        lines,
        ["- market-survey (background jobs only)", "- probe-server", "- release-notes", "- table-cleanup"]
    );
    assert!(projection.lines().next().unwrap().contains("`skill_view`"));
}

#[test]
fn a_turn_that_has_no_skills_has_no_tool() {
    let skills = skills();
    assert_eq!(skill_tools(&skills)[0].spec().name, "skill_view");
    for name in names(&skills) {
        skills.disable(name).unwrap();
    }
    assert!(skill_tools(&skills).is_empty());
    assert_eq!(skills.projection(), "");
    assert!(skill_tools(&Skills::from_roots(Vec::<PathBuf>::new())).is_empty());
    assert!(skill_tools(&Skills::from_roots([fixtures()]).for_turn(TurnKind::Automation)).is_empty());
}

#[tokio::test]
async fn instructions_come_without_front_matter_between_marks() {
    let text = view(&skills(), json!({"name": "release-notes"})).await;
    let directory = fixtures().join("release-notes");
    let first = format!(
        "<skill_file name=\"release-notes\" path=\"SKILL.md\" location=\"skill://release-notes/SKILL.md\" \
         directory=\"{}\" runtime=\"any\" content=\"external\">",
        directory.display()
    );
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[..2], [first.as_str(), "# Release notes"]);
    assert_eq!(*lines.last().unwrap(), "</skill_file>");
    assert!(!text.contains("license"));
}

#[tokio::test]
async fn other_files_come_as_they_are() {
    let arguments = json!({"name": "table-cleanup", "filePath": "scripts/profile.py"});
    let call = testing::call(&skill_view(skills()), arguments).await;
    let file = std::fs::read_to_string(fixtures().join("table-cleanup/scripts/profile.py")).unwrap();
    assert!(call.model_text.contains(&format!(">\n{file}</skill_file>")), "{}", call.model_text);
    assert_eq!(
        call.details::<Value>().unwrap(),
        json!({"name": "table-cleanup", "path": "scripts/profile.py"})
    );
    assert_eq!(call.activity.as_deref(), Some("Loading the skill table-cleanup"));
}

#[test]
fn the_flags_are_those_of_reading() {
    let tool = skill_view(skills());
    let spec = tool.spec();
    assert!(spec.read_only);
    assert_eq!(spec.execution_mode, ExecutionMode::Parallel);
}

#[tokio::test]
async fn an_unknown_skill_is_refused_with_those_of_the_turn() {
    let (kind, text) = refused(&skills(), json!({"name": "release-note"})).await;
    assert_eq!(kind, ToolErrorKind::NotFound);
    assert!(text.contains("(did you mean `release-notes`)"), "{text}");
    assert!(text.contains("this turn has `market-survey`, `probe-server`"), "{text}");
    assert!(!text.contains("house-style"), "{text}");
}

#[tokio::test]
async fn a_skill_is_enabled_and_disabled_for_one_turn() {
    let found = skills();
    let (one, other) = (found.for_turn(TurnKind::Main), found.for_turn(TurnKind::Main));
    let (kind, text) = refused(&one, json!({"name": "house-style"})).await;
    assert_eq!(kind, ToolErrorKind::Denied);
    assert!(text.contains("`house-style` is not enabled in this turn"), "{text}");

    one.enable("house-style").unwrap();
    assert!(one.projection().contains("- house-style: The house's rules"));
    assert!(view(&one, json!({"name": "house-style"})).await.contains("Begin with the answer"));
    refused(&other, json!({"name": "house-style"})).await;

    // Also while the turn runs and for files: the tool was made before.
    let tool = skill_view(one.clone());
    one.disable("table-cleanup").unwrap();
    let call =
        testing::call(&tool, json!({"name": "table-cleanup", "filePath": "references/dates.md"})).await;
    assert!(call.model_text.contains("not enabled in this turn"), "{}", call.model_text);
    view(&other, json!({"name": "table-cleanup", "filePath": "references/dates.md"})).await;
    assert!(one.enable("nothing").unwrap_err().to_string().contains("no skill is named `nothing`"));
}

#[test]
#[cfg(target_os = "linux")]
fn a_skill_of_another_system_cannot_be_enabled() {
    let error = skills().enable("mac-shortcuts").unwrap_err();
    assert!(error.to_string().contains("works on macos only"), "{error}");
    assert!(!skills().is_enabled("mac-shortcuts"));
}

#[tokio::test]
async fn a_main_turn_is_told_to_create_a_job() {
    let text = view(&skills(), json!({"name": "market-survey"})).await;
    assert!(text.contains("create a background job"), "{text}");
    assert!(!text.contains("Work in rounds"), "{text}");
    let arguments = json!({"name": "market-survey", "filePath": "references/report.md"});
    let (kind, text) = refused(&skills(), arguments.clone()).await;
    assert_eq!(kind, ToolErrorKind::Denied);
    assert!(text.contains("for background jobs only"), "{text}");

    let job = skills().for_turn(TurnKind::BackgroundJob);
    assert!(view(&job, json!({"name": "market-survey"})).await.contains("Work in rounds"));
    assert!(view(&job, arguments).await.contains("Question, answer"));
    assert!(job.projection().contains("- market-survey: Survey"));
}

#[tokio::test]
async fn a_job_does_not_get_what_is_for_main_turns() {
    let job = skills().for_turn(TurnKind::BackgroundJob);
    job.enable("house-style").unwrap();
    assert!(!job.projection().contains("house-style"));
    let (_, text) = refused(&job, json!({"name": "house-style"})).await;
    assert!(text.contains("for main turns only"), "{text}");
}

#[tokio::test]
async fn an_overlay_is_asked_at_each_load() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let skills = skills().overlay(move |name| {
        seen.lock().unwrap().push(name.to_owned());
        Ok((name == "release-notes").then(|| "Our versions begin with `v`.\n".to_owned()))
    });
    let text = view(&skills, json!({"name": "release-notes"})).await;
    assert!(
        text.contains("what to do about it.\n\n---\n\nOur versions begin with `v`.\n</skill_file>"),
        "{text}"
    );
    let text = view(&skills, json!({"name": "release-notes", "filePath": "references/style.md"})).await;
    assert!(!text.contains("Our versions"), "{text}");
    assert!(!view(&skills.for_turn(TurnKind::Main), json!({"name": "table-cleanup"})).await.contains("---"));
    assert_eq!(*asked.lock().unwrap(), ["release-notes", "release-notes", "table-cleanup"]);
}

#[tokio::test]
async fn an_overlay_refuses_also_the_second_file() {
    let loads = AtomicUsize::new(0);
    let skills = skills().overlay(move |_| match loads.fetch_add(1, Ordering::SeqCst) {
        0 => Ok(None),
        _ => Err("it was disabled by the operator".to_owned()),
    });
    view(&skills, json!({"name": "release-notes"})).await;
    let arguments = json!({"name": "release-notes", "filePath": "references/style.md"});
    let (kind, text) = refused(&skills, arguments).await;
    assert_eq!(kind, ToolErrorKind::Denied);
    assert!(text.contains("cannot be used now: it was disabled by the operator"), "{text}");
}

#[tokio::test]
async fn an_overlay_that_is_too_long_or_panics_fails_its_call_only() {
    let long = skills().overlay(|_| Ok(Some("x".repeat(32_001))));
    assert!(refused(&long, json!({"name": "release-notes"})).await.1.contains("32000 are the most"));
    let broken = skills().overlay(|_| panic!("no connection"));
    assert!(refused(&broken, json!({"name": "release-notes"})).await.1.contains("panicked"));
    let blank = skills().overlay(|_| Ok(Some(" \n".to_owned())));
    assert!(!view(&blank, json!({"name": "release-notes"})).await.contains("---"));
}

#[tokio::test]
async fn a_file_that_is_not_there_is_refused_with_those_that_are() {
    let (kind, text) = refused(&skills(), json!({"name": "table-cleanup", "filePath": "dates.md"})).await;
    assert_eq!(kind, ToolErrorKind::NotFound);
    let files = "its files are `SKILL.md`, `assets/example.png`, `references/dates.md`, `scripts/profile.py`";
    assert!(text.contains("`dates.md` of the skill `table-cleanup` does not exist"), "{text}");
    assert!(text.contains(files), "{text}");
}

#[tokio::test]
async fn what_is_no_text_or_too_big_is_refused_with_a_way() {
    let (_, text) =
        refused(&skills(), json!({"name": "table-cleanup", "filePath": "assets/example.png"})).await;
    assert!(text.contains("is no text in UTF-8; hand its path `/"), "{text}");

    let root = tempfile::tempdir().unwrap();
    skill(root.path(), "big", "");
    write(root.path(), "big/most.txt", "x".repeat(100_000));
    write(root.path(), "big/more.txt", "x".repeat(100_001));
    write(root.path(), "big/latin.txt", b"caf\xe9");
    write(root.path(), "big/nul.txt", "a\0b");
    let skills = Skills::from_roots([root.path()]);
    assert!(
        view(&skills, json!({"name": "big", "filePath": "most.txt"})).await.ends_with("x\n</skill_file>")
    );
    let (_, text) = refused(&skills, json!({"name": "big", "filePath": "more.txt"})).await;
    assert!(text.contains("has 100001 bytes, and 100000 are the most"), "{text}");
    assert!(text.contains("a tool that reads pages of files"), "{text}");
    for (path, reason) in [
        ("latin.txt", "no text in UTF-8"),
        ("nul.txt", "no text in UTF-8"),
        (".", "inside of the skill's folder"),
    ] {
        let (_, text) = refused(&skills, json!({"name": "big", "filePath": path})).await;
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn a_bad_skill_takes_no_other_down() {
    let root = tempfile::tempdir().unwrap();
    skill(root.path(), "good", "");
    skill(root.path(), "a/b/c/deep", "");
    write(root.path(), "no-front/SKILL.md", "# Title\n");
    write(root.path(), "no-end/SKILL.md", "---\nname: no-end\ndescription: x\n");
    write(root.path(), "no-name/SKILL.md", "---\ndescription: x\n---\n");
    write(root.path(), "bad-yaml/SKILL.md", "---\nname: [\n---\n");
    write(root.path(), "latin/SKILL.md", b"---\nname: latin\ndescription: caf\xe9\n---\n");
    skill(root.path(), "a/b/c/d/too-deep", "");
    skill(root.path(), "typo", "defualt_enabled: false\n");
    skill(root.path(), ".git/hidden", "");
    let skills = Skills::from_roots([root.path(), Path::new("/no/such/root")]);
    assert_eq!(names(&skills), ["deep", "good", "typo"]);
    let problems: Vec<_> =
        skills.problems().iter().map(|problem| (problem.usable, problem.to_string())).collect();
    let expected = [
        (false, "a/b/c/d/too-deep` lies deeper than 4 folders"),
        (false, "bad-yaml/SKILL.md`"),
        (false, "latin/SKILL.md` is no text in UTF-8"),
        (false, "no-end/SKILL.md` has a front matter without end"),
        (false, "no-front/SKILL.md` does not begin with a line `---`"),
        (false, "no-name/SKILL.md` `name` is missing"),
        (true, "typo/SKILL.md` the key \"defualt_enabled\" is not read; `default_enabled` may be meant"),
        (false, "`/no/such/root` does not exist"),
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for ((usable, problem), (expected_usable, part)) in problems.iter().zip(expected) {
        assert_eq!(*usable, expected_usable, "{problem}");
        assert!(problem.contains(part), "{problem}");
    }
}

#[test]
fn of_two_with_one_name_the_first_counts() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    skill(first.path(), "same", "");
    skill(second.path(), "same", "");
    skill(second.path(), "other", "");
    let skills = Skills::from_roots([first.path(), second.path(), second.path()]);
    assert_eq!(names(&skills), ["other", "same"]);
    assert!(skills.get("same").unwrap().directory().starts_with(first.path().canonicalize().unwrap()));
    let [problem, again] = skills.problems() else { panic!("{:?}", skills.problems()) };
    assert_eq!(problem, again);
    assert!(problem.to_string().contains("is named `same`, as `/"), "{problem}");
}

#[test]
fn a_root_may_be_a_skill_itself() {
    let skills = Skills::from_roots([fixtures().join("release-notes")]);
    assert_eq!(names(&skills), ["release-notes"]);
}

#[test]
fn the_projection_stays_small_and_complete() {
    let root = tempfile::tempdir().unwrap();
    let long = "word ".repeat(200);
    for n in 0..300 {
        let name = format!("skill-{n:03}-{}", "x".repeat(50));
        let text = format!("---\nname: {name}\ndescription: {long}\nruntime: background_job\n---\n");
        write(root.path(), &format!("{n}/SKILL.md"), text);
    }
    let skills = Skills::from_roots([root.path()]);
    assert_eq!(skills.all().len(), 256);
    assert_eq!(skills.problems().len(), 44);
    assert!(skills.problems()[0].to_string().contains("256 skills are the most"));
    let projection = skills.projection();
    assert!(projection.len() <= 32 * 1024, "{}", projection.len());
    assert_eq!(projection.lines().count(), 257);
    assert!(projection.lines().skip(1).all(|line| line.contains("word word") && line.ends_with('…')));
}
