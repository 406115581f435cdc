//! What an author says about a tool: the rows of the contract, one word a field.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::Value;

/// The default of [`ToolSpec::max_output`], in bytes.
pub const DEFAULT_MAX_OUTPUT: usize = 100_000;

/// A group of related tools, with the one description that the model reads for all of them.
///
/// A constant that the tools name, so that two of them cannot disagree:
///
/// ```
/// use tool_runtime::Namespace;
///
/// const CRM: Namespace = Namespace::new("crm", "Customer records.");
/// # assert_eq!(CRM.name, "crm");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// The name on the wire.
    pub name: Cow<'static, str>,
    /// What the tools of the group are for; the model decides by it whether to look inside.
    pub description: Cow<'static, str>,
}

impl Namespace {
    /// A namespace with fixed texts.
    #[must_use]
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name: Cow::Borrowed(name), description: Cow::Borrowed(description) }
    }
}

/// Whether a tool may run beside others of the same response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExecutionMode {
    /// Together with its parallel neighbours.
    Parallel,
    /// Alone, after all calls before it.
    #[default]
    Sequential,
}

/// Who may call a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AllowedCallers {
    /// The model itself.
    #[default]
    Direct,
    /// A program that the model wrote and the provider runs.
    Programmatic,
    /// Both.
    Any,
}

/// What the model writes for a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A JSON object that fits the parameters.
    #[default]
    Json,
    /// Free text ("custom" tools). Providers without such get the parameters `{"input": string}`.
    Text(TextFormat),
}

/// What the free text of a tool looks like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextFormat {
    /// Anything.
    #[default]
    Any,
    /// Text that a grammar allows.
    Grammar {
        /// The language that the grammar is written in.
        syntax: GrammarSyntax,
        /// The grammar.
        definition: Cow<'static, str>,
    },
}

/// The language of a grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GrammarSyntax {
    /// A Lark grammar.
    Lark,
    /// One regular expression.
    Regex,
}

impl GrammarSyntax {
    /// The word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lark => "lark",
            Self::Regex => "regex",
        }
    }
}

/// Everything about a tool but its parameters and its work.
///
/// Each field has an attribute key of the same name in `#[worker_tool(…)]` and a builder method of the same name here.
/// Building never fails: faults are kept and listed by [`ToolSet::new`](crate::ToolSet::new).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name that the model calls: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, which every provider takes.
    pub name: Cow<'static, str>,
    /// What the tool does; the model reads it to decide whether to call.
    pub description: Cow<'static, str>,
    /// A name for people.
    pub title: Option<Cow<'static, str>>,
    /// Whether the provider is asked to enforce the parameters.
    pub strict: bool,
    /// What the model writes for a call.
    pub input: Input,
    /// The group that the tool belongs to.
    pub namespace: Option<Namespace>,
    /// Whether the parameters stay behind tool search until the tool is selected.
    pub defer_loading: bool,
    /// Words that tool search matches on beside the name, the description and the parameters.
    pub search_text: Option<Cow<'static, str>>,
    /// Whether it may run beside others.
    pub execution_mode: ExecutionMode,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// Whether it may destroy something; see [`is_destructive`](Self::is_destructive) for the default.
    pub destructive: Option<bool>,
    /// Whether a second equal call changes nothing more.
    pub idempotent: bool,
    /// Whether it reaches things outside the host's control.
    pub open_world: bool,
    /// The longest that one call may take.
    pub timeout: Option<Duration>,
    /// The most text that one call may give the model, in bytes; cut at a character boundary. It holds for the message of
    /// a failure too.
    pub max_output: usize,
    /// JSON Schema of the structured result.
    pub output_schema: Option<Value>,
    /// Who may call it.
    pub allowed_callers: AllowedCallers,
}

impl ToolSpec {
    /// A tool with this name and description, and the safe default for everything else: sequential, not read-only,
    /// destructive, not strict, no time limit, [`DEFAULT_MAX_OUTPUT`].
    pub fn new(name: impl Into<Cow<'static, str>>, description: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            title: None,
            strict: false,
            input: Input::Json,
            namespace: None,
            defer_loading: false,
            search_text: None,
            execution_mode: ExecutionMode::Sequential,
            read_only: false,
            destructive: None,
            idempotent: false,
            open_world: true,
            timeout: None,
            max_output: DEFAULT_MAX_OUTPUT,
            output_schema: None,
            allowed_callers: AllowedCallers::Direct,
        }
    }

    /// Whether it may destroy something: what the author said, else yes unless it is read-only.
    #[must_use]
    pub fn is_destructive(&self) -> bool {
        self.destructive.unwrap_or(!self.read_only)
    }

    /// `namespace.name`, or the bare name: how people, errors and logs call it.
    #[must_use]
    pub fn display_name(&self) -> Cow<'_, str> {
        match &self.namespace {
            Some(namespace) => Cow::Owned(format!("{}.{}", namespace.name, self.name)),
            None => Cow::Borrowed(&self.name),
        }
    }
}

/// One builder method a field, named like the field.
macro_rules! builder_methods {
    ($($(#[$doc:meta])* $field:ident: $ty:ty => $value:expr;)*) => {
        impl ToolSpec {
            $($(#[$doc])* #[must_use]
            pub fn $field(mut self, $field: $ty) -> Self {
                self.$field = $value;
                self
            })*
        }
    };
}

builder_methods! {
    /// Sets a name for people.
    title: impl Into<Cow<'static, str>> => Some(title.into());
    /// Asks the provider to enforce the parameters.
    strict: bool => strict;
    /// Sets what the model writes for a call.
    input: Input => input;
    /// Puts the tool into a namespace.
    namespace: Namespace => Some(namespace);
    /// Keeps the parameters behind tool search until the tool is selected.
    defer_loading: bool => defer_loading;
    /// Sets words that tool search matches on beside the name, the description and the parameters.
    search_text: impl Into<Cow<'static, str>> => Some(search_text.into());
    /// Sets whether the tool may run beside others.
    execution_mode: ExecutionMode => execution_mode;
    /// Says whether the tool changes nothing.
    read_only: bool => read_only;
    /// Says whether the tool may destroy something.
    destructive: bool => Some(destructive);
    /// Says whether a second equal call changes nothing more.
    idempotent: bool => idempotent;
    /// Says whether the tool reaches things outside the host's control.
    open_world: bool => open_world;
    /// Limits the time of one call.
    timeout: Duration => Some(timeout);
    /// Limits the text of one call, in bytes.
    max_output: usize => max_output;
    /// Publishes the schema of the structured result.
    output_schema: Value => Some(output_schema);
    /// Sets who may call the tool.
    allowed_callers: AllowedCallers => allowed_callers;
}
