//! The front matter of a `SKILL.md`: what a skill says of itself between two lines `---`.

use serde_json::{Map, Value};

use super::skill::{Manifest, SkillRuntime};
use super::yaml;

/// The most that a front matter may hold, in bytes.
const MAX_BYTES: usize = 16 * 1024;
const MAX_NAME: usize = 64;
const MAX_DESCRIPTION: usize = 1_024;
const MAX_TAGS: usize = 32;
const MAX_WORD: usize = 64;

/// The keys that are read. All others belong to other readers of the file.
const KEYS: [&str; 7] =
    ["name", "description", "default_enabled", "category", "tags", "runtime", "platforms"];
const PLATFORMS: [&str; 3] = ["linux", "macos", "windows"];

/// A front matter that was read.
#[derive(Debug)]
pub(super) struct Front {
    pub(super) manifest: Manifest,
    /// What is odd but leaves the skill usable.
    pub(super) notes: Vec<String>,
}

/// The front matter and what follows it.
///
/// # Errors
///
/// When there is none, or it has no end.
pub(super) fn split(text: &str) -> Result<(&str, &str), String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or("");
    if first.trim_end() != "---" {
        return Err(
            "does not begin with a line `---`; put `name` and `description` between two of them".into()
        );
    }
    let mut at = first.len();
    for line in lines {
        if line.trim_end() == "---" {
            return Ok((&text[first.len()..at], &text[at + line.len()..]));
        }
        at += line.len();
        if at > MAX_BYTES {
            break;
        }
    }
    Err(format!("has a front matter without end: no second line `---` within {} KiB", MAX_BYTES / 1024))
}

/// Reads a front matter as [`split`] gives it.
///
/// # Errors
///
/// Everything that is wrong with it.
pub(super) fn read(front: &str) -> Result<Front, String> {
    // Behind one more line break, so that a line is counted as in the file.
    let map = match yaml::read(&format!("\n{front}"))? {
        Value::Object(map) => map,
        Value::Null => Map::new(),
        _ => return Err("has a front matter that is no list of keys with values".into()),
    };
    let mut reader = Reader { map: &map, problems: Vec::new(), notes: Vec::new() };
    let manifest = reader.manifest();
    reader.near_misses();
    if reader.problems.is_empty() {
        Ok(Front { manifest, notes: reader.notes })
    } else {
        Err(reader.problems.join("; "))
    }
}

/// Whether `name` may be the name of a skill: a lower-case letter, then letters, digits, `_` and `-`.
fn is_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
        && name.len() <= MAX_NAME
}

struct Reader<'a> {
    map: &'a Map<String, Value>,
    problems: Vec<String>,
    notes: Vec<String>,
}

impl Reader<'_> {
    fn manifest(&mut self) -> Manifest {
        let name = self.text("name", MAX_NAME, true).unwrap_or_default();
        if !name.is_empty() && !is_name(&name) {
            let name: String = name.chars().take(MAX_NAME).collect();
            self.problems.push(format!(
                "`name` is {name:?}, and is to be a lower-case letter followed by letters, digits, `_` or `-`"
            ));
        }
        let description = self.text("description", MAX_DESCRIPTION, true).unwrap_or_default();
        let default_enabled = match self.map.get("default_enabled") {
            None | Some(Value::Null) => true,
            Some(Value::Bool(enabled)) => *enabled,
            Some(_) => {
                self.problems.push("`default_enabled` is neither `true` nor `false`".into());
                true
            }
        };
        let runtime = match self.text("runtime", MAX_WORD, false).as_deref() {
            None | Some("any") => SkillRuntime::Any,
            Some("main") => SkillRuntime::Main,
            Some("background_job") => SkillRuntime::BackgroundJob,
            Some(other) => {
                self.problems
                    .push(format!("`runtime` is {other:?}, and is to be `any`, `main` or `background_job`"));
                SkillRuntime::Any
            }
        };
        let platforms = self.texts("platforms");
        for platform in platforms.iter().filter(|platform| !PLATFORMS.contains(&platform.as_str())) {
            let known = PLATFORMS.map(|platform| format!("`{platform}`")).join(", ");
            self.notes.push(format!("`platforms` names {platform:?}, which is none of {known}"));
        }
        Manifest {
            name,
            description,
            default_enabled,
            category: self.text("category", MAX_WORD, false),
            tags: self.texts("tags"),
            runtime,
            platforms,
        }
    }

    /// The text of `key`, without white space around it.
    fn text(&mut self, key: &str, max: usize, required: bool) -> Option<String> {
        let value = match self.map.get(key) {
            None | Some(Value::Null) if required => {
                self.problems.push(format!("`{key}` is missing"));
                return None;
            }
            None | Some(Value::Null) => return None,
            Some(value) => value,
        };
        match word(value, max) {
            Ok(text) => Some(text),
            Err(problem) => {
                self.problems.push(format!("`{key}` {problem}"));
                None
            }
        }
    }

    fn texts(&mut self, key: &str) -> Vec<String> {
        let list = match self.map.get(key) {
            None | Some(Value::Null) => return Vec::new(),
            Some(Value::Array(list)) if list.len() <= MAX_TAGS => list,
            Some(_) => {
                self.problems
                    .push(format!("`{key}` is no list of at most {MAX_TAGS} texts, as `[one, two]`"));
                return Vec::new();
            }
        };
        let mut texts = Vec::new();
        for (at, value) in list.iter().enumerate() {
            match word(value, MAX_WORD) {
                Ok(text) => texts.push(text),
                Err(problem) => self.problems.push(format!("`{key}[{at}]` {problem}")),
            }
        }
        texts
    }

    /// Notes the keys that are almost those that are read: they were meant and say nothing.
    fn near_misses(&mut self) {
        for key in self.map.keys().filter(|key| !KEYS.contains(&key.as_str())) {
            let plain = key.to_lowercase().replace('-', "_");
            if let Some(meant) = KEYS.iter().find(|known| strsim::damerau_levenshtein(known, &plain) <= 1) {
                self.notes.push(format!("the key {key:?} is not read; `{meant}` may be meant"));
            }
        }
    }
}

fn word(value: &Value, max: usize) -> Result<String, String> {
    let Value::String(text) = value else { return Err("is no text; put it in quotes".into()) };
    let text = text.trim();
    match text.chars().count() {
        0 => Err("is blank".into()),
        length if length > max => Err(format!("has {length} characters, and {max} are the most")),
        _ => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_front_matter_ends_at_the_second_line() {
        assert_eq!(split("---\na: 1\n---\nbody\n---\n").unwrap(), ("a: 1\n", "body\n---\n"));
        assert_eq!(split("\u{feff}---\r\na: 1\r\n---\r\nbody").unwrap(), ("a: 1\r\n", "body"));
        assert_eq!(split("---\n---").unwrap(), ("", ""));
    }

    #[test]
    fn one_that_does_not_begin_or_end_is_refused() {
        for text in ["", "# Title", " ---\na: 1\n---", "----\na: 1\n----"] {
            assert!(split(text).unwrap_err().contains("does not begin"), "{text}");
        }
        for text in ["---", "---\na: 1", "---\na: 1\n --- \n"] {
            assert!(split(text).unwrap_err().contains("without end"), "{text}");
        }
        let late = format!("---\na: {}\n---\n", "x".repeat(MAX_BYTES));
        assert!(split(&late).unwrap_err().contains("without end"));
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once() {
        let error =
            read("name: Big\nruntime: both\ntags: one\ndefault_enabled: 1\nplatforms: [{}]").unwrap_err();
        for part in [
            "`name` is \"Big\"",
            "`description` is missing",
            "`runtime` is \"both\"",
            "`tags`",
            "`default_enabled`",
            "`platforms[0]`",
        ] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }

    #[test]
    fn a_line_is_counted_as_in_the_file() {
        assert!(
            read("name: a\ndescription: b: c\n").unwrap_err().contains("line 3"),
            "the mapping in line 3"
        );
    }

    #[test]
    fn names_are_checked() {
        for name in ["a", "pdf-forms", "a_B9", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "A", "1a", "-a", "a b", "a\nb", "a<b>", "ä", "a.b", "../a", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn other_keys_are_left_to_other_readers_and_near_misses_noted() {
        let front = read("name: a\ndescription: b\nlicense: MIT\nmetadata: {x: 1}\ndefault-enabled: false\nplatforms: [darwin]").unwrap();
        assert_eq!(front.notes.len(), 2, "{:?}", front.notes);
        assert!(front.notes.iter().any(|note| note.contains("`default_enabled` may be meant")));
        assert!(front.manifest.default_enabled);
    }
}
