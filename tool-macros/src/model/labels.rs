//! Labels, checked against the parameters that the macro can see.

use proc_macro2::Span;
use syn::ext::IdentExt;

use super::Call;
use crate::args::{Given, Label, Piece, ToolArgs};
use crate::mistakes::Mistakes;
use crate::nearest::suggest;
use crate::signature::Argument;

/// The two labels of a tool.
pub(crate) struct Labels {
    pub(crate) activity: Option<Label>,
    pub(crate) completed: Option<Label>,
}

impl Labels {
    pub(super) fn read(
        args: &mut ToolArgs,
        call: &Call<'_>,
        state: &[Argument<'_>],
        mistakes: &mut Mistakes,
    ) -> Self {
        let activity = args.activity.take();
        let completed = args.completed_activity.take();
        let state: Vec<String> = state.iter().map(|state| state.ident.unraw().to_string()).collect();
        for given in activity.iter().chain(&completed) {
            check(given, call, &state, mistakes);
        }
        Self { activity: activity.map(|given| given.value), completed: completed.map(|given| given.value) }
    }
}

fn check(label: &Given<Label>, call: &Call<'_>, state: &[String], mistakes: &mut Mistakes) {
    match (&label.value, call) {
        (Label::Text(pieces), Call::None) => check_fields(pieces, &[], state, mistakes),
        (Label::Text(pieces), Call::Inline { params, .. }) => {
            check_fields(pieces, &names(params), state, mistakes);
        }
        (Label::Text(pieces), Call::Text { text, .. }) => check_fields(pieces, &names(std::slice::from_ref(text)), state, mistakes),
        (Label::Function(path), Call::Inline { .. }) => mistakes.at(
            path,
            "a label function takes the parameters struct, and `#[param]` arguments have none that can be named: write a \
             text with `{fields}`, or a struct",
        ),
        _ => {}
    }
}

fn names(arguments: &[Argument<'_>]) -> Vec<String> {
    arguments.iter().map(|argument| argument.ident.unraw().to_string()).collect()
}

/// Names that no parameter has. Fields of a struct elsewhere are left to the compiler, which points at the same literal.
fn check_fields(pieces: &[Piece], known: &[String], state: &[String], mistakes: &mut Mistakes) {
    let mut wrong: Vec<(String, Span)> = Vec::new();
    for head in pieces.iter().filter_map(Piece::head) {
        let name = head.unraw().to_string();
        if !known.contains(&name) && !wrong.iter().any(|(other, _)| *other == name) {
            wrong.push((name, head.span()));
        }
    }
    for (name, span) in wrong {
        let message = match (state.contains(&name), known.is_empty()) {
            (true, _) => format!("`{{{name}}}` is state; a label shows parameters only"),
            (false, true) => format!("`{{{name}}}` names no parameter: the tool has none"),
            (false, false) => format!("`{{{name}}}` names no parameter; {}", suggest(&name, known)),
        };
        mistakes.at_span(span, message);
    }
}
