//! The modules of `tool-runtime` stand on floors; each imports from lower floors only.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. A new module gets its place here and in ARCHITECTURE.md.
const FLOORS: &[&[&str]] = &[
    &["error", "json", "panic"],
    &["check", "schema"],
    &["label", "output", "spec"],
    &["call", "params"],
    &["context"],
    &["event", "tool"],
    &["__private", "set", "tools"],
    &["arguments", "model", "search"],
    &["dispatch", "provider"],
    &["agent", "http", "mcp", "testing"],
];

fn floor(module: &str) -> Option<usize> {
    FLOORS.iter().position(|modules| modules.contains(&module))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The modules that `text` names behind `crate::`, alone or in braces, outside comments.
fn imports(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let first_word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut modules = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        // `$crate::` in a macro names the public face.
        if code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => modules.insert(first_word(rest)),
            Some(list) => {
                let list = list.split('}').next().unwrap();
                modules.extend(list.split(',').map(first_word).filter(|word| !word.is_empty()));
                true
            }
        };
    }
    modules
}

/// Every import of every file that does not go down, as `module imports module (file)`.
fn upward(root: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in sources(root) {
        let inside = file.strip_prefix(root).unwrap();
        let module =
            inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let Some(own) = floor(module) else {
            wrong.push(format!("`{module}` has no floor"));
            continue;
        };
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            let down = import == module || floor(&import).is_some_and(|floor| floor < own);
            if !down {
                wrong.push(format!("`{module}` imports `{import}` ({})", inside.display()));
            }
        }
    }
    wrong.sort();
    wrong
}

#[test]
fn no_module_imports_upward() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/src");
    assert_eq!(upward(&root), Vec::<String>::new());
}

#[test]
fn an_upward_import_is_found() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join("output")).unwrap();
    fs::write(root.path().join("lib.rs"), "use crate::agent::Agent;").unwrap();
    fs::write(
        root.path().join("set.rs"),
        "use crate::{tool, error::ToolError};\n// crate::agent in a comment",
    )
    .unwrap();
    fs::write(root.path().join("output/into.rs"), "use crate::dispatch::dispatch;\nuse crate::output::Json;")
        .unwrap();
    fs::write(root.path().join("extra.rs"), "").unwrap();
    assert_eq!(upward(root.path()), ["`extra` has no floor", "`output` imports `dispatch` (output/into.rs)"]);
}
