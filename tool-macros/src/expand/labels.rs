//! The closures that make the labels of a call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Path;
use syn::ext::IdentExt;

use super::{first_span, last_span};
use crate::args::{Label, Piece, Root};
use crate::model::{Call, Tool};

/// `Labels { activity, completed }`.
pub(super) fn labels(tool: &Tool<'_>) -> TokenStream {
    let private = tool.runtime.private(Span::call_site());
    let activity = match &tool.labels.activity {
        None => quote!(#private::Label::Generic),
        Some(Label::Hidden) => quote!(#private::Label::Hidden),
        Some(Label::Text(pieces)) => {
            let closure = activity_text(tool, pieces);
            quote!(#private::Label::Text(#closure))
        }
        Some(Label::Function(path)) => {
            let params = at_path("params", path);
            let path_private = tool.runtime.private(first_span(path));
            let label = quote_spanned!(last_span(path)=> #path_private::into_label(#path(#params)));
            quote!(#private::Label::Function(|#params| #label))
        }
    };
    let completed = match &tool.labels.completed {
        None | Some(Label::Hidden) => quote!(::core::option::Option::None),
        Some(Label::Text(pieces)) => {
            let closure = completed_text(tool, pieces);
            quote!(::core::option::Option::Some(#closure))
        }
        Some(Label::Function(path)) => {
            let closure = completed_function(tool, path);
            quote!(::core::option::Option::Some(#closure))
        }
    };
    quote!(#private::Labels { activity: #activity, completed: #completed })
}

fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// One name with the literal's span: a wrong field is reported there, and there alone.
fn at_literal(name: &str, pieces: &[Piece]) -> Ident {
    let span = pieces.iter().find_map(|piece| match piece {
        Piece::Value { span, .. } => Some(*span),
        Piece::Text(_) => None,
    });
    Ident::new(name, span.unwrap_or_else(Span::mixed_site))
}

fn uses(pieces: &[Piece], wanted: Root) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Value { root, .. } if *root == wanted))
}

/// A closure's argument, or `_` if nothing is read from it.
fn argument(name: &Ident, used: bool) -> TokenStream {
    if used { quote!(#name) } else { quote!(_) }
}

/// `&params.path`, all of it blamed on the literal.
fn place(tool: &Tool<'_>, root: &Ident, piece: &Piece) -> TokenStream {
    let Piece::Value { members, span, root: kind } = piece else { return TokenStream::new() };
    // The text of a custom tool is the argument itself.
    let skip = usize::from(matches!(tool.call, Call::Text { .. }) && *kind == Root::Params);
    let members = members.iter().skip(skip);
    quote_spanned!(*span=> &#root #(.#members)*)
}

fn activity_text(tool: &Tool<'_>, pieces: &[Piece]) -> TokenStream {
    let (params, label) = (at_literal("tool_params", pieces), hidden("__label"));
    let parts = pieces.iter().map(|piece| part(tool, &label, &params, piece));
    let taken = argument(&params, uses(pieces, Root::Params));
    written(tool, &taken, &label, parts)
}

/// `|taken| { … }`, which writes a label part by part.
fn written(
    tool: &Tool<'_>,
    taken: &TokenStream,
    label: &Ident,
    parts: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    let private = tool.runtime.private(Span::call_site());
    quote! {
        |#taken| {
            let mut #label = #private::LabelText::new();
            #(#parts)*
            #label.finish()
        }
    }
}

fn part(tool: &Tool<'_>, label: &Ident, root: &Ident, piece: &Piece) -> TokenStream {
    match piece {
        Piece::Text(text) => quote!(#label.text(#text);),
        Piece::Value { span, .. } => {
            let (private, place) = (tool.runtime.private(*span), place(tool, root, piece));
            quote_spanned!(*span=> #private::label_value(&mut #label, #place);)
        }
    }
}

/// Fields of the parameters are written before the call, which consumes them; fields of the details after it.
fn completed_text(tool: &Tool<'_>, pieces: &[Piece]) -> TokenStream {
    let (params, details) = (at_literal("tool_params", pieces), at_literal("tool_details", pieces));
    let (label, of_details) = (hidden("__label"), hidden("__of_details"));
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (position, piece) in pieces.iter().enumerate() {
        let Piece::Value { root: Root::Params, span, .. } = piece else {
            after.push(part(tool, &label, &details, piece));
            continue;
        };
        let kept = Ident::new(&format!("__part_{position}"), Span::mixed_site());
        let (at_span, place) = (tool.runtime.private(*span), place(tool, &params, piece));
        before.push(quote_spanned!(*span=> let #kept = #at_span::label_part(#place);));
        after.push(quote!(#label.text(&#kept);));
    }
    let taken = argument(&params, uses(pieces, Root::Params));
    let written = written(tool, &argument(&details, uses(pieces, Root::Details)), &label, after.into_iter());
    quote!(|#taken, #of_details| { #(#before)* #of_details.label(move #written) })
}

fn completed_function(tool: &Tool<'_>, path: &Path) -> TokenStream {
    let private = tool.runtime.private(first_span(path));
    let (params, kept, details) = (at_path("params", path), at_path("kept", path), at_path("details", path));
    let of_details = hidden("__of_details");
    let label = quote_spanned!(last_span(path)=> #private::into_label(#path(&#kept, #details)));
    let clone = quote_spanned!(last_span(path)=> #private::clone_for_label(#params));
    quote!(|#params, #of_details| { let #kept = #clone; #of_details.label(move |#details| #label) })
}

/// A name with the path's span that the path itself cannot have.
fn at_path(name: &str, path: &Path) -> Ident {
    let last = path.segments.last().map(|segment| segment.ident.unraw().to_string()).unwrap_or_default();
    Ident::new(&format!("{last}_{name}"), last_span(path))
}
