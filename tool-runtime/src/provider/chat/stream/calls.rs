//! The calls of a response while they stream in, from servers that number them well, badly or not at all.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::model::ModelError;
use crate::provider::budget::Budget;

use super::{cannot, is_custom, text_of};

/// The calls so far, in the order in which they were opened.
#[derive(Debug, Default)]
pub(super) struct Calls {
    calls: Vec<Call>,
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    /// The one call of the old form.
    old: Option<usize>,
}

/// A call so far.
#[derive(Debug, Default)]
struct Call {
    id: Option<String>,
    is_custom: bool,
    name: Option<String>,
    input: String,
    /// Whether pieces went on behind arguments that were not complete although a name was said again, so that nobody has to
    /// look again.
    goes_on: bool,
    /// What else came with it.
    extra: Map<String, Value>,
}

/// One piece of a call.
struct Piece {
    index: Option<u64>,
    id: Option<String>,
    is_custom: bool,
    name: Option<String>,
    input: String,
    extra: Map<String, Value>,
}

impl Calls {
    /// Takes one entry of `tool_calls`. Entries are taken one by one, however they are packed.
    pub(super) fn piece(&mut self, json: &str, budget: &mut Budget) -> Result<(), ModelError> {
        let piece = Piece::read(json)?;
        budget.keep(&piece.input)?;
        let at = match self.target(&piece) {
            Some(at) => at,
            None => self.open(budget)?,
        };
        if let Some(index) = piece.index {
            self.by_index.insert(index, at);
        }
        if let Some(id) = &piece.id {
            self.by_id.insert(id.clone(), at);
        }
        self.add(at, piece);
        Ok(())
    }

    /// Takes a piece in the old form: there is one call only, without an id.
    pub(super) fn old_piece(&mut self, json: &str, budget: &mut Budget) -> Result<(), ModelError> {
        let piece = Piece::read(json)?;
        budget.keep(&piece.input)?;
        let at = match self.old {
            Some(at) => at,
            None => self.open(budget)?,
        };
        self.old = Some(at);
        self.add(at, piece);
        Ok(())
    }

    /// As the `tool_calls` of a message that was not streamed.
    pub(super) fn into_json(self) -> Value {
        self.calls.into_iter().map(Call::into_json).collect()
    }

    fn open(&mut self, budget: &mut Budget) -> Result<usize, ModelError> {
        budget.keep_entry()?;
        self.calls.push(Call::default());
        Ok(self.calls.len() - 1)
    }

    /// The call that a piece belongs to; `None` if it opens one. By the index if there is one, else by the id, else it is
    /// the call that was opened last.
    fn target(&mut self, piece: &Piece) -> Option<usize> {
        let with_id = piece.id.as_ref().and_then(|id| self.by_id.get(id)).copied();
        let last = self.calls.len().checked_sub(1);
        let known = match (piece.index, &piece.id) {
            // A number that counts the pieces is none of a call: the id tells.
            (Some(index), _) => {
                self.by_index.get(&index).copied().or(with_id.filter(|_| piece.name.is_none()))
            }
            (None, Some(_)) => with_id.or(last.filter(|_| piece.name.is_none())),
            (None, None) => last,
        };
        let at = known?;
        self.calls.get_mut(at)?.takes(piece).then_some(at)
    }

    fn add(&mut self, at: usize, piece: Piece) {
        let Some(call) = self.calls.get_mut(at) else { return };
        let is_repeated = piece.name.is_some()
            && piece.id.is_none()
            && piece.name == call.name
            && piece.input == call.input
            && is_complete(&call.input);
        if !is_repeated {
            call.input.push_str(&piece.input);
        }
        call.id = call.id.take().or(piece.id);
        call.name = call.name.take().or(piece.name);
        call.is_custom |= piece.is_custom;
        call.extra.extend(piece.extra);
    }
}

impl Call {
    /// Whether a piece may be more of this call: one call never changes its id or its name.
    fn takes(&mut self, piece: &Piece) -> bool {
        let differs =
            |own: &Option<String>, new: &Option<String>| own.is_some() && new.is_some() && own != new;
        if differs(&self.id, &piece.id) || differs(&self.name, &piece.name) {
            return false;
        }
        // Without an id, a name that is said again behind complete arguments opens another call of the same tool, unless the
        // arguments are the same, too, or were only a place holder. With an id it is the same call.
        let may_open = piece.id.is_none()
            && piece.name.is_some()
            && self.name.is_some()
            && !self.goes_on
            && self.input.trim_end().ends_with('}')
            && piece.input.trim_start().starts_with('{')
            && self.input != piece.input;
        if !may_open {
            return true;
        }
        let opens = is_complete(&self.input);
        self.goes_on = !opens;
        !opens
    }

    fn into_json(self) -> Value {
        let (kind, key) = if self.is_custom { ("custom", "input") } else { ("function", "arguments") };
        let mut fields = self.extra;
        let mut inner = match fields.remove(kind) {
            Some(Value::Object(inner)) => inner,
            _ => Map::new(),
        };
        inner.insert("name".to_owned(), json!(self.name));
        inner.insert(key.to_owned(), self.input.into());
        fields.insert("id".to_owned(), json!(self.id));
        fields.insert("type".to_owned(), kind.into());
        fields.insert(kind.to_owned(), inner.into());
        Value::Object(fields)
    }
}

/// Whether a text is a whole JSON object that holds something.
fn is_complete(text: &str) -> bool {
    serde_json::from_str::<Map<String, Value>>(text).is_ok_and(|fields| !fields.is_empty())
}

impl Piece {
    fn read(json: &str) -> Result<Self, ModelError> {
        let mut fields: Map<String, Value> = serde_json::from_str(json).map_err(cannot)?;
        let is_custom = is_custom(&fields);
        let (kind, key) = if is_custom { ("custom", "input") } else { ("function", "arguments") };
        let filled = |value: Value| Some(text_of(&value)).filter(|text| !text.is_empty());
        let index = fields.remove("index").and_then(|index| index.as_u64());
        let id = fields.remove("id").and_then(filled);
        fields.remove("type");
        // In the old form, and on some servers, there is nothing inside: it all stands beside.
        let (mut inner, is_nested) = match fields.remove(kind) {
            Some(Value::Object(inner)) => (inner, true),
            _ => (std::mem::take(&mut fields), false),
        };
        let name = inner.remove("name").and_then(filled);
        let input = match inner.remove(key) {
            Some(Value::String(text)) => text,
            Some(Value::Null) | None => String::new(),
            Some(_) => raw_input(json, is_nested.then_some(kind), key).unwrap_or_default(),
        };
        if !inner.is_empty() {
            fields.insert(kind.to_owned(), Value::Object(inner));
        }
        Ok(Self { index, id, is_custom, name, input, extra: fields })
    }
}

/// Some servers write an object instead of its text. Taken from the piece's own text, it keeps every digit.
fn raw_input(json: &str, kind: Option<&str>, key: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Raw<'a>(#[serde(borrow)] HashMap<String, &'a RawValue>);
    let fields = |json| serde_json::from_str(json).ok().map(|Raw(fields)| fields);
    let mut of_call = fields(json)?;
    if let Some(kind) = kind {
        of_call = fields(of_call.get(kind)?.get())?;
    }
    of_call.get(key).map(|raw| raw.get().to_owned())
}
