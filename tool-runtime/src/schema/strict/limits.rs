//! The sizes that OpenAI takes.

use std::collections::{HashMap, HashSet};
use std::ptr;

use serde_json::{Map, Value};

use super::super::keywords::takes_objects;
use super::super::reference::resolve;
use super::super::walk::{Child, Path, Step, children, escape, inside_out};
use crate::error::SchemaProblem;

const PROPERTIES: usize = 5_000;
/// Objects within objects, the root counted.
const LEVELS: usize = 10;
/// Characters in the names of properties and definitions and in listed texts, all together.
const CHARACTERS: usize = 120_000;
const LISTED_VALUES: usize = 1_000;
/// From this many members on, a list of texts has a bound of its own.
const LONG_LIST: usize = 250;
const LONG_LIST_CHARACTERS: usize = 15_000;

/// Adds a problem for each limit that `strict` exceeds. Places are those of `author`, its schema as it was written.
pub(super) fn check(strict: &Value, author: &Value, problems: &mut Vec<SchemaProblem>) {
    let counts = count(strict);
    let mut exceeds = |count: usize, limit: usize, what: &str| {
        if count > limit {
            let message = format!("strict takes at most {limit} {what}, and there are {count}");
            problems.push(Path::ROOT.problem(message));
        }
    };
    exceeds(counts.properties, PROPERTIES, "properties");
    exceeds(counts.values, LISTED_VALUES, "listed values");
    exceeds(counts.characters, CHARACTERS, "characters in names and listed texts");
    exceeds(
        counts.longest_list,
        LONG_LIST_CHARACTERS,
        &format!("characters in one list of more than {LONG_LIST} texts"),
    );
    if let Some(place) = too_deep(author) {
        let message =
            format!("strict takes at most {LEVELS} objects within each other, and this is one more");
        problems.push(SchemaProblem::new(place, message));
    }
}

#[derive(Default)]
struct Counts {
    properties: usize,
    values: usize,
    characters: usize,
    longest_list: usize,
}

fn count(strict: &Value) -> Counts {
    let mut counts = Counts::default();
    let length = |text: &str| text.chars().count();
    inside_out(&mut strict.clone(), &mut |schema, _| {
        let Value::Object(map) = schema else { return };
        for keyword in ["properties", "$defs"] {
            let names = map.get(keyword).and_then(Value::as_object);
            counts.characters += names.map_or(0, |names| names.keys().map(|name| length(name)).sum());
        }
        counts.properties += map.get("properties").and_then(Value::as_object).map_or(0, Map::len);
        counts.characters += map.get("const").and_then(Value::as_str).map_or(0, length);
        if let Some(Value::Array(values)) = map.get("enum") {
            let characters = values.iter().filter_map(Value::as_str).map(length).sum();
            counts.values += values.len();
            counts.characters += characters;
            if values.len() > LONG_LIST {
                counts.longest_list = counts.longest_list.max(characters);
            }
        }
    });
    counts
}

/// The first object that stands too deep, if there is one. What contains itself is counted once.
fn too_deep(author: &Value) -> Option<String> {
    let mut levels = Levels { root: author, known: HashMap::new() };
    if levels.of(author, 0) <= LEVELS {
        return None;
    }
    // From the root always into the deepest part, until the first object beyond the limit.
    let mut place = String::new();
    let mut schema = author;
    let mut objects = 0;
    let mut passed = HashSet::new();
    loop {
        passed.insert(ptr::from_ref(schema));
        objects += usize::from(is_object(schema));
        if objects > LEVELS {
            return Some(place);
        }
        let ahead =
            levels.parts(schema).into_iter().filter(|part| !passed.contains(&ptr::from_ref(part.schema)));
        let Some(next) = ahead.max_by_key(|part| levels.of(part.schema, 0)) else { return Some(place) };
        match next.place {
            Place::Below(token) => place.push_str(&token),
            Place::Elsewhere(pointer) => place = pointer,
        }
        schema = next.schema;
    }
}

struct Levels<'a> {
    root: &'a Value,
    /// Zero while a schema is being looked at, so that one that contains itself ends.
    known: HashMap<*const Value, usize>,
}

struct Part<'a> {
    place: Place,
    schema: &'a Value,
}

enum Place {
    Below(String),
    Elsewhere(String),
}

impl<'a> Levels<'a> {
    /// How many objects stand within each other in `schema`, itself counted.
    fn of(&mut self, schema: &'a Value, depth: usize) -> usize {
        /// Lists and unions do not count, but they do not nest like this either.
        const MAX_DEPTH: usize = 256;
        if depth > MAX_DEPTH {
            return LEVELS + 1;
        }
        if let Some(known) = self.known.get(&ptr::from_ref(schema)) {
            return *known;
        }
        self.known.insert(ptr::from_ref(schema), 0);
        let inner = self.parts(schema).into_iter().map(|part| self.of(part.schema, depth + 1)).max();
        let levels = inner.unwrap_or(0) + usize::from(is_object(schema));
        self.known.insert(ptr::from_ref(schema), levels);
        levels
    }

    /// The schemas that a value is looked at with from `schema` on.
    fn parts(&self, schema: &'a Value) -> Vec<Part<'a>> {
        let Value::Object(map) = schema else { return Vec::new() };
        let referred = map.get("$ref").and_then(Value::as_str).and_then(|reference| {
            let target = resolve(self.root, reference).ok()?;
            Some(Part { place: Place::Elsewhere(target.pointer), schema: target.schema })
        });
        let inner =
            children(map).into_iter().filter(|child| !matches!(child.keyword, "$defs" | "definitions"));
        referred.into_iter().chain(inner.map(below)).collect()
    }
}

fn below(child: Child<'_>) -> Part<'_> {
    let token = match child.step {
        None => format!("/{}", child.keyword),
        Some(Step::Name(name)) => format!("/{}/{}", child.keyword, escape(name)),
        Some(Step::Index(index)) => format!("/{}/{index}", child.keyword),
    };
    Part { place: Place::Below(token), schema: child.schema }
}

fn is_object(schema: &Value) -> bool {
    schema.as_object().is_some_and(|map| takes_objects(map) || map.contains_key("properties"))
}
