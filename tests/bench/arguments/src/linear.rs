//! Texts that are made to be slow: twice the text may take at most twice the instructions, with any schema.

use std::hint::black_box;

use serde_json::{Value, json};
use tool_runtime::{ArgumentDecoder, Effect};

use crate::count;

/// The lengths that are counted, each twice the one before. The first is warm-up: there the allocator and the tables still
/// grow in leaps, which even out. A part that grows with the square shows most in the last.
const LENGTHS: [usize; 4] = [1_000, 2_000, 4_000, 8_000];

/// How much the last doubling may take above twice: more keys sort with a few more comparisons.
const TOLERANCE: f64 = 0.02;

/// A text of any length for a schema of the property `v`.
struct Family {
    schema: fn() -> Value,
    /// Every second part is repeated; `#` is then the number of the repetition, always of as many digits.
    parts: &'static [&'static str],
}

const fn family(schema: fn() -> Value, parts: &'static [&'static str]) -> Family {
    Family { schema, parts }
}

impl Family {
    fn text(&self, length: usize) -> String {
        let repeated =
            |part: &str| (0..length).map(|at| part.replace('#', &(FIRST + at).to_string())).collect();
        let parts = self.parts.iter().enumerate();
        parts.map(|(place, part)| if place % 2 == 1 { repeated(part) } else { String::from(*part) }).collect()
    }

    /// The parts, those that are repeated in brackets.
    fn shown(&self) -> String {
        const SHOWN: usize = 40;
        let shown = |(place, part): (usize, &&str)| {
            let part: String = part.chars().take(SHOWN).collect();
            let part = part.replace('\n', "⏎");
            if place % 2 == 1 { format!("⟦{part}⟧") } else { part }
        };
        self.parts.iter().enumerate().map(shown).collect()
    }
}

/// The number of the first repetition. The longest text ends below twice this, so all numbers have five digits.
const FIRST: usize = 10_000;

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

fn map() -> Value {
    json!({"type": "object", "additionalProperties": {"type": "array", "items": {"type": "integer"}}})
}

fn wrapped() -> Value {
    json!({"type": "object", "properties": {"q": {"type": "integer"}}, "required": ["q"],
        "additionalProperties": {"$ref": "#/properties/v"}})
}

fn tagged() -> Value {
    json!({"type": "array", "items": {"oneOf": [
        {"type": "object", "properties": {"t": {"const": "a"}}, "required": ["t"]},
        {"type": "object", "properties": {"t": {"const": "b"}, "x": {"type": "integer"}}, "required": ["t", "x"]},
    ]}})
}

fn members() -> Value {
    json!({"type": "array", "items": {"enum": ["a", "b", "c"]}})
}

fn lists() -> Value {
    json!({"type": "array", "items": {"anyOf": [{"$ref": "#/properties/v"}, {"type": "integer"}]}})
}

const FAMILIES: &[Family] = &[
    family(any, &[r#"{"v":""#, "abc ", r#""}"#]),
    family(any, &[r#"{"v":""#, r"\u00e9\n", r#""}"#]),
    family(any, &[r#"{"v":""#, "\n", r#""}"#]),
    family(any, &[r#"{"v":""#, r"\d", r#""}"#]),
    family(any, &[r#"{"v":""#, r#" "x" "#, r#""}"#]),
    family(any, &[r#"{"v":""#, "x // ", ""]),
    family(any, &[r#"{"v":["#, r#""a" "#, "]}"]),
    family(any, &[r#"{"v":["#, "{},", "]}"]),
    family(any, &[r#"{"v":["#, "[1} ", "]}"]),
    family(any, &[r#"{"v":{"#, r#""k#":1,"#, "}}"]),
    family(any, &[r#"{"v":{"#, r#""k":1,"#, "}}"]),
    family(any, &[r#"{"v":{"#, "k#: 'x' ", "}}"]),
    family(any, &["", r#"{"v":1} "#, ""]),
    family(any, &["", r#"{"v":#} "#, ""]),
    family(any, &["words ", "and `more` ", r#" {"v":1}"#]),
    family(any, &[r#"{"v":1}"#, "}", ""]),
    family(any, &[r#"{"v":1}"#, "<|x|>", ""]),
    family(any, &[r#"""#, r#"{\"v\":[1]} "#, r#"""#]),
    family(text, &[r#"{"v":""#, "a", r#""}"#]),
    family(text, &[r#"{"v":""#, "a", r#"!"}"#]),
    family(text, &[r#"{"v":""#, r"\u0061", r#""}"#]),
    family(short_text, &[r#"{"v":""#, "a.", r#"@b.de"}"#]),
    family(integer, &[r#"{"v":1"#, "0", "}"]),
    family(integer, &[r#"{"v":1"#, "3", "}"]),
    family(integer, &[r#"{"v":1"#, "0", ".0}"]),
    family(integer, &[r#"{"v":"1"#, "0", r#""}"#]),
    family(integer, &[r#"{"v":0."#, "0", "1e9}"]),
    family(number, &[r#"{"v":0."#, "3", "}"]),
    family(number, &[r#"{"v":1"#, "2", "e-100}"]),
    family(integers, &[r#"{"v":["#, "#,", "0]}"]),
    family(integers, &[r#"{"v":["#, "1#.0,", "0]}"]),
    family(integers, &[r#"{"v":["#, r#""1#","#, "0]}"]),
    family(integers, &[r#"{"v":["#, r#""x","#, "0]}"]),
    family(integers, &[r#"{"v":["#, "{\"a\":#},", "0]}"]),
    family(integers, &[r#"{"v":"["#, "1#, ", r#"0]"}"#]),
    family(integers, &[r#"{"v":"["#, "1# ", r#"0]"}"#]),
    family(unions, &[r#"{"v":["#, r#""7","#, "7]}"]),
    family(unions, &[r#"{"v":["#, r##"{"t":"x","n":"#"},"##, "7]}"]),
    family(unions, &[r#"{"v":["#, r#"{"t":"y"},"#, "7]}"]),
    family(unions, &[r#"{"v":["#, r#"["true"],"#, "7]}"]),
    family(unions, &[r#"{"v":["#, r#""[true,#]","#, "7]}"]),
    family(closed, &[r#"{"v":{"#, r#""alpah#":1,"#, "\"beta\":1}}"]),
    family(closed, &[r#"{"v":{"alpha":"#, "\"", "}}"]),
    family(named, &[r#"{"v":{"#, r#""k#":"1","#, "\"x\":true}}"]),
    family(named, &[r#"{"v":{"#, r#""x#":"true","#, "\"x\":true}}"]),
    family(tree, &[r#"{"v":["#, "[[1,[\"2\"]],null],", "1]}"]),
    family(tree, &[r#"{"v":["#, "[\"x\"],", "1]}"]),
    family(any, &[r#"{"v":{"#, r#""k#":1,"k#":1,"#, "}}"]),
    family(any, &[r#"{"v":{"#, r#""k#":1,"k#":2,"#, "}}"]),
    family(any, &[r#"{"v":{""#, "k", r#"":{"#, r#""k":1,"#, "}}}"]),
    family(any, &[r#"{"v":["#, "1e999,", "1]}"]),
    family(map, &[r#"{"v":{""#, "k", r#"":["#, r#""1","#, "1]}}"]),
    family(map, &[r#"{"v":{""#, "k", r#"":["#, r#""x","#, "1]}}"]),
    family(map, &[r#"{"v":{""#, "k", r#"":["#, r#""1","#, ""]),
    family(
        wrapped,
        &[
            concat!(
                r#"{"v":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"#,
                r#""input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":{"input":["#
            ),
            "1,",
            "1]}}}}}}}}}}}}}}}}}}}}}}",
        ],
    ),
    family(wrapped, &[r#"{"v":{"input":{"q":1,"z":["#, "1,", "1]}}}"]),
    family(tagged, &[r#"{"v":["#, r#"{"t":"b","x":"1"},"#, r#"{"t":"a"}]}"#]),
    family(tagged, &[r#"{"v":["#, r#"{"t":"c","x":"1"},"#, r#"{"t":"a"}]}"#]),
    family(members, &[r#"{"v":["#, r#""a","d","#, r#""a"]}"#]),
    family(lists, &[r#"{"v":""#, r#"[\"1\","#, r#"1]"}"#]),
    family(lists, &[r#"{"v":"["#, r#"\"1\","#, r#"1]"}"#]),
    family(any, &[r#"{"v":""#, "a", r#"" 3}"#]),
    family(any, &[r#"{"v":"a" "#, "3 ", "}"]),
    family(any, &["~~~json\n", r#"{"v":'x'} "#, "\n~~~"]),
];

/// Reads a text of one family, once.
pub fn run(index: usize, length: usize) {
    let family = &FAMILIES[index];
    let schema = json!({"type": "object", "properties": {"v": (family.schema)()}});
    let decoder = ArgumentDecoder::new(&schema).expect("a schema without faults");
    let text = family.text(length);
    for effect in [Effect::ReadOnly, Effect::Writes] {
        let _ = black_box(decoder.decode(black_box(&text), effect));
    }
}

/// Prints a line a family. Gives whether all are linear.
pub fn report() -> bool {
    println!(
        "| text, what is repeated in ⟦⟧ | instructions for {} | growth, each time it doubles |",
        LENGTHS[0]
    );
    println!("|---|---|---|");
    let mut worst: f64 = 0.0;
    for (index, family) in FAMILIES.iter().enumerate() {
        let count = |length: usize| count::collected(&["linear", &index.to_string(), &length.to_string()]);
        let start = count(0);
        let counts = LENGTHS.map(|length| count(length) - start);
        let growth: Vec<f64> = counts.windows(2).map(|pair| pair[1] / pair[0]).collect();
        let last = growth.last().copied().unwrap_or(f64::INFINITY);
        worst = worst.max(last);
        let shown: Vec<String> = growth.iter().map(|growth| format!("{growth:.3}")).collect();
        let verdict = if last <= 2.0 + TOLERANCE { "" } else { " NOT LINEAR" };
        println!("| `{}` | {:.0} | {}{verdict} |", family.shown(), counts[0], shown.join(", "));
    }
    let is_linear = worst <= 2.0 + TOLERANCE;
    println!(
        "\n{} families, the last doubling takes at most {worst:.3} times (goal {}): {}",
        FAMILIES.len(),
        2.0 + TOLERANCE,
        if is_linear { "met" } else { "MISSED" }
    );
    is_linear
}
