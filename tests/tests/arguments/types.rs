//! Parameters types of every shape that serde reads, with constraints at every depth.

#![expect(dead_code, reason = "serde writes the fields, and only `Debug` reads them")]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Widths {
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub usize: usize,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub isize: isize,
    pub nonzero: Option<std::num::NonZeroU16>,
    pub f32: f32,
    pub f64: f64,
}

/// Like the parameters of the examples.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ReadFile {
    #[schemars(length(min = 1, max = 6))]
    pub path: String,
    #[schemars(range(min = 1))]
    pub offset: Option<u32>,
    #[serde(default)]
    #[schemars(range(min = 1, max = 20))]
    pub limit: u8,
    #[schemars(range(min = -0.5, max = 2.5))]
    pub share: Option<f64>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Deep {
    #[schemars(length(min = 1, max = 3))]
    pub outer: Vec<Middle>,
    pub other: Option<Box<Middle>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Middle {
    #[schemars(regex(pattern = "^[a-c]+\\d?$"))]
    pub short_name: String,
    #[schemars(inner(range(min = 2, max = 5)), length(max = 2))]
    pub numbers: Vec<i16>,
    #[schemars(extend("multipleOf" = 5))]
    pub steps: Option<u32>,
    #[schemars(inner(inner(length(min = 2))))]
    pub table: BTreeMap<String, Option<String>>,
    #[schemars(extend("format" = "date"))]
    pub day: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Tags {
    pub external: External,
    pub internal: Internal,
    pub adjacent: Option<Adjacent>,
    pub untagged: Vec<Untagged>,
    pub unit: Unit,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum External {
    Nothing,
    Number(#[schemars(range(max = 9))] u8),
    Pair(i8, String),
    Fields { a: bool, b: Option<f32> },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Internal {
    Empty,
    Circle {
        #[schemars(range(min = 0))]
        radius: f64,
    },
    Named(Name),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Name {
    #[schemars(length(min = 1))]
    pub name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum Adjacent {
    A,
    B(Vec<u8>),
    C { x: i32 },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Untagged {
    Flag(bool),
    Number(i32),
    Text(#[schemars(length(max = 3))] String),
    Many(Vec<Untagged>),
    Fields { a: u8 },
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) enum Unit {
    Low,
    #[serde(rename = "middle of it")]
    Middle,
    /// With words.
    High,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Flat {
    pub a: u8,
    #[serde(flatten)]
    pub name: Name,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatTag {
    pub inner: FlatTagInner,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FlatTagInner {
    pub id: u16,
    #[serde(flatten)]
    pub shape: Internal,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Maps {
    pub counts: BTreeMap<String, u16>,
    #[schemars(length(max = 2))]
    pub lists: BTreeMap<String, Vec<Option<bool>>>,
    pub by_number: Option<BTreeMap<u8, String>>,
    pub anything: Value,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Options {
    pub text: Option<String>,
    pub number: Option<i32>,
    pub list: Option<Vec<Option<u8>>>,
    pub twice: Option<Option<bool>>,
    pub name: Option<Name2>,
    #[serde(skip)]
    pub hidden: u8,
    #[serde(rename = "r-enamed")]
    pub renamed: u8,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name2 {
    pub name: Cow<'static, str>,
    pub letter: Option<char>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Recursive {
    pub tree: Tree,
    pub expression: Option<Expression>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Tree {
    #[schemars(range(min = 0, max = 7))]
    pub value: i32,
    #[serde(default)]
    #[schemars(length(max = 2))]
    pub children: Vec<Tree>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Expression {
    Number(i64),
    Not(Box<Expression>),
    All(Vec<Expression>),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Tuples {
    pub pair: (u8, String),
    pub three: [i32; 3],
    pub set: BTreeSet<u8>,
    pub wrapped: Wrapped,
    pub unit: (),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Wrapped(#[schemars(length(min = 1, max = 2))] pub Vec<Unit>);
