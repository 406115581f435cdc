//! A model that replays what another one answered.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::model::{Delta, Item, Model, ModelError, ModelErrorKind, ModelRequest, ModelResponse};
use crate::tool::BoxFuture;

use super::responses::{Settings, decode_response, encode_request};

/// The longest recording that is read, in bytes.
pub const MAX_RECORDING: usize = 64 * 1024 * 1024;

/// A model that gives recorded answers in their order, one for each request, whatever is asked. It keeps the body of each
/// request, so that a program or a test can look at what would have been sent.
///
/// A recording is JSON Lines: one response object of the [Responses format](super::responses) a line, or an error object,
/// which gives that failure. Empty lines and lines that start with `#` are skipped.
///
/// ```
/// use tool_runtime::provider::RecordedModel;
/// use tool_runtime::{Item, Model, ModelRequest, ToolSet};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// # runtime.block_on(async {
/// let model = RecordedModel::from_text(
///     r#"
///     ## One answer, and then no more.
///     {"status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hello"}]}]}
///     "#,
/// )?;
/// let set = ToolSet::new(Vec::new())?;
/// let response = model.respond(ModelRequest::new(&set, &[Item::user("hi")]), &|_| {}).await?;
/// assert_eq!(response.text(), "hello");
/// assert_eq!(model.requests().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordedModel {
    settings: Settings,
    answers: Vec<Result<ModelResponse, ModelError>>,
    requests: Mutex<Vec<String>>,
}

impl RecordedModel {
    /// Reads a recording from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is longer than [`MAX_RECORDING`] or no UTF-8, and as [`from_text`](Self::from_text).
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = path.as_ref();
        let model = read_text(path).and_then(|text| Self::from_text(&text));
        model.map_err(|error| RecordingError { path: Some(path.to_owned()), ..error })
    }

    /// Reads a recording.
    ///
    /// # Errors
    ///
    /// Names the first line that is no response, and why; or says that there is no answer at all, or too much text.
    pub fn from_text(text: &str) -> Result<Self, RecordingError> {
        if text.len() > MAX_RECORDING {
            return Err(RecordingError::too_long());
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().map(str::trim).enumerate();
        let mut answers = Vec::new();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let answer = decode_response(line);
            if let Err(ModelError { kind: ModelErrorKind::Response, message, .. }) = answer {
                return Err(RecordingError::in_line(index + 1, message));
            }
            answers.push(answer);
        }
        if answers.is_empty() {
            return Err(RecordingError::of_whole("there is no answer in it"));
        }
        Ok(Self { settings: Settings::new("recorded"), answers, requests: Mutex::default() })
    }

    /// The same recording, asked with other settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// The bodies of the requests so far, in order.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.lock_requests().clone()
    }

    /// How many answers have not been given yet.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.answers.len().saturating_sub(self.lock_requests().len())
    }

    fn lock_requests(&self) -> MutexGuard<'_, Vec<String>> {
        // A list of texts is whole even if a thread panicked while it held the lock.
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, request: &ModelRequest<'_>) -> Result<ModelResponse, ModelError> {
        let encoded = encode_request(&self.settings, request)?;
        let mut requests = self.lock_requests();
        let answer = self.answers.get(requests.len()).ok_or_else(|| {
            let recorded = self.answers.len();
            ModelError::provider(
                format!("the recording has run out: it holds {recorded} answers, and one more was asked for"),
                false,
            )
        })?;
        requests.push(encoded.body);
        let mut response = answer.clone()?;
        response.strict_dropped = encoded.strict_dropped;
        Ok(response)
    }
}

impl Model for RecordedModel {
    fn respond<'a>(
        &'a self,
        request: ModelRequest<'a>,
        on_delta: &'a (dyn Fn(Delta) + Send + Sync),
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let response = self.answer(&request)?;
            for item in &response.items {
                if let Item::Assistant(message) = item {
                    on_delta(Delta::Text(message.text.clone()));
                }
            }
            Ok(response)
        })
    }
}

fn read_text(path: &Path) -> Result<String, RecordingError> {
    let cannot = |what: &str, error| RecordingError::of_whole(format!("it cannot be {what}: {error}"));
    let file = File::open(path).map_err(|error| cannot("opened", error))?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells an endless file from one of just that length.
    let limit = u64::try_from(MAX_RECORDING).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| cannot("read", error))?;
    if bytes.len() > MAX_RECORDING {
        return Err(RecordingError::too_long());
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = before.filter(|&&byte| byte == b'\n').count() + 1;
        RecordingError::in_line(line, "it is no UTF-8")
    })
}

/// Why a text is no recording.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordingError {
    /// The file; `None` for a text.
    pub path: Option<PathBuf>,
    /// The line, counted from 1; `None` where it is about the whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl RecordingError {
    fn of_whole(message: impl Into<String>) -> Self {
        Self { path: None, line: None, message: message.into() }
    }

    fn in_line(line: usize, message: impl Into<String>) -> Self {
        Self { path: None, line: Some(line), message: message.into() }
    }

    fn too_long() -> Self {
        Self::of_whole(format!("it is longer than {MAX_RECORDING} bytes"))
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the recording")?;
        if let Some(path) = &self.path {
            write!(f, " `{}`", path.display())?;
        }
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Error for RecordingError {}
