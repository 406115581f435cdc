//! Tables: a raw text, the repairs it takes, and what it reads as.

use super::{Container, ReadOptions, Readings, Truncated, read, read_nested};
use crate::json::Node;

mod cases;
mod cut;
mod linear;
mod nested;
mod properties;
mod refused;
mod repaired;

fn reading(raw: &str) -> Readings {
    read(raw, &ReadOptions::default())
}

/// One test a group: raw text => [repairs], the JSON that it reads as.
macro_rules! repairs {
    ($($group:ident { $($raw:expr => [$($rung:literal),*], $json:expr;)+ })+) => {$(
        #[test]
        fn $group() {
            $($crate::arguments::readings::tests::assert_reads($raw, &[$($rung),*], $json);)+
        }
    )+};
}

/// One test a group: raw text => a part of the reason.
macro_rules! refusals {
    ($($group:ident = $kind:ident { $($raw:expr => $why:expr;)+ })+) => {$(
        #[test]
        fn $group() {
            $(match $crate::arguments::readings::tests::reading($raw) {
                $crate::arguments::readings::Readings::$kind(why) if why.contains($why) => {}
                other => panic!("`{}` gives {other:?}", $raw),
            })+
        }
    )+};
}

use {refusals, repairs};

fn assert_reads(raw: &str, rungs: &[&str], json: &str) {
    let expected = Node::parse(json).unwrap();
    match reading(raw) {
        Readings::One { node, rungs: used } => {
            assert_eq!(node, expected, "the value of `{raw}`");
            assert_eq!(used, rungs, "the repairs of `{raw}`");
        }
        other => panic!("`{raw}` gives {other:?}"),
    }
}

fn truncated(raw: &str) -> Truncated {
    match reading(raw) {
        Readings::Truncated(truncated) => truncated,
        other => panic!("`{raw}` gives {other:?}"),
    }
}
