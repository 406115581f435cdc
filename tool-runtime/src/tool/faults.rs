//! The rules that a tool's own values must keep, whoever made it.

use std::time::Duration;

use crate::error::SchemaProblem;
use crate::schema::ParametersSchema;
use crate::spec::{Input, ToolSpec};

/// Everything that is wrong with a tool, each as a sentence.
pub(super) fn of(spec: &ToolSpec, parameters: &ParametersSchema, problems: &[SchemaProblem]) -> Vec<String> {
    let rules: [Option<String>; 8] = [
        name(spec),
        description(spec),
        namespace_name(spec),
        namespace_description(spec),
        namespace_repeats_name(spec),
        contradicting_flags(spec),
        strict_text(spec),
        no_time(spec),
    ];
    let mut faults: Vec<String> = rules.into_iter().flatten().collect();
    faults.extend(problems.iter().map(|problem| format!("its parameters {problem}")));
    if spec.strict && spec.input == Input::Json && faults.is_empty() {
        // What one provider cannot enforce, another may.
        let elsewhere = || parameters.to_anthropic_strict().is_ok();
        let problems = parameters.to_strict().err().filter(|_| !elsewhere()).unwrap_or_default();
        faults.extend(problems.iter().map(|problem| format!("it cannot be `strict`: {problem}")));
    }
    faults
}

/// Whether every provider takes `name` as the name of a tool.
pub(crate) fn is_legal_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

fn name(spec: &ToolSpec) -> Option<String> {
    (!is_legal_name(&spec.name)).then(|| {
        format!(
            "the name `{}` is not taken by every provider: use 1 to 64 of `a-z A-Z 0-9 _ -`, a letter or `_` first",
            spec.name
        )
    })
}

fn description(spec: &ToolSpec) -> Option<String> {
    spec.description
        .trim()
        .is_empty()
        .then(|| "it has no description, by which the model decides whether to call it".to_owned())
}

fn namespace_name(spec: &ToolSpec) -> Option<String> {
    let namespace = spec.namespace.as_ref()?;
    (!is_legal_name(&namespace.name)).then(|| {
        format!(
            "the namespace `{}` is not taken by every provider: use 1 to 64 of `a-z A-Z 0-9 _ -`, a letter or `_` first",
            namespace.name
        )
    })
}

fn namespace_description(spec: &ToolSpec) -> Option<String> {
    let namespace = spec.namespace.as_ref()?;
    namespace
        .description
        .trim()
        .is_empty()
        .then(|| format!("its namespace `{}` has no description", namespace.name))
}

/// Providers call a deferred tool without a namespace by its name as the namespace, so the pair is taken.
fn namespace_repeats_name(spec: &ToolSpec) -> Option<String> {
    let namespace = spec.namespace.as_ref()?;
    (namespace.name == spec.name)
        .then(|| format!("its namespace has the same name `{}`; call one of them otherwise", spec.name))
}

fn contradicting_flags(spec: &ToolSpec) -> Option<String> {
    (spec.read_only && spec.destructive == Some(true))
        .then(|| "it cannot be both `read_only` and `destructive`".to_owned())
}

fn strict_text(spec: &ToolSpec) -> Option<String> {
    (spec.strict && spec.input != Input::Json)
        .then(|| "`strict` is about JSON parameters; a free-text tool has a grammar instead".to_owned())
}

fn no_time(spec: &ToolSpec) -> Option<String> {
    (spec.timeout == Some(Duration::ZERO)).then(|| "its `timeout` of zero lets no call finish".to_owned())
}
