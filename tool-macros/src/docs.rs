//! Doc comments as descriptions: the lines as the author wrote them.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, Lit, Meta};

use crate::args::lit;

/// A description made of doc comments.
pub(crate) enum Docs {
    /// There are none, or only blank ones.
    Blank,
    Text(String),
    /// Some lines come from a macro such as `include_str!`.
    Tokens(TokenStream),
}

pub(crate) fn read(attrs: &[Attribute]) -> Docs {
    let lines: Vec<&Expr> = attrs.iter().filter_map(doc_value).collect();
    let literals: Option<Vec<String>> = lines.iter().copied().map(text).collect();
    match literals {
        Some(lines) => match trim_blank_lines(&lines.join("\n")) {
            "" => Docs::Blank,
            text => Docs::Text(text.to_owned()),
        },
        None => {
            let parts =
                lines.iter().map(|line| text(line).map_or(line.to_token_stream(), |line| quote!(#line)));
            Docs::Tokens(quote!(::core::concat!(#(#parts, "\n"),*)))
        }
    }
}

/// Whether the attribute is a line of documentation (and not `#[doc(hidden)]` and the like).
pub(crate) fn is_doc(attr: &Attribute) -> bool {
    doc_value(attr).is_some()
}

fn doc_value(attr: &Attribute) -> Option<&Expr> {
    match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        _ => None,
    }
}

/// The text of a line or block, without the one space (or the stars) that sets it off from the comment marks.
fn text(value: &Expr) -> Option<String> {
    let Some(Lit::Str(literal)) = lit(value) else { return None };
    let written = literal.value();
    let lines = written.lines().enumerate().map(|(position, line)| match position {
        0 => line,
        _ => unstar(line),
    });
    Some(lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n"))
}

/// `/** … */` blocks have a star before each line but the first.
fn unstar(line: &str) -> &str {
    line.trim_start().strip_prefix('*').unwrap_or(line)
}

fn trim_blank_lines(text: &str) -> &str {
    let start = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |newline| newline + 1);
    text.get(line_start..).unwrap_or_default().trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn read_text(item: &syn::ItemStruct) -> String {
        match read(&item.attrs) {
            Docs::Blank => String::new(),
            Docs::Text(text) => text,
            Docs::Tokens(tokens) => tokens.to_string(),
        }
    }

    #[test]
    fn lines_as_written() {
        let item = parse_quote! {
            /// Reads a file.
            ///
            ///   - indented
            ///no space
            #[doc(alias = "x")]
            struct S;
        };
        assert_eq!(read_text(&item), "Reads a file.\n\n  - indented\nno space");
    }

    #[test]
    fn blocks() {
        let item = syn::parse_str("/** Reads.\n *\n *  - two\n */\nstruct S;").unwrap();
        assert_eq!(read_text(&item), "Reads.\n\n - two");
        let item = syn::parse_str("/**\n   One.\n   Two.\n*/\nstruct S;").unwrap();
        assert_eq!(read_text(&item), "  One.\n  Two.");
    }

    #[test]
    fn blank_ones_are_none() {
        assert_eq!(
            read_text(&parse_quote!(
                #[doc = " "]
                struct S;
            )),
            ""
        );
        assert_eq!(
            read_text(&parse_quote!(
                struct S;
            )),
            ""
        );
    }

    #[test]
    fn a_file_among_the_lines() {
        let item = parse_quote!(
            #[doc = " A"]
            #[doc = include_str!("b.md")]
            struct S;
        );
        assert_eq!(read_text(&item), r#":: core :: concat ! ("A" , "\n" , include_str ! ("b.md") , "\n")"#);
    }
}
