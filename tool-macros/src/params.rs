//! `#[derive(ToolParams)]`: a promise that the type is read from one JSON object.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Meta, Path, Token, parse_quote};

use crate::args::krate;
use crate::mistakes::Mistakes;
use crate::nearest::suggest;
use crate::runtime::Runtime;

// Input:
//     #[derive(Deserialize, JsonSchema, ToolParams)]
//     struct Page<T: Item> { items: Vec<T> }
//
// Output:
//     impl<T: Item> ::tool_runtime::ToolParams for Page<T>
//     where
//         Page<T>: DeserializeOwned + JsonSchema + Send + 'static,
//     {
//     }
//
// A type that is refused still gets its `impl`, so that the tools which use it add no error.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut mistakes = Mistakes::default();
    let krate = runtime(input, &mut mistakes);
    check_shape(input, &mut mistakes);
    let errors = mistakes.finish(()).err().map(|error| error.to_compile_error());
    // Nothing can be promised for a union: no other derive takes it either.
    let item = (!matches!(input.data, Data::Union(_))).then(|| implement(input, &Runtime::new(krate)));
    quote!(#errors #item)
}

fn implement(input: &DeriveInput, runtime: &Runtime) -> TokenStream {
    let ident = &input.ident;
    let (root, private) = (runtime.root(ident.span()), runtime.private(Span::call_site()));
    let mut generics = input.generics.clone();
    if !generics.params.is_empty() {
        let (_, type_generics, _) = input.generics.split_for_impl();
        let bound = parse_quote! {
            #ident #type_generics: #private::DeserializeOwned + #private::JsonSchema + ::core::marker::Send + 'static
        };
        generics.make_where_clause().predicates.push(bound);
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    quote_spanned! {ident.span()=>
        #[automatically_derived]
        impl #impl_generics #root::ToolParams for #ident #type_generics #clause {}
    }
}

fn check_shape(input: &DeriveInput, mistakes: &mut Mistakes) {
    let ident = &input.ident;
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(_) => check_attributes(input, mistakes),
            Fields::Unnamed(fields) => mistakes.at(
                fields,
                "a tool's parameters are one JSON object, and a tuple struct is a list or a bare value: give the fields names",
            ),
            Fields::Unit => mistakes.at(
                ident,
                format!("a tool's parameters are one JSON object, and a unit struct is `null`: write `struct {ident} {{}}`"),
            ),
        },
        Data::Enum(data) => mistakes.at(
            &data.enum_token,
            "a tool's parameters are one JSON object with known keys: use a struct with named fields, one of which may be this \
             enum",
        ),
        Data::Union(data) => mistakes
            .at(&data.union_token, "a tool's parameters are one JSON object: use a struct with named fields"),
    }
    for param in &input.generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            mistakes.at(
                lifetime,
                "parameters outlive the text they are read from, so they cannot borrow: use owned fields",
            );
        }
    }
}

/// Attributes that give the type another shape than its fields.
fn check_attributes(input: &DeriveInput, mistakes: &mut Mistakes) {
    const REFUSED: [(&str, &str); 5] = [
        (
            "transparent",
            "a transparent type is its field, which need not be a JSON object: leave the attribute out",
        ),
        (
            "from",
            "a type that is read from another has that type's shape: make the other type the parameters",
        ),
        (
            "try_from",
            "a type that is read from another has that type's shape: make the other type the parameters",
        ),
        ("untagged", "an untagged type has the shape of what it holds: use a struct with named fields"),
        ("with", "the shape of a type read by other code is not known: use a struct with named fields"),
    ];
    for meta in input.attrs.iter().filter(|attr| is_any(attr, &["serde", "schemars"])).flat_map(metas) {
        if let Some((_, why)) = REFUSED.iter().find(|(name, _)| meta.path().is_ident(name)) {
            mistakes.at(meta.path(), *why);
        }
    }
}

/// The path in `#[tool_params(crate = ::path)]`.
fn runtime(input: &DeriveInput, mistakes: &mut Mistakes) -> Option<Path> {
    let mut path = None;
    for attr in input.attrs.iter().filter(|attr| is_any(attr, &["tool_params"])) {
        let parsed = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        for meta in mistakes.handle(parsed).into_iter().flatten() {
            if !meta.path().is_ident("crate") {
                let written = meta.path().to_token_stream().to_string();
                mistakes.at(meta.path(), format!("no key `{written}`; {}", suggest(&written, &["crate"])));
                continue;
            }
            let read = mistakes.handle(krate(&meta));
            if path.is_some() {
                mistakes.at(meta.path(), "the key `crate` is given twice");
            }
            path = path.or(read);
        }
    }
    path
}

fn is_any(attr: &Attribute, names: &[&str]) -> bool {
    names.iter().any(|name| attr.path().is_ident(name))
}

/// The keys of another derive's attribute. What cannot be read is that derive's affair.
fn metas(attr: &Attribute) -> Vec<Meta> {
    let parsed = attr.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parsed.map(|metas| metas.into_iter().collect()).unwrap_or_default()
}
