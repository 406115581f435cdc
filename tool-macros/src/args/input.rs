//! `input = text` and `input = text(grammar = "…", syntax = "lark")`.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, Lit, Meta, Token};

use super::values::{fault, lit, value};
use crate::nearest::suggest;

/// What the model writes instead of JSON.
pub(crate) struct Input {
    pub(crate) grammar: Option<Grammar>,
}

/// What the text has to look like.
pub(crate) struct Grammar {
    pub(crate) definition: Expr,
    /// The variant of `GrammarSyntax`.
    pub(crate) syntax: &'static str,
}

const FORM: &str =
    "`input` is `text`, or `text(grammar = \"…\", syntax = \"lark\")`; without it the model writes JSON";
const SYNTAXES: [&str; 2] = ["lark", "regex"];

pub(super) fn read(meta: &Meta) -> syn::Result<Input> {
    match value(meta) {
        Some(Expr::Path(path)) if path.path.is_ident("text") => Ok(Input { grammar: None }),
        Some(Expr::Call(call)) if call.func.to_token_stream().to_string() == "text" => {
            Ok(Input { grammar: Some(grammar(call, &call.args)?) })
        }
        other => Err(fault(other.map_or(meta as &dyn ToTokens, |value| value), FORM)),
    }
}

fn grammar(call: &impl ToTokens, pairs: &Punctuated<Expr, Token![,]>) -> syn::Result<Grammar> {
    let (mut definition, mut syntax) = (None, None);
    for pair in pairs {
        let Expr::Assign(assign) = pair else { return Err(fault(pair, FORM)) };
        let key = assign.left.to_token_stream().to_string();
        let twice = match key.as_str() {
            "grammar" => definition.replace((*assign.right).clone()).is_some(),
            "syntax" => syntax.replace(syntax_word(&assign.right)?).is_some(),
            _ => {
                let nearest = suggest(&key, &["grammar", "syntax"]);
                return Err(fault(&assign.left, format!("no key `{key}`; {nearest}")));
            }
        };
        if twice {
            return Err(fault(&assign.left, format!("the key `{key}` is given twice")));
        }
    }
    match (definition, syntax) {
        (Some(definition), Some(syntax)) => Ok(Grammar { definition, syntax }),
        (None, _) => Err(fault(call, "the grammar is missing: `text(grammar = \"…\", syntax = \"lark\")`")),
        (_, None) => {
            Err(fault(call, "the grammar's language is missing: `syntax = \"lark\"` or `syntax = \"regex\"`"))
        }
    }
}

fn syntax_word(value: &Expr) -> syn::Result<&'static str> {
    match lit(value) {
        Some(Lit::Str(word)) => match word.value().as_str() {
            "lark" => Ok("Lark"),
            "regex" => Ok("Regex"),
            other => Err(fault(value, format!("no syntax `{other}`; {}", suggest(other, &SYNTAXES)))),
        },
        _ => Err(fault(value, "the syntax is `\"lark\"` or `\"regex\"`")),
    }
}
