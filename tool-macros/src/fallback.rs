//! What stands in for an item that has mistakes: the errors, and an item of the same outward shape, so that no use of it
//! adds an error of its own.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{FnArg, Ident, Type};

use crate::args::ToolArgs;
use crate::item::ToolFn;
use crate::mistakes::Mistakes;
use crate::runtime::Runtime;
use crate::signature::plain_signature;

/// A constructor that takes the same state, and the plain function where it is kept.
pub(crate) fn tool(args: TokenStream, item: &ToolFn, errors: &syn::Error) -> TokenStream {
    let args = ToolArgs::parse(args, &mut Mistakes::default());
    let root = Runtime::new(args.krate.map(|given| given.value)).root(Span::call_site());
    let errors = errors.to_compile_error();
    let plain = args.function.and_then(|given| plain_function(item, given.value));
    let (vis, ident, generics) = (&item.vis, &item.sig.ident, &item.sig.generics);
    let (params, clause) = (&generics.params, &generics.where_clause);
    let state = state_types(item);
    quote! {
        #errors
        #plain
        #vis fn #ident<#params>(#(_: #state),*) -> #root::WorkerAgentTool #clause {
            ::core::unreachable!()
        }
    }
}

/// `None` for a method, which cannot stand alone.
fn plain_function(item: &ToolFn, name: Ident) -> Option<TokenStream> {
    if item.sig.receiver().is_some() {
        return None;
    }
    let mut item = item.clone();
    item.sig = plain_signature(&item.sig, name);
    Some(item.into_token_stream())
}

fn state_types(item: &ToolFn) -> impl Iterator<Item = &Type> {
    item.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(argument) if argument.attrs.iter().any(|attr| attr.path().is_ident("state")) => {
            Some(&*argument.ty)
        }
        _ => None,
    })
}
