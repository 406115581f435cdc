//! What strict has no keyword for, said in words at the end of the description.

use serde_json::{Map, Value};

use super::super::walk::{Path, shown};

/// Formats that strict knows.
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The title and the description of `schema`, with the words for what else it tells: default, examples, deprecation.
/// A title at the root is left out.
pub(super) fn annotations(schema: &Map<String, Value>, path: Path<'_>) -> Map<String, Value> {
    annotations_with(schema, Vec::new(), path)
}

/// The same, after `words` for keywords that constrain the value.
pub(super) fn annotations_with(
    schema: &Map<String, Value>,
    mut words: Vec<String>,
    path: Path<'_>,
) -> Map<String, Value> {
    words.extend(schema.iter().filter_map(|(keyword, value)| match (keyword.as_str(), value) {
        ("default", Value::Null) | ("deprecated", Value::Bool(false)) => None,
        ("default", value) => Some(format!("default {}", code(value))),
        ("deprecated", _) => Some("deprecated".to_owned()),
        ("examples", Value::Array(examples)) if !examples.is_empty() => {
            let examples: Vec<_> = examples.iter().take(5).map(code).collect();
            Some(format!("for example {}", examples.join(", ")))
        }
        _ => None,
    }));
    let mut told = Map::new();
    if let Some(title @ Value::String(_)) = schema.get("title")
        && !path.is_root()
    {
        told.insert("title".to_owned(), title.clone());
    }
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let text = match (text, sentence(&words)) {
        (text, None) => text.to_owned(),
        ("", Some(words)) => words,
        (text, Some(words)) if text.contains('\n') => format!("{text}\n\n{words}"),
        (text, Some(words)) => format!("{text} ({words})"),
    };
    if !text.is_empty() {
        told.insert("description".to_owned(), text.into());
    }
    told
}

/// The keywords of a text: the known ones into `strict`, the others as words.
pub(super) fn text(schema: &Map<String, Value>, strict: &mut Map<String, Value>) -> Vec<String> {
    keep(schema, strict, &["pattern"]);
    schema
        .iter()
        .filter_map(|(keyword, value)| match (keyword.as_str(), value) {
            ("minLength", least) => Some(format!("at least {}", counted(least, "character"))),
            ("maxLength", most) => Some(format!("at most {}", counted(most, "character"))),
            ("format", Value::String(format)) if FORMATS.contains(&format.as_str()) => {
                strict.insert(keyword.clone(), value.clone());
                None
            }
            ("format", Value::String(format)) => Some(format!("format `{}`", shown(format))),
            ("contentEncoding", Value::String(encoding)) => Some(format!("encoded as `{}`", shown(encoding))),
            ("contentMediaType", Value::String(kind)) => Some(format!("holds `{}`", shown(kind))),
            _ => None,
        })
        .collect()
}

/// Copies `keywords` as they are.
pub(super) fn keep(schema: &Map<String, Value>, strict: &mut Map<String, Value>, keywords: &[&str]) {
    for keyword in keywords {
        if let Some(value) = schema.get(*keyword) {
            strict.insert((*keyword).to_owned(), value.clone());
        }
    }
}

/// A value in backticks, shortened.
pub(super) fn code(value: &Value) -> String {
    format!("`{}`", shown(&value.to_string()))
}

/// "1 character", "2 characters".
pub(super) fn counted(count: &Value, noun: &str) -> String {
    if count.as_f64() == Some(1.0) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// The words as one sentence.
fn sentence(words: &[String]) -> Option<String> {
    let joined = words.join(", ");
    let first = joined.chars().next()?;
    let rest = joined.get(first.len_utf8()..).unwrap_or_default();
    Some(format!("{}{rest}.", first.to_uppercase()))
}
