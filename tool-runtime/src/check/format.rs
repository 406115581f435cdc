//! The values of `format` that are enforced. All others only describe.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A `format` that says something checkable in few lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    DateTime,
    Date,
    Time,
    Uuid,
    Ipv4,
    Ipv6,
    Email,
}

impl Format {
    /// The format of this name, if it is an enforced one.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "date-time" => Self::DateTime,
            "date" => Self::Date,
            "time" => Self::Time,
            "uuid" => Self::Uuid,
            "ipv4" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "email" => Self::Email,
            _ => return None,
        })
    }

    /// What a text of this format is, with an example.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::DateTime => "a date and time such as `2026-01-31T12:00:00Z`",
            Self::Date => "a date such as `2026-01-31`",
            Self::Time => "a time with its offset such as `12:00:00Z`",
            Self::Uuid => "a UUID such as `123e4567-e89b-12d3-a456-426614174000`",
            Self::Ipv4 => "an IPv4 address such as `192.0.2.1`",
            Self::Ipv6 => "an IPv6 address such as `2001:db8::1`",
            Self::Email => "an email address such as `name@example.org`",
        }
    }

    /// Whether the text has this format.
    pub(crate) fn admits(self, text: &str) -> bool {
        match self {
            Self::DateTime => text
                .split_once(['T', 't'])
                .is_some_and(|(date, time)| is_date(date).is_some() && is_time(time).is_some()),
            Self::Date => is_date(text).is_some(),
            Self::Time => is_time(text).is_some(),
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => text.parse::<Ipv4Addr>().is_ok(),
            Self::Ipv6 => text.parse::<Ipv6Addr>().is_ok(),
            Self::Email => is_email(text),
        }
    }
}

/// Exactly this many ASCII digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// RFC 3339 `full-date`.
fn is_date(text: &str) -> Option<()> {
    let mut parts = text.split('-');
    let (year, month, day) =
        (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    ((1..=days).contains(&day) && parts.next().is_none()).then_some(())
}

/// RFC 3339 `full-time`. A leap second is one only if it is 23:59:60 in UTC.
fn is_time(text: &str) -> Option<()> {
    let (clock, rest) = text.split_at_checked(8)?;
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => {
            let zone = fraction.trim_start_matches(|character: char| character.is_ascii_digit());
            (zone.len() < fraction.len()).then_some(zone)?
        }
        None => rest,
    };
    let offset = offset_minutes(zone)?;
    let utc = (i64::from(hour * 60 + minute) - offset).rem_euclid(24 * 60);
    (second < 60 || utc == 24 * 60 - 1).then_some(())
}

/// Minutes east of UTC.
fn offset_minutes(zone: &str) -> Option<i64> {
    if zone == "Z" || zone == "z" {
        return Some(0);
    }
    let (sign, offset) = match (zone.strip_prefix('+'), zone.strip_prefix('-')) {
        (Some(offset), _) => (1, offset),
        (_, Some(offset)) => (-1, offset),
        _ => return None,
    };
    let (hours, minutes) = offset.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours <= 23 && minutes <= 59).then_some(sign * i64::from(hours * 60 + minutes))
}

fn is_uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let mut parts = text.split('-');
    lengths.iter().all(|length| {
        parts
            .next()
            .is_some_and(|part| part.len() == *length && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }) && parts.next().is_none()
}

/// RFC 5321 `Mailbox`: a dotted or quoted local part, a host name or an address in brackets.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let local_fits = local.len() <= 64
        && match local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(quoted) => is_quoted(quoted),
            None => local.split('.').all(|atom| !atom.is_empty() && atom.bytes().all(is_atom)),
        };
    local_fits
        && match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(address) => match address.split_at_checked(5) {
                Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => {
                    address.parse::<Ipv6Addr>().is_ok()
                }
                _ => address.parse::<Ipv4Addr>().is_ok(),
            },
            None => is_host(domain),
        }
}

fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte)
}

fn is_quoted(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'\\' => bytes.next().is_some_and(|next| (0x20..0x7f).contains(&next)),
            b'"' => false,
            byte => (0x20..0x7f).contains(&byte),
        };
        if !fits {
            return false;
        }
    }
    true
}

fn is_host(text: &str) -> bool {
    text.len() <= 253
        && text.split('.').all(|label| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}
