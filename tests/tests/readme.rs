//! What the pages say is there: links, commands, examples, keys, floors, and the crates that the README shows.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages of the repository, as paths from its root.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["", "docs"] {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                pages.push(Path::new(folder).join(name).to_str().unwrap().to_owned());
            }
        }
    }
    pages.sort();
    pages
}

/// The targets of `[text](target)`, outside code blocks.
fn links(page: &str) -> Vec<String> {
    let mut links = Vec::new();
    let mut in_code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        for part in line.split("](").skip(1) {
            links.push(part.split(')').next().unwrap().to_owned());
        }
    }
    links
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn headings(page: &str) -> Vec<String> {
    page.lines()
        .filter_map(|line| line.strip_prefix('#'))
        .map(|line| anchor(line.trim_matches('#')))
        .collect()
}

/// What follows each `before` in a text, as one word.
fn words_after<'a>(text: &'a str, before: &str) -> BTreeSet<&'a str> {
    let word = |rest: &'a str| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap();
    text.split(before).skip(1).map(word).collect()
}

fn examples() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("examples/src/bin")).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

/// The blocks of Rust code on a page.
fn rust_blocks(page: &str) -> Vec<String> {
    let blocks = page.split("\n```rust\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap().trim().to_owned()).collect()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, fragment) = link.split_once('#').unwrap_or((&link, ""));
            let target = root().join(&page).parent().unwrap().join(file);
            let there =
                if file.is_empty() { text.clone() } else { fs::read_to_string(&target).unwrap_or_default() };
            let found = file.is_empty() || target.exists();
            if !found || !(fragment.is_empty() || headings(&there).contains(&fragment.to_owned())) {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn every_example_is_named_with_its_command_and_every_command_names_one() {
    let examples = examples();
    for page in pages() {
        let text = without_features(&read(&page));
        for name in words_after(&text, "cargo run -p examples --bin ") {
            assert!(examples.contains(name), "{page} names the example `{name}`");
        }
    }
    let readme = without_features(&read("README.md"));
    let named = words_after(&readme, "| `cargo run -p examples --bin ");
    let missing: Vec<_> = examples.iter().filter(|example| !named.contains(example.as_str())).collect();
    assert!(missing.is_empty(), "the README's table lacks {missing:?}");
    for example in &examples {
        let command = format!("`cargo run -p examples --bin {example}`");
        let source = without_features(&read(&format!("examples/src/bin/{example}.rs")));
        assert!(source.contains(&command), "{example} lacks its command");
    }
}

/// A text with the commands of examples that need features as if they needed none.
fn without_features(text: &str) -> String {
    text.replace("cargo run -p examples --features mcp --bin ", "cargo run -p examples --bin ")
}

#[test]
fn the_readme_begins_with_the_two_commands() {
    let readme = read("README.md");
    let first = readme.split("```").nth(1).unwrap();
    let commands: Vec<&str> = first.lines().skip(1).collect();
    let test = "cargo test --workspace --all-features --locked";
    assert_eq!(commands, ["cargo run -p examples --bin turn", test]);
    assert!(read(".ci/run").lines().any(|line| line == test), "`.ci/run` runs what the README says");
}

#[test]
fn an_example_is_40_to_120_lines() {
    // The main job is a program, not an example of one thing.
    for example in examples().iter().filter(|example| *example != "turn") {
        let lines = read(&format!("examples/src/bin/{example}.rs")).lines().count();
        assert!((40..=120).contains(&lines), "`{example}` has {lines} lines");
    }
}

#[test]
fn the_readme_and_the_reference_list_the_keys_of_the_attribute() {
    let source = read("tool-macros/src/args.rs");
    let rows = source.split("\nkeys! {\n").nth(1).unwrap().split("\n}").next().unwrap();
    let keys: BTreeSet<&str> = rows.lines().map(|row| row.split('"').nth(1).unwrap()).collect();
    let reference = read("tool-macros/src/lib.rs").replace("/// ", "");
    for (page, header) in
        [(read("README.md"), "| key of `#[worker_tool(…)]` |"), (reference, "| key | default | meaning |")]
    {
        let table = page.split(header).nth(1).unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let first_cells = rows.map(|row| row.split('|').nth(1).unwrap());
        let listed: BTreeSet<&str> = first_cells.flat_map(words_after_backticks).collect();
        assert_eq!(listed, keys, "below {header}");
    }
}

/// The first word of each code span.
fn words_after_backticks(cell: &str) -> Vec<&str> {
    let spans = cell.split('`').skip(1).step_by(2);
    spans.map(|span| span.split([' ', '(']).next().unwrap()).collect()
}

#[test]
fn architecture_shows_the_floors_that_are_tested() {
    let source = read("tests/tests/layers.rs");
    let floors =
        source.split("const FLOORS: &[&[&str]] = &[\n").nth(1).unwrap().split("\n];").next().unwrap();
    let mut floors: Vec<Vec<&str>> =
        floors.lines().map(|row| row.split('"').skip(1).step_by(2).collect()).collect();
    floors.reverse();
    let page = read("ARCHITECTURE.md");
    let table = page.split("| floor | modules |").nth(1).unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    let shown: Vec<Vec<&str>> =
        rows.iter().map(|row| words_after_backticks(row.split('|').nth(2).unwrap())).collect();
    assert_eq!(shown, floors);
    let numbers: Vec<usize> =
        rows.iter().map(|row| row.split('|').nth(1).unwrap().trim().parse().unwrap()).collect();
    assert_eq!(numbers, (0..floors.len()).rev().collect::<Vec<_>>());
}

const MINIMAL: [(&str, &[&str]); 2] =
    [("minimal-params", &["schemars", "serde", "tool-runtime"]), ("minimal-inline", &["tool-runtime"])];

#[test]
fn the_readme_shows_the_minimal_crates() {
    let blocks = rust_blocks(&read("README.md"));
    for (name, _) in MINIMAL {
        let source = read(&format!("tests/fixtures/{name}/src/lib.rs"));
        assert!(blocks.contains(&source.trim().to_owned()), "the README does not show `{name}` as it is");
        assert!(source.lines().count() < 20, "`{name}` has {} lines", source.lines().count());
    }
}

/// Each is built as a crate of its own, with the versions of this workspace and without the network.
#[test]
fn the_minimal_crates_build_with_the_dependencies_that_the_readme_names() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = root().join("tool-runtime").canonicalize().unwrap();
    for (name, dependencies) in MINIMAL {
        let manifest = read(&format!("tests/fixtures/{name}/Cargo.toml"));
        let named = manifest.split("[dependencies]\n").nth(1).unwrap().lines();
        let named: Vec<&str> = named.map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(named, dependencies);

        let own = folder.path().join(name);
        fs::create_dir_all(own.join("src")).unwrap();
        let absolute =
            manifest.replace("\"../../../tool-runtime\"", &format!("{:?}", runtime.to_str().unwrap()));
        fs::write(own.join("Cargo.toml"), absolute).unwrap();
        fs::copy(root().join("Cargo.lock"), own.join("Cargo.lock")).unwrap();
        fs::copy(root().join(format!("tests/fixtures/{name}/src/lib.rs")), own.join("src/lib.rs")).unwrap();
        let output = Command::new(env!("CARGO"))
            .args(["check", "--offline", "--quiet"])
            .current_dir(&own)
            .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("minimal"))
            .output()
            .unwrap();
        assert!(output.status.success(), "`{name}`: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn every_path_that_a_page_names_is_there() {
    let mut missing = Vec::new();
    for page in pages() {
        let text = read(&page);
        for path in text.split('`').skip(1).step_by(2) {
            let is_ours = ["tool-macros/", "tool-runtime/", "tool-std/", "examples/", "tests/", "docs/"];
            let is_path = !path.contains(['<', '*', ' ', '\n'])
                && is_ours.iter().any(|crate_| path.starts_with(crate_));
            if is_path && !root().join(path).exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}
