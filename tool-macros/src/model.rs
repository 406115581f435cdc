//! A tool as its author means it. Every field is valid once a [`Tool`] exists.

mod labels;

pub(crate) use labels::Labels;

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, Ident, LitStr};

use crate::args::{Given, Input, RawSchema, ToolArgs, check_name, lit};
use crate::docs::{self, Docs};
use crate::item::ToolFn;
use crate::mistakes::Mistakes;
use crate::runtime::Runtime;
use crate::signature::{Argument, CallArguments, Signature};

/// One tool.
pub(crate) struct Tool<'a> {
    pub(crate) item: &'a ToolFn,
    pub(crate) runtime: Runtime,
    pub(crate) name: LitStr,
    pub(crate) description: Description,
    pub(crate) state: Vec<Argument<'a>>,
    pub(crate) call: Call<'a>,
    pub(crate) labels: Labels,
    /// The name that the plain function is kept under.
    pub(crate) function: Option<Ident>,
    /// The keys that go into the spec as they are.
    pub(crate) args: ToolArgs,
}

/// What the model reads about the tool.
pub(crate) enum Description {
    /// Not blank.
    Text(LitStr),
    /// A constant, which the compiler checks.
    Constant(Expr),
}

/// The arguments of a call.
pub(crate) enum Call<'a> {
    None,
    /// Parameters or context: traits decide.
    One {
        argument: Argument<'a>,
        schema: Option<RawSchema>,
    },
    /// A parameters struct, and a context behind it.
    Params {
        params: Argument<'a>,
        context: Argument<'a>,
        schema: Option<RawSchema>,
    },
    /// `#[param]` arguments.
    Inline {
        params: Vec<Argument<'a>>,
        context: Option<Argument<'a>>,
        schema: Option<RawSchema>,
    },
    /// The free text of a custom tool.
    Text {
        text: Argument<'a>,
        context: Option<Argument<'a>>,
        input: Input,
    },
}

impl<'a> Tool<'a> {
    /// Checks what keys and signature say together.
    pub(crate) fn new(
        item: &'a ToolFn,
        mut args: ToolArgs,
        signature: Signature<'a>,
        mut mistakes: Mistakes,
    ) -> syn::Result<Self> {
        check_contradictions(&args, &mut mistakes);
        let name = name(item, &mut args, &mut mistakes);
        let description = description(item, &mut args, &mut mistakes);
        let function = args.function.take().map(|given| given.value);
        if let Some(function) = function.as_ref().filter(|function| **function == item.sig.ident) {
            mistakes.at(function, "the tool has this name already: give the plain function another");
        }
        let call = call(item, signature.call, &mut args, &mut mistakes);
        let labels = Labels::read(&mut args, &call, &signature.state, &mut mistakes);
        let runtime = Runtime::new(args.krate.take().map(|given| given.value));
        mistakes.finish(Self {
            item,
            runtime,
            name,
            description,
            state: signature.state,
            call,
            labels,
            function,
            args,
        })
    }
}

fn name(item: &ToolFn, args: &mut ToolArgs, mistakes: &mut Mistakes) -> LitStr {
    if let Some(name) = args.name.take() {
        return name.value;
    }
    let ident = item.sig.ident.unraw();
    let name = ident.to_string();
    if !args.tried("name")
        && let Err(message) = check_name(&name)
    {
        mistakes.at(&item.sig.ident, format!("{message}; `name = \"…\"` gives the tool another"));
    }
    LitStr::new(&name, ident.span())
}

fn description(item: &ToolFn, args: &mut ToolArgs, mistakes: &mut Mistakes) -> Description {
    if let Some(given) = args.description.take() {
        return match lit(&given.value) {
            Some(syn::Lit::Str(text)) => Description::Text(text.clone()),
            _ => Description::Constant(given.value),
        };
    }
    let ident = &item.sig.ident;
    match docs::read(&item.attrs) {
        Docs::Text(text) => return Description::Text(LitStr::new(&text, ident.span())),
        Docs::Tokens(tokens) => return Description::Constant(Expr::Verbatim(tokens)),
        Docs::Blank if args.tried("description") => {}
        Docs::Blank => mistakes.at(
            ident,
            "a tool needs a description, by which the model decides whether to call it: write a doc comment, or \
             `description = \"…\"`",
        ),
    }
    Description::Text(LitStr::new("", ident.span()))
}

/// Keys that cannot stand together. Each is reported at the later of the two in the list below.
fn check_contradictions(args: &ToolArgs, mistakes: &mut Mistakes) {
    fn on(flag: &Option<Given<bool>>) -> Option<Span> {
        flag.as_ref().filter(|given| given.value).map(|given| given.key)
    }
    fn key<T>(given: &Option<Given<T>>) -> Option<Span> {
        given.as_ref().map(|given| given.key)
    }
    let rules = [
        (
            key(&args.parallel),
            key(&args.sequential),
            "a tool is `parallel` or `sequential`, not both; without either it is sequential",
        ),
        (on(&args.read_only), on(&args.destructive), "a tool cannot be both `read_only` and `destructive`"),
        (
            key(&args.input),
            key(&args.schema),
            "a tool with `input = text` has no JSON parameters, so it takes no `schema`",
        ),
        (
            key(&args.input),
            on(&args.strict),
            "`strict` is about JSON parameters; a tool with `input = text` has a grammar instead",
        ),
        (
            args.activity
                .as_ref()
                .filter(|given| matches!(given.value, crate::args::Label::Hidden))
                .map(|given| given.key),
            key(&args.completed_activity),
            "with `activity = none` there is no row that a `completed_activity` could be shown in",
        ),
    ];
    for (first, second, message) in rules {
        if let (Some(_), Some(span)) = (first, second) {
            mistakes.at_span(span, message);
        }
    }
}

fn call<'a>(
    item: &ToolFn,
    arguments: CallArguments<'a>,
    args: &mut ToolArgs,
    mistakes: &mut Mistakes,
) -> Call<'a> {
    let schema = args.schema.take().map(|given| given.value);
    let input = args.input.take();
    match (input, arguments) {
        (None, CallArguments::None) => {
            if schema.is_some() {
                mistakes.at(
                    &item.sig.ident,
                    "a tool with a `schema` takes an argument for what fits it, for example `arguments: serde_json::Value`",
                );
            }
            Call::None
        }
        (None, CallArguments::One(argument)) => Call::One { argument, schema },
        (None, CallArguments::ParamsAndContext(params, context)) => Call::Params { params, context, schema },
        (None, CallArguments::Inline(params, context)) => Call::Inline { params, context, schema },
        (Some(input), CallArguments::One(text)) => Call::Text { text, context: None, input: input.value },
        (Some(input), CallArguments::ParamsAndContext(text, context)) => {
            Call::Text { text, context: Some(context), input: input.value }
        }
        (Some(_), CallArguments::None) => {
            mistakes.at(
                &item.sig.ident,
                "a tool with `input = text` takes the text: add an argument `text: String`",
            );
            Call::None
        }
        (Some(_), CallArguments::Inline(params, context)) => {
            for param in &params {
                mistakes.at(
                    &param.ident,
                    "a tool with `input = text` takes one text and no parameters: `text: String`, without `#[param]`",
                );
            }
            Call::Inline { params, context, schema: None }
        }
    }
}

impl ToTokens for Description {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        match self {
            Self::Text(text) => text.to_tokens(tokens),
            Self::Constant(constant) => constant.to_tokens(tokens),
        }
    }
}
