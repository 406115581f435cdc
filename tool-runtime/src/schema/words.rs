//! What a provider has no keyword for, said in words at the end of the description.

use serde_json::{Map, Value};

use super::walk::{Path, shown};

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

/// The keywords of `schema` about a text, as words, except those that `is_known` takes, which go into `wire`.
pub(super) fn text(
    schema: &Map<String, Value>,
    wire: &mut Map<String, Value>,
    is_known: impl Fn(&str, &Value) -> bool,
) -> Vec<String> {
    let mut words = Vec::new();
    for (keyword, value) in schema {
        let word = match (keyword.as_str(), value) {
            ("minLength", least) => format!("at least {}", counted(least, "character")),
            ("maxLength", most) => format!("at most {}", counted(most, "character")),
            ("pattern", Value::String(pattern)) => format!("matches `{}`", shown(pattern)),
            ("format", Value::String(format)) => format!("format `{}`", shown(format)),
            ("contentEncoding", Value::String(encoding)) => format!("encoded as `{}`", shown(encoding)),
            ("contentMediaType", Value::String(kind)) => format!("holds `{}`", shown(kind)),
            _ => continue,
        };
        if is_known(keyword, value) {
            wire.insert(keyword.clone(), value.clone());
        } else {
            words.push(word);
        }
    }
    words
}

/// The bounds of `schema` for a number, as words, except those whose keyword `is_known` takes.
pub(super) fn number(schema: &Map<String, Value>, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let word = |(keyword, bound): (&String, &Value)| {
        let words = match keyword.as_str() {
            "minimum" => "at least",
            "maximum" => "at most",
            "exclusiveMinimum" => "above",
            "exclusiveMaximum" => "below",
            "multipleOf" => "a multiple of",
            _ => return None,
        };
        (!is_known(keyword)).then(|| format!("{words} {bound}"))
    };
    schema.iter().filter_map(word).collect()
}

/// How many items or keys there may be, as words.
pub(super) fn count(schema: &Map<String, Value>, keywords: [&str; 2], noun: &str) -> Vec<String> {
    let words = keywords.into_iter().zip(["at least", "at most"]);
    words
        .filter_map(|(keyword, words)| Some(format!("{words} {}", counted(schema.get(keyword)?, noun))))
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
