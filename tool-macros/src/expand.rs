//! A valid tool as code. Nothing here can fail.

mod attributes;
mod labels;
mod spec;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ReturnType;
use syn::spanned::Spanned;

use crate::model::{Call, Tool};
use crate::signature::{Argument, describes_param, plain_signature};

// Input:
//     /// Reads a file.
//     #[worker_tool(read_only)]
//     async fn read_file(#[state] root: Root, params: ReadFile, cx: ToolContext) -> Result<String, ToolError> { ... }
//
// Output:
//     /// Reads a file.
//     fn read_file(root: Root) -> ::tool_runtime::WorkerAgentTool {
//         async fn read_file(root: Root, params: ReadFile, cx: ToolContext) -> Result<String, ToolError> { ... }
//         static __DEFINITION: __private::DefinitionCell = __private::DefinitionCell::new();
//         let root = __private::state(root);
//         let __output = __private::output();
//         let __call = __private::call::<ReadFile, _, _, _>(__output, move |__params, __context, __finish| {
//             __private::run(read_file(root, __params, __private::context(__context)), __output, __finish)
//         });
//         __private::tool(&__DEFINITION, || __private::ToolSpec::new("read_file", "Reads a file.").read_only(true), __call, labels)
//     }
//
// Each bound of the runtime stands in one call only, blamed on the author's own tokens: state at its type, parameters
// and context at theirs, the output at the return type, `Send` at the function's name. What fails there leaves the types
// behind it unknown, so nothing repeats the message.
pub(crate) fn expand(tool: &Tool<'_>) -> TokenStream {
    let names = Names::new(tool);
    let private = tool.runtime.private(Span::call_site());
    let root = tool.runtime.root(Span::call_site());
    let attributes = attributes::outer(tool);
    let (vis, ident) = (&tool.item.vis, &tool.item.sig.ident);
    let kept = tool.function.as_ref().map(|name| plain_function(tool, name));
    let nested = kept.is_none().then(|| nested_function(tool));
    let params = params_struct(tool, &names);
    let state_types = tool.state.iter().map(|state| state.ty);
    let state_names = &names.state;
    let state = tool.state.iter().zip(&names.state).map(|(state, name)| {
        let span = state.ty.span();
        let private = tool.runtime.private(span);
        let mut argument = name.clone();
        argument.set_span(span.resolved_at(name.span()));
        quote_spanned!(span=> let #name = #private::state(#argument);)
    });
    let output_span = match &tool.item.sig.output {
        ReturnType::Default => ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    };
    let output = &names.output;
    let output_private = tool.runtime.private(output_span);
    let output_value = quote_spanned!(output_span=> #output_private::output());
    let call = call(tool, &names);
    let spec = spec::spec(tool);
    let labels = labels::labels(tool);
    let call_name = &names.call;
    quote! {
        #kept
        #attributes
        #vis fn #ident(#(#state_names: #state_types),*) -> #root::WorkerAgentTool {
            #nested
            #params
            static __DEFINITION: #private::DefinitionCell = #private::DefinitionCell::new();
            #(#state)*
            let #output = #output_value;
            let #call_name = #call;
            #private::tool(&__DEFINITION, || #spec, #call_name, #labels)
        }
    }
}

/// Names of locals. Each is made once: two idents of one text need not be one name inside a `macro_rules!`.
struct Names {
    /// What the function is called inside the constructor.
    function: Ident,
    state: Vec<Ident>,
    params: Ident,
    params_type: Ident,
    context: Ident,
    finish: Ident,
    output: Ident,
    call: Ident,
}

impl Names {
    fn new(tool: &Tool<'_>) -> Self {
        let hidden = Span::mixed_site();
        let function = tool.function.as_ref().unwrap_or(&tool.item.sig.ident).clone();
        let state = tool.state.iter().enumerate().map(|(position, state)| {
            // A local of the function's name would hide the function.
            if state.ident == "_" || state.ident == function {
                Ident::new(&format!("__state_{position}"), hidden)
            } else {
                state.ident.clone()
            }
        });
        Self {
            state: state.collect(),
            function,
            params: Ident::new("__params", hidden),
            params_type: Ident::new("__Params", Span::call_site()),
            context: Ident::new("__context", hidden),
            finish: Ident::new("__finish", hidden),
            output: Ident::new("__output", hidden),
            call: Ident::new("__call", hidden),
        }
    }
}

fn nested_function(tool: &Tool<'_>) -> TokenStream {
    let (sig, body, attrs) = (
        plain_signature(&tool.item.sig, tool.item.sig.ident.clone()),
        &tool.item.body,
        attributes::inner(tool),
    );
    quote! {
        #attrs
        #[allow(clippy::unused_async, reason = "a tool is async by contract")]
        #sig #body
    }
}

fn plain_function(tool: &Tool<'_>, name: &Ident) -> TokenStream {
    let (sig, body, attrs) =
        (plain_signature(&tool.item.sig, name.clone()), &tool.item.body, attributes::plain(tool));
    let vis = &tool.item.vis;
    quote! {
        #attrs
        #[allow(clippy::unused_async, reason = "a tool is async by contract")]
        #vis #sig #body
    }
}

/// The struct of the `#[param]` arguments. Its derives come through the runtime, so the author's crate needs neither.
fn params_struct(tool: &Tool<'_>, names: &Names) -> Option<TokenStream> {
    let Call::Inline { params, schema, .. } = &tool.call else { return None };
    let private = tool.runtime.private(Span::call_site());
    let name = &names.params_type;
    let fields = params.iter().map(|param| {
        let attrs = param
            .attrs
            .iter()
            .filter(|attr| describes_param(attr) && (schema.is_none() || !attr.path().is_ident("schemars")));
        let (ident, ty) = (&param.ident, param.ty);
        quote!(#(#attrs)* #ident: #ty)
    });
    Some(match schema {
        Some(_) => quote! {
            use #private::serde as __serde;
            #[derive(__serde::Deserialize)]
            #[serde(crate = "__serde")]
            struct #name { #(#fields),* }
        },
        None => quote! {
            use #private::{schemars as __schemars, serde as __serde};
            #[derive(__schemars::JsonSchema, __serde::Deserialize)]
            #[schemars(crate = "__schemars")]
            #[serde(crate = "__serde")]
            struct #name { #(#fields),* }
            impl #private::ToolParams for #name {}
        },
    })
}

/// How the arguments of a call become the arguments of the function.
fn call(tool: &Tool<'_>, names: &Names) -> TokenStream {
    let Names { params, context, .. } = names;
    let blank = format_ident!("_");
    match &tool.call {
        Call::None => {
            let private = tool.runtime.private(Span::call_site());
            let run = run(tool, names, &[], quote!(_, _));
            quote!(#private::call_of_none(#run))
        }
        Call::One { argument, schema } => {
            let name = if schema.is_some() { "raw_call_of_one" } else { "call_of_one" };
            let run = run(tool, names, &[quote!(#params)], quote!(#params));
            start(tool, name, argument, &quote!(_, _, _, _), &run)
        }
        Call::Params { params: ty, context: context_argument, schema } => {
            let name = if schema.is_some() { "raw_call" } else { "call" };
            let given = [quote!(#params), give_context(tool, context_argument, context)];
            let run = run(tool, names, &given, quote!(#params, #context));
            start(tool, name, ty, &quote!(_, _, _), &run)
        }
        Call::Inline { params: fields, context: context_argument, schema } => {
            let private = tool.runtime.private(Span::call_site());
            let name = Ident::new(if schema.is_some() { "raw_call" } else { "call" }, Span::call_site());
            let ty = &names.params_type;
            let mut given: Vec<_> = fields
                .iter()
                .map(|field| {
                    let ident = &field.ident;
                    quote!(#params.#ident)
                })
                .collect();
            given.extend(context_argument.iter().map(|argument| give_context(tool, argument, context)));
            let context = if context_argument.is_some() { context } else { &blank };
            let run = run(tool, names, &given, quote!(#params, #context));
            quote!(#private::#name::<#ty, _, _, _>(#run))
        }
        Call::Text { text, context: context_argument, .. } => {
            let mut given = vec![quote!(#params)];
            given.extend(context_argument.iter().map(|argument| give_context(tool, argument, context)));
            let context = if context_argument.is_some() { context } else { &blank };
            let run = run(tool, names, &given, quote!(#params, #context));
            start(tool, "text_call", text, &quote!(_, _, _), &run)
        }
    }
}

/// `__private::name::<Type, …>(run)`, blamed on the type.
fn start(
    tool: &Tool<'_>,
    name: &str,
    argument: &Argument<'_>,
    rest: &TokenStream,
    run: &TokenStream,
) -> TokenStream {
    let (ty, span) = (argument.ty, argument.ty.span());
    let (private, name) = (tool.runtime.private(span), Ident::new(name, span));
    quote_spanned!(span=> #private::#name::<#ty, #rest>(#run))
}

fn give_context(tool: &Tool<'_>, argument: &Argument<'_>, context: &Ident) -> TokenStream {
    let span = argument.ty.span();
    let private = tool.runtime.private(span);
    let mut context = context.clone();
    context.set_span(span.resolved_at(context.span()));
    quote_spanned!(span=> #private::context(#context))
}

/// The closure that runs one call; `taken` are its arguments but the last, `given` those of the function but the state.
fn run(tool: &Tool<'_>, names: &Names, given: &[TokenStream], taken: TokenStream) -> TokenStream {
    let span = tool.item.sig.ident.span();
    let private = tool.runtime.private(span);
    let Names { function, state, output, finish, .. } = names;
    let mut function = function.clone();
    function.set_span(span.resolved_at(function.span()));
    let call = quote_spanned!(span=> #function(#(#state,)* #(#given),*));
    let run = quote_spanned!(span=> #private::run(#call, #output, #finish));
    quote!(#output, move |#taken, #finish| #run)
}
