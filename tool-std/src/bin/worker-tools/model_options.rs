//! Which model the command line asks.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{ArgGroup, Args, ValueEnum};
use tool_runtime::Model;
use tool_runtime::http::{ApiKey, HttpModel};
use tool_runtime::provider::{RecordedModel, anthropic, chat, gemini, responses};

use crate::failure::Failure;
use crate::recorded_jobs::RecordedJobs;

/// A model, whichever it is.
pub(crate) type AnyModel = Arc<dyn Model>;

/// The model that is asked.
#[derive(Args)]
#[command(next_help_heading = "The model", group = ArgGroup::new("asked").required(true).args(["recording", "model"]))]
pub(crate) struct ModelOptions {
    /// Play the answers in FILE and ask nobody: JSON Lines, one response of the OpenAI Responses format a line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["api", "base_url", "key_variable"])]
    recording: Option<PathBuf>,

    /// Model that is asked
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,

    /// API that it is asked by
    #[arg(long, value_enum, default_value = "responses")]
    api: Api,

    /// Address of the API, mostly up to `/v1` [default: that of its provider]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Environment variable with the key [default: that of the provider; none with `--base-url`]
    #[arg(long, value_name = "NAME")]
    key_variable: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Api {
    /// OpenAI Responses; key in OPENAI_API_KEY
    Responses,
    /// OpenAI Chat Completions, and servers that speak it; key in OPENAI_API_KEY
    Chat,
    /// Anthropic Messages; key in ANTHROPIC_API_KEY
    Anthropic,
    /// Google Gemini; key in GEMINI_API_KEY
    Gemini,
}

impl ModelOptions {
    pub(crate) fn is_recorded(&self) -> bool {
        self.recording.is_some()
    }

    /// # Errors
    ///
    /// When a recording cannot be read, or a client cannot be made.
    pub(crate) fn model(&self) -> Result<AnyModel, Failure> {
        match (&self.recording, &self.model) {
            (Some(recording), _) => {
                Ok(Arc::new(RecordedModel::from_file(recording).map_err(|error| error.to_string())?))
            }
            (None, Some(model)) => self.client(model),
            (None, None) => Err("no model is named; use `--model` or `--recording`".to_owned().into()),
        }
    }

    /// The model of background jobs: a recording plays for each of them from its beginning.
    ///
    /// # Errors
    ///
    /// As [`model`](Self::model).
    pub(crate) fn job_model(&self) -> Result<AnyModel, Failure> {
        match &self.recording {
            Some(recording) => {
                Ok(Arc::new(RecordedJobs::from_file(recording).map_err(|error| error.to_string())?))
            }
            None => self.model(),
        }
    }

    fn client(&self, model: &str) -> Result<AnyModel, Failure> {
        let is_elsewhere = self.base_url.is_some();
        let (mut builder, variable) = match self.api {
            Api::Responses => {
                (HttpModel::responses(responses::Settings::new(model).streamed()), "OPENAI_API_KEY")
            }
            Api::Chat => {
                let settings =
                    if is_elsewhere { chat::Settings::compatible(model) } else { chat::Settings::new(model) };
                (HttpModel::chat(settings.streamed()), "OPENAI_API_KEY")
            }
            Api::Anthropic => {
                (HttpModel::anthropic(anthropic::Settings::new(model).streamed()), "ANTHROPIC_API_KEY")
            }
            Api::Gemini => (HttpModel::gemini(gemini::Settings::new(model).streamed()), "GEMINI_API_KEY"),
        };
        if let Some(base_url) = &self.base_url {
            builder = builder.base_url(base_url);
        }
        // A server of one's own does not get the key of a provider unless somebody says so.
        let own_variable = (!is_elsewhere).then_some(variable);
        if let Some(variable) = self.key_variable.as_deref().or(own_variable) {
            builder = builder.key(ApiKey::from_env(variable).map_err(|error| error.to_string())?);
        }
        Ok(Arc::new(builder.build().map_err(|error| error.to_string())?))
    }
}
