//! A valid tool as code. Nothing here can fail.

mod attributes;
mod labels;
mod spec;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{ReturnType, Type};

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
//         let __checked = __private::Checked;
//         let (root, __checked) = __private::state::<Root, _>().keep(__checked, root);
//         let __output = __private::output();
//         let __call = __private::call::<ReadFile, _, _, _, _>(__output, move |__params, __context, __finish| {
//             let __work = read_file(root, __params, __private::context::<ToolContext, _>(__context));
//             __private::run(__checked, __finish, __work, __output)
//         }, || labels);
//         __private::tool(&__DEFINITION, || __private::ToolSpec::new("read_file", "Reads a file.").read_only(true), __call)
//     }
//
// Each bound of the runtime stands in one call only, blamed on the author's own tokens: state at its type, parameters
// and context at theirs, the output at the return type, `Send` at the function's name. What fails there leaves the types
// behind it unknown, so nothing repeats the message.
pub(crate) fn expand(tool: &Tool<'_>) -> TokenStream {
    let names = Names::new(tool);
    let private = tool.runtime.private(Span::call_site());
    let attributes = attributes::outer(tool);
    let (vis, fn_token, ident) = (&tool.item.vis, &tool.item.sig.fn_token, &tool.item.sig.ident);
    let root = tool.runtime.root(ident.span());
    let returned = quote_spanned!(ident.span()=> -> #root::WorkerAgentTool);
    let kept = tool.function.as_ref().map(|name| plain_function(tool, name));
    let nested = kept.is_none().then(|| nested_function(tool));
    let params = params_struct(tool, &names);
    let state_types = tool.state.iter().map(|state| state.ty);
    let state_names = &names.state;
    let checked = &names.checked;
    let state = tool.state.iter().zip(&names.state).map(|(state, name)| {
        let (private, ty) = (tool.runtime.private(first_span(state.ty)), state.ty);
        let kept = quote_spanned!(last_span(ty)=> #private::state::<#ty, _>());
        quote!(let (#name, #checked) = #kept.keep(#checked, #name);)
    });
    let output = &names.output;
    let output_value = match &tool.item.sig.output {
        ReturnType::Default => blamed(tool, ident, "output"),
        ReturnType::Type(_, ty) => blamed(tool, &**ty, "output"),
    };
    let call = call(tool, &names);
    let spec = spec::spec(tool);
    let call_name = &names.call;
    quote! {
        #kept
        #attributes
        #vis #fn_token #ident(#(#state_names: #state_types),*) #returned {
            #nested
            #params
            static __DEFINITION: #private::DefinitionCell = #private::DefinitionCell::new();
            let #checked = #private::Checked;
            #(#state)*
            let #output = #output_value;
            let #call_name = #call;
            #private::tool(&__DEFINITION, || #spec, #call_name)
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
    checked: Ident,
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
            checked: Ident::new("__checked", hidden),
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
    let params = &names.params;
    match &tool.call {
        Call::None => {
            let private = tool.runtime.private(Span::call_site());
            let run = run(tool, names, &[], &quote!());
            quote!(#private::call_of_none(#run))
        }
        Call::One { argument, schema: None } => {
            let run = run(tool, names, &[quote!(#params)], &quote!(#params,));
            start(tool, "call_of_one", argument.ty, &run)
        }
        Call::One { argument, schema: Some(_) } => {
            let run = run(tool, names, &[quote!(#params)], &quote!(#params, _,));
            start(tool, "raw_call", argument.ty, &run)
        }
        Call::Params { params: argument, context, schema } => {
            let name = if schema.is_some() { "raw_call" } else { "call" };
            let (context, given) = give_context(tool, names, Some(context));
            let run = run(tool, names, &[quote!(#params), quote!(#given)], &quote!(#params, #context,));
            start(tool, name, argument.ty, &run)
        }
        Call::Inline { params: fields, context, schema } => {
            let name = if schema.is_some() { "raw_call" } else { "call" };
            let (private, name) = (tool.runtime.private(Span::call_site()), format_ident!("{name}"));
            let ty = &names.params_type;
            let (context, given_context) = give_context(tool, names, context.as_ref());
            let fields = fields.iter().map(|field| {
                let ident = &field.ident;
                quote!(#params.#ident)
            });
            let given: Vec<_> = fields.chain(given_context).collect();
            let run = run(tool, names, &given, &quote!(#params, #context,));
            quote!(#private::#name::<#ty, _, _, _, _>(#run))
        }
        Call::Text { text, context, .. } => {
            let (context, given_context) = give_context(tool, names, context.as_ref());
            let given: Vec<_> = std::iter::once(quote!(#params)).chain(given_context).collect();
            let run = run(tool, names, &given, &quote!(#params, #context,));
            start(tool, "text_call", text.ty, &run)
        }
    }
}

/// `__private::name::<Type, _, …>(run)`, blamed on the type.
fn start(tool: &Tool<'_>, name: &str, ty: &Type, run: &TokenStream) -> TokenStream {
    let private = tool.runtime.private(first_span(ty));
    // What is told apart by traits has a marker type more.
    let inferred = if name == "text_call" { quote!(_, _, _) } else { quote!(_, _, _, _) };
    let name = Ident::new(name, last_span(ty));
    quote_spanned!(last_span(ty)=> #private::#name::<#ty, #inferred>(#run))
}

/// What the closure takes for the context, and what it gives for it.
fn give_context(
    tool: &Tool<'_>,
    names: &Names,
    argument: Option<&Argument<'_>>,
) -> (Ident, Option<TokenStream>) {
    let Some(argument) = argument else { return (format_ident!("_"), None) };
    let (context, ty) = (&names.context, argument.ty);
    let private = tool.runtime.private(first_span(ty));
    (context.clone(), Some(quote_spanned!(last_span(ty)=> #private::context::<#ty, _>(#context))))
}

/// The closure that runs one call; `taken` are its arguments but the last, `given` those of the function but the state.
fn run(tool: &Tool<'_>, names: &Names, given: &[TokenStream], taken: &TokenStream) -> TokenStream {
    let span = tool.item.sig.ident.span();
    let private = tool.runtime.private(span);
    let Names { function, state, checked, output, finish, .. } = names;
    let mut function = function.clone();
    function.set_span(span.resolved_at(function.span()));
    let call = quote_spanned!(span=> #function(#(#state,)* #(#given),*));
    let run = quote_spanned!(span=> #private::run(#checked, #finish, #call, #output));
    let labels = labels::labels(tool);
    // The labels come last, and in a closure: what they show of the details is known by the function.
    quote!(#output, move |#taken #finish| #run, || #labels)
}

/// `__private::name(arguments)`, blamed on all tokens of `node`.
fn blamed(tool: &Tool<'_>, node: &impl ToTokens, name: &str) -> TokenStream {
    let private = tool.runtime.private(first_span(node));
    let name = Ident::new(name, last_span(node));
    quote_spanned!(last_span(node)=> #private::#name())
}

pub(crate) fn first_span(node: &impl ToTokens) -> Span {
    node.to_token_stream().into_iter().next().map_or_else(Span::call_site, |token| token.span())
}

pub(crate) fn last_span(node: &impl ToTokens) -> Span {
    node.to_token_stream().into_iter().last().map_or_else(Span::call_site, |token| token.span())
}
