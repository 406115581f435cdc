//! The schemas of tools: what a model may send, and what a result looks like.

mod anthropic;
mod check;
mod clean;
mod definitions;
mod description;
mod disjoint;
mod gemini;
mod generate;
mod inline;
mod keywords;
mod merge;
mod nullable;
mod one_object;
mod openai;
mod recursion;
mod reference;
mod strict;
mod text;
mod walk;
mod wire;
mod words;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use crate::error::SchemaProblem;
use clean::Objects;
use gemini::Form;
use generate::Direction;
use strict::Rules;
pub(crate) use strict::StrictCost;

/// The parameters of a tool, as JSON Schema (draft 2020-12). The root is always an object, every reference leads to a schema
/// of the same document, and the whole is bounded: at most 128 levels and 100,000 values.
///
/// From a Rust type ([`of`](Self::of)) it is cleaned so that every provider takes it. As JSON of the author's
/// ([`from_json`](Self::from_json), [`from_text`](Self::from_text)) it keeps its meaning.
///
/// ```
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
/// use tool_runtime::ParametersSchema;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Page {
///     /// First line, counted from 1.
///     #[schemars(range(min = 1))]
///     offset: Option<u32>,
/// }
///
/// let schema = ParametersSchema::of::<Page>().unwrap();
/// assert_eq!(
///     *schema.as_value(),
///     json!({
///         "type": "object",
///         "properties": {
///             "offset": {
///                 "description": "First line, counted from 1.",
///                 "type": ["integer", "null"],
///                 "minimum": 1,
///                 "maximum": 4294967295_u32,
///             }
///         },
///         "required": [],
///         "additionalProperties": false,
///     })
/// );
/// ```
#[derive(Clone, Debug)]
pub struct ParametersSchema {
    value: Value,
    raw: bool,
}

impl ParametersSchema {
    /// The schema of what serde reads into `P`.
    ///
    /// - Objects are closed, unless a flattened map or `#[schemars(extend("additionalProperties" = true))]` opens them.
    /// - Names, defaults, skipped and flattened fields are those for reading. A `#[serde(alias)]` is not shown, and only
    ///   what is shown is accepted.
    /// - Doc comments are the descriptions, as written. One that begins with a heading keeps it as `# …`, followed by an
    ///   empty line; a `#[schemars(title = …)]` is such a heading. The lines of a `/** … */` comment keep their indentation
    ///   and stars.
    /// - Integers up to 32 bits have the bounds of their width. From 64 bits on only unsigned ones have one, 0: the other
    ///   end is checked by serde.
    /// - A flattened enum in a nested struct gives a union of closed objects, each with all fields.
    /// - A type that contains itself is kept under `$defs`.
    ///
    /// # Errors
    ///
    /// When the root of the schema is no object with fields of its own: a scalar, a list, an enum, any value, null, or a
    /// struct with a flattened enum, which providers refuse at the root. Also when a hand-written `JsonSchema` gives a schema
    /// that [`from_json`](Self::from_json) would refuse.
    pub fn of<P: JsonSchema + ?Sized>() -> Result<Self, Vec<SchemaProblem>> {
        Self::of_type(std::any::type_name::<P>(), SchemaGenerator::subschema_for::<P>)
    }

    fn of_type(name: &str, make: generate::Make) -> Result<Self, Vec<SchemaProblem>> {
        let mut value = generate::generate(make, Direction::Read);
        generate::struct_root(name, &value).map_err(|problem| vec![problem])?;
        check::bounded(&value).map_err(|problem| vec![problem])?;
        check::sound(&value)?;
        clean::clean(&mut value, Objects::Close);
        Ok(Self { value, raw: false })
    }

    /// No parameters: the closed empty object.
    #[must_use]
    pub fn none() -> Self {
        let value =
            json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        Self { value, raw: false }
    }

    /// One text named `input`: a free-text tool where a provider has none.
    #[must_use]
    pub fn text_input(description: &str) -> Self {
        let mut input = json!({ "type": "string" });
        if let (Value::Object(input), false) = (&mut input, description.is_empty()) {
            input.insert("description".to_owned(), description.into());
        }
        let value = json!({
            "type": "object",
            "properties": { "input": input },
            "required": ["input"],
            "additionalProperties": false,
        });
        Self { value, raw: false }
    }

    /// The author's own schema, kept in its meaning. `nullable: true` of OpenAPI 3.0 is understood.
    ///
    /// # Errors
    ///
    /// All faults, with their places: a root that is no object (it may say so through a `$ref` or an `allOf`), a malformed
    /// keyword, a reference that leads out of the schema, to nothing, or back to itself, an inner `$id`, `$dynamicRef`, or a
    /// schema beyond the bounds.
    pub fn from_json(value: Value) -> Result<Self, Vec<SchemaProblem>> {
        let mut value = value;
        if let Err(problem) = check::bounded(&value) {
            take_apart(value);
            return Err(vec![problem]);
        }
        nullable::to_json_schema(&mut value);
        check::sound(&value)?;
        check::object_root(&value).map_err(|problem| vec![problem])?;
        Ok(Self { value, raw: true })
    }

    /// The same from JSON text.
    ///
    /// # Errors
    ///
    /// Those of [`from_json`](Self::from_json); a text that is not JSON; and every key that stands twice in an object.
    pub fn from_text(json: &str) -> Result<Self, Vec<SchemaProblem>> {
        Self::from_json(text::read(json)?)
    }

    /// The author's schema. Calls are checked against this one, whatever a provider is shown.
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.value
    }

    /// The names of all properties, those of inner objects too, each as often as it stands there.
    #[cfg(feature = "search")]
    pub(crate) fn property_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        let mut open = vec![&self.value];
        while let Some(schema) = open.pop() {
            let children = schema.as_object().map(walk::children).unwrap_or_default();
            for child in children.iter().rev() {
                open.push(child.schema);
                if let ("properties", Some(walk::Step::Name(name))) = (child.keyword, child.step) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Whether it was given as JSON, and not made from a Rust type.
    #[must_use]
    pub fn is_raw(&self) -> bool {
        self.raw
    }

    /// What any provider may get when it is not asked to enforce the schema. It admits what the author's schema admits, but has no
    /// `$schema`, no title at the root, no schema that is `true` or `false` under properties, items and unions, says `object`
    /// at the root itself, and has `properties` in every object.
    #[must_use]
    pub fn to_wire(&self) -> Value {
        wire::to_wire(&self.value)
    }

    /// What OpenAI gets when it is not asked to enforce the schema: [`to_wire`](Self::to_wire) with one plain object at the
    /// root, since a union, a list of values or `not` there is refused, with all tools of the request. A union becomes one
    /// object that has the properties of all branches, with a word about which of them belong together.
    #[must_use]
    pub fn to_openai(&self) -> Value {
        openai::to_openai(&self.value)
    }

    /// What OpenAI gets when it is asked to enforce the schema: every object closed, every property required, and only the
    /// keywords known there. What was optional admits null, which stands for absent. Other keywords become words in the
    /// description.
    ///
    /// # Errors
    ///
    /// All that cannot be said so, with the place in [`as_value`](Self::as_value): free keys, values of any type, branches of
    /// `oneOf` that overlap, `not` and `if`, a union at the root; and what is beyond the limits: 5,000 properties, 10 objects
    /// within each other, 1,000 listed values, 120,000 characters in names and listed texts.
    pub fn to_strict(&self) -> Result<Value, Vec<SchemaProblem>> {
        strict::to_strict(&self.value, Rules::OpenAi)
    }

    /// What Anthropic gets when it is not asked to enforce the schema: [`to_wire`](Self::to_wire) with one plain object at
    /// the root. A union there becomes one object that has the properties of all branches, with a word about which of them
    /// belong together; it admits what the author's schema admits, and more.
    #[must_use]
    pub fn to_anthropic(&self) -> Value {
        anthropic::to_anthropic(&self.value)
    }

    /// The same without a schema that contains itself, which Anthropic refuses for tools that programs may call.
    pub(crate) fn to_anthropic_finite(&self) -> Value {
        anthropic::to_anthropic_finite(&self.value)
    }

    /// What Anthropic gets when it is asked to enforce the schema: every object closed, and only the keywords known there.
    /// Properties may be left out as the author says. Bounds of numbers, texts and lists become words in the description.
    ///
    /// # Errors
    ///
    /// All that cannot be said so, with the place in [`as_value`](Self::as_value): as in [`to_strict`](Self::to_strict), but
    /// for its limits, and a schema that contains itself.
    pub fn to_anthropic_strict(&self) -> Result<Value, Vec<SchemaProblem>> {
        strict::to_strict(&self.value, Rules::Anthropic)
    }

    /// What Gemini gets as `parametersJsonSchema`: the part of JSON Schema that is known there, with one plain object at the
    /// root. It admits what the author's schema admits; keywords that are not known become words in the description. `None`
    /// if there are no parameters, which Gemini wants left out.
    #[must_use]
    pub fn to_gemini(&self) -> Option<Value> {
        gemini::to_gemini(&self.value, Form::JsonSchema)
    }

    /// What Gemini gets as `parameters`, which is like OpenAPI 3.0: no references (what contains itself is cut off at the
    /// first level), no closed objects, no tuples, `nullable` in place of the type null. Else as [`to_gemini`](Self::to_gemini).
    #[must_use]
    pub fn to_gemini_open_api(&self) -> Option<Value> {
        gemini::to_gemini(&self.value, Form::OpenApi)
    }
}

/// The schema of what serde writes for `T`, cleaned like [`ParametersSchema::of`], but objects are closed only where the
/// author says so. The root need not be an object.
#[must_use]
pub fn output_schema<T: JsonSchema>() -> Value {
    let mut value = generate::generate(SchemaGenerator::subschema_for::<T>, Direction::Write);
    clean::clean(&mut value, Objects::Leave);
    value
}

/// Drops a value level by level. The compiler's own way calls itself once a level, which a hostile value may have too many of.
fn take_apart(value: Value) {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => open.extend(members.into_iter().map(|(_, member)| member)),
            _ => {}
        }
    }
}
