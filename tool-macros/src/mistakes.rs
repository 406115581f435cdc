//! Collects the author's mistakes, so that one compile shows all of them.

use proc_macro2::Span;
use quote::ToTokens;

/// The mistakes found so far. Readers take it along and go on with what they could read.
#[derive(Default)]
pub(crate) struct Mistakes(Option<syn::Error>);

impl Mistakes {
    /// A mistake at all tokens of `node`.
    pub(crate) fn at(&mut self, node: &impl ToTokens, message: impl Into<String>) {
        self.push(syn::Error::new_spanned(node, message.into()));
    }

    /// A mistake at one token.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Into<String>) {
        self.push(syn::Error::new(span, message.into()));
    }

    pub(crate) fn push(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            none => *none = Some(error),
        }
    }

    /// The value, or nothing once its mistake is kept.
    pub(crate) fn handle<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// The value if there were no mistakes.
    pub(crate) fn finish<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            None => Ok(value),
            Some(error) => Err(error),
        }
    }
}
