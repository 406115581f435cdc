//! Texts that are made to be slow: twice the text may take at most twice the instructions, with any schema.

use std::hint::black_box;

use serde_json::{Value, json};
use tool_runtime::{ArgumentDecoder, Effect};

use crate::count;

/// A text of any length for a schema of the property `v`.
struct Family {
    schema: fn() -> Value,
    before: &'static str,
    /// Repeated; `#` is the number of the repetition.
    piece: &'static str,
    behind: &'static str,
}

const fn family(
    schema: fn() -> Value,
    before: &'static str,
    piece: &'static str,
    behind: &'static str,
) -> Family {
    Family { schema, before, piece, behind }
}

fn any() -> Value {
    json!({})
}

fn text() -> Value {
    json!({"type": "string", "minLength": 2, "pattern": "^(a|aa|[b-y]+)+$"})
}

fn short_text() -> Value {
    json!({"type": "string", "maxLength": 5, "format": "email"})
}

fn integer() -> Value {
    json!({"type": "integer", "multipleOf": 7})
}

fn number() -> Value {
    json!({"type": "number", "multipleOf": 0.001, "maximum": 1e300})
}

fn integers() -> Value {
    json!({"type": "array", "items": {"type": "integer"}, "uniqueItems": true})
}

fn unions() -> Value {
    json!({"type": "array", "items": {"anyOf": [
        {"type": "integer", "minimum": 5},
        {"type": "object", "properties": {"t": {"const": "x"}, "n": {"type": "integer"}}, "required": ["t"]},
        {"type": "array", "items": {"type": "boolean"}},
    ]}})
}

fn closed() -> Value {
    json!({"type": "object", "properties": {"alpha": {"type": "integer"}, "beta": {}}, "additionalProperties": false})
}

fn named() -> Value {
    json!({
        "type": "object",
        "patternProperties": {"^k[0-9]+$": {"type": "integer"}},
        "propertyNames": {"maxLength": 12},
        "additionalProperties": {"type": "boolean"},
    })
}

fn tree() -> Value {
    json!({"anyOf": [{"type": "array", "items": {"$ref": "#/properties/v"}}, {"type": "integer"}, {"type": "null"}]})
}

const FAMILIES: &[Family] = &[
    family(any, r#"{"v":""#, "abc ", r#""}"#),
    family(any, r#"{"v":""#, r"\u00e9\n", r#""}"#),
    family(any, r#"{"v":""#, "\n", r#""}"#),
    family(any, r#"{"v":""#, r"\d", r#""}"#),
    family(any, r#"{"v":""#, r#" "x" "#, r#""}"#),
    family(any, r#"{"v":""#, "x // ", ""),
    family(any, r#"{"v":["#, r#""a" "#, "]}"),
    family(any, r#"{"v":["#, "{},", "]}"),
    family(any, r#"{"v":["#, "[1} ", "]}"),
    family(any, r#"{"v":{"#, r#""k#":1,"#, "}}"),
    family(any, r#"{"v":{"#, r#""k":1,"#, "}}"),
    family(any, r#"{"v":{"#, "k#: 'x' ", "}}"),
    family(any, "", r#"{"v":1} "#, ""),
    family(any, "", r#"{"v":#} "#, ""),
    family(any, "words ", "and `more` ", r#" {"v":1}"#),
    family(any, r#"{"v":1}"#, "}", ""),
    family(any, r#"{"v":1}"#, "<|x|>", ""),
    family(any, r#"""#, r#"{\"v\":[1]} "#, r#"""#),
    family(text, r#"{"v":""#, "a", r#""}"#),
    family(text, r#"{"v":""#, "a", r#"!"}"#),
    family(text, r#"{"v":""#, r"\u0061", r#""}"#),
    family(short_text, r#"{"v":""#, "a.", r#"@b.de"}"#),
    family(integer, r#"{"v":1"#, "0", "}"),
    family(integer, r#"{"v":1"#, "3", "}"),
    family(integer, r#"{"v":1"#, "0", ".0}"),
    family(integer, r#"{"v":"1"#, "0", r#""}"#),
    family(integer, r#"{"v":0."#, "0", "1e9}"),
    family(number, r#"{"v":0."#, "3", "}"),
    family(number, r#"{"v":1"#, "2", "e-100}"),
    family(integers, r#"{"v":["#, "#,", "0]}"),
    family(integers, r#"{"v":["#, "1#.0,", "0]}"),
    family(integers, r#"{"v":["#, r#""1#","#, "0]}"),
    family(integers, r#"{"v":["#, r#""x","#, "0]}"),
    family(integers, r#"{"v":["#, "{\"a\":#},", "0]}"),
    family(integers, r#"{"v":"["#, "1#, ", r#"0]"}"#),
    family(integers, r#"{"v":"["#, "1# ", r#"0]"}"#),
    family(unions, r#"{"v":["#, r#""7","#, "7]}"),
    family(unions, r#"{"v":["#, r##"{"t":"x","n":"#"},"##, "7]}"),
    family(unions, r#"{"v":["#, r#"{"t":"y"},"#, "7]}"),
    family(unions, r#"{"v":["#, r#"["true"],"#, "7]}"),
    family(unions, r#"{"v":["#, r#""[true,#]","#, "7]}"),
    family(closed, r#"{"v":{"#, r#""alpah#":1,"#, "\"beta\":1}}"),
    family(closed, r#"{"v":{"alpha":"#, "\"", "}}"),
    family(named, r#"{"v":{"#, r#""k#":"1","#, "\"x\":true}}"),
    family(named, r#"{"v":{"#, r#""x#":"true","#, "\"x\":true}}"),
    family(tree, r#"{"v":["#, "[[1,[\"2\"]],null],", "1]}"),
    family(tree, r#"{"v":["#, "[\"x\"],", "1]}"),
];

/// Reads a text of one family, once.
pub fn run(index: usize, length: usize) {
    let family = &FAMILIES[index];
    let schema = json!({"type": "object", "properties": {"v": (family.schema)()}});
    let decoder = ArgumentDecoder::new(&schema).expect("a schema without faults");
    let pieces: String = (0..length).map(|at| family.piece.replace('#', &at.to_string())).collect();
    let text = format!("{}{pieces}{}", family.before, family.behind);
    for effect in [Effect::ReadOnly, Effect::Writes] {
        let _ = black_box(decoder.decode(black_box(&text), effect));
    }
}

/// Prints a line a family. Gives whether all are linear.
pub fn report() -> bool {
    const ONCE: usize = 1_000;
    /// Look-ahead is bounded, and numbers of the repetitions grow by a digit.
    const SLACK: f64 = 1.15;
    println!("| before | repeated | behind | instructions for {ONCE} | for {} | growth |", 2 * ONCE);
    println!("|---|---|---|---|---|---|");
    let mut is_linear = true;
    for (index, family) in FAMILIES.iter().enumerate() {
        let count = |length: usize| count::collected(&["linear", &index.to_string(), &length.to_string()]);
        let start = count(0);
        let (once, twice) = (count(ONCE) - start, count(2 * ONCE) - start);
        let growth = twice / once;
        let verdict = if growth <= 2.0 * SLACK { "" } else { " NOT LINEAR" };
        is_linear &= verdict.is_empty();
        let Family { before, piece, behind, .. } = family;
        println!(
            "| `{before}` | `{}` | `{behind}` | {once} | {twice} | {growth:.2}{verdict} |",
            piece.escape_debug()
        );
    }
    is_linear
}
