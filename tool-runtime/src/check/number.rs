//! Numbers compared without losing a digit.

use std::borrow::Cow;
use std::cmp::Ordering;

/// The longest integer that a whole float such as `4e30` is written out to.
const MOST_DIGITS: i64 = 39;

/// A decimal number of any length: `0.d1d2d3… × 10^point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal<'a> {
    negative: bool,
    /// ASCII digits without zeros at either end; empty for zero.
    digits: Cow<'a, [u8]>,
    point: i64,
}

impl<'a> Decimal<'a> {
    /// Reads a JSON number. Exponents past a million million are cut there: no such number can be held anyway.
    pub(crate) fn parse(spelling: &'a str) -> Self {
        let (negative, rest) = match spelling.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, spelling),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: Cow<'a, [u8]> = if fraction.is_empty() {
            Cow::Borrowed(whole.as_bytes())
        } else {
            Cow::Owned([whole.as_bytes(), fraction.as_bytes()].concat())
        };
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        let trailing = digits.iter().skip(leading).rev().take_while(|digit| **digit == b'0').count();
        let kept = leading..digits.len() - trailing;
        let digits = match digits {
            Cow::Borrowed(digits) => Cow::Borrowed(digits.get(kept).unwrap_or_default()),
            Cow::Owned(digits) => Cow::Owned(digits.get(kept).unwrap_or_default().to_vec()),
        };
        if digits.is_empty() {
            return Self { negative: false, digits, point: 0 };
        }
        let point = as_i64(whole.len()) - as_i64(leading) + exponent;
        Self { negative, digits, point }
    }

    /// The same number, owned.
    pub(crate) fn into_owned(self) -> Decimal<'static> {
        let Self { negative, digits, point } = self;
        Decimal { negative, digits: Cow::Owned(digits.into_owned()), point }
    }

    /// Whether it has no fraction.
    pub(crate) fn is_whole(&self) -> bool {
        as_i64(self.digits.len()) <= self.point || self.digits.is_empty()
    }

    /// The integer written out, if it is one and not absurdly long.
    pub(crate) fn to_integer(&self) -> Option<String> {
        if self.digits.is_empty() {
            return Some("0".to_owned());
        }
        if !self.is_whole() || self.point > MOST_DIGITS {
            return None;
        }
        let mut text = String::from(if self.negative { "-" } else { "" });
        text.extend(self.digits.iter().map(|digit| char::from(*digit)));
        text.extend((as_i64(self.digits.len())..self.point).map(|_| '0'));
        Some(text)
    }

    /// Whether dividing by `divisor` leaves nothing. `divisor` is above zero and has at most 19 digits.
    pub(crate) fn is_multiple_of(&self, divisor: &Decimal<'_>) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        let modulus = divisor.digits.iter().fold(0u128, |value, digit| value * 10 + u128::from(digit - b'0'));
        let shift = (self.point - as_i64(self.digits.len())) - (divisor.point - as_i64(divisor.digits.len()));
        // A negative shift asks whether the digits can be divided by ten; they end in no zero.
        let Ok(shift) = u64::try_from(shift) else { return false };
        if modulus == 0 {
            return false;
        }
        let rest =
            self.digits.iter().fold(0u128, |rest, digit| (rest * 10 + u128::from(digit - b'0')) % modulus);
        (rest * power_of_ten(shift, modulus)).is_multiple_of(modulus)
    }

    /// One spelling for each number, for comparing by text.
    pub(crate) fn canonical(&self) -> String {
        let mut text = String::from(if self.negative { "-" } else { "" });
        text.extend(self.digits.iter().map(|digit| char::from(*digit)));
        text.push('e');
        text.push_str(&self.point.to_string());
        text
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let sign = |number: &Self| match (number.digits.is_empty(), number.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let magnitude = || self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits));
        sign(self).cmp(&sign(other)).then_with(|| match sign(self) {
            0 => Ordering::Equal,
            -1 => magnitude().reverse(),
            _ => magnitude(),
        })
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A number of the arguments, in the cheapest form that is exact.
///
/// A fraction is compared as the float that serde will make of it; all integers are compared by their digits.
#[derive(Clone, Debug)]
pub(crate) enum Num<'a> {
    Positive(u64),
    Negative(i64),
    /// A whole number that fits neither.
    Big(Decimal<'a>),
    Fraction(f64),
}

impl<'a> Num<'a> {
    /// Reads a JSON number; `None` if it is beyond what a float can hold, and so beyond every Rust number.
    pub(crate) fn parse(spelling: &'a str) -> Option<Self> {
        if let Ok(value) = spelling.parse() {
            return Some(Self::Positive(value));
        }
        if let Ok(value) = spelling.parse() {
            return Some(Self::Negative(value));
        }
        let float: f64 = spelling.parse().ok().filter(|float: &f64| float.is_finite())?;
        let decimal = Decimal::parse(spelling);
        if !decimal.is_whole() {
            return Some(Self::Fraction(float));
        }
        let integer = decimal.to_integer().unwrap_or_default();
        Some(match (integer.parse(), integer.parse()) {
            (Ok(value), _) => Self::Positive(value),
            (_, Ok(value)) => Self::Negative(value),
            _ => Self::Big(decimal),
        })
    }

    /// A small integer.
    pub(crate) fn from_integer(value: i64) -> Self {
        u64::try_from(value).map_or(Self::Negative(value), Self::Positive)
    }

    /// The same number, owned.
    pub(crate) fn into_owned(self) -> Num<'static> {
        match self {
            Self::Positive(value) => Num::Positive(value),
            Self::Negative(value) => Num::Negative(value),
            Self::Fraction(value) => Num::Fraction(value),
            Self::Big(decimal) => Num::Big(decimal.into_owned()),
        }
    }

    /// Whether it has no fraction.
    pub(crate) fn is_whole(&self) -> bool {
        !matches!(self, Self::Fraction(_))
    }

    /// The integer, unless it is big or a fraction.
    pub(crate) fn small_integer(&self) -> Option<i128> {
        match self {
            Self::Positive(value) => Some(i128::from(*value)),
            Self::Negative(value) => Some(i128::from(*value)),
            Self::Big(_) | Self::Fraction(_) => None,
        }
    }

    /// The number as a decimal.
    pub(crate) fn decimal(&self) -> Decimal<'static> {
        let spelling = match self {
            Self::Positive(value) => value.to_string(),
            Self::Negative(value) => value.to_string(),
            Self::Fraction(value) => format!("{value:e}"),
            Self::Big(decimal) => return decimal.clone().into_owned(),
        };
        Decimal::parse(&spelling).into_owned()
    }

    /// Whether both are the same number.
    pub(crate) fn same(&self, other: &Num<'_>) -> bool {
        match (self.small_integer(), other.small_integer()) {
            (Some(left), Some(right)) => left == right,
            (None, None) => self.decimal() == other.decimal(),
            _ => false,
        }
    }
}

fn exponent_of(text: &str) -> i64 {
    const LIMIT: i64 = 1_000_000_000_000;
    let digits = text.trim_start_matches(['+', '-']);
    let size = digits
        .bytes()
        .fold(0i64, |value, digit| (value * 10 + i64::from(digit.saturating_sub(b'0'))).min(LIMIT));
    if text.starts_with('-') { -size } else { size }
}

/// `10^exponent mod modulus`, by squaring. `modulus` is below 2^64.
fn power_of_ten(exponent: u64, modulus: u128) -> u128 {
    let (mut result, mut base, mut left) = (1 % modulus, 10 % modulus, exponent);
    while left > 0 {
        if left & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        left >>= 1;
    }
    result
}

fn as_i64(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_floats_become_integers_by_their_digits() {
        for (spelling, integer) in [
            ("40.0", "40"),
            ("4e1", "40"),
            ("-0", "0"),
            ("0.00", "0"),
            ("2512292042121000017.0", "2512292042121000017"),
            ("12.5e1", "125"),
            ("-1.20E+3", "-1200"),
            ("1e38", "100000000000000000000000000000000000000"),
        ] {
            assert_eq!(Decimal::parse(spelling).to_integer().as_deref(), Some(integer), "{spelling}");
        }
        for spelling in ["40.5", "1e-1", "1e400", "1e99999999999999999999", "3.00000000000000000000001"] {
            assert_eq!(Decimal::parse(spelling).to_integer(), None, "{spelling}");
        }
    }

    #[test]
    fn decimals_are_ordered_by_value() {
        let order =
            ["-2e20", "-20", "-1.5", "-1", "0", "1e-9", "0.5", "1", "1.5", "9", "18446744073709551616"];
        for (index, left) in order.iter().enumerate() {
            for (other, right) in order.iter().enumerate() {
                assert_eq!(
                    Decimal::parse(left).cmp(&Decimal::parse(right)),
                    index.cmp(&other),
                    "{left} {right}"
                );
            }
        }
    }

    #[test]
    fn multiples_are_exact() {
        for (value, divisor, expected) in [
            ("0.3", "0.1", true),
            ("4.35", "0.01", true),
            ("1e308", "0.5", true),
            ("18446744073709551616", "3", false),
            ("18446744073709551618", "3", true),
            ("7", "2", false),
            ("0", "7", true),
            ("0.05", "0.1", false),
            ("100", "1e2", true),
            ("10", "1e2", false),
        ] {
            let multiple = Decimal::parse(value).is_multiple_of(&Decimal::parse(divisor));
            assert_eq!(multiple, expected, "{value} {divisor}");
        }
    }
}
