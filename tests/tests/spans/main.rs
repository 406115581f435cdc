//! Spans of a turn, its requests and its calls: which there are, where they hang, and what they hold.

mod recorder;

use recorder::{Recorder, Span};
use tests::script::{ScriptedModel, Step, calls, says};
use tool_runtime::{
    Agent, CancellationToken, DispatchOptions, Ending, Model, ModelError, ModelInfo, ModelRequest,
    ModelResponse, Outcome, ToolError, tools, worker_tool,
};

/// Looks something up.
#[worker_tool(read_only, parallel)]
async fn look(
    /// What.
    #[param]
    path: String,
) -> Result<String, ToolError> {
    // Whatever it opens hangs below its call.
    tracing::info_span!("inside").in_scope(|| {});
    match path.as_str() {
        "secret" => Ok("secret output".to_owned()),
        _ => Err(ToolError::new("secret failure")),
    }
}

/// A scripted model that says what it is.
struct Named(ScriptedModel);

impl Model for Named {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(tool_runtime::Delta) + Send + Sync),
    ) -> tool_runtime::BoxFuture<'a, Result<ModelResponse, ModelError>> {
        self.0.respond(request, on_delta)
    }

    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::new("openai", "m").server("host", 443)
    }
}

fn script() -> Vec<Step> {
    vec![
        Step::from(ModelError::provider("secret refusal", true).with_code("overloaded_error")),
        Step::from(calls(&[
            ("c1", "look", r#"{"path":"secret"}"#),
            ("c2", "look", r#"{"path":"other"}"#),
            ("c3", "no_tool", "{}"),
        ])),
        Step::from(says("secret answer")),
    ]
}

async fn run(script: Vec<Step>, options: DispatchOptions) -> (Outcome, Vec<Span>) {
    let recorder = Recorder::default();
    let _guard = tracing::subscriber::set_default(recorder.clone());
    let agent = Agent::new(Named(ScriptedModel::new(script)), tools![look]).unwrap().dispatch(options);
    let outcome = agent.run("secret question", &CancellationToken::new()).await.unwrap();
    (outcome, recorder.spans())
}

#[tokio::test(start_paused = true)]
async fn a_turn_holds_its_requests_and_its_calls() {
    let (outcome, spans) = run(script(), DispatchOptions::new()).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    let tree: Vec<(&str, Option<&str>)> =
        spans.iter().map(|span| (&*span.name, span.parent.map(|at| &*spans[at].name))).collect();
    let turn = Some("invoke_agent");
    assert_eq!(
        tree,
        [
            ("invoke_agent", None),
            ("chat m", turn),
            ("chat m", turn),
            ("execute_tool look", turn),
            ("inside", Some("execute_tool look")),
            ("execute_tool look", turn),
            ("inside", Some("execute_tool look")),
            ("chat m", turn),
        ]
    );
    assert!(spans.iter().all(|span| span.is_closed));
}

#[tokio::test(start_paused = true)]
async fn spans_hold_what_the_conventions_name() {
    let (_, spans) = run(script(), DispatchOptions::new()).await;
    let held = |at: usize| {
        spans[at].fields.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
    };
    assert_eq!(
        held(0),
        [
            "gen_ai.operation.name=invoke_agent",
            "gen_ai.provider.name=openai",
            "gen_ai.request.model=m",
            "gen_ai.usage.input_tokens=0",
            "gen_ai.usage.output_tokens=0",
            "otel.kind=internal",
            "tool_runtime.turn.ending=finished",
            "tool_runtime.turn.iterations=2",
        ]
    );
    let asked = [
        "gen_ai.operation.name=chat",
        "gen_ai.provider.name=openai",
        "gen_ai.request.model=m",
        "otel.kind=client",
        "otel.name=chat m",
        "server.address=host",
        "server.port=443",
    ];
    let failed = ["error.type=overloaded_error", "otel.status_code=ERROR"];
    assert_eq!(held(1), sorted(asked.into_iter().chain(failed)));
    let answered = |reason| {
        let usage = ["cache_read.input_tokens", "input_tokens", "output_tokens", "reasoning.output_tokens"];
        let usage = usage.map(|count| format!("gen_ai.usage.{count}=0"));
        let reason = format!("gen_ai.response.finish_reasons=[\"{reason}\"]");
        sorted(asked.iter().copied().chain(usage.iter().map(String::as_str)).chain([&*reason]))
    };
    assert_eq!(held(2), answered("tool_call"));
    assert_eq!(held(7), answered("stop"));
    let called = |id| {
        let id = format!("gen_ai.tool.call.id={id}");
        let fields = [
            "gen_ai.operation.name=execute_tool",
            "gen_ai.tool.description=Looks something up.",
            "gen_ai.tool.name=look",
            "gen_ai.tool.type=function",
            "otel.kind=internal",
            "otel.name=execute_tool look",
        ];
        sorted(fields.into_iter().chain([&*id]))
    };
    assert_eq!(held(3), called("c1"));
    let failed = ["error.type=failed".to_owned(), "otel.status_code=ERROR".to_owned()];
    assert_eq!(held(5), sorted(called("c2").iter().chain(&failed).map(String::as_str)));
}

#[tokio::test(start_paused = true)]
async fn values_are_held_only_when_they_are_asked_for() {
    let (_, spans) = run(script(), DispatchOptions::new()).await;
    let shown = format!("{spans:?}");
    assert!(!shown.contains("secret"), "{shown}");

    let (_, spans) = run(script(), DispatchOptions::new().trace_values(true)).await;
    let field = |at: usize, name: &str| spans[at].fields.get(name).map(String::as_str);
    assert_eq!(field(3, "gen_ai.tool.call.arguments"), Some(r#"{"path":"secret"}"#));
    assert_eq!(field(3, "gen_ai.tool.call.result"), Some("secret output"));
    assert_eq!(field(5, "gen_ai.tool.call.result"), Some("secret failure"));
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_told_by_its_code_and_never_by_its_sentence() {
    for (error, class) in [
        (ModelError::provider("secret", false).with_code("invalid_value"), "invalid_value"),
        (ModelError::provider("secret", false).with_code("a secret sentence"), "provider"),
        (ModelError::request("secret"), "request"),
    ] {
        let (outcome, spans) = run(vec![Step::from(error)], DispatchOptions::new()).await;
        assert!(matches!(outcome.ending, Ending::ModelFailed(_)));
        for span in &spans {
            assert_eq!(span.fields["error.type"], class);
            assert_eq!(span.fields["otel.status_code"], "ERROR");
        }
        assert_eq!(spans[0].fields["tool_runtime.turn.ending"], "model_failed");
        assert!(!format!("{spans:?}").contains("secret"));
    }
}

fn sorted<'a>(fields: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut fields: Vec<String> = fields.map(str::to_owned).collect();
    fields.sort();
    fields
}
