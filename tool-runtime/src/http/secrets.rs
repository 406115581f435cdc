//! What must not be seen.

use reqwest::Url;

use crate::model::ModelError;

/// Shorter texts are no secrets, and would be found in every second sentence.
const SHORTEST: usize = 6;

/// Texts that are taken out of every error.
pub(super) struct Secrets(Vec<String>);

impl Secrets {
    pub(super) fn new(texts: impl IntoIterator<Item = String>) -> Self {
        let mut texts: Vec<String> = texts.into_iter().filter(|text| text.len() >= SHORTEST).collect();
        // One that holds another goes first, or its rest would stay.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// The same error, without them: servers repeat keys that they do not know.
    pub(super) fn hide_in(&self, mut error: ModelError) -> ModelError {
        for secret in &self.0 {
            error.message = error.message.replace(secret, "[hidden]");
            error.code = error.code.map(|code| code.replace(secret, "[hidden]"));
        }
        error
    }
}

/// The address as it may be seen: some put a key behind the `?`.
pub(super) fn without_query(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.into()
}
