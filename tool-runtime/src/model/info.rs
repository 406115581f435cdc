//! What model it is.

/// What model it is, for traces and logs. The names are those of OpenTelemetry's conventions for generative AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModelInfo<'a> {
    /// Who is asked: `openai`, `anthropic`, `gcp.gemini` …
    pub provider: &'a str,
    /// The name of the model, if it is known.
    pub model: Option<&'a str>,
    /// What is asked for: `chat`, `generate_content` …
    pub operation: &'static str,
    /// The host and the port that are asked, where there is one.
    pub server: Option<(&'a str, u16)>,
}

impl<'a> ModelInfo<'a> {
    /// A model of a provider, asked to `chat`.
    #[must_use]
    pub fn new(provider: &'a str, model: &'a str) -> Self {
        Self { provider, model: Some(model), ..Self::default() }
    }

    /// The same, asked for something else.
    #[must_use]
    pub fn operation(mut self, operation: &'static str) -> Self {
        self.operation = operation;
        self
    }

    /// The same, at a server.
    #[must_use]
    pub fn server(mut self, host: &'a str, port: u16) -> Self {
        self.server = Some((host, port));
        self
    }
}

impl Default for ModelInfo<'_> {
    /// Some model of somebody, asked to `chat`.
    fn default() -> Self {
        Self { provider: "unknown", model: None, operation: "chat", server: None }
    }
}
