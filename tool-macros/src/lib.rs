//! The macros of `tool-runtime`, which re-exports them: use them from there.

mod args;
mod docs;
mod expand;
mod fallback;
mod item;
mod mistakes;
mod model;
mod nearest;
mod params;
mod runtime;
mod signature;
#[cfg(test)]
mod tests;
mod tools;

use proc_macro::TokenStream;
use quote::quote;

use args::ToolArgs;
use item::ToolFn;
use mistakes::Mistakes;
use model::Tool;
use signature::Signature;

/// Makes a tool.
#[proc_macro_attribute]
pub fn worker_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    worker_tool_tokens(args.into(), item.into()).into()
}

/// Promises that a type is read from one JSON object.
#[proc_macro_derive(ToolParams, attributes(tool_params))]
pub fn tool_params(input: TokenStream) -> TokenStream {
    match syn::parse(input) {
        Ok(input) => params::derive(&input).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

/// The list macro behind `tools![…]`, which hands it the path of the runtime.
#[doc(hidden)]
#[proc_macro]
pub fn tools(input: TokenStream) -> TokenStream {
    match syn::parse(input) {
        Ok(list) => tools::expand(list).into(),
        Err(error) => error.to_compile_error().into(),
    }
}

fn worker_tool_tokens(
    args: proc_macro2::TokenStream,
    item: proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    let function: ToolFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    expand_tool(args.clone(), &function).unwrap_or_else(|errors| fallback::tool(args, &function, &errors))
}

fn expand_tool(args: proc_macro2::TokenStream, item: &ToolFn) -> syn::Result<proc_macro2::TokenStream> {
    let mut mistakes = Mistakes::default();
    let args = ToolArgs::parse(args, &mut mistakes);
    let signature = Signature::read(item, &mut mistakes);
    let tool = Tool::new(item, args, signature, mistakes)?;
    Ok(expand::expand(&tool))
}
