//! Cleans what schemars gives, so that every provider takes it and it admits what serde reads and nothing else.

mod enums;
mod flatten;

use serde_json::{Map, Number, Value, json};

use super::disjoint::Comparison;
use super::keywords::{takes_objects, types};
use super::walk::inside_out;
use super::{description, wire};
use enums::{nested_unions_into_one, null_into_enum, unit_variants_into_enum};
use flatten::union_beside_fields_into_branches;

/// Whether objects that do not say so are closed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Objects {
    Close,
    Leave,
}

/// Done to every schema, inner ones first, in this order.
const PASSES: &[fn(&mut Map<String, Value>)] = &[
    title_into_description,
    number_format_into_bounds,
    format_only_of_json_schema,
    plain_default,
    unit_variants_into_enum,
    null_into_enum,
    union_beside_fields_into_branches,
];

/// Cleans `root`, the schema of a Rust type.
pub(super) fn clean(root: &mut Value, objects: Objects) {
    inside_out(root, &mut |schema, keyword| {
        wire::spell_out(schema, keyword);
        let Value::Object(map) = schema else { return };
        for pass in PASSES {
            pass(map);
        }
        if objects == Objects::Close {
            close(map);
        }
    });
    // Whether branches exclude each other shows only once all of them are closed, also those behind references.
    let closed = root.clone();
    let mut comparison = Comparison::new(&closed);
    inside_out(root, &mut |schema, _| {
        if let Value::Object(map) = schema {
            one_of_into_any_of(map, &mut comparison);
            nested_unions_into_one(map);
        }
    });
}

/// A doc comment that begins with a heading loses it to `title`. The text goes back to where it was written.
fn title_into_description(schema: &mut Map<String, Value>) {
    if let Some(Value::String(title)) = schema.remove("title") {
        description::prepend(schema, &format!("# {title}"));
    }
}

/// The width of a Rust integer, as bounds. From 64 bits on a bound would not survive every JSON reader; serde checks those.
fn number_format_into_bounds(schema: &mut Map<String, Value>) {
    if !types(schema).is_some_and(|types| types.contains(&"integer") || types.contains(&"number")) {
        return;
    }
    let Some(Value::String(format)) = schema.remove("format") else { return };
    let (least, most) = match format.as_str() {
        "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into())),
        "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into())),
        "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into())),
        "uint8" => (Some(0), Some(u8::MAX.into())),
        "uint16" => (Some(0), Some(u16::MAX.into())),
        "uint32" => (Some(0), Some(u32::MAX.into())),
        "uint" | "uint64" | "uint128" => (Some(0), None),
        "float" => return shortest_default(schema),
        _ => return,
    };
    // The author's own bound stands unless it is wider than the type.
    let tighter = |bound: i64, keywords: [&str; 2], wider: fn(f64, f64) -> bool| {
        let given = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        keywords.into_iter().filter_map(given).all(|given| wider(given, bound as f64)).then(|| bound.into())
    };
    let minimum: Option<Value> =
        least.and_then(|bound| tighter(bound, ["minimum", "exclusiveMinimum"], |given, bound| given < bound));
    let maximum: Option<Value> =
        most.and_then(|bound| tighter(bound, ["maximum", "exclusiveMaximum"], |given, bound| given > bound));
    schema.extend(minimum.map(|bound| ("minimum".to_owned(), bound)));
    schema.extend(maximum.map(|bound| ("maximum".to_owned(), bound)));
}

/// An `f32` of 0.1 is written as 0.10000000149011612 once it is an `f64`; this finds the short spelling again.
fn shortest_default(schema: &mut Map<String, Value>) {
    let Some(default) = schema.get_mut("default") else { return };
    let single = default.as_f64().map(|double| double as f32);
    if let Some(number) = single.and_then(|single| single.to_string().parse().ok()).and_then(Number::from_f64)
    {
        *default = Value::Number(number);
    }
}

/// Formats that only repeat a Rust type mean nothing to a provider.
fn format_only_of_json_schema(schema: &mut Map<String, Value>) {
    const FORMATS: &[&str] = &[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "idn-email",
        "idn-hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid",
    ];
    if schema.get("format").and_then(Value::as_str).is_some_and(|format| !FORMATS.contains(&format)) {
        schema.remove("format");
    }
}

/// That an optional value is none by default goes without saying.
fn plain_default(schema: &mut Map<String, Value>) {
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
}

/// Closes an object that its author did not open, and says that no field is required where none is.
fn close(schema: &mut Map<String, Value>) {
    let union_beside_fields = ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|key| schema.contains_key(*key));
    if !(takes_objects(schema) || schema.contains_key("properties")) || union_beside_fields {
        return;
    }
    if let Some(rest) = schema.remove("unevaluatedProperties") {
        schema.entry("additionalProperties").or_insert(rest);
    }
    schema.entry("properties").or_insert_with(|| json!({}));
    schema.entry("required").or_insert_with(|| json!([]));
    schema.entry("additionalProperties").or_insert(Value::Bool(false));
}

/// `oneOf` and `anyOf` mean the same where no value fits two branches, and fewer providers know `oneOf`.
fn one_of_into_any_of(schema: &mut Map<String, Value>, comparison: &mut Comparison<'_>) {
    let disjoint =
        schema.get("oneOf").and_then(Value::as_array).is_some_and(|list| comparison.all_disjoint(list));
    if disjoint
        && !schema.contains_key("anyOf")
        && let Some(branches) = schema.remove("oneOf")
    {
        schema.insert("anyOf".to_owned(), branches);
    }
}
