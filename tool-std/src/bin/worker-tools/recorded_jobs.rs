//! A recording as the model of jobs: each plays it from its own beginning.

use std::path::Path;
use std::time::Duration;

use tool_runtime::provider::{RecordedModel, RecordingError};
use tool_runtime::{
    BoxFuture, Content, Delta, Item, Model, ModelError, ModelInfo, ModelRequest, ModelResponse,
};

/// Gives the answer that comes after those that the conversation holds, so that a job that goes on in another process goes on
/// in the recording too. An answer with a `prompt` is for conversations whose first message holds this text, and for no others;
/// one with `pause_ms` comes after so many milliseconds.
pub(crate) struct RecordedJobs {
    answers: Vec<Answer>,
}

struct Answer {
    prompt: Option<String>,
    pause: Duration,
    line: String,
}

impl RecordedJobs {
    /// # Errors
    ///
    /// As [`RecordedModel::from_file`].
    pub(crate) fn from_file(path: &Path) -> Result<Self, RecordingError> {
        RecordedModel::from_file(path)?;
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let answers = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(Self { answers: answers.map(Answer::read).collect() })
    }
}

impl Model for RecordedJobs {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let given = responses(request.items);
            let prompt = prompt(request.items);
            let answers = || self.answers.iter().filter(|answer| answer.is_for(&prompt));
            let answer = answers().nth(given).ok_or_else(|| {
                let recorded = answers().count();
                ModelError::provider(
                    format!(
                        "the recording has run out: it holds {recorded} answers, and one more was asked for"
                    ),
                    false,
                )
            })?;
            tokio::time::sleep(answer.pause).await;
            let model = RecordedModel::from_text(&answer.line)
                .map_err(|error| ModelError::provider(error.to_string(), false))?;
            model.respond(request, on_delta).await
        })
    }

    fn info(&self) -> ModelInfo<'_> {
        ModelInfo::default()
    }
}

impl Answer {
    fn read(line: &str) -> Self {
        let recorded: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let pause = recorded["pause_ms"].as_u64().unwrap_or_default();
        Self {
            prompt: recorded["prompt"].as_str().map(str::to_owned),
            pause: Duration::from_millis(pause),
            line: line.to_owned(),
        }
    }

    fn is_for(&self, prompt: &str) -> bool {
        self.prompt.as_deref().is_none_or(|wanted| prompt.contains(wanted))
    }
}

/// What a conversation begins with.
fn prompt(items: &[Item]) -> String {
    let first = items.iter().find_map(|item| match item {
        Item::User(content) => Some(content.iter().filter_map(Content::as_text).collect()),
        _ => None,
    });
    first.unwrap_or_default()
}

/// How many responses a conversation holds: the stretches of what a model wrote.
fn responses(items: &[Item]) -> usize {
    let is_written = |item: &Item| !matches!(item, Item::User(_) | Item::Result(_));
    let begins = |(at, item): (usize, &Item)| {
        is_written(item) && !at.checked_sub(1).is_some_and(|at| is_written(&items[at]))
    };
    items.iter().enumerate().filter(|&(at, item)| begins((at, item))).count()
}
