//! What a response may be, as a grammar: a call of one of the tools, with arguments that fit its schema, or text.

use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use serde_json::{Value, json};
use toktrie::TokenId;

use crate::Error;
use crate::vocabulary::Vocabulary;

/// A text that is no call. A call begins with a brace.
const TEXT: &str = r"TEXT: /[^{\s](.|\n)*/";

/// A tool that may be called.
#[derive(Clone, Debug, PartialEq)]
pub struct Callable {
    /// Its name.
    pub name: String,
    /// Its parameters, as JSON Schema.
    pub parameters: Value,
}

impl Callable {
    /// How a call of it begins; what follows is the arguments and a brace.
    #[must_use]
    pub fn head(&self) -> String {
        format!(r#"{{"name": "{}", "arguments": "#, self.name)
    }
}

/// Whether a call is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A call or a text.
    Either,
    /// A call.
    Call,
}

/// Makes grammars.
pub struct Grammars {
    factory: ParserFactory,
}

impl Grammars {
    /// Grammars over the tokens of a model.
    ///
    /// # Errors
    ///
    /// When the tokens cannot be used.
    pub fn new(vocabulary: &Vocabulary) -> Result<Self, Error> {
        let mut factory = ParserFactory::new_simple(&vocabulary.environment())?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }

    /// The grammar of a response that may call these tools.
    ///
    /// # Errors
    ///
    /// When a schema says something that cannot be enforced; names the tool.
    pub fn of(&self, tools: &[Callable], wanted: Wanted) -> Result<Constraint, Error> {
        let whole = self.factory.create_parser(grammar(tools, wanted));
        let parser = whole.map_err(|error| {
            let alone = |tool: &&Callable| {
                self.factory.create_parser(grammar(std::slice::from_ref(*tool), Wanted::Call)).is_err()
            };
            match tools.iter().find(alone) {
                Some(tool) => format!("the parameters of `{}` cannot be enforced: {error}", tool.name),
                None => format!("the tools cannot be enforced together: {error}"),
            }
        })?;
        Ok(Constraint { matcher: Matcher::new(Ok(parser)) })
    }
}

fn grammar(tools: &[Callable], wanted: Wanted) -> TopLevelGrammar {
    let mut starts: Vec<String> = (0..tools.len()).map(|place| format!("call_{place}")).collect();
    let mut lines = Vec::with_capacity(tools.len() + 2);
    if wanted == Wanted::Either {
        starts.push("TEXT".to_owned());
        lines.push(TEXT.to_owned());
    }
    lines.push(format!("start: {}", starts.join(" | ")));
    for (place, tool) in tools.iter().enumerate() {
        let head = Value::from(tool.head());
        lines.push(format!(r#"call_{place}: {head} %json {} "}}""#, compact(&tool.parameters)));
    }
    TopLevelGrammar::from_lark(lines.join("\n"))
}

/// The schema with the one spelling of its values: a small model would write white space without end.
fn compact(parameters: &Value) -> Value {
    let mut schema = match parameters {
        Value::Object(schema) => schema.clone(),
        // `true` and the like: anything.
        _ => serde_json::Map::new(),
    };
    let options = json!({
        "whitespace_flexible": false,
        "item_separator": ", ",
        "key_separator": ": ",
        "coerce_one_of": true,
    });
    schema.insert("x-guidance".to_owned(), options);
    schema.into()
}

/// A grammar on its way through a response.
pub struct Constraint {
    matcher: Matcher,
}

impl Constraint {
    /// Picks a next token by `likeliest`, from those that may come, and goes on behind it. `None` if the response is over.
    ///
    /// # Errors
    ///
    /// When the grammar has become too complex.
    pub fn next(
        &mut self,
        likeliest: impl Fn(&dyn Fn(TokenId) -> bool) -> Option<TokenId>,
    ) -> Result<Option<TokenId>, Error> {
        let may_come = self.matcher.compute_mask_or_eos()?;
        let token = likeliest(&|token| may_come.is_allowed(token));
        if let Some(token) = token {
            self.matcher.consume_token(token)?;
        }
        Ok(token)
    }

    /// Whether nothing can follow.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.matcher.is_stopped()
    }
}
