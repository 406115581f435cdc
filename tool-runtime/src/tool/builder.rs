//! Tools that are known only when the program runs: everything the attribute makes, a builder makes too.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::ToolContext;
use crate::error::SchemaProblem;
use crate::output::IntoToolOutput;
use crate::schema::ParametersSchema;
use crate::spec::{Input, TextFormat, ToolSpec};

use super::assemble::{CompletedLabel, Labels, Read, Work, finish, prepare};
use super::{Activity, Definition, WorkerAgentTool};

/// A tool without parameters takes this: the closed empty object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct NoParameters {}

impl ToolSpec {
    /// Takes the parameters from a type. Faults of its schema (a root that is no object, for example) are listed by
    /// [`ToolSet::new`](crate::ToolSet::new).
    pub fn parameters<P: DeserializeOwned + JsonSchema + Send + 'static>(self) -> ToolBuilder<P> {
        ToolBuilder::new(self, ParametersSchema::of::<P>(), read_json::<P>)
    }

    /// Takes a raw schema, which is sent as it is and enforced; the arguments are read into `P`.
    ///
    /// `serde_json::Value` takes any of them; `Box<serde_json::value::RawValue>` keeps every digit too.
    pub fn schema<P: DeserializeOwned + Send + 'static>(self, schema: Value) -> ToolBuilder<P> {
        ToolBuilder::new(self, ParametersSchema::from_json(schema), read_json::<P>)
    }

    /// Takes no parameters.
    pub fn no_parameters(self) -> ToolBuilder<NoParameters> {
        ToolBuilder::new(self, Ok(ParametersSchema::none()), read_json::<NoParameters>)
    }

    /// Takes free text instead of JSON (a "custom" tool).
    pub fn text(self, format: TextFormat) -> ToolBuilder<String> {
        let parameters = ParametersSchema::text_input(&self.description);
        ToolBuilder::new(self.input(Input::Text(format)), Ok(parameters), read_text)
    }
}

/// Reads JSON that fits into the tool's type.
pub(crate) fn read_json<P: DeserializeOwned>(text: &str) -> Result<P, serde_json::Error> {
    serde_json::from_str(text)
}

/// Reads the text of a free-text tool, which is the text itself.
#[expect(clippy::unnecessary_wraps, reason = "has the shape of every reader")]
pub(crate) fn read_text(text: &str) -> Result<String, serde_json::Error> {
    Ok(text.to_owned())
}

/// A tool whose parameters are known and whose work is not yet.
///
/// ```
/// use serde_json::{Value, json};
/// use tool_runtime::{ToolError, ToolSet, ToolSpec};
///
/// let schema = json!({
///     "type": "object",
///     "properties": {"level": {"type": "integer", "maximum": 11}},
///     "required": ["level"],
///     "additionalProperties": false
/// });
/// let volume = ToolSpec::new("volume", "Sets the volume.")
///     .idempotent(true)
///     .schema::<Value>(schema)
///     .activity(|arguments| format!("Setting the volume to {}", arguments["level"]))
///     .execute(|arguments, _context| async move {
///         Ok::<_, ToolError>(format!("the volume is {}", arguments["level"]))
///     });
/// let set = ToolSet::new(vec![volume])?;
/// # Ok::<(), tool_runtime::ToolSetError>(())
/// ```
#[must_use]
pub struct ToolBuilder<P, C = NoCompletedActivity> {
    spec: ToolSpec,
    parameters: Result<ParametersSchema, Vec<SchemaProblem>>,
    read: Read<P>,
    activity: Option<Box<dyn Fn(&P) -> Option<String> + Send + Sync>>,
    completed: C,
}

impl<P> ToolBuilder<P> {
    fn new(spec: ToolSpec, parameters: Result<ParametersSchema, Vec<SchemaProblem>>, read: Read<P>) -> Self {
        Self { spec, parameters, read, activity: None, completed: NoCompletedActivity }
    }

    /// Sets the label that replaces the first one when the tool has succeeded, from parameters and details.
    pub fn completed_activity<D, L: Into<Option<String>>>(
        self,
        label: impl Fn(&P, &D) -> L + Send + Sync + 'static,
    ) -> ToolBuilder<P, CompletedActivity<P, D>>
    where
        P: Clone + Send + 'static,
    {
        ToolBuilder {
            spec: self.spec,
            parameters: self.parameters,
            read: self.read,
            activity: self.activity,
            completed: CompletedActivity(Arc::new(move |params, details| label(params, details).into())),
        }
    }
}

impl<P, C> ToolBuilder<P, C> {
    /// Sets the label of a running call; `None` shows no row.
    pub fn activity<L: Into<Option<String>>>(
        mut self,
        label: impl Fn(&P) -> L + Send + Sync + 'static,
    ) -> Self {
        self.activity = Some(Box::new(move |params| label(params).into()));
        self
    }

    /// Sets the work, and is done.
    pub fn execute<F, O>(self, run: impl Fn(P, ToolContext) -> F + Send + Sync + 'static) -> WorkerAgentTool
    where
        P: Send + 'static,
        O: IntoToolOutput + 'static,
        F: Future<Output = O> + Send + 'static,
        C: CompletedLabels<P, O::Details>,
    {
        let mut spec = self.spec;
        spec.output_schema = spec.output_schema.or_else(O::output_schema);
        let (activity, completed) = (self.activity, self.completed);
        let labels = move |params: &P| Labels {
            activity: match &activity {
                None => Activity::Generic,
                Some(label) => label(params).map_or(Activity::Hidden, Activity::Label),
            },
            completed: completed.of(params),
        };
        let run = Arc::new(run);
        let start = move |params, context, completed| -> Work {
            let run = Arc::clone(&run);
            Box::pin(async move { finish(run(params, context).await.into_tool_output(), completed) })
        };
        let definition = Arc::new(Definition::new(spec, self.parameters));
        WorkerAgentTool::from_parts(definition, prepare(self.read, labels, start))
    }
}

/// How a builder makes the label of a finished call.
pub trait CompletedLabels<P, D>: Send + Sync + 'static {
    /// The label of a call with these parameters, still to be told the details.
    #[doc(hidden)]
    fn of(&self, params: &P) -> Option<CompletedLabel<D>>;
}

/// The first label stays.
#[derive(Clone, Copy, Debug)]
pub struct NoCompletedActivity;

impl<P, D> CompletedLabels<P, D> for NoCompletedActivity {
    fn of(&self, _params: &P) -> Option<CompletedLabel<D>> {
        None
    }
}

/// A label from parameters and details.
pub struct CompletedActivity<P, D>(Arc<dyn Fn(&P, &D) -> Option<String> + Send + Sync>);

impl<P: Clone + Send + 'static, D: 'static> CompletedLabels<P, D> for CompletedActivity<P, D> {
    fn of(&self, params: &P) -> Option<CompletedLabel<D>> {
        let (label, params) = (Arc::clone(&self.0), params.clone());
        Some(Box::new(move |details| label(&params, details)))
    }
}
