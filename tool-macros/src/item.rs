//! The annotated function, read as far as its signature. The body stays tokens, so half-typed code still leaves a tool.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Visibility};

/// A function whose body is kept as tokens.
#[derive(Clone)]
pub(crate) struct ToolFn {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Group,
}

impl Parse for ToolFn {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse::<Body>()?.0,
        })
    }
}

struct Body(Group);

impl Parse for Body {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        match input.parse()? {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Ok(Self(group)),
            other => Err(syn::Error::new(other.span(), "a tool needs a body: `{ … }`")),
        }
    }
}

impl ToTokens for ToolFn {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self { attrs, vis, sig, body } = self;
        tokens.extend(attrs.iter().map(ToTokens::to_token_stream));
        vis.to_tokens(tokens);
        sig.to_tokens(tokens);
        body.to_tokens(tokens);
    }
}
