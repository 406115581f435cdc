//! `nullable: true` of OpenAPI 3.0, said in JSON Schema.

use serde_json::{Map, Value, json};

use super::keywords::decides;
use super::walk::inside_out;

/// Replaces every `nullable` in `root` by a schema that admits null. At the root it is dropped: arguments are an object.
pub(super) fn to_json_schema(root: &mut Value) {
    inside_out(root, &mut |schema, keyword| {
        let Value::Object(map) = schema else { return };
        let Some(nullable) = map.get("nullable").and_then(Value::as_bool) else { return };
        map.remove("nullable");
        if nullable && !keyword.is_empty() {
            admit_null(map);
        }
    });
}

/// Makes null one of the values that fit `schema`, whatever it says.
fn admit_null(schema: &mut Map<String, Value>) {
    let combined =
        ["$ref", "allOf", "anyOf", "if", "not", "oneOf"].iter().any(|key| schema.contains_key(*key));
    if !combined {
        return admit_null_in_place(schema);
    }
    let nothing = json!({ "type": "null" });
    if schema.keys().all(|key| key == "anyOf" || !decides(key)) {
        if let Some(Value::Array(branches)) = schema.get_mut("anyOf")
            && !branches.contains(&nothing)
        {
            branches.push(nothing);
        }
        return;
    }
    let (inner, outer): (Map<_, _>, Map<_, _>) =
        std::mem::take(schema).into_iter().partition(|(key, _)| decides(key));
    *schema = outer;
    schema.insert("anyOf".to_owned(), json!([inner, nothing]));
}

/// The same for a schema without parts: null joins `type` and the values that are listed.
pub(super) fn admit_null_in_place(schema: &mut Map<String, Value>) {
    match schema.get_mut("type") {
        Some(Value::Array(types)) if !types.iter().any(|name| name == "null") => types.push("null".into()),
        Some(Value::String(name)) if name != "null" => {
            let types = json!([name, "null"]);
            schema.insert("type".to_owned(), types);
        }
        _ => {}
    }
    match schema.get_mut("enum") {
        Some(Value::Array(values)) if !values.contains(&Value::Null) => values.push(Value::Null),
        _ => {}
    }
    if schema.get("const").is_some_and(|value| !value.is_null())
        && let Some(value) = schema.remove("const")
    {
        schema.insert("enum".to_owned(), json!([value, null]));
    }
}
