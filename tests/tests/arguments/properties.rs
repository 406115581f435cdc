//! What holds for every text and every parameters type: the door of the tools against the general validator.
//!
//! `PROPTEST_CASES` raises the number of cases.

use std::fmt::Debug;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use jsonschema::{Draft, PatternOptions, Validator};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tests::exact::Exact;
use tool_runtime::{ArgumentClass, ArgumentDecoder, CallError, Effect, ToolSet, ToolSpec, WorkerAgentTool};
use tool_std::todo::TodoParams;

use crate::guided::Guided;
use crate::types;

/// A tool whose arguments are tried.
struct Subject {
    name: String,
    set: ToolSet,
    schema: Value,
    decoder: ArgumentDecoder,
    general: Validator,
    /// What serde alone makes of a text, as the tool says it.
    typed: fn(&str) -> Option<String>,
}

impl Subject {
    /// A tool that says what it got.
    fn of<P: Debug + DeserializeOwned + JsonSchema + Send + 'static>() -> Self {
        let tool = ToolSpec::new("tool", "Does it.").parameters::<P>();
        let tool = tool.execute(|arguments, _| async move { format!("{arguments:?}") });
        let typed =
            |text: &str| serde_json::from_str::<P>(text).ok().map(|arguments| format!("{arguments:?}"));
        Self::of_tool(tool, typed)
    }

    fn of_tool(tool: WorkerAgentTool, typed: fn(&str) -> Option<String>) -> Self {
        let schema = tool.definition().parameters().as_value().clone();
        let general = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .with_pattern_options(PatternOptions::regex())
            .should_validate_formats(true)
            .build(&schema)
            .unwrap();
        let decoder = ArgumentDecoder::new(&schema).unwrap();
        let name = tool.spec().name.to_string();
        Self { name, set: ToolSet::new(vec![tool]).unwrap(), schema, decoder, general, typed }
    }

    fn is_valid(&self, text: &str) -> bool {
        self.general.is_valid(&serde_json::from_str(text).unwrap())
    }

    /// The text of the tool's output, or why it did not run.
    fn call(&self, raw: &str) -> Result<String, CallError> {
        ready(self.set.call(&self.name, raw)).map(|output| output.text())
    }

    /// A value that may fit.
    fn value(&self, guided: &mut Guided) -> Value {
        let value = guided.value(&self.schema, &self.schema, 4);
        if guided.below(2) == 0 { value } else { guided.mutated(&value) }
    }

    fn check(&self, seed: u64) {
        let mut guided = Guided::new(seed);
        for _ in 0..3 {
            let raw = self.value(&mut guided).to_string();
            if raw.starts_with('{') {
                self.judges_as_the_general_validator(&raw);
                self.never_runs_what_is_cut(&raw);
            }
            self.repairs_into_what_fits(&guided.garbled(&raw));
        }
    }

    /// (a), (d): the same texts are accepted, the same values arrive, and what fits is not changed.
    fn judges_as_the_general_validator(&self, raw: &str) {
        let (valid, typed) = (self.is_valid(raw), (self.typed)(raw));
        let outcome = self.call(raw);
        let decoded = self.decoder.decode(raw, Effect::Writes);
        let place = || format!("{raw} for {}: {outcome:?}, {decoded:?}", self.schema);
        match (&decoded, valid) {
            (Ok(decoded), true) => {
                assert_eq!(Exact::parse(&decoded.text), Exact::parse(raw), "{}", place());
                if decoded.repairs.is_empty() {
                    assert_eq!(decoded.text, raw);
                    assert_eq!(outcome.is_ok(), typed.is_some(), "{}", place());
                    if let (Ok(given), Some(typed)) = (&outcome, &typed) {
                        assert_eq!(given, typed, "{}", place());
                    }
                } else {
                    // `2.0` for an integer, in the spelling that serde takes.
                    assert!(
                        decoded.repairs.iter().all(|repair| repair.name == "integer_from_whole_float"),
                        "{}",
                        place()
                    );
                }
            }
            (Ok(decoded), false) => {
                assert!(!decoded.repairs.is_empty() && self.is_valid(&decoded.text), "{}", place());
            }
            (Err(error), false) => {
                assert_eq!(error.class(), ArgumentClass::Invalid, "{}", place());
                assert!(matches!(outcome, Err(CallError::Arguments { .. })), "{}", place());
            }
            (Err(_), true) => panic!("it fits and is refused: {}", place()),
        }
    }

    /// (b): what was repaired fits, and reads the same when it is written out and read again.
    fn repairs_into_what_fits(&self, raw: &str) {
        match self.decoder.decode(raw, Effect::ReadOnly) {
            Ok(decoded) => {
                assert!(self.is_valid(&decoded.text), "{raw} for {}: {decoded:?}", self.schema);
                let again = self.decoder.decode(&decoded.text, Effect::Writes).unwrap();
                assert!(again.repairs.is_empty() && again.text == decoded.text, "{raw}: {again:?}");
            }
            Err(error) => assert!(error.to_string().chars().count() <= 2_000, "{error}"),
        }
    }

    /// (c): an accepted object, cut anywhere between its first and its last bracket, does not run.
    fn never_runs_what_is_cut(&self, raw: &str) {
        if self.decoder.decode(raw, Effect::Writes).is_err() {
            return;
        }
        for (end, _) in raw.char_indices().skip(1) {
            let error = self.decoder.decode(&raw[..end], Effect::Writes).unwrap_err();
            assert_eq!(error.class(), ArgumentClass::Truncated, "{}", &raw[..end]);
        }
    }
}

/// What a future gives that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

fn todo() -> Subject {
    let tool = ToolSpec::new("todo", "Keeps the plan.").parameters::<TodoParams>();
    let tool = tool.execute(|_, _| async { String::new() });
    Subject::of_tool(tool, |text| serde_json::from_str::<TodoParams>(text).ok().map(|_| String::new()))
}

macro_rules! properties {
    ($($test:ident: $subject:expr;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
            $(
                #[test]
                fn $test(seed: u64) {
                    thread_local! {
                        static SUBJECT: Subject = $subject;
                    }
                    SUBJECT.with(|subject| subject.check(seed));
                }
            )*
        }

        #[test]
        fn values_that_fit_and_values_that_do_not_are_tried() {
            $(
                let (subject, mut guided) = ($subject, Guided::new(1));
                let tried = (0..1_000).map(|_| subject.value(&mut guided).to_string());
                let fitting = tried.filter(|text| subject.is_valid(text)).count();
                assert!((100..950).contains(&fitting), "{}: {fitting} of 1,000 fit", stringify!($test));
            )*
        }
    };
}

properties! {
    integers_and_floats_of_every_width: Subject::of::<types::Widths>();
    bounds: Subject::of::<types::ReadFile>();
    constraints_at_every_depth: Subject::of::<types::Deep>();
    enums_of_all_four_tags: Subject::of::<types::Tags>();
    flattened_struct_and_map: Subject::of::<types::Flat>();
    flattened_enum: Subject::of::<types::FlatTag>();
    maps: Subject::of::<types::Maps>();
    options_and_defaults: Subject::of::<types::Options>();
    types_that_contain_themselves: Subject::of::<types::Recursive>();
    tuples_sets_and_newtypes: Subject::of::<types::Tuples>();
    parameters_of_the_standard_tool_todo: todo();
}
