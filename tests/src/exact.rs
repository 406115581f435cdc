//! JSON values compared by the digits of their numbers; `serde_json::Value` would round the long ones.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A JSON value that keeps every digit. Equal when keys (in any order), texts and numbers (by value) are.
#[derive(Clone, PartialEq, Eq)]
pub enum Exact {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Digits),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Exact>),
    /// An object.
    Object(BTreeMap<String, Exact>),
}

/// A number: its sign, its significant digits and the power of ten that the last of them counts.
#[derive(Clone, PartialEq, Eq)]
pub struct Digits {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Exact {
    /// Reads JSON text.
    ///
    /// # Panics
    ///
    /// If it is none.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        serde_json::from_str::<&RawValue>(text).map_or_else(|error| panic!("{text}: {error}"), Self::of)
    }

    fn of(raw: &RawValue) -> Self {
        fn read<'t, T: Deserialize<'t>>(text: &'t str) -> T {
            serde_json::from_str(text).unwrap()
        }
        let text = raw.get().trim();
        match text.chars().next().unwrap() {
            'n' => Self::Null,
            't' | 'f' => Self::Bool(text == "true"),
            '"' => Self::Text(read(text)),
            '[' => Self::List(read::<Vec<&RawValue>>(text).into_iter().map(Self::of).collect()),
            '{' => {
                let members = read::<BTreeMap<String, Box<RawValue>>>(text);
                Self::Object(members.into_iter().map(|(key, value)| (key, Self::of(&value))).collect())
            }
            _ => Self::Number(Digits::of(text)),
        }
    }
}

impl Digits {
    fn of(text: &str) -> Self {
        let (negative, text) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0').trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        let dropped = all.len() - all.trim_end_matches('0').len();
        let shift = i64::try_from(dropped).unwrap() - i64::try_from(fraction.len()).unwrap();
        Self { negative, digits, exponent: exponent.parse::<i64>().unwrap() + shift }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => {
                let sign = if number.negative { "-" } else { "" };
                write!(f, "{sign}{}e{}", number.digits, number.exponent)
            }
            Self::Text(text) => write!(f, "{text:?}"),
            Self::List(items) => f.debug_list().entries(items).finish(),
            Self::Object(members) => f.debug_map().entries(members).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exact;

    #[test]
    fn numbers_are_equal_by_value_and_differ_by_any_digit() {
        for (left, right) in
            [("1e10", "10000000000.0"), ("0", "-0.0"), ("100", "1E+2"), ("0.5", "5e-1"), ("-20", "-2.0e1")]
        {
            assert_eq!(Exact::parse(left), Exact::parse(right));
        }
        for (left, right) in [
            ("9007199254740993", "9007199254740992"),
            ("1", "-1"),
            ("0.1", "0.10000000000000001"),
            ("1", "10"),
        ] {
            assert_ne!(Exact::parse(left), Exact::parse(right));
        }
    }

    #[test]
    fn keys_are_equal_in_any_order() {
        assert_eq!(
            Exact::parse(r#"{"a":1,"b":[true,null]}"#),
            Exact::parse(r#" {"b":[true,null],"\u0061":1.0} "#)
        );
        assert_ne!(Exact::parse("[1,2]"), Exact::parse("[2,1]"));
        assert_ne!(Exact::parse("\"1\""), Exact::parse("1"));
    }
}
