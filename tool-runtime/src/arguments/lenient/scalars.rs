//! Numbers and words.

use crate::json::Node;

use super::{Cursor, Notes, Part, Stop, structure::shorten};

struct Word {
    spelling: &'static str,
    /// `None` for the words of JSON.
    name: Option<&'static str>,
    value: Node,
}

const WORDS: &[Word] = &[
    Word { spelling: "true", name: None, value: Node::Bool(true) },
    Word { spelling: "false", name: None, value: Node::Bool(false) },
    Word { spelling: "null", name: None, value: Node::Null },
    Word { spelling: "True", name: Some("python_word"), value: Node::Bool(true) },
    Word { spelling: "False", name: Some("python_word"), value: Node::Bool(false) },
    Word { spelling: "None", name: Some("python_word"), value: Node::Null },
];

struct NumberForm {
    /// `None` for the numbers of JSON.
    name: Option<&'static str>,
    /// The spelling of JSON for this token.
    spell: fn(&str) -> Option<String>,
}

const NUMBERS: &[NumberForm] = &[
    NumberForm { name: None, spell: json_number },
    NumberForm { name: Some("leading_point"), spell: leading_point },
];

pub(super) fn starts_scalar(character: char) -> bool {
    character.is_alphanumeric() || "+-._".contains(character)
}

/// Reads the number or word that stands here.
pub(super) fn read(cursor: &mut Cursor<'_>, notes: &mut Notes) -> Result<Node, Stop> {
    let token = cursor.take_up_to(|character| !starts_scalar(character)).rest();
    let ended = cursor.peek().is_none();
    if let Some(word) = WORDS.iter().find(|word| word.spelling == token) {
        note(word.name, notes);
        return Ok(word.value.clone());
    }
    if ended && goes_on(token) {
        return Err(Stop::Cut(Part::Scalar(token.chars().count())));
    }
    for form in NUMBERS {
        if let Some(spelling) = (form.spell)(token) {
            note(form.name, notes);
            return Ok(Node::Number(spelling));
        }
    }
    Err(Stop::Broken(complaint(token)))
}

fn note(name: Option<&'static str>, notes: &mut Notes) {
    if let Some(name) = name {
        notes.repaired(name);
    }
}

/// Whether more characters could make a number or a word of it; `100` may be the beginning of `1000`.
fn goes_on(token: &str) -> bool {
    let number = |token: &str| NUMBERS.iter().any(|form| (form.spell)(token).is_some());
    WORDS.iter().any(|word| word.spelling.starts_with(token)) || number(token) || number(&format!("{token}0"))
}

fn json_number(token: &str) -> Option<String> {
    match Node::parse(token) {
        Ok(Node::Number(spelling)) => Some(spelling),
        _ => None,
    }
}

/// `.5` and `-.5`.
fn leading_point(token: &str) -> Option<String> {
    let (sign, digits) = token.strip_prefix('-').map_or(("", token), |digits| ("-", digits));
    if !digits.starts_with('.') {
        return None;
    }
    json_number(&format!("{sign}0{digits}"))
}

fn complaint(token: &str) -> String {
    let shown = shorten(token);
    let digits = token.trim_start_matches(['-', '+']);
    if token.chars().all(|character| character == '.') {
        return "`...` stands where a value belongs; write out what was left out".to_owned();
    }
    if digits.len() > 1 && digits.starts_with('0') && digits.chars().all(|digit| digit.is_ascii_digit()) {
        return format!("`{shown}` has a leading zero, so its value is unclear; write the number without it");
    }
    if matches!(digits, "NaN" | "Infinity" | "nan" | "inf" | "Inf") {
        return format!("`{shown}` is no number of JSON");
    }
    format!("`{shown}` is no JSON value; write text in double quotes")
}
