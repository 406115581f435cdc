//! What the command line asks for.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tool_runtime::provider::RecordedModel;

use super::AnyModel;

const USAGE: &str = "usage: chat [--root FOLDER] [--recording FILE]
       chat [--root FOLDER] --model NAME [--format FORMAT] [--base-url URL] [--key-variable NAME]
       FORMAT is `responses`, `chat`, `anthropic` or `gemini`";

/// What the recording that comes with the example answers.
const RECORDED_QUESTION: &str = "What does this workspace build, and with which edition?";

/// What the command line asks for.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// The folder that the tools may read.
    pub(crate) root: PathBuf,
    recording: Option<PathBuf>,
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only clients need it"))]
    format: Option<String>,
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only clients need it"))]
    base_url: Option<String>,
    model: Option<String>,
    #[cfg_attr(not(feature = "http"), allow(dead_code, reason = "only clients need it"))]
    key_variable: Option<String>,
}

impl Options {
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut options = Self { root: own_folder.join(".."), ..Self::default() };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"));
            match argument.as_str() {
                "--root" => options.root = value()?.into(),
                "--recording" => options.recording = Some(value()?.into()),
                "--format" => options.format = Some(value()?),
                "--base-url" => options.base_url = Some(value()?),
                "--model" => options.model = Some(value()?),
                "--key-variable" => options.key_variable = Some(value()?),
                other => return Err(format!("unknown argument `{other}`\n{USAGE}")),
            }
        }
        if options.model.is_none() && (options.base_url.is_some() || options.format.is_some()) {
            return Err(format!("`--model` is missing: it names the model that is asked\n{USAGE}"));
        }
        Ok(options)
    }

    /// The question that goes with the recording that comes with the example.
    pub(crate) fn first_question(&self) -> Option<&'static str> {
        (self.model.is_none() && self.recording.is_none()).then_some(RECORDED_QUESTION)
    }

    pub(crate) fn model(&self) -> Result<AnyModel, Box<dyn Error>> {
        if let Some(model) = &self.model {
            return self.client(model);
        }
        let own = || Path::new(env!("CARGO_MANIFEST_DIR")).join("recordings").join("chat.jsonl");
        Ok(Arc::new(RecordedModel::from_file(self.recording.clone().unwrap_or_else(own))?))
    }

    #[cfg(not(feature = "http"))]
    fn client(&self, _: &str) -> Result<AnyModel, Box<dyn Error>> {
        Err("a real model needs the feature `http`: `cargo run -p examples --features http --bin chat -- …`"
            .into())
    }

    #[cfg(feature = "http")]
    fn client(&self, model: &str) -> Result<AnyModel, Box<dyn Error>> {
        use tool_runtime::http::{ApiKey, HttpModel};
        use tool_runtime::provider::{anthropic, chat, gemini, responses};

        let is_elsewhere = self.base_url.is_some();
        let (mut builder, variable) = match self.format.as_deref().unwrap_or("responses") {
            "responses" => {
                (HttpModel::responses(responses::Settings::new(model).streamed()), "OPENAI_API_KEY")
            }
            "chat" => {
                let settings =
                    if is_elsewhere { chat::Settings::compatible(model) } else { chat::Settings::new(model) };
                (HttpModel::chat(settings.streamed()), "OPENAI_API_KEY")
            }
            "anthropic" => {
                (HttpModel::anthropic(anthropic::Settings::new(model).streamed()), "ANTHROPIC_API_KEY")
            }
            "gemini" => (HttpModel::gemini(gemini::Settings::new(model).streamed()), "GEMINI_API_KEY"),
            other => return Err(format!("unknown format `{other}`\n{USAGE}").into()),
        };
        if let Some(base_url) = &self.base_url {
            builder = builder.base_url(base_url);
        }
        // A server of one's own does not get the key of a provider unless somebody says so.
        let own_variable = (!is_elsewhere).then_some(variable);
        if let Some(variable) = self.key_variable.as_deref().or(own_variable) {
            builder = builder.key(ApiKey::from_env(variable)?);
        }
        Ok(Arc::new(builder.build()?))
    }
}
