//! What holds for every schema and every text.

use std::borrow::Cow;

use jsonschema::{Draft, PatternOptions, Validator};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ArgumentDecoder, Effect};
use crate::check::has_loose_integer;
use crate::check::tests::random::Random;
use crate::error::{ArgumentError, Problem};
use crate::json::Node;

/// A random schema as that of one property of the arguments.
fn parameters(random: &mut Random) -> Value {
    let mut schema = random.root_schema();
    let defs =
        schema.as_object_mut().and_then(|keywords| keywords.remove("$defs")).unwrap_or_else(|| json!({}));
    let required = if seldom(&schema) { json!(["v"]) } else { json!([]) };
    json!({
        "type": "object",
        "properties": {"v": schema, "n": {"type": "integer"}},
        "required": required,
        "additionalProperties": false,
        "$defs": defs,
    })
}

fn seldom(schema: &Value) -> bool {
    schema.to_string().len().is_multiple_of(3)
}

fn general(schema: &Value) -> Validator {
    let options = jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true);
    options.build(schema).unwrap()
}

fn is_valid(general: &Validator, text: &str) -> bool {
    general.is_valid(&serde_json::from_str(text).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_accepted_value_fits_and_reads_the_same_again(seed: u64) {
        let mut random = Random::new(seed);
        let schema = parameters(&mut random);
        let Ok(decoder) = ArgumentDecoder::new(&schema) else { return Ok(()) };
        let general = general(&schema);
        for _ in 0..8 {
            let clean = random.value_for(&schema, &schema, 5);
            let raw = random.spoil(&clean).to_string();
            let decoded = match decoder.decode(&raw, Effect::Writes) {
                Ok(decoded) => decoded,
                Err(error) => {
                    prop_assert!(error.to_string().chars().count() <= 2_000);
                    continue;
                }
            };
            prop_assert!(is_valid(&general, &decoded.text), "{} from {} for {}", decoded.text, raw, schema);
            prop_assert_eq!(decoded.repairs.is_empty(), matches!(decoded.text, Cow::Borrowed(_)));
            let again = decoder.decode(&decoded.text, Effect::Writes).unwrap();
            prop_assert!(again.repairs.is_empty(), "{:?} from {} for {}", again, raw, schema);
        }
    }

    #[test]
    fn what_fits_is_never_changed(seed: u64) {
        let mut random = Random::new(seed);
        let schema = parameters(&mut random);
        let Ok(decoder) = ArgumentDecoder::new(&schema) else { return Ok(()) };
        let general = general(&schema);
        for _ in 0..8 {
            let raw = random.value_for(&schema, &schema, 5).to_string();
            if !raw.starts_with('{') || !is_valid(&general, &raw) {
                continue;
            }
            let decoded = decoder.decode(&raw, Effect::Writes).unwrap();
            if decoded.repairs.is_empty() {
                prop_assert_eq!(&*decoded.text, raw.as_str());
            } else {
                // `2.0` for an integer is the same value in the spelling that serde takes.
                prop_assert!(has_loose_integer(&Node::parse(&raw).unwrap()), "{:?} from {} for {}", decoded, raw, schema);
            }
        }
    }

    #[test]
    fn no_text_panics(seed: u64) {
        let mut random = Random::new(seed);
        let schema = parameters(&mut random);
        let Ok(decoder) = ArgumentDecoder::new(&schema) else { return Ok(()) };
        let value = random.value_for(&schema, &schema, 5);
        for _ in 0..8 {
            let raw = random.scribble(&value);
            if let Err(error) = decoder.decode(&raw, Effect::ReadOnly) {
                prop_assert!(error.to_string().chars().count() <= 2_000);
            }
        }
    }
}

#[test]
fn arguments_are_an_object_whatever_the_schema_admits() {
    let decoder = ArgumentDecoder::new(&json!({})).unwrap();
    for raw in ["5", "[]", "\"a\"", " true"] {
        assert!(matches!(decoder.decode(raw, Effect::Writes), Err(ArgumentError::Malformed { .. })), "{raw}");
    }
    assert_eq!(decoder.decode("null", Effect::Writes).unwrap().text, "{}");
    assert_eq!(decoder.decode(" {}", Effect::Writes).unwrap().text, " {}");
    let decoder = ArgumentDecoder::new(&json!({"type": "integer"})).unwrap();
    assert!(decoder.decode("5", Effect::Writes).is_err());
}

#[test]
fn deep_texts_are_refused_without_harm() {
    let decoder = ArgumentDecoder::new(&json!({"type": "object"})).unwrap();
    for opener in ["[", "{\"a\":", "{\"a\":["] {
        let raw = format!("{{\"x\":{}", opener.repeat(100_000));
        assert!(decoder.decode(&raw, Effect::Writes).is_err());
    }
    let inner = "[".repeat(100_000) + &"]".repeat(100_000);
    let lists = json!({"type": "object", "properties": {"x": {"type": "array"}}});
    let raw = json!({ "x": inner }).to_string();
    assert!(ArgumentDecoder::new(&lists).unwrap().decode(&raw, Effect::Writes).is_err());
}

/// The problems of a text that does not fit.
fn problems(decoder: &ArgumentDecoder, raw: &str) -> Vec<Problem> {
    match decoder.decode(raw, Effect::Writes) {
        Err(ArgumentError::Invalid { problems }) => problems,
        other => panic!("{raw}: {other:?}"),
    }
}

/// What is read from a text counts with the levels around it: what a tool gets can be read again.
#[test]
fn lists_in_texts_nest_no_deeper_than_what_can_be_read_again() {
    let schema =
        json!({"type": "object", "properties": {"v": {"type": "array", "items": {"type": "array"}}}});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    let list = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for (raw, fits) in [
        (json!({"v": list(126)}), true),
        (json!({"v": list(127)}), false),
        (json!({"v": [list(125)]}), true),
        (json!({"v": [list(126)]}), false),
        (json!({"v": json!([list(125)]).to_string()}), true),
        (json!({"v": json!([list(126)]).to_string()}), false),
    ] {
        let raw = raw.to_string();
        let decoded = decoder.decode(&raw, Effect::Writes);
        assert_eq!(decoded.is_ok(), fits, "{raw}");
        if let Ok(decoded) = decoded {
            assert!(serde_json::from_str::<Value>(&decoded.text).is_ok(), "{raw}");
        }
    }
}

#[test]
fn every_wrapper_is_taken_off() {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    for key in ["arguments", "parameters", "input", "properties", "args", "params", "kwargs", "tool_input"] {
        let raw = json!({key: {"path": "a"}}).to_string();
        assert_eq!(decoder.decode(&raw, Effect::Writes).unwrap().text, r#"{"path":"a"}"#, "{key}");
    }
    assert!(decoder.decode(r#"{"options":{"path":"a"}}"#, Effect::Writes).is_err());
}

/// However many there are, no more are gathered than are worth telling, so that a long text costs no more than its length.
#[test]
fn at_most_100_problems_are_gathered() {
    let closed = json!({"type": "object", "properties": {"alpha": {}}, "additionalProperties": false});
    let lists = json!({"type": "object", "properties": {"alpha": {"items": {"type": "integer"}}}});
    let list = |item: &str| format!(r#"{{"alpha":[{}0]}}"#, format!("{item},").repeat(5_000));
    let keys: String = (0..5_000).map(|at| format!(r#""alpah{at}":1,"#)).collect();
    let twice: String = (0..5_000).map(|at| format!(r#""k{at}":1,"k{at}":2,"#)).collect();
    for (schema, raw) in [
        (&closed, format!(r#"{{{keys}"alpha":1}}"#)),
        (&closed, format!(r#"{{{twice}"alpha":1}}"#)),
        (&lists, list(r#""x""#)),
        (&lists, list("1e999")),
    ] {
        let decoder = ArgumentDecoder::new(schema).unwrap();
        assert_eq!(problems(&decoder, &raw).len(), 100, "{}", &raw[..40]);
    }
}

/// A key as long as the text is not repeated for each of many values inside of it.
#[test]
fn pointers_are_short_however_long_the_keys_are() {
    let schema = json!({"type": "object", "additionalProperties": {"items": {"type": "integer"}}});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    let list = |item: &str| format!(r#"{{"{}":[{item},{item}]}}"#, "k".repeat(10_000));
    for problem in problems(&decoder, &list(r#""x""#)) {
        assert_eq!(problem.path, format!("/{}…", "k".repeat(299)));
    }
    let (numbers, repeats) = (list(r#""1""#), list(r#"{"a":1,"a":1}"#));
    let decoded = decoder.decode(&numbers, Effect::Writes).unwrap();
    assert!(decoded.repairs.iter().all(|repair| repair.path.chars().count() == 301));
    let decoder = ArgumentDecoder::new(&json!({})).unwrap();
    let decoded = decoder.decode(&repeats, Effect::Writes).unwrap();
    assert_eq!(decoded.repairs.len(), 2);
    assert!(decoded.repairs.iter().all(|repair| repair.path.chars().count() == 301));
}

/// What may be spent on a value grows with the texts in it, since a text may hold many values.
#[test]
fn long_lists_in_a_text_are_coerced_to_their_end() {
    let schema =
        json!({"type": "object", "properties": {"v": {"type": "array", "items": {"type": "integer"}}}});
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    let items = vec![r#""7""#; 40_000].join(",");
    let raw = json!({"v": format!("[{items}]")}).to_string();
    let decoded = decoder.decode(&raw, Effect::Writes);
    assert_eq!(decoded.unwrap().repairs.len(), 40_001);
}

/// Wrappers in wrappers, each of which may be taken off or kept, around a value that is costly to copy.
#[test]
fn wrappers_within_wrappers_are_tried_within_bounds() {
    let schema = json!({
        "type": "object",
        "properties": {"q": {"type": "integer"}},
        "required": ["q"],
        "additionalProperties": {"$ref": "#"},
    });
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    let raw = format!("{}[{}1]{}", r#"{"input":"#.repeat(60), "1,".repeat(20_000), "}".repeat(60));
    assert!(!problems(&decoder, &raw).is_empty());
}

#[test]
fn unions_within_unions_are_coerced_within_bounds() {
    let schema = json!({
        "type": "object",
        "properties": {"t": {"$ref": "#/$defs/tree"}},
        "$defs": {"tree": {"anyOf": [
            {"type": "object", "properties": {"l": {"$ref": "#/$defs/tree"}, "x": {"type": "integer"}}, "required": ["x"]},
            {"type": "object", "properties": {"l": {"$ref": "#/$defs/tree"}, "y": {"type": "integer"}}, "required": ["y"]},
            {"type": "integer"},
        ]}},
    });
    let decoder = ArgumentDecoder::new(&schema).unwrap();
    let mut tree = "\"1\"".to_owned();
    for _ in 0..3 {
        tree = format!(r#"{{"l":{tree},"x":"2"}}"#);
    }
    let raw = format!(r#"{{"t":{tree}}}"#);
    let decoded = decoder.decode(&raw, Effect::Writes);
    assert_eq!(decoded.unwrap().text, r#"{"t":{"l":{"l":{"l":1,"x":2},"x":2},"x":2}}"#);
    for _ in 0..100 {
        tree = format!(r#"{{"l":{tree},"x":"2"}}"#);
    }
    let raw = format!(r#"{{"t":{tree}}}"#);
    let refused = decoder.decode(&raw, Effect::Writes);
    assert!(matches!(refused, Err(ArgumentError::Invalid { .. })));
}
