//! What the function's signature says: which arguments are state, parameters and context.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, FnArg, GenericParam, Ident, Meta, Pat, PatType, Safety, Type};

use crate::item::ToolFn;
use crate::mistakes::Mistakes;

/// One argument. Position says what it is for; its type is never looked at for that.
#[derive(Clone)]
pub(crate) struct Argument<'a> {
    /// `_` where the author wrote that.
    pub(crate) ident: Ident,
    pub(crate) ty: &'a Type,
    pub(crate) attrs: &'a [Attribute],
}

/// The arguments behind the state.
pub(crate) enum CallArguments<'a> {
    None,
    /// Parameters or context: traits decide.
    One(Argument<'a>),
    ParamsAndContext(Argument<'a>, Argument<'a>),
    /// `#[param]` arguments, and the context.
    Inline(Vec<Argument<'a>>, Option<Argument<'a>>),
}

/// The arguments of a tool.
pub(crate) struct Signature<'a> {
    pub(crate) state: Vec<Argument<'a>>,
    pub(crate) call: CallArguments<'a>,
}

impl<'a> Signature<'a> {
    /// Reads the signature. What is wrong with one part is kept, and the other parts are read all the same.
    pub(crate) fn read(item: &'a ToolFn, mistakes: &mut Mistakes) -> Self {
        check_qualifiers(item, mistakes);
        let (mut state, mut params, mut plain) = (Vec::new(), Vec::new(), Vec::new());
        let mut last_param = 0;
        for (position, input) in item.sig.inputs.iter().enumerate() {
            let Some((kind, argument)) = read_argument(input, mistakes) else { continue };
            match kind {
                Kind::State => {
                    if !params.is_empty() || !plain.is_empty() {
                        mistakes.at(
                            &argument.ident,
                            "`#[state]` arguments come first, before the parameters and the context",
                        );
                    }
                    state.push(argument);
                }
                Kind::Param => {
                    params.push(argument);
                    last_param = position;
                }
                Kind::Plain => plain.push((position, argument)),
            }
        }
        let call = match params.is_empty() {
            true => by_position(plain.into_iter().map(|(_, argument)| argument), mistakes),
            false => inline(params, last_param, &plain, mistakes),
        };
        Self { state, call }
    }
}

fn by_position<'a>(
    mut plain: impl Iterator<Item = Argument<'a>>,
    mistakes: &mut Mistakes,
) -> CallArguments<'a> {
    let (first, second) = (plain.next(), plain.next());
    if let Some(surplus) = plain.next() {
        mistakes.at(
            &surplus.ident,
            "a tool takes `#[state]` arguments, one parameters struct and one context: mark this argument `#[state]`, or \
             make the single values `#[param]`",
        );
    }
    match (first, second) {
        (Some(params), Some(context)) => CallArguments::ParamsAndContext(params, context),
        (Some(one), None) => CallArguments::One(one),
        (None, _) => CallArguments::None,
    }
}

fn inline<'a>(
    params: Vec<Argument<'a>>,
    last_param: usize,
    plain: &[(usize, Argument<'a>)],
    mistakes: &mut Mistakes,
) -> CallArguments<'a> {
    let misplaced = plain.len() > 1 || plain.iter().any(|(position, _)| *position < last_param);
    if let Some((_, surplus)) = plain.first().filter(|_| misplaced) {
        mistakes.at(
            &surplus.ident,
            "beside `#[param]` arguments a tool takes only the context, which comes last: mark this argument `#[param]` \
             or `#[state]`",
        );
    }
    CallArguments::Inline(params, plain.first().map(|(_, context)| context.clone()))
}

fn check_qualifiers(item: &ToolFn, mistakes: &mut Mistakes) {
    let sig = &item.sig;
    if let Some(token) = &sig.constness {
        mistakes.at(
            token,
            format!("a tool is asynchronous, so it cannot be `const`: write `async fn {}`", sig.ident),
        );
    } else if sig.asyncness.is_none() {
        mistakes.at(&sig.fn_token, format!("a tool is asynchronous: write `async fn {}`", sig.ident));
    }
    if let Safety::Unsafe(token) = &sig.safety {
        mistakes.at(token, "a tool cannot be `unsafe`: a model calls it with arguments of its own");
    }
    if let Some(abi) = &sig.abi {
        mistakes.at(abi, "a tool cannot be `extern`");
    }
    let generics = &sig.generics;
    if let Some(first) = generics.params.first() {
        let what = match first {
            GenericParam::Lifetime(_) => "a tool has no lifetime parameters: take owned types",
            _ => "a tool cannot be generic, since its parameters are told to a model: write the types out",
        };
        mistakes.at(&generics.params, what);
    } else if let Some(clause) = &generics.where_clause {
        mistakes.at(clause, "a tool cannot be generic, so it needs no `where`");
    }
    if let Some(variadic) = &sig.variadic {
        mistakes.at(variadic, "a tool has a fixed number of arguments");
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    State,
    Param,
    Plain,
}

fn read_argument<'a>(input: &'a FnArg, mistakes: &mut Mistakes) -> Option<(Kind, Argument<'a>)> {
    let argument = match input {
        FnArg::Receiver(receiver) => {
            mistakes.at(
                receiver,
                "a tool is a free function: take what it needs as an argument marked `#[state]`",
            );
            return None;
        }
        FnArg::Typed(argument) => argument,
    };
    let kind = kind(argument, mistakes);
    check_attributes(kind, argument, mistakes);
    check_type(kind, &argument.ty, mistakes);
    let ident = match &*argument.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
        Pat::Wild(wild) if kind != Kind::Param => Ident::new("_", wild.underscore_token.span),
        other => {
            mistakes.at(other, "an argument of a tool has a plain name: take it apart in the body");
            return None;
        }
    };
    Some((kind, Argument { ident, ty: &argument.ty, attrs: &argument.attrs }))
}

/// The signature under a name, without the macro's own attributes.
pub(crate) fn plain_signature(sig: &syn::Signature, name: Ident) -> syn::Signature {
    let mut sig = sig.clone();
    sig.ident = name;
    for input in &mut sig.inputs {
        if let FnArg::Typed(argument) = input {
            argument.attrs.retain(|attr| !is_mark(attr) && !describes_param(attr));
        }
    }
    sig
}

/// Whether the attribute belongs to the macro and not to the function.
fn is_mark(attr: &Attribute) -> bool {
    attr.path().is_ident("state") || attr.path().is_ident("param")
}

/// Whether the attribute describes a parameter.
pub(crate) fn describes_param(attr: &Attribute) -> bool {
    ["doc", "serde", "schemars"].iter().any(|name| attr.path().is_ident(name))
}

fn kind(argument: &PatType, mistakes: &mut Mistakes) -> Kind {
    let mut kind = Kind::Plain;
    for attr in argument.attrs.iter().filter(|attr| is_mark(attr)) {
        let mark = if attr.path().is_ident("state") { Kind::State } else { Kind::Param };
        if kind != Kind::Plain {
            mistakes.at(attr, "an argument has one mark: `#[state]` or `#[param]`");
        } else {
            kind = mark;
        }
        if !matches!(attr.meta, Meta::Path(_)) {
            mistakes.at(
                &attr.meta,
                match mark {
                    Kind::State => "`#[state]` stands alone",
                    _ => {
                        "`#[param]` stands alone: describe the parameter with a doc comment, rename it with \
                         `#[serde(rename = \"…\")]`, constrain it with `#[schemars(…)]`"
                    }
                },
            );
        }
    }
    kind
}

fn check_attributes(kind: Kind, argument: &PatType, mistakes: &mut Mistakes) {
    for attr in &argument.attrs {
        let path = attr.path();
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            mistakes.at(attr, "`cfg` cannot stand on an argument of a tool: write two functions");
        } else if kind != Kind::Param && (path.is_ident("serde") || path.is_ident("schemars")) {
            mistakes.at(attr, "only parameters have such attributes: mark the argument `#[param]`");
        }
    }
}

fn check_type(kind: Kind, ty: &Type, mistakes: &mut Mistakes) {
    let tokens = ty.to_token_stream();
    if has_impl(tokens.clone()) {
        mistakes
            .at(ty, "an argument of a tool needs a concrete type, since there is no caller to choose one");
    } else if has_borrow(tokens, kind) {
        mistakes.at(
            ty,
            match kind {
                Kind::State => {
                    "state is kept for many calls, so it cannot be borrowed: take an owned type, or an `Arc` of it"
                }
                _ => {
                    "an argument of a call cannot be borrowed: take an owned type (`String` for `&str`, `Vec<T>` for `&[T]`)"
                }
            },
        );
    }
}

fn has_impl(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        _ => false,
    })
}

/// Whether a type borrows. What stands in brackets of its own may be the arguments of an `Fn`, and is left alone.
fn has_borrow(tokens: TokenStream, kind: Kind) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let TokenTree::Punct(punct) = token else { continue };
        let lifetime = match (punct.as_char(), tokens.peek()) {
            ('&', Some(TokenTree::Punct(next))) if next.as_char() == '\'' => continue,
            ('&', _) => return true,
            ('\'', Some(TokenTree::Ident(name))) => name.to_string(),
            _ => continue,
        };
        if kind != Kind::State || lifetime != "static" {
            return true;
        }
    }
    false
}
