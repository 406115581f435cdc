//! The schemas that a result of a call can have: a closed part of JSON Schema in which each value has one form.
//!
//! Each schema has one type, each object lists all its properties as required and takes no others. Such a schema reads the
//! same for every provider in strict mode, and a program that gets the value knows all that is in it.

use serde_json::{Map, Value, json};
use tool_runtime::{ArgumentDecoder, Effect};

/// The deepest schema.
const MAX_DEPTH: usize = 16;
/// The types there are.
const TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean"];
/// What every schema may have.
const COMMON: &[&str] = &["type", "title", "description"];

/// A checked schema of a result.
#[derive(Debug)]
pub(crate) struct ResultSchema {
    wrapped: Value,
    decoder: ArgumentDecoder,
}

impl ResultSchema {
    /// Checks a schema.
    ///
    /// # Errors
    ///
    /// All its faults, each with its place.
    pub(crate) fn new(schema: &Value) -> Result<Self, Vec<String>> {
        let mut faults = Vec::new();
        check(schema, "schema", 0, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let wrapped = json!({
            "type": "object",
            "properties": { "result": schema },
            "required": ["result"],
            "additionalProperties": false
        });
        match ArgumentDecoder::new(&wrapped) {
            Ok(decoder) => Ok(Self { wrapped, decoder }),
            Err(problems) => Err(problems.iter().map(|problem| format!("`schema`: {problem}")).collect()),
        }
    }

    /// The schema of a call that names none: a text.
    ///
    /// # Errors
    ///
    /// Never; as [`new`](Self::new).
    pub(crate) fn of(schema: Option<&Value>) -> Result<Self, Vec<String>> {
        match schema {
            Some(schema) => Self::new(schema),
            None => Self::new(&json!({ "type": "string" })),
        }
    }

    /// The schema of an object whose one property `result` is the value.
    pub(crate) fn wrapped(&self) -> &Value {
        &self.wrapped
    }

    /// Checks a value as it stands; nothing is mended.
    ///
    /// # Errors
    ///
    /// What does not fit, with its place.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let text = json!({ "result": value }).to_string();
        match self.decoder.decode(&text, Effect::Writes) {
            Ok(decoded) if decoded.repairs.is_empty() => Ok(()),
            Ok(_) => Err("the value fits its schema only after a repair".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

fn check(schema: &Value, at: &str, depth: usize, faults: &mut Vec<String>) {
    let Value::Object(schema) = schema else {
        faults.push(format!("`{at}` must be an object, like `{{ type: \"string\" }}`"));
        return;
    };
    if depth > MAX_DEPTH {
        faults.push(format!("`{at}` is nested more than {MAX_DEPTH} deep"));
        return;
    }
    let Some(kind) = kind(schema) else {
        faults.push(format!("`{at}.type` must be one of `{}`", TYPES.join("`, `")));
        return;
    };
    let own = match kind {
        "object" => &["properties", "required", "additionalProperties"][..],
        "array" => &["items", "minItems", "maxItems", "uniqueItems"],
        "string" => &["enum", "minLength", "maxLength", "pattern"],
        "boolean" => &[],
        _ => &["enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    };
    for (keyword, value) in schema {
        let name = keyword.as_str();
        if !COMMON.contains(&name) && !own.contains(&name) {
            faults.push(format!("`{at}.{}` is not allowed at the type `{kind}`", keyword.escape_debug()));
        } else if let Some(wanted) = wanted(name).filter(|(_, fits)| !fits(value)) {
            faults.push(format!("`{at}.{keyword}` must be {}", wanted.0));
        }
    }
    order(schema, at, faults);
    match kind {
        "object" => object(schema, at, depth, faults),
        "array" => match schema.get("items") {
            Some(items) => check(items, &format!("{at}.items"), depth + 1, faults),
            None => faults.push(format!("`{at}.items` is missing: the schema of the items")),
        },
        _ => choices(schema, kind, at, faults),
    }
}

fn kind(schema: &Map<String, Value>) -> Option<&str> {
    schema.get("type")?.as_str().filter(|kind| TYPES.contains(kind))
}

/// What the value of a keyword must be.
fn wanted(keyword: &str) -> Option<(&'static str, fn(&Value) -> bool)> {
    let wanted: (&'static str, fn(&Value) -> bool) = match keyword {
        "title" | "description" | "pattern" => ("a text", Value::is_string),
        "minItems" | "maxItems" | "minLength" | "maxLength" => ("a whole number from 0 on", Value::is_u64),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => ("a number", Value::is_number),
        "multipleOf" => ("a number above 0", |value| value.as_f64().is_some_and(|number| number > 0.0)),
        "uniqueItems" => ("true or false", Value::is_boolean),
        "additionalProperties" => ("false", |value| value == &Value::Bool(false)),
        _ => return None,
    };
    Some(wanted)
}

/// Bounds that leave nothing between them.
fn order(schema: &Map<String, Value>, at: &str, faults: &mut Vec<String>) {
    let bounds = [("minItems", "maxItems"), ("minLength", "maxLength"), ("minimum", "maximum")];
    for (least, most) in bounds {
        let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        if let (Some(low), Some(high)) = (number(least), number(most))
            && low > high
        {
            faults.push(format!("`{at}.{least}` is above `{at}.{most}`, so no value fits"));
        }
    }
}

fn object(schema: &Map<String, Value>, at: &str, depth: usize, faults: &mut Vec<String>) {
    if !schema.contains_key("additionalProperties") {
        faults.push(format!("`{at}.additionalProperties` is missing; it must be false"));
    }
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        faults.push(format!("`{at}.properties` must be an object with the schema of each property"));
        return;
    };
    match schema.get("required").and_then(names) {
        Some(required) => {
            for name in properties.keys().filter(|name| !required.contains(&name.as_str())) {
                faults.push(format!(
                    "`{at}.required` must list `{}`: no property is optional",
                    name.escape_debug()
                ));
            }
            for (place, name) in required.iter().enumerate() {
                if !properties.contains_key(*name) {
                    let name = name.escape_debug();
                    faults.push(format!(
                        "`{at}.required` lists `{name}`, which `{at}.properties` does not have"
                    ));
                } else if required.iter().take(place).any(|earlier| earlier == name) {
                    faults.push(format!("`{at}.required` lists `{}` twice", name.escape_debug()));
                }
            }
        }
        None => faults.push(format!("`{at}.required` must be a list with the name of each property")),
    }
    for (name, property) in properties {
        check(property, &format!("{at}.properties.{}", name.escape_debug()), depth + 1, faults);
    }
}

fn names(list: &Value) -> Option<Vec<&str>> {
    list.as_array()?.iter().map(Value::as_str).collect()
}

/// The values of an `enum`.
fn choices(schema: &Map<String, Value>, kind: &str, at: &str, faults: &mut Vec<String>) {
    let Some(choices) = schema.get("enum") else { return };
    let fits = |value: &Value| match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        _ => value.is_number(),
    };
    match choices.as_array() {
        Some(choices) if !choices.is_empty() && choices.iter().all(fits) => {}
        _ => faults.push(format!("`{at}.enum` must be a list of values of the type `{kind}`, and not empty")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(schema: Value) -> Vec<String> {
        ResultSchema::new(&schema).err().unwrap_or_default()
    }

    #[test]
    fn what_is_closed_and_of_one_type_is_taken() {
        let schema = json!({
            "type": "object",
            "description": "A finding.",
            "properties": {
                "verdict": { "type": "string", "enum": ["sound", "faulty"] },
                "lines": { "type": "array", "items": { "type": "integer", "minimum": 1 }, "maxItems": 50 },
                "score": { "type": "number", "multipleOf": 0.5, "exclusiveMaximum": 10 },
                "note": { "type": "string", "pattern": "^[a-z]+$", "maxLength": 20 },
                "deep": { "type": "object", "properties": {}, "required": [], "additionalProperties": false },
                "done": { "type": "boolean" }
            },
            "required": ["verdict", "lines", "score", "note", "deep", "done"],
            "additionalProperties": false
        });
        let checked = ResultSchema::new(&schema).unwrap();
        let mut value = json!({
            "verdict": "sound", "lines": [1, 2], "score": 1.5, "note": "ok", "deep": {}, "done": true
        });
        assert_eq!(checked.check(&value), Ok(()));
        value["lines"] = json!(["1"]);
        assert!(checked.check(&value).is_err(), "nothing is mended at the last check");
    }

    #[test]
    fn all_faults_are_told_with_their_place() {
        let schema = json!({
            "type": "object",
            "properties": {
                "optional": { "type": ["string", "null"] },
                "union": { "type": "string", "anyOf": [] },
                "list": { "type": "array" },
                "open": { "type": "object", "properties": { "a": { "$ref": "#" } }, "required": [], "minProperties": 1 },
                "none": { "type": "null" },
                "range": { "type": "integer", "minimum": 3, "maximum": 1, "multipleOf": 0 },
                "mixed": { "type": "string", "enum": [1] }
            },
            "required": ["union", "list", "open", "none", "range", "mixed", "mixed", "gone"],
            "additionalProperties": true
        });
        expect_test::expect![[r#"
            `schema.additionalProperties` must be false
            `schema.required` must list `optional`: no property is optional
            `schema.required` lists `mixed` twice
            `schema.required` lists `gone`, which `schema.properties` does not have
            `schema.properties.optional.type` must be one of `object`, `array`, `string`, `number`, `integer`, `boolean`
            `schema.properties.union.anyOf` is not allowed at the type `string`
            `schema.properties.list.items` is missing: the schema of the items
            `schema.properties.open.minProperties` is not allowed at the type `object`
            `schema.properties.open.additionalProperties` is missing; it must be false
            `schema.properties.open.required` must list `a`: no property is optional
            `schema.properties.open.properties.a.type` must be one of `object`, `array`, `string`, `number`, `integer`, `boolean`
            `schema.properties.none.type` must be one of `object`, `array`, `string`, `number`, `integer`, `boolean`
            `schema.properties.range.multipleOf` must be a number above 0
            `schema.properties.range.minimum` is above `schema.properties.range.maximum`, so no value fits
            `schema.properties.mixed.enum` must be a list of values of the type `string`, and not empty"#]]
        .assert_eq(&faults(schema).join("\n"));
    }

    #[test]
    fn what_is_no_schema_or_goes_deep_is_refused() {
        assert_eq!(faults(json!("string")), ["`schema` must be an object, like `{ type: \"string\" }`"]);
        let mut deep = json!({ "type": "string" });
        for _ in 0..40 {
            deep = json!({ "type": "array", "items": deep });
        }
        let told = faults(deep);
        assert_eq!(told.len(), 1);
        assert!(told[0].ends_with("is nested more than 16 deep"), "{told:?}");
        assert_eq!(faults(json!({ "type": "string", "pattern": "(" })).len(), 1, "a pattern that is none");
    }

    #[test]
    fn without_a_schema_the_result_is_a_text() {
        let schema = ResultSchema::of(None).unwrap();
        assert_eq!(schema.check(&json!("text")), Ok(()));
        assert!(schema.check(&json!(1)).is_err());
        assert!(schema.check(&Value::Null).is_err(), "null is what a failed call gives, so no value is null");
    }
}
