//! Reads a schema's text. A key that stands twice in an object is a fault: readers differ in which of the two they take.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::check::MAX_PROBLEMS;
use super::walk::Path;
use crate::error::SchemaProblem;

/// The JSON value of `json`.
///
/// # Errors
///
/// When the text is not JSON, or with every key that stands twice in an object.
pub(super) fn read(json: &str) -> Result<Value, Vec<SchemaProblem>> {
    let repeated = RefCell::new(Vec::new());
    let mut reader = serde_json::Deserializer::from_str(json);
    let value = Reading { path: Path::ROOT, repeated: &repeated }
        .deserialize(&mut reader)
        .and_then(|value| reader.end().map(|()| value))
        .map_err(|error| vec![Path::ROOT.problem(format!("the schema is not JSON: {error}"))])?;
    let repeated = repeated.into_inner();
    if repeated.is_empty() { Ok(value) } else { Err(repeated) }
}

#[derive(Clone, Copy)]
struct Reading<'a> {
    path: Path<'a>,
    repeated: &'a RefCell<Vec<SchemaProblem>>,
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) =
            items.next_element_seed(Reading { path: self.path.index(list.len()), ..self })?
        {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let path = self.path.name(&key);
            if map.contains_key(&key) && self.repeated.borrow().len() < MAX_PROBLEMS {
                self.repeated.borrow_mut().push(path.problem("this key stands twice; leave one of them"));
            }
            let value = members.next_value_seed(Reading { path, ..self })?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
