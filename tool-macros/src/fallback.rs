//! What stands in for an item that has mistakes: the errors, and an item of the same outward shape, so that no use of it
//! adds an error of its own.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{FnArg, Ident};

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
    let plain = args.function.map(|given| given.value).filter(|name| *name != item.sig.ident);
    let plain = plain.and_then(|name| function(item, name)).map(|plain| {
        let vis = &item.vis;
        quote!(#vis #plain)
    });
    // The names in the signature and in the body stay in use, and mistakes in the body are told at once.
    let nested = function(item, item.sig.ident.clone()).filter(|_| plain.is_none());
    let (vis, ident) = (&item.vis, &item.sig.ident);
    let state = state_types(item);
    quote! {
        #errors
        #plain
        #vis fn #ident(#(_: #state),*) -> #root::WorkerAgentTool {
            #nested
            ::core::unreachable!()
        }
    }
}

/// The author's function. `None` if the compiler has something to say about its form too.
fn function(item: &ToolFn, name: Ident) -> Option<TokenStream> {
    let sig = plain_signature(&item.sig, name);
    let (attrs, body) = (item.attrs.iter().filter(|attr| !attr.path().is_ident("doc")), &item.body);
    let sound =
        sig.receiver().is_none() && sig.constness.is_none() && sig.abi.is_none() && sig.variadic.is_none();
    sound.then(|| quote!(#(#attrs)* #sig #body))
}

/// The types of the state. In a generic function they may name what only the function knows.
fn state_types(item: &ToolFn) -> impl Iterator<Item = TokenStream> {
    let generic = !item.sig.generics.params.is_empty();
    item.sig.inputs.iter().filter_map(move |input| match input {
        FnArg::Typed(argument) if argument.attrs.iter().any(|attr| attr.path().is_ident("state")) => {
            Some(if generic { quote!(impl ::core::marker::Sized) } else { argument.ty.to_token_stream() })
        }
        _ => None,
    })
}
