//! `activity` and `completed_activity`: a text with `{fields}`, the path of a function, or `none`.

use proc_macro2::Span;
use syn::{Expr, Ident, Lit, LitStr, Member, Meta, Path};

use super::values::{at, fault, key, lit, value};

/// What a label is made from.
pub(crate) enum Label {
    /// `activity = none`: no row.
    Hidden,
    Text(Vec<Piece>),
    Function(Path),
}

/// A part of a label's text.
pub(crate) enum Piece {
    Text(String),
    /// `{path}`, `{path.sub}` or `{details.x}`, without the word `details`.
    Value {
        root: Root,
        members: Vec<Member>,
        span: Span,
    },
}

/// What a `{field}` is a field of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Params,
    Details,
}

const FORM: &str = "is a text with `{fields}` of the parameters, or the path of a function";

pub(super) fn read(meta: &Meta) -> syn::Result<Label> {
    match label(meta)? {
        Label::Text(pieces) => match pieces.iter().find_map(details_span) {
            None => Ok(Label::Text(pieces)),
            Some(span) => Err(at(
                span,
                "`details` exist only after the call: use `completed_activity`, or name a field of the parameters",
            )),
        },
        label => Ok(label),
    }
}

pub(super) fn read_completed(meta: &Meta) -> syn::Result<Label> {
    match label(meta)? {
        Label::Hidden => Err(fault(
            meta,
            "write `activity = none` for no row; without `completed_activity` the label stays as it is",
        )),
        label => Ok(label),
    }
}

fn details_span(piece: &Piece) -> Option<Span> {
    match piece {
        Piece::Value { root: Root::Details, span, .. } => Some(*span),
        _ => None,
    }
}

fn label(meta: &Meta) -> syn::Result<Label> {
    let key = key(meta);
    match value(meta) {
        Some(Expr::Path(path)) if path.path.is_ident("none") => Ok(Label::Hidden),
        Some(Expr::Path(path)) if path.qself.is_none() => Ok(Label::Function(path.path.clone())),
        Some(other) => match lit(other) {
            Some(Lit::Str(text)) => {
                pieces(text, &key).map(Label::Text).map_err(|message| at(text.span(), message))
            }
            _ => Err(fault(other, format!("`{key}` {FORM}"))),
        },
        None => Err(fault(meta, format!("`{key}` {FORM}"))),
    }
}

/// Splits the text at its braces. A doubled brace stands for itself.
fn pieces(literal: &LitStr, key: &str) -> Result<Vec<Piece>, String> {
    let text = literal.value();
    if text.trim().is_empty() {
        return Err(format!("the `{key}` is blank; write `activity = none` for no row"));
    }
    let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text.as_str());
    while let Some(position) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(position);
        plain.push_str(before);
        if let Some(after) = from.strip_prefix("{{") {
            plain.push('{');
            rest = after;
        } else if let Some(after) = from.strip_prefix("}}") {
            plain.push('}');
            rest = after;
        } else if let Some(after) = from.strip_prefix('{') {
            let (field, after) =
                after.split_once('}').ok_or("a `{` is never closed; write `{{` for a brace in the text")?;
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            pieces.push(field_piece(field, literal.span())?);
            rest = after;
        } else {
            return Err("a `}` closes nothing; write `}}` for a brace in the text".to_owned());
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    Ok(pieces)
}

fn field_piece(field: &str, span: Span) -> Result<Piece, String> {
    let members =
        field.split('.').map(|name| member(name, span)).collect::<Option<Vec<_>>>().ok_or_else(|| {
            format!("`{{{field}}}` names no field: write `{{field}}` or `{{field.sub}}`, without a format")
        })?;
    let details = matches!(members.first(), Some(Member::Named(first)) if first == "details");
    let (root, skip) = if details { (Root::Details, 1) } else { (Root::Params, 0) };
    Ok(Piece::Value { root, members: members.into_iter().skip(skip).collect(), span })
}

/// A field's name, raw where it is a keyword, or its position.
fn member(name: &str, span: Span) -> Option<Member> {
    if let Ok(position) = name.parse::<u32>() {
        return Some(Member::Unnamed(syn::Index { index: position, span }));
    }
    let mut ident = syn::parse_str::<Ident>(name).or_else(|_| syn::parse_str(&format!("r#{name}"))).ok()?;
    ident.set_span(span);
    Some(Member::Named(ident))
}

impl Piece {
    /// The first name inside the braces.
    pub(crate) fn head(&self) -> Option<&Ident> {
        match self {
            Self::Value { root: Root::Params, members, .. } => match members.first() {
                Some(Member::Named(ident)) => Some(ident),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    fn read(text: &str) -> Result<String, String> {
        let pieces = pieces(&LitStr::new(text, Span::call_site()), "activity")?;
        Ok(pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => format!("[{text}]"),
                Piece::Value { root, members, .. } => {
                    let names: Vec<_> =
                        members.iter().map(|member| member.to_token_stream().to_string()).collect();
                    format!("({root:?} {})", names.join("."))
                }
            })
            .collect())
    }

    #[test]
    fn fields_and_braces() {
        assert_eq!(read("Reading {path}").unwrap(), "[Reading ](Params path)");
        assert_eq!(read("{a.b.0}{type}").unwrap(), "(Params a.b.0)(Params r#type)");
        assert_eq!(read("{details.lines} of {{x}}").unwrap(), "(Details lines)[ of {x}]");
        assert_eq!(read("{details}").unwrap(), "(Details )");
    }

    #[test]
    fn mistakes() {
        for (text, said) in [
            ("Reading {path", "never closed"),
            ("Reading path}", "closes nothing"),
            ("{}", "names no field"),
            ("{a:?}", "names no field"),
            ("{a.}", "names no field"),
            (" ", "blank"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
