//! The spec: one builder call for each key that was given.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Lit};

use super::{first_span, last_span};
use crate::args::{Callers, RawSchema, lit};
use crate::model::{Call, Description, Tool};

/// `ToolSpec::new(name, description).key(value)…`, and the raw schema where there is one.
pub(super) fn spec(tool: &Tool<'_>) -> TokenStream {
    let private = tool.runtime.private(Span::call_site());
    let name = &tool.name;
    let description = match &tool.description {
        Description::Text(text) => quote!(#text),
        Description::Constant(constant) => constant_text(tool, constant),
    };
    let keys = keys(tool);
    let spec = quote!(#private::ToolSpec::new(#name, #description) #keys);
    match raw_schema(tool) {
        None => quote!(#private::Spec::new(#spec)),
        Some(RawSchema::Literal(text)) => {
            quote!(#private::Spec::with_schema(#spec, #private::raw_schema(#text)))
        }
        Some(RawSchema::Expr(value)) => {
            let at_value = tool.runtime.private(first_span(value));
            let schema = quote_spanned!(last_span(value)=> #at_value::raw_schema(#value));
            quote!(#private::Spec::with_schema(#spec, #schema))
        }
    }
}

fn raw_schema<'a>(tool: &'a Tool<'_>) -> Option<&'a RawSchema> {
    match &tool.call {
        Call::One { schema, .. } | Call::Params { schema, .. } | Call::Inline { schema, .. } => {
            schema.as_ref()
        }
        Call::None | Call::Text { .. } => None,
    }
}

fn keys(tool: &Tool<'_>) -> TokenStream {
    let args = &tool.args;
    let private = tool.runtime.private(Span::call_site());
    let title = args.title.as_ref().map(|given| text(tool, &given.value)).map(|text| quote!(.title(#text)));
    let search_text = args
        .search_text
        .as_ref()
        .map(|given| text(tool, &given.value))
        .map(|text| quote!(.search_text(#text)));
    let flags = [
        ("strict", &args.strict),
        ("defer_loading", &args.defer_loading),
        ("read_only", &args.read_only),
        ("destructive", &args.destructive),
        ("idempotent", &args.idempotent),
        ("open_world", &args.open_world),
    ];
    let flags = flags.into_iter().filter_map(|(key, given)| {
        let (key, value) = (Ident::new(key, Span::call_site()), given.as_ref()?.value);
        Some(quote!(.#key(#value)))
    });
    let mode = match (&args.parallel, &args.sequential) {
        (Some(_), _) => Some(quote!(.execution_mode(#private::ExecutionMode::Parallel))),
        (None, Some(_)) => Some(quote!(.execution_mode(#private::ExecutionMode::Sequential))),
        (None, None) => None,
    };
    let namespace = args.namespace.as_ref().map(|given| {
        let path = &given.value;
        let private = tool.runtime.private(path.span());
        quote! {
            .namespace({
                const __NAMESPACE: #private::Namespace = #path;
                __NAMESPACE
            })
        }
    });
    let timeout = args.timeout.as_ref().map(|given| {
        let milliseconds = given.value;
        quote!(.timeout(::core::time::Duration::from_millis(#milliseconds)))
    });
    let max_output = args.max_output.as_ref().map(|given| {
        let bytes = &given.value;
        quote!(.max_output(#bytes))
    });
    let callers = args.allowed_callers.as_ref().map(|given| {
        let callers = match given.value {
            Callers::Direct => quote!(Direct),
            Callers::Programmatic => quote!(Programmatic),
            Callers::Any => quote!(Any),
        };
        quote!(.allowed_callers(#private::AllowedCallers::#callers))
    });
    let input = input(tool);
    quote!(#title #input #namespace #search_text #mode #(#flags)* #timeout #max_output #callers)
}

fn input(tool: &Tool<'_>) -> Option<TokenStream> {
    let Call::Text { input, .. } = &tool.call else { return None };
    let private = tool.runtime.private(Span::call_site());
    let format = match &input.grammar {
        None => quote!(#private::TextFormat::Any),
        Some(grammar) => {
            let (definition, syntax) =
                (text(tool, &grammar.definition), Ident::new(grammar.syntax, Span::call_site()));
            quote! {
                #private::TextFormat::Grammar {
                    syntax: #private::GrammarSyntax::#syntax,
                    definition: #private::Cow::Borrowed(#definition),
                }
            }
        }
    };
    Some(quote!(.input(#private::Input::Text(#format))))
}

/// A text that is a literal, or a constant that the compiler checks for blanks.
fn text(tool: &Tool<'_>, value: &Expr) -> TokenStream {
    match lit(value) {
        Some(Lit::Str(text)) => quote!(#text),
        _ => constant_text(tool, value),
    }
}

fn constant_text(tool: &Tool<'_>, value: &Expr) -> TokenStream {
    let private = tool.runtime.private(first_span(value));
    let checked = quote_spanned!(last_span(value)=> #private::constant_text(#value));
    quote! {
        {
            const __TEXT: &::core::primitive::str = #checked;
            __TEXT
        }
    }
}
