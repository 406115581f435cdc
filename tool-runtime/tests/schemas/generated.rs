//! Schemas that are made from Rust types.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::num::{NonZeroI8, NonZeroU16};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::{ParametersSchema, output_schema};

use super::{assert_does_not_fit, assert_fits, every_object, of, refused};

#[derive(Deserialize, JsonSchema)]
struct Widths {
    a: u8,
    b: u16,
    c: u32,
    d: u64,
    e: u128,
    f: usize,
    g: i8,
    h: i16,
    i: i32,
    j: i64,
    k: i128,
    l: isize,
    m: f32,
    n: f64,
    o: NonZeroU16,
    p: NonZeroI8,
    q: Option<i16>,
}

#[test]
fn widths_of_integers_are_bounds() {
    assert_eq!(
        of::<Widths>().as_value()["properties"],
        json!({
            "a": { "type": "integer", "minimum": 0, "maximum": 255 },
            "b": { "type": "integer", "minimum": 0, "maximum": 65_535 },
            "c": { "type": "integer", "minimum": 0, "maximum": 4_294_967_295_u32 },
            "d": { "type": "integer", "minimum": 0 },
            "e": { "type": "integer", "minimum": 0 },
            "f": { "type": "integer", "minimum": 0 },
            "g": { "type": "integer", "minimum": -128, "maximum": 127 },
            "h": { "type": "integer", "minimum": -32_768, "maximum": 32_767 },
            "i": { "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX },
            "j": { "type": "integer" },
            "k": { "type": "integer" },
            "l": { "type": "integer" },
            "m": { "type": "number" },
            "n": { "type": "number" },
            "o": { "type": "integer", "minimum": 1, "maximum": 65_535 },
            "p": { "type": "integer", "minimum": -128, "maximum": 127, "not": { "const": 0 } },
            "q": { "type": ["integer", "null"], "minimum": -32_768, "maximum": 32_767 },
        })
    );
    let strict = of::<Widths>().to_strict().unwrap();
    assert_eq!(strict["properties"]["p"]["description"], "Not `0`.");
}

fn tenth() -> f32 {
    0.1
}

#[derive(Deserialize, JsonSchema)]
struct Bounds {
    #[schemars(range(min = 1, max = 9))]
    within: u8,
    #[schemars(range(min = -5, max = 1_000))]
    beyond: u8,
    #[schemars(extend("exclusiveMinimum" = 0))]
    above: u32,
    #[schemars(extend("exclusiveMinimum" = -5))]
    below: i8,
    #[serde(default = "tenth")]
    share: f32,
    #[serde(default)]
    none: Option<u8>,
}

#[test]
fn an_authors_bound_stands_unless_it_is_wider_than_the_type() {
    let schema = of::<Bounds>();
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["within"], json!({ "type": "integer", "minimum": 1, "maximum": 9 }));
    assert_eq!(properties["beyond"], json!({ "type": "integer", "minimum": 0, "maximum": 255 }));
    assert_eq!(properties["above"]["exclusiveMinimum"], json!(0));
    assert_eq!(properties["below"]["exclusiveMinimum"], json!(-5));
    assert_eq!(properties["share"], json!({ "type": "number", "default": 0.1 }));
    assert_eq!(properties["none"], json!({ "type": ["integer", "null"], "minimum": 0, "maximum": 255 }));
}

#[derive(Deserialize, JsonSchema)]
struct Formats {
    ip: IpAddr,
    v4: std::net::Ipv4Addr,
    #[schemars(extend("format" = "date-time"))]
    at: String,
    #[schemars(extend("format" = "partial-date"))]
    near: String,
    took: Duration,
    letter: char,
}

#[test]
fn only_formats_of_json_schema_are_kept() {
    let schema = of::<Formats>();
    let properties = &schema.as_value()["properties"];
    assert_eq!(properties["ip"], json!({ "type": "string" }));
    assert_eq!(properties["v4"], json!({ "type": "string", "format": "ipv4" }));
    assert_eq!(properties["at"], json!({ "type": "string", "format": "date-time" }));
    assert_eq!(properties["near"], json!({ "type": "string" }));
    assert_eq!(properties["took"]["properties"]["secs"], json!({ "type": "integer", "minimum": 0 }));
    assert_eq!(properties["took"]["additionalProperties"], json!(false));
}

#[derive(Deserialize, JsonSchema)]
struct Point {
    x: i64,
}

#[derive(Deserialize, JsonSchema)]
enum Plain {
    One,
    Two,
}

#[derive(Deserialize, JsonSchema)]
enum Never {}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Point(Point),
    Text(String),
}

#[test]
fn a_root_that_is_no_object_is_refused_with_a_way_out() {
    let cases = [
        (refused(ParametersSchema::of::<String>()), "`String`", "single value (`string`)"),
        (refused(ParametersSchema::of::<str>()), "`str`", "single value (`string`)"),
        (refused(ParametersSchema::of::<u32>()), "`u32`", "single value (`integer`)"),
        (refused(ParametersSchema::of::<f64>()), "`f64`", "single value (`number`)"),
        (refused(ParametersSchema::of::<bool>()), "`bool`", "single value (`boolean`)"),
        (refused(ParametersSchema::of::<Vec<Point>>()), "`Vec<Point>`", "a list"),
        (refused(ParametersSchema::of::<(Point, u8)>()), "`(Point, u8)`", "a list"),
        (refused(ParametersSchema::of::<Plain>()), "`Plain`", "an enum"),
        (refused(ParametersSchema::of::<Either>()), "`Either`", "an enum"),
        (refused(ParametersSchema::of::<Option<Point>>()), "`Option<Point>`", "leave out the `Option`"),
        (refused(ParametersSchema::of::<Value>()), "`Value`", "any value"),
        (refused(ParametersSchema::of::<()>()), "`()`", "null"),
        (refused(ParametersSchema::of::<Never>()), "`Never`", "no value fits"),
    ];
    for (problems, name, found) in cases {
        assert!(problems.starts_with(&format!(": {name} cannot be the parameters of a tool")), "{problems}");
        assert!(problems.contains(found), "{problems}");
    }
    assert_eq!(*of::<Box<Point>>().as_value(), *of::<Point>().as_value());
}

#[derive(Deserialize, JsonSchema)]
struct Open {
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("additionalProperties" = true))]
struct Opened {
    a: u8,
    inner: Point,
}

#[derive(Deserialize, JsonSchema)]
struct Maps {
    by_name: HashMap<String, Point>,
    by_number: BTreeMap<u32, bool>,
    any: serde_json::Map<String, Value>,
}

#[test]
fn objects_are_closed_unless_the_author_opens_them() {
    let open = of::<Open>();
    assert_eq!(open.as_value()["additionalProperties"], json!({ "type": "string" }));
    assert_fits(&open, &[json!({ "a": 1, "b": "c" })]);
    let opened = of::<Opened>();
    assert_eq!(opened.as_value()["additionalProperties"], json!(true));
    assert_eq!(opened.to_wire()["additionalProperties"], json!(true));
    assert_eq!(opened.as_value()["properties"]["inner"]["additionalProperties"], json!(false));
    let maps = of::<Maps>();
    let arguments = json!({ "by_name": { "p": { "x": 1 } }, "by_number": { "7": true }, "any": { "a": [] } });
    assert_fits(&maps, std::slice::from_ref(&arguments));
    serde_json::from_value::<Maps>(arguments).unwrap();
    assert_does_not_fit(&maps, &[json!({ "by_name": { "p": { "y": 1 } }, "by_number": {}, "any": {} })]);
    assert_does_not_fit(&maps, &[json!({ "by_name": {}, "by_number": { "a": true }, "any": {} })]);
}

#[derive(Deserialize, JsonSchema)]
struct Node {
    name: String,
    children: Vec<Node>,
    pair: Option<Box<Pair>>,
}

#[derive(Deserialize, JsonSchema)]
struct Pair {
    left: Node,
    right: Option<Box<Pair>>,
}

#[test]
fn types_that_contain_themselves_are_definitions() {
    let schema = of::<Node>();
    every_object(schema.as_value(), &mut |map| {
        if let Some(reference) = map.get("$ref") {
            assert!(["#/$defs/Node", "#/$defs/Pair"].contains(&reference.as_str().unwrap()), "{reference}");
        }
    });
    let leaf = json!({ "name": "b", "children": [] });
    let fitting =
        json!({ "name": "a", "children": [leaf], "pair": { "left": leaf, "right": { "left": leaf } } });
    assert_fits(&schema, std::slice::from_ref(&fitting));
    serde_json::from_value::<Node>(fitting).unwrap();
    assert_does_not_fit(
        &schema,
        &[json!({ "name": "a", "children": [{ "name": "b", "children": [], "x": 1 }] })],
    );
    schema.to_strict().unwrap();
}

/// What to do.
#[derive(Debug, Deserialize, JsonSchema)]
enum Mixed {
    Stop,
    /// Goes on
    /// for a while.
    Go,
    Wait {
        seconds: u8,
    },
    Jump(Target),
    Pair(u8, String),
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Target {
    to: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", content = "with")]
enum Adjacent {
    None,
    Some(Target),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal {
    None,
    Some(Target),
}

#[derive(Deserialize, JsonSchema)]
struct Enums {
    mixed: Mixed,
    maybe: Option<Mixed>,
    adjacent: Option<Adjacent>,
    internal: Option<Internal>,
    either: Option<Either>,
    result: Option<Result<u8, String>>,
}

#[test]
fn enums_of_every_kind_are_closed_unions_that_serde_reads() {
    let schema = of::<Enums>();
    every_object(schema.as_value(), &mut |map| assert!(!map.contains_key("oneOf")));
    assert_eq!(
        schema.as_value()["properties"]["mixed"]["anyOf"][0],
        json!({
            "type": "string",
            "enum": ["Stop", "Go"],
            "description": "- `Go`: Goes on\n  for a while.",
        })
    );
    assert_eq!(schema.as_value()["properties"]["mixed"]["description"], "What to do.");
    assert_eq!(schema.as_value()["properties"]["maybe"]["description"], "What to do.");
    let fitting = [
        json!({ "mixed": "Stop" }),
        json!({ "mixed": "Go", "maybe": null, "adjacent": null, "internal": null, "either": null, "result": null }),
        json!({ "mixed": { "Wait": { "seconds": 1 } }, "maybe": "Go", "result": { "Ok": 1 } }),
        json!({ "mixed": { "Jump": { "to": "a" } }, "adjacent": { "kind": "None" }, "either": "a" }),
        json!({ "mixed": { "Pair": [1, "a"] }, "adjacent": { "kind": "Some", "with": { "to": "a" } } }),
        json!({ "mixed": "Stop", "internal": { "kind": "Some", "to": "a" }, "either": { "x": 1 } }),
        json!({ "mixed": "Stop", "internal": { "kind": "None" }, "result": { "Err": "a" } }),
    ];
    assert_fits(&schema, &fitting);
    for arguments in fitting {
        serde_json::from_value::<Enums>(arguments).unwrap();
    }
    for mixed in
        [json!("stop"), json!({ "Wait": { "seconds": 1, "x": 1 } }), json!({ "Stop": null }), json!(1)]
    {
        assert_does_not_fit(&schema, &[json!({ "mixed": mixed })]);
    }
    assert_does_not_fit(&schema, &[json!({ "mixed": "Stop", "internal": { "kind": "None", "to": "a" } })]);
    schema.to_strict().unwrap();
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Place {
    City { city: String },
    Grid { row: u8, column: u8 },
}

#[derive(Deserialize, JsonSchema)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    action: Option<Internal>,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    page: Option<Target2>,
}

#[derive(Deserialize, JsonSchema)]
struct Target2 {
    page: u8,
}

#[derive(Deserialize, JsonSchema)]
struct FlatOpen {
    id: u8,
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Deserialize, JsonSchema)]
struct Flats {
    flat: Option<Flat>,
    open: Option<FlatOpen>,
}

#[test]
fn several_flattened_enums_give_one_union_of_closed_objects() {
    let schema = of::<Flats>();
    let branches = schema.as_value()["properties"]["flat"]["anyOf"].as_array().unwrap();
    assert_eq!(branches.len(), 7, "three of the action, two of the place, and null");
    for branch in branches.iter().filter(|branch| branch["type"] == "object") {
        assert_eq!(branch["additionalProperties"], json!(false));
        assert!(branch["properties"]["id"].is_object() && branch["properties"]["page"].is_object());
    }
    let fitting = [
        json!({ "flat": { "id": 1, "city": "a" } }),
        json!({ "flat": { "id": 1, "kind": "None", "city": "a", "page": 1 } }),
        json!({ "flat": { "id": 1, "kind": "Some", "to": "b", "row": 1, "column": 2 } }),
        json!({ "flat": null, "open": { "id": 1, "city": "a", "more": [] } }),
    ];
    assert_fits(&schema, &fitting);
    for arguments in fitting {
        serde_json::from_value::<Flats>(arguments).unwrap();
    }
    for flat in [json!({ "id": 1 }), json!({ "id": 1, "city": "a", "x": 1 }), json!({ "city": "a" })] {
        assert_does_not_fit(&schema, &[json!({ "flat": flat })]);
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Key {
    A { a1: u8 },
    B { a2: u8 },
    C { a3: u8 },
    D { a4: u8 },
    E { a5: u8 },
    F { a6: u8 },
    G { a7: u8 },
}

#[derive(Deserialize, JsonSchema)]
struct TooManyWays {
    id: u8,
    #[serde(flatten)]
    one: Key,
    #[serde(flatten)]
    two: Key,
    #[serde(flatten)]
    three: Key,
}

#[derive(Deserialize, JsonSchema)]
struct Ways {
    ways: TooManyWays,
}

#[test]
fn a_union_of_too_many_combinations_stays_open_and_admits_real_calls() {
    let schema = of::<Ways>();
    assert!(schema.as_value()["properties"]["ways"].get("additionalProperties").is_none());
    assert_fits(&schema, &[json!({ "ways": { "id": 1, "a1": 1 } })]);
    assert_does_not_fit(&schema, &[json!({ "ways": { "id": 1 } })]);
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Report {
    /// How many.
    count: u32,
    #[serde(rename(serialize = "outName", deserialize = "in_name"))]
    name: String,
    #[serde(default)]
    tags: Vec<String>,
    next: Option<Box<Report>>,
    any: Value,
}

#[test]
fn an_output_schema_is_that_of_writing_and_stays_open() {
    let schema = output_schema::<Report>();
    assert_eq!(
        schema["properties"]["count"],
        json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "How many." })
    );
    assert_eq!(schema["properties"]["any"], json!({}));
    assert_eq!(schema["required"], json!(["count", "outName", "tags", "next", "any"]));
    assert_eq!(schema["properties"]["next"]["anyOf"][0], json!({ "$ref": "#/$defs/Report" }));
    every_object(&schema, &mut |map| {
        assert!(!["title", "additionalProperties", "$schema"].iter().any(|key| map.contains_key(*key)));
    });
    assert_eq!(output_schema::<Vec<u8>>()["type"], "array");
}

#[test]
fn a_free_text_tool_takes_one_text() {
    let schema = ParametersSchema::text_input("A patch.");
    assert_eq!(
        *schema.as_value(),
        json!({
            "type": "object",
            "properties": { "input": { "type": "string", "description": "A patch." } },
            "required": ["input"],
            "additionalProperties": false,
        })
    );
    assert_eq!(schema.to_strict().unwrap(), *schema.as_value());
    assert!(!schema.is_raw());
    assert!(ParametersSchema::text_input("").as_value()["properties"]["input"].get("description").is_none());
}
