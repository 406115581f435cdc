//! The official JSON Schema Test Suite through a tool's own door: each schema stands as the property `v` of the parameters.
//!
//! A schema is enforced as the suite says, or refused when the set of tools is made; no keyword is passed over.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tests::exact::Exact;
use tool_runtime::{
    ArgumentClass, CallError, CancellationToken, DispatchOptions, Events, ToolCall, ToolSet, ToolSpec,
    dispatch,
};

/// Tests of one schema.
#[derive(Deserialize)]
struct Group {
    description: String,
    schema: Value,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
struct Test {
    description: String,
    data: Box<RawValue>,
    valid: bool,
}

/// What came of the groups of a folder.
#[derive(Default)]
struct Count {
    groups: usize,
    tests: usize,
    /// Tests with a value that does not fit as it is and was coerced exactly into one that does.
    coerced: usize,
    /// Groups whose schema was refused, by the keyword.
    refused: BTreeMap<String, usize>,
    disagreements: Vec<String>,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let refused: usize = self.refused.values().sum();
        writeln!(f, "{} groups agree in {} tests ({} coerced)", self.groups, self.tests, self.coerced)?;
        writeln!(f, "{refused} groups are refused when the tool is built: {:?}", self.refused)?;
        write!(f, "{} disagreements", self.disagreements.len())?;
        self.disagreements.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/json-schema-test-suite").join(name)
}

async fn run(name: &str) -> Count {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder(name)).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut count = Count::default();
    for file in files {
        let keyword = file.file_stem().unwrap().to_str().unwrap();
        let groups: Vec<Group> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for group in groups {
            judge(keyword, &group, &mut count).await;
        }
    }
    println!("{count}");
    count
}

async fn judge(keyword: &str, group: &Group, count: &mut Count) {
    let parameters = json!({"type": "object", "properties": {"v": moved(&group.schema)}, "required": ["v"]});
    let tool = ToolSpec::new("tool", "Does it.").schema::<Box<RawValue>>(parameters);
    let tool = tool.execute(|arguments, _| async move { arguments.get().to_owned() });
    let set = match ToolSet::new(vec![tool]) {
        Ok(set) => set,
        Err(error) => return *count.refused.entry(reason(&error.problems[0].message)).or_default() += 1,
    };
    count.groups += 1;
    for test in &group.tests {
        count.tests += 1;
        let text = format!(r#"{{"v":{}}}"#, test.data.get());
        let asked = vec![ToolCall::new("call", "tool", text.as_str())];
        let cancel = CancellationToken::new();
        let mut results = dispatch(&set, asked, &DispatchOptions::new(), &Events::none(), &cancel).await;
        let result = results.pop().unwrap();
        let is_same = |given: &str| Exact::parse(given) == Exact::parse(&text);
        let agrees = match &result.outcome {
            Ok(output) if test.valid => is_same(&output.text()),
            Ok(output) => {
                count.coerced += 1;
                !result.repairs.is_empty() && !is_same(&output.text())
            }
            Err(CallError::Arguments { error, .. }) => !test.valid && error.class() == ArgumentClass::Invalid,
            Err(_) => false,
        };
        if !agrees {
            let (group, test) = (&group.description, &test.description);
            count.disagreements.push(format!("{keyword}: {group}: {test}: {text}: {}", result.model_text()));
        }
    }
}

/// The schema with its references made to lead where they led before it was a property.
fn moved(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(moved).collect(),
        Value::Object(keywords) => {
            let keyword = |(keyword, value): (&String, &Value)| {
                let value = match (keyword.as_str(), value) {
                    ("enum" | "const", _) => value.clone(),
                    ("$ref", Value::String(reference)) => match reference.strip_prefix('#') {
                        Some(place) if place.is_empty() || place.starts_with('/') => {
                            format!("#/properties/v{place}").into()
                        }
                        _ => value.clone(),
                    },
                    _ => moved(value),
                };
                (keyword.clone(), value)
            };
            Value::Object(keywords.iter().map(keyword).collect())
        }
        scalar => scalar.clone(),
    }
}

/// The keyword that a refusal is about.
fn reason(message: &str) -> String {
    let place = message.split('`').nth(1).unwrap_or_default();
    place.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The suite takes `format` as a remark; tools enforce the formats that they know.
const REMARK: &str = "is only an annotation by default";

#[tokio::test]
async fn required_tests_agree_or_the_schema_is_refused() {
    let mut count = run("").await;
    let (remarks, others) = count.disagreements.drain(..).partition(|line| line.contains(REMARK));
    count.disagreements = others;
    assert!(count.disagreements.is_empty(), "{count}");
    let remarks: Vec<String> = remarks;
    assert_eq!(remarks.len(), 7, "one for each enforced format: {remarks:#?}");
    let refused: Vec<_> = count.refused.iter().map(|(keyword, groups)| (keyword.as_str(), *groups)).collect();
    let expected = vec![("$dynamicRef", 1), ("$id", 45), ("$ref", 18), ("$schema", 1)];
    assert_eq!((count.groups, refused), (310, expected));
}

#[tokio::test]
async fn formats_that_are_enforced_agree() {
    let count = run("formats").await;
    assert!(count.disagreements.is_empty() && count.refused.is_empty(), "{count}");
}
