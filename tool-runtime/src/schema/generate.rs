//! Asks schemars for the schema of a Rust type.

use schemars::Schema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value};

use super::keywords::types;
use super::walk::Path;
use crate::error::SchemaProblem;

/// Whether a schema describes what is read or what is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Read,
    Write,
}

/// What the schema of a type is made by: [`SchemaGenerator::subschema_for`]. Not the type itself, so that what is not its own
/// is compiled once and not for each type.
pub(super) type Make = fn(&mut SchemaGenerator) -> Schema;

/// The schema of a type as schemars gives it: types inlined, except where they contain themselves.
pub(super) fn generate(make: Make, direction: Direction) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut generator = match direction {
        Direction::Read => settings.for_deserialize(),
        Direction::Write => settings.for_serialize(),
    }
    .into_generator();
    // Not `into_root_schema_for`: that one invents a title, and lets recursive types refer to `#`.
    let mut schema = make(&mut generator).to_value();
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty()
        && let Value::Object(map) = &mut schema
    {
        map.insert("$defs".to_owned(), Value::Object(definitions));
    }
    schema
}

/// Whether the generated schema of the type `name` is that of one object with fields of its own.
pub(super) fn struct_root(name: &str, schema: &Value) -> Result<(), SchemaProblem> {
    let name = without_modules(name);
    let refused = |found: &str, way_out: &str| {
        Err(Path::ROOT.problem(format!(
            "`{name}` cannot be the parameters of a tool: its schema is {found}; {way_out}"
        )))
    };
    let in_a_field = "parameters are one object, so put it in a field of a struct with named fields";
    let no_fields = Map::new();
    let map = match schema {
        Value::Object(map) => map,
        Value::Bool(true) => &no_fields,
        _ => return refused("one that no value fits", in_a_field),
    };
    let union = ["anyOf", "oneOf", "allOf"].into_iter().find(|keyword| map.contains_key(*keyword));
    match (types(map).as_deref(), union) {
        (Some(["object"]), None) => Ok(()),
        (Some(["object"]), Some(keyword)) => refused(
            &format!("an object with `{keyword}` beside its fields, which providers refuse at the root"),
            "a flattened enum belongs in a field of its own, without `flatten`; a rule between fields belongs \
             in the tool",
        ),
        (None, Some(_)) => refused("that of an enum", in_a_field),
        (Some(["null"]), _) => refused(
            "null",
            "a tool without parameters takes none, or a struct with braces: `struct Params {}`",
        ),
        (Some([_, .., "null"]), _) => refused("one that null fits", "leave out the `Option` around it"),
        (Some(["array"]), _) => refused("that of a list", in_a_field),
        (Some(["string"]), _) if map.contains_key("enum") => refused("that of an enum", in_a_field),
        (Some([scalar]), _) => refused(&format!("that of a single value (`{scalar}`)"), in_a_field),
        _ => refused("one that any value fits", in_a_field),
    }
}

/// A type's name without the modules in front of it, also inside its generics.
fn without_modules(name: &str) -> String {
    let mut short = String::with_capacity(name.len());
    for part in name.split_inclusive(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
        short.push_str(part.rsplit("::").next().unwrap_or(part));
    }
    short
}
