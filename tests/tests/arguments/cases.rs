//! The rows of `tests/cases/arguments.jsonl`: each through the decoder, and through a tool in a set and a turn's dispatch.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jsonschema::Draft;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tests::exact::Exact;
use tool_runtime::{
    ArgumentDecoder, CallError, CancellationToken, DispatchOptions, Effect, Events, ToolCall, ToolSet,
    ToolSpec, dispatch,
};

const ROWS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/arguments.jsonl"));

/// One reported fault.
#[derive(Deserialize)]
struct Row {
    id: String,
    /// `A`: the text is malformed or looks so; `D`: the value is the question.
    kind: char,
    why: String,
    schema: Value,
    raw: String,
    expect: Expect,
    #[serde(default)]
    read_only: bool,
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

fn rows() -> Vec<Row> {
    ROWS.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What came of a text: the object that the tool gets, or the class of the refusal with its message.
type Outcome = Result<String, (&'static str, String)>;

fn decoded(row: &Row) -> Outcome {
    let decoder = ArgumentDecoder::new(&row.schema).unwrap();
    let effect = if row.read_only { Effect::ReadOnly } else { Effect::Writes };
    match decoder.decode(&row.raw, effect) {
        Ok(decoded) => Ok(decoded.text.into_owned()),
        Err(error) => Err((error.class().as_str(), error.to_string())),
    }
}

/// The same through a tool with the row's schema, in a set: once in a turn's dispatch, once as a single call.
async fn called(row: &Row) -> (Outcome, Outcome) {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let spec = ToolSpec::new("tool", "Does it.").read_only(row.read_only).max_output(1 << 20);
    let tool = spec.schema::<Box<RawValue>>(row.schema.clone()).execute(move |arguments, _| {
        count.fetch_add(1, Ordering::Relaxed);
        async move { arguments.get().to_owned() }
    });
    let set = ToolSet::new(vec![tool]).unwrap();
    let asked = ToolCall::new("call", "tool", row.raw.as_str());
    let cancel = CancellationToken::new();
    let mut results = dispatch(&set, vec![asked], &DispatchOptions::new(), &Events::none(), &cancel).await;
    let result = results.pop().unwrap();
    let seen = result.model_text();
    let dispatched = match result.outcome {
        Ok(_) => Ok(seen),
        Err(error) => {
            assert_eq!(seen, format!("error: {error}"), "{}", row.id);
            Err((refusal(&error), seen))
        }
    };
    let single = match set.call("tool", &row.raw).await {
        Ok(output) => Ok(output.text()),
        Err(error) => Err((refusal(&error), format!("error: {error}"))),
    };
    assert_eq!(dispatched, single, "{}", row.id);
    let expected_runs = if dispatched.is_ok() { 2 } else { 0 };
    assert_eq!(runs.load(Ordering::Relaxed), expected_runs, "{}", row.id);
    (dispatched, single)
}

/// The class of a refusal that is about the arguments.
fn refusal(error: &CallError) -> &'static str {
    match error {
        CallError::Arguments { error, .. } => error.class().as_str(),
        other => panic!("{other}"),
    }
}

#[track_caller]
fn is_as_expected(row: &Row, outcome: &Outcome) {
    let (id, why) = (&row.id, &row.why);
    match (&row.expect, outcome) {
        (Expect::Ok(value), Ok(text)) => {
            assert_eq!(Exact::parse(text), Exact::parse(value.get()), "{id}: {why}");
        }
        (Expect::Err(class), Err((found, message))) => {
            assert_eq!(found, class, "{id}: {why}: {message}");
            assert!(message.chars().count() <= 2_000, "{id}: {message}");
        }
        (Expect::Ok(_), Err((class, message))) => panic!("{id}: {why}: {class}: {message}"),
        (Expect::Err(class), Ok(text)) => panic!("{id}: {why}: must be {class} and gives {text}"),
    }
}

async fn check(id: &str) {
    let row = rows().into_iter().find(|row| row.id == id).unwrap();
    if let Expect::Ok(value) = &row.expect {
        let validator = jsonschema::options().with_draft(Draft::Draft202012).build(&row.schema).unwrap();
        let value: Value = serde_json::from_str(value.get()).unwrap();
        assert!(validator.is_valid(&value), "{id}: the row contradicts itself");
    }
    is_as_expected(&row, &decoded(&row));
    let (dispatched, single) = called(&row).await;
    is_as_expected(&row, &dispatched);
    is_as_expected(&row, &single);
}

/// A test for each row, in a module for each kind; and one that no row of the kind is without.
macro_rules! rows {
    ($($module:ident, $kind:literal: [$($id:ident)*];)*) => {$(
        mod $module {
            $(
                #[tokio::test]
                async fn $id() {
                    super::check(&stringify!($id).replace('_', "-")).await;
                }
            )*

            #[test]
            fn every_row_has_a_test() {
                let named: Vec<_> = [$(stringify!($id)),*].iter().map(|id| id.replace('_', "-")).collect();
                let rows = super::rows().into_iter().filter(|row| row.kind == $kind);
                assert_eq!(rows.map(|row| row.id).collect::<Vec<_>>(), named);
            }
        }
    )*};
}

rows! {
    kind_a, 'A': [
        a_001 a_002 a_003 a_004 a_005 a_006 a_007 a_008 a_009 a_010 a_011 a_012
        a_013 a_014 a_015 a_016 a_017 a_018 a_019 a_020 a_021 a_022 a_023 a_024
        a_025 a_026 a_027 a_028 a_029 a_030 a_031 a_032 a_033 a_034 a_035 a_036
        a_037 a_038 a_039 a_040 a_041 a_069 a_070 a_071 a_072
    ];
    kind_d, 'D': [
        a_042 a_043 a_044 a_045 a_046 a_047 a_048 a_049 a_050 a_051 a_052 a_053
        a_054 a_055 a_056 a_057 a_058 a_059 a_060 a_061 a_062 a_063 a_064 a_065
        a_066 a_067 a_068
    ];
}

#[test]
fn there_are_72_rows() {
    assert_eq!(rows().len(), 72);
}
