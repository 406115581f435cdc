//! Where the author's own attributes go: onto the constructor, onto the function, or onto both.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

use crate::docs::is_doc;
use crate::model::{Description, Tool};

/// Of the constructor. It is documented whenever the tool is described, since the author wrote nothing undocumented.
pub(super) fn outer(tool: &Tool<'_>) -> TokenStream {
    let attrs = tool.item.attrs.iter().filter(|attr| is_outer(attr));
    let docs = missing_docs(tool);
    quote!(#docs #(#attrs)*)
}

/// Of the function inside the constructor.
pub(super) fn inner(tool: &Tool<'_>) -> TokenStream {
    let attrs = tool.item.attrs.iter().filter(|attr| is_inner(attr));
    quote!(#(#attrs)*)
}

/// Of the function that is kept.
pub(super) fn plain(tool: &Tool<'_>) -> TokenStream {
    let attrs = &tool.item.attrs;
    let docs = missing_docs(tool);
    quote!(#docs #(#attrs)*)
}

fn missing_docs(tool: &Tool<'_>) -> Option<TokenStream> {
    if tool.item.attrs.iter().any(is_doc) {
        return None;
    }
    Some(match &tool.description {
        Description::Text(text) => quote!(#[doc = #text]),
        Description::Constant(_) => {
            let text = format!("The tool `{}`.", tool.name.value());
            quote!(#[doc = #text])
        }
    })
}

fn is_outer(attr: &Attribute) -> bool {
    let outer = ["doc", "cfg", "deprecated", "must_use", "allow", "warn", "deny", "forbid"];
    outer.iter().any(|name| attr.path().is_ident(name))
}

fn is_inner(attr: &Attribute) -> bool {
    let outer_only = ["doc", "cfg", "deprecated", "must_use"];
    !outer_only.iter().any(|name| attr.path().is_ident(name))
}
