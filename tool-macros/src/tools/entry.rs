//! The entries of a list, as they are written.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Attribute, Expr, ExprPath, Token};

use crate::mistakes::Mistakes;

/// One entry.
pub(super) struct Entry {
    pub(super) cfg: Vec<Attribute>,
    pub(super) what: What,
}

/// What an entry gives.
pub(super) enum What {
    /// A path, which is called.
    Path(ExprPath),
    /// An expression that is a tool.
    Tool(Expr),
    /// `..iterator`
    Spread(Expr),
    /// `if condition => entry`
    If(Box<Expr>, Box<What>),
}

impl What {
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Self::Path(path) => path.to_token_stream(),
            Self::Tool(tool) => tool.to_token_stream(),
            Self::Spread(spread) => spread.to_token_stream(),
            Self::If(condition, what) => {
                let mut tokens = condition.to_token_stream();
                tokens.extend(what.tokens());
                tokens
            }
        }
    }

    /// The entry as text, with its kind: `a` and `a()` give the same tool.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Path(path) => format!("{} ()", path.to_token_stream()),
            Self::Spread(spread) => format!(".. {}", spread.to_token_stream()),
            other => other.tokens().to_string(),
        }
    }
}

/// The entries that could be read, and the first mistake in the way of the rest.
pub(super) struct Entries {
    entries: Vec<Entry>,
    mistakes: Mistakes,
}

impl Entries {
    pub(super) fn read(input: ParseStream<'_>) -> Self {
        let (mut entries, mut mistakes) = (Vec::new(), Mistakes::default());
        while !input.is_empty() {
            let entry = entry(input, &mut mistakes);
            let Some(entry) = mistakes.handle(entry) else { break };
            entries.push(entry);
            if input.is_empty() {
                break;
            }
            if mistakes.handle(input.parse::<Token![,]>()).is_none() {
                break;
            }
        }
        // What could not be read is reported; it must not be reported again as left over.
        let _rest: Result<TokenStream, _> = input.parse();
        Self { entries, mistakes }
    }

    pub(super) fn finish(self, mistakes: &mut Mistakes) -> Vec<Entry> {
        if let Err(error) = self.mistakes.finish(()) {
            mistakes.push(error);
        }
        self.entries
    }
}

fn entry(input: ParseStream<'_>, mistakes: &mut Mistakes) -> syn::Result<Entry> {
    let attrs = input.call(Attribute::parse_outer)?;
    let (cfg, others): (Vec<_>, Vec<_>) = attrs.into_iter().partition(|attr| attr.path().is_ident("cfg"));
    for other in others {
        mistakes.at(&other, "an entry of `tools![…]` takes no attribute but `#[cfg(…)]`");
    }
    Ok(Entry { cfg, what: what(input)? })
}

fn what(input: ParseStream<'_>) -> syn::Result<What> {
    if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        let condition = Expr::parse_without_eager_brace(input)?;
        if !input.peek(Token![=>]) {
            return Err(input.error("a condition is followed by its entry: `if condition => entry`"));
        }
        input.parse::<Token![=>]>()?;
        return Ok(What::If(Box::new(condition), Box::new(what(input)?)));
    }
    if input.peek(Token![..]) {
        input.parse::<Token![..]>()?;
        return input.parse().map(What::Spread);
    }
    Ok(expression(input.parse()?))
}

fn expression(expr: Expr) -> What {
    match expr {
        Expr::Path(path) => What::Path(path),
        Expr::Paren(paren) => What::Tool(*paren.expr),
        // What a `macro_rules!` took as a path or an expression.
        Expr::Group(group) => expression(*group.expr),
        other => What::Tool(other),
    }
}
