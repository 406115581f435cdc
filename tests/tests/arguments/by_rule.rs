//! The rows of `tests/cases/arguments-by-rule`: for each rule of what is repaired, coerced and refused, texts with the
//! outcome that the rule gives. Their ids begin with the number of the rule:
//!
//! 1. Text that is a JSON object is data.
//! 2. No text, white space and `null` are no arguments.
//! 3. What is cut off is not run, but for what only reads and was cut right after a whole value.
//! 4. What has one reading is repaired.
//! 5. What has two readings, or none, is malformed.
//! 6. A value is changed only if it does not fit as it is, and exactly.
//! 7. What does not fit is invalid.
//! 8. Numbers keep every digit.
//! 9. No defaults are filled in.

use std::collections::HashMap;

use jsonschema::Draft;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tests::exact::Exact;
use tool_runtime::{ArgumentDecoder, Effect};

const ROWS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/arguments-by-rule/rows.jsonl"));
const SCHEMAS: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/arguments-by-rule/schemas.json"));

#[derive(Deserialize)]
struct Row {
    id: String,
    /// The name of the schema.
    schema: String,
    raw: String,
    #[serde(default)]
    read_only: bool,
    expect: Expect,
    why: String,
}

/// What must come of it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expect {
    /// The tool gets this.
    Ok(Box<RawValue>),
    /// The tool does not run, for a reason of this class.
    Err(String),
}

/// A schema, compiled by us and by the general validator.
struct Schema {
    decoder: ArgumentDecoder,
    general: jsonschema::Validator,
}

impl Schema {
    fn new(schema: &Value) -> Self {
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        Self { decoder: ArgumentDecoder::new(schema).unwrap(), general: options.build(schema).unwrap() }
    }

    /// What is wrong with the outcome, if anything is.
    fn fault(&self, row: &Row) -> Option<String> {
        let effect = if row.read_only { Effect::ReadOnly } else { Effect::Writes };
        let decoded = self.decoder.decode(&row.raw, effect);
        let fault = match (&row.expect, decoded) {
            (Expect::Ok(value), Ok(decoded)) => {
                let again = self.decoder.decode(&decoded.text, Effect::Writes);
                if Exact::parse(&decoded.text) != Exact::parse(value.get()) {
                    format!("gives {}", decoded.text)
                } else if !again.is_ok_and(|again| again.repairs.is_empty()) {
                    format!("gives {}, which is not clean", decoded.text)
                } else {
                    return None;
                }
            }
            (Expect::Err(class), Err(error)) if error.class().as_str() == class => return None,
            (Expect::Ok(_), Err(error)) => format!("is refused: {error}"),
            (Expect::Err(class), Err(error)) => format!("must be {class} and is {}", error.class().as_str()),
            (Expect::Err(class), Ok(decoded)) => format!("must be {class} and gives {}", decoded.text),
        };
        Some(format!("{} ({}): `{}` {fault}", row.id, row.why, row.raw))
    }
}

/// Tries all rows of a rule.
#[track_caller]
fn check(rule: usize, count: usize) {
    let schemas: HashMap<String, Value> = serde_json::from_str(SCHEMAS).unwrap();
    let schemas: HashMap<&str, Schema> =
        schemas.iter().map(|(name, schema)| (name.as_str(), Schema::new(schema))).collect();
    let rows = ROWS.lines().map(|line| serde_json::from_str::<Row>(line).unwrap());
    let rows: Vec<Row> = rows.filter(|row| row.id.starts_with(&format!("r{rule}-"))).collect();
    assert_eq!(rows.len(), count);
    let mut faults = Vec::new();
    for row in &rows {
        let schema = &schemas[row.schema.as_str()];
        if let Expect::Ok(value) = &row.expect {
            let value: Value = serde_json::from_str(value.get()).unwrap();
            assert!(schema.general.is_valid(&value), "{}: the row contradicts itself", row.id);
        }
        faults.extend(schema.fault(row));
    }
    assert!(faults.is_empty(), "{} of {count}:\n{}", faults.len(), faults.join("\n"));
}

macro_rules! rules {
    ($($test:ident: $rule:literal, $count:literal;)*) => {$(
        #[test]
        fn $test() {
            check($rule, $count);
        }
    )*};
}

rules! {
    rows_of_rule_1_json_is_data: 1, 15;
    rows_of_rule_2_no_arguments: 2, 19;
    rows_of_rule_3_cut_off: 3, 105;
    rows_of_rule_4_repaired: 4, 115;
    rows_of_rule_5_malformed: 5, 172;
    rows_of_rule_6_coerced: 6, 177;
    rows_of_rule_7_invalid: 7, 35;
    rows_of_rule_8_numbers: 8, 20;
    rows_of_rule_9_no_defaults: 9, 6;
}
