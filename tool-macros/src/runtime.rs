//! Paths into the runtime, as the author's crate reaches it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::Path;

/// The runtime's path: `::tool_runtime`, or what the key `crate` says.
pub(crate) struct Runtime(Option<Path>);

impl Runtime {
    pub(crate) fn new(path: Option<Path>) -> Self {
        Self(path)
    }

    /// The path itself, blamed on `span`.
    pub(crate) fn root(&self, span: Span) -> TokenStream {
        match &self.0 {
            None => quote_spanned!(span=> ::tool_runtime),
            Some(path) => respan(path.to_token_stream(), span),
        }
    }

    /// The module that holds everything that generated code uses, blamed on `span`.
    pub(crate) fn private(&self, span: Span) -> TokenStream {
        let root = self.root(span);
        quote_spanned!(span=> #root::__private)
    }
}

/// Moves a path's tokens to `span` but leaves them their meaning: `$crate` means the crate it was written in.
fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(span.resolved_at(token.span()));
            token
        })
        .collect()
}
