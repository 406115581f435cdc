//! A model that plays a script, and keeps what it was asked.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tool_runtime::provider::responses::{Settings, encode_input, encode_request};
use tool_runtime::{
    BoxFuture, Delta, Item, Model, ModelError, ModelRequest, ModelResponse, StopReason, ToolCall, ToolChoice,
};

/// One answer of the script.
pub enum Step {
    /// A response.
    Answer(ModelResponse),
    /// A failure.
    Fail(ModelError),
    /// Text that is shown, and then a failure.
    ShowAndFail(String, ModelError),
    /// No answer at all.
    Hang,
    /// Whatever comes of looking at what was asked.
    Do(Box<Look>),
}

/// Looks at what was asked, and answers.
pub type Look = dyn FnOnce(&Asked) -> Result<ModelResponse, ModelError> + Send;

impl From<ModelResponse> for Step {
    fn from(response: ModelResponse) -> Self {
        Self::Answer(response)
    }
}

impl From<ModelError> for Step {
    fn from(error: ModelError) -> Self {
        Self::Fail(error)
    }
}

/// One request, as it reached the model.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The conversation.
    pub items: Vec<Item>,
    /// The body of the request in the Responses format.
    pub body: Value,
    /// The choice.
    pub tool_choice: ToolChoice,
    /// The names of the tools that are offered, in order.
    pub offered: Vec<String>,
    /// The response to build on, and how many items it covers.
    pub previous: Option<(String, usize)>,
}

impl Asked {
    /// The whole conversation in the Responses format.
    #[must_use]
    pub fn input(&self) -> Vec<Value> {
        encode_input(&self.items)
    }

    /// The texts of the user in the conversation.
    #[must_use]
    pub fn user_texts(&self) -> Vec<String> {
        user_texts(&self.items)
    }
}

/// The texts of the user among `items`.
#[must_use]
pub fn user_texts(items: &[Item]) -> Vec<String> {
    let text = |item: &Item| match item {
        Item::User(content) => Some(content.iter().filter_map(|part| part.as_text()).collect()),
        _ => None,
    };
    items.iter().filter_map(text).collect()
}

/// What the model reads as results among `items`, with the ids of the calls.
#[must_use]
pub fn results(items: &[Item]) -> Vec<(String, String)> {
    let result = |item: &Item| match item {
        Item::Result(result) => {
            Some((result.call_id.clone(), result.content.iter().filter_map(|part| part.as_text()).collect()))
        }
        _ => None,
    };
    items.iter().filter_map(result).collect()
}

/// A model that plays a script. Clones share it.
#[derive(Clone, Default)]
pub struct ScriptedModel {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    steps: Mutex<VecDeque<Step>>,
    asked: Mutex<Vec<Asked>>,
}

impl ScriptedModel {
    /// A model that gives these answers, and fails when they are used up.
    pub fn new<S: Into<Step>>(steps: impl IntoIterator<Item = S>) -> Self {
        let model = Self::default();
        lock(&model.shared.steps).extend(steps.into_iter().map(Into::into));
        model
    }

    /// What it was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.shared.asked).clone()
    }

    /// How many answers are left.
    #[must_use]
    pub fn remaining(&self) -> usize {
        lock(&self.shared.steps).len()
    }
}

impl Model for ScriptedModel {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let asked = ask(&request)?;
            lock(&self.shared.asked).push(asked.clone());
            let step = lock(&self.shared.steps).pop_front();
            match step {
                Some(Step::Answer(response)) => Ok(response),
                Some(Step::Fail(error)) => Err(error),
                Some(Step::ShowAndFail(text, error)) => {
                    on_delta(Delta::Text(text));
                    Err(error)
                }
                Some(Step::Hang) => pending().await,
                Some(Step::Do(step)) => step(&asked),
                None => Err(ModelError::provider("the script has run out", false)),
            }
        })
    }
}

fn ask(request: &ModelRequest<'_>) -> Result<Asked, ModelError> {
    let body = encode_request(&Settings::new("scripted").stored(), request)?.body;
    let body: Value = serde_json::from_str(&body).unwrap();
    let names = body["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str());
    Ok(Asked {
        items: request.items.to_vec(),
        offered: names.map(str::to_owned).collect(),
        body,
        tool_choice: request.tool_choice.clone(),
        previous: request.previous.map(|previous| (previous.id.to_owned(), previous.known)),
    })
}

/// A response that asks for calls: id, tool, arguments.
#[must_use]
pub fn calls(calls: &[(&str, &str, &str)]) -> ModelResponse {
    let call = |&(id, name, arguments): &(&str, &str, &str)| Item::call(ToolCall::new(id, name, arguments));
    ModelResponse::new(calls.iter().map(call).collect())
}

/// A response that says something.
#[must_use]
pub fn says(text: &str) -> ModelResponse {
    ModelResponse::new(vec![Item::assistant(text)])
}

/// The same response, cut off by the limit of tokens.
#[must_use]
pub fn cut(response: ModelResponse) -> ModelResponse {
    stopped(response, StopReason::OutputLimit)
}

/// The same response, stopped for this reason.
#[must_use]
pub fn stopped(mut response: ModelResponse, stop: StopReason) -> ModelResponse {
    response.stop = stop;
    response
}

/// The same response, with the provider's id.
#[must_use]
pub fn with_id(mut response: ModelResponse, id: &str) -> ModelResponse {
    response.id = Some(id.to_owned());
    response
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
