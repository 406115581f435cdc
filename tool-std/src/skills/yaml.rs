//! YAML that somebody else wrote, read into a value of bounded size: aliases can make a few lines into a value that fills
//! the memory, so what is read is counted while it is read.

use std::cell::Cell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// The most that a value may hold: one for each part of it and one for each byte of its texts.
const MAX_SIZE: usize = 128 * 1024;

/// The most brackets that open in a text: those that stay open cost the library the square of their number.
const MAX_BRACKETS: usize = 1_000;

/// Reads `text`, one document without tags, whose keys are texts that occur once.
///
/// # Errors
///
/// What is wrong and where, in one line.
pub(super) fn read(text: &str) -> Result<Value, String> {
    if text.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() > MAX_BRACKETS {
        return Err(format!("holds more than {MAX_BRACKETS} of `[` and `{{`"));
    }
    let left = Cell::new(MAX_SIZE);
    let value = Bounded { left: &left }.deserialize(serde_yaml_ng::Deserializer::from_str(text));
    value.map_err(|error| one_line(&error.to_string()))
}

/// In one line of at most 300 characters.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= 300 { text } else { text.chars().take(299).chain(['…']).collect() }
}

/// Reads one value within what is left.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    left: &'a Cell<usize>,
}

impl Bounded<'_> {
    fn take<E: de::Error>(self, size: usize) -> Result<(), E> {
        match self.left.get().checked_sub(size) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(E::custom(format_args!(
                "the aliases make more of it than may be read, which is {} KiB",
                MAX_SIZE / 1024
            ))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.take(1)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("plain YAML without tags")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
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

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Value, E> {
        self.take(value.len())?;
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key_seed(self)? {
            let Value::String(key) = key else {
                return Err(de::Error::custom(format_args!("the key `{key}` is no text; put it in quotes")));
            };
            if map.contains_key(&key) {
                return Err(de::Error::custom(format_args!("the key `{key}` stands there twice")));
            }
            let value = entries.next_value_seed(self)?;
            map.insert(key, value);
        }
        Ok(map.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_yaml_is_read() {
        let value = read("a: [1, -2, 1.5, true, null, no]\nb: {c: \"x\"}").unwrap();
        assert_eq!(value, serde_json::json!({"a": [1, -2, 1.5, true, null, "no"], "b": {"c": "x"}}));
        assert_eq!(read("").unwrap(), Value::Null);
    }

    #[test]
    fn an_alias_that_is_used_plainly_is_read() {
        assert_eq!(read("a: &x [1]\nb: *x").unwrap(), serde_json::json!({"a": [1], "b": [1]}));
    }

    #[test]
    fn aliases_that_multiply_are_refused() {
        // Nested and flat; of the flat one the library bounds nothing.
        let nested: String = (1..9)
            .map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 9].join(",")))
            .collect();
        let nested = format!("a0: &a0 [x,x,x,x,x,x,x,x,x]\n{nested}");
        assert!(read(&nested).unwrap_err().contains("aliases"));
        let flat = format!("a: &a [{}]\nb: [{}]", "x,".repeat(2_000), "*a,".repeat(2_000));
        assert!(read(&flat).unwrap_err().contains("aliases"));
        let long = format!("a: &a {}\nb: [{}]", "x".repeat(10_000), "*a,".repeat(2_000));
        assert!(read(&long).unwrap_err().contains("aliases"));
        assert!(read("a: &a [*a]").is_err());
    }

    #[test]
    fn deep_nesting_is_refused() {
        for (open, close) in [("[", "]"), ("{a: ", "}")] {
            let deep = |count| format!("{}1{}", open.repeat(count), close.repeat(count));
            assert!(read(&deep(1_000)).unwrap_err().contains("recursion limit"));
            assert!(read(&deep(1_001)).unwrap_err().contains("more than 1000 of"));
        }
        assert!(read(&"- ".repeat(10_000)).unwrap_err().contains("recursion limit"));
    }

    #[test]
    fn what_has_no_place_in_json_is_refused() {
        for (text, problem) in [
            ("a: 1\na: 2", "`a` stands there twice"),
            ("1: a", "`1` is no text"),
            ("[a]: b", "is no text"),
            ("a: .nan", "not finite"),
            ("a: !tag b", ""),
            ("a: b\n---\nc: d", ""),
            ("a: \"", ""),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
