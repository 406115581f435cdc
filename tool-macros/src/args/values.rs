//! Readers for the values of single keys.

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, Meta, Path};

use crate::nearest::suggest;

/// Who may call the tool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callers {
    Direct,
    Programmatic,
    Any,
}

/// A bare word.
pub(super) fn word(meta: &Meta) -> syn::Result<()> {
    match meta {
        Meta::Path(_) => Ok(()),
        _ => Err(fault(meta, format!("`{}` stands alone, without a value", key(meta)))),
    }
}

/// A bare word, `= true` or `= false`.
pub(super) fn boolean(meta: &Meta) -> syn::Result<bool> {
    if let Meta::Path(_) = meta {
        return Ok(true);
    }
    match literal(meta) {
        Some(Lit::Bool(value)) => Ok(value.value),
        _ => Err(fault(meta, format!("write `{0}`, `{0} = true` or `{0} = false`", key(meta)))),
    }
}

/// A name that every provider takes.
pub(super) fn name(meta: &Meta) -> syn::Result<LitStr> {
    let Some(Lit::Str(name)) = literal(meta) else {
        return Err(fault(meta, "the name is a string literal: `name = \"…\"`"));
    };
    check_name(&name.value()).map_err(|message| syn::Error::new(name.span(), message))?;
    Ok(name.clone())
}

/// What is wrong with the name of a tool, if anything.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    if name.len() > 64 {
        return Err(format!("the name has {} characters, and providers take 64 at most", name.len()));
    }
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
        return Err(format!(
            "`{name}` is not taken by every provider: use `a-z A-Z 0-9 _ -`, a letter or `_` first"
        ));
    }
    Ok(())
}

/// A text: a literal that is not blank, or any constant expression.
pub(super) fn text(meta: &Meta) -> syn::Result<Expr> {
    let key = key(meta);
    let Some(value) = value(meta) else {
        return Err(fault(meta, format!("`{key}` needs a text: `{key} = \"…\"` or a constant")));
    };
    match lit(value) {
        Some(Lit::Str(text)) if text.value().trim().is_empty() => {
            Err(syn::Error::new(text.span(), format!("the `{key}` is blank")))
        }
        None | Some(Lit::Str(_)) => Ok(value.clone()),
        Some(other) => Err(fault(other, format!("the `{key}` is a text: write `{key} = \"…\"`"))),
    }
}

/// The path to a constant.
pub(super) fn namespace(meta: &Meta) -> syn::Result<Path> {
    match value(meta) {
        Some(Expr::Path(path)) if path.attrs.is_empty() && path.qself.is_none() => Ok(path.path.clone()),
        _ => Err(fault(
            value(meta).map_or(meta as &dyn ToTokens, |value| value),
            "`namespace` takes the path of a constant, so that two tools cannot disagree: \
             `const CRM: Namespace = Namespace::new(\"crm\", \"Customer records.\");` and `namespace = CRM`",
        )),
    }
}

/// `"500ms"`, `"30s"` or `"2m"`.
pub(super) fn milliseconds(meta: &Meta) -> syn::Result<u64> {
    const FORM: &str = "a time is a text of a whole number and its unit: \"500ms\", \"30s\" or \"2m\"";
    let Some(Lit::Str(text)) = literal(meta) else {
        return Err(fault(value(meta).map_or(meta as &dyn ToTokens, |value| value), FORM));
    };
    let written = text.value();
    let digits = written.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match written.get(digits.len()..) {
        Some("ms") => 1,
        Some("s") => 1_000,
        Some("m") => 60_000,
        _ => return Err(syn::Error::new(text.span(), FORM)),
    };
    let count: u64 = digits.parse().map_err(|_| syn::Error::new(text.span(), FORM))?;
    match count.checked_mul(unit) {
        Some(0) => Err(syn::Error::new(text.span(), "a `timeout` of zero lets no call finish")),
        Some(milliseconds) => Ok(milliseconds),
        None => Err(syn::Error::new(text.span(), "the `timeout` is too long")),
    }
}

/// A number of bytes: a literal above zero, or a constant.
pub(super) fn bytes(meta: &Meta) -> syn::Result<Expr> {
    const FORM: &str = "`max_output` is a number of bytes: `max_output = 50_000`";
    match value(meta) {
        Some(value @ Expr::Lit(ExprLit { lit: Lit::Int(count), .. })) => {
            match count.base10_parse::<usize>() {
                Ok(0) => Err(syn::Error::new(count.span(), "a `max_output` of zero leaves nothing to read")),
                Ok(_) => Ok(value.clone()),
                Err(_) => Err(syn::Error::new(count.span(), FORM)),
            }
        }
        Some(value @ Expr::Path(_)) => Ok(value.clone()),
        other => Err(fault(other.map_or(meta as &dyn ToTokens, |value| value), FORM)),
    }
}

/// `direct`, `programmatic`, or a list of both.
pub(super) fn callers(meta: &Meta) -> syn::Result<Callers> {
    const FORM: &str = "`allowed_callers` is `direct`, `programmatic` or `[direct, programmatic]`";
    let Some(value) = value(meta) else { return Err(fault(meta, FORM)) };
    let words = match value {
        Expr::Array(list) => list.elems.iter().collect(),
        single => vec![single],
    };
    let callers = words.into_iter().map(caller).collect::<syn::Result<Vec<_>>>()?;
    match callers.as_slice() {
        [one] => Ok(*one),
        [one, other] if one != other => Ok(Callers::Any),
        _ => Err(fault(value, FORM)),
    }
}

fn caller(value: &Expr) -> syn::Result<Callers> {
    let word = value.to_token_stream().to_string();
    match word.as_str() {
        "direct" => Ok(Callers::Direct),
        "programmatic" => Ok(Callers::Programmatic),
        _ => {
            Err(fault(value, format!("no caller `{word}`; {}", suggest(&word, &["direct", "programmatic"]))))
        }
    }
}

/// A plain name.
pub(super) fn ident(meta: &Meta) -> syn::Result<Ident> {
    let key = key(meta);
    match value(meta) {
        Some(Expr::Path(path)) if path.path.get_ident().is_some() => path.path.require_ident().cloned(),
        other => Err(fault(
            other.map_or(meta as &dyn ToTokens, |value| value),
            format!("`{key}` is the name that the plain function gets: `{key} = some_name`"),
        )),
    }
}

/// An absolute path to the runtime.
pub(crate) fn krate(meta: &Meta) -> syn::Result<Path> {
    let Some(Expr::Path(path)) = value(meta) else {
        return Err(fault(meta, "`crate` is the path of the runtime: `crate = ::tool_runtime`"));
    };
    let path = &path.path;
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    if path.leading_colon.is_some() || matches!(first.as_deref(), Some("crate" | "$crate")) {
        return Ok(path.clone());
    }
    let written = path.to_token_stream().to_string().replace(' ', "");
    Err(fault(
        path,
        format!("the path is read wherever the macro writes it, so it must be absolute: `::{written}`"),
    ))
}

/// The value after `=`.
pub(super) fn value(meta: &Meta) -> Option<&Expr> {
    match meta {
        Meta::NameValue(pair) => Some(ungroup(&pair.value)),
        _ => None,
    }
}

/// A literal after `=`.
pub(super) fn literal(meta: &Meta) -> Option<&Lit> {
    value(meta).and_then(lit)
}

pub(crate) fn lit(value: &Expr) -> Option<&Lit> {
    match value {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    }
}

/// Inside a `macro_rules!` a value may come in an invisible group.
fn ungroup(value: &Expr) -> &Expr {
    match value {
        Expr::Group(group) => ungroup(&group.expr),
        other => other,
    }
}

pub(super) fn key(meta: &Meta) -> String {
    meta.path().get_ident().map(ToString::to_string).unwrap_or_default()
}

pub(super) fn fault(node: impl ToTokens, message: impl Into<String>) -> syn::Error {
    syn::Error::new_spanned(node, message.into())
}

/// The span of a value that is one token.
pub(super) fn at(span: Span, message: impl Into<String>) -> syn::Error {
    syn::Error::new(span, message.into())
}
