//! One request to the API of a search provider.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{ACCEPT, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder, Response, Url, redirect};
use serde_json::Value;
use tool_runtime::http::ApiKey;

use super::super::{http, shown};
use super::{SearchError, SearchHit};

/// How long one request may take.
const TIME: Duration = Duration::from_secs(30);
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// The most bytes of an answer.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// The most characters of a provider's own words that are passed on.
const MAX_REASON: usize = 1_000;
/// A key that is shorter is not looked for in what a server says.
const SHORTEST_KEY: usize = 6;

/// The API of a provider.
pub(super) struct Api {
    /// Up to the part that all paths have in common.
    base: Url,
    key: Option<Key>,
    client: OnceLock<Result<Client, String>>,
}

/// A key, and the header that it goes into.
struct Key {
    header: HeaderName,
    value: HeaderValue,
    key: ApiKey,
}

impl Api {
    /// # Errors
    ///
    /// When `base` is no address of an API.
    pub(super) fn new(base: &str) -> Result<Self, SearchError> {
        // It is not repeated: it may hold a secret.
        let refused = |why: &str| SearchError::new(format!("the address of the search provider {why}"));
        let url = Url::parse(base)
            .map_err(|error| refused(&format!("cannot be read: {error}; it is like `https://host`")))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused(&format!("has the scheme `{}`: use `https` or `http`", url.scheme())));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("holds a user or a password: leave them out"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refused("holds a `?` or a `#`: leave out what begins with it"));
        }
        Ok(Self { base: url, key: None, client: OnceLock::new() })
    }

    /// Sends `key` in a header, behind `before`.
    ///
    /// # Errors
    ///
    /// When no header can hold it.
    pub(super) fn with_key(
        mut self,
        header: &'static str,
        before: &str,
        key: ApiKey,
    ) -> Result<Self, SearchError> {
        let value = HeaderValue::from_str(&format!("{before}{}", key.reveal()));
        let mut value = value.map_err(|_| {
            SearchError::new("the key cannot be sent: it holds characters that no header may have")
        })?;
        value.set_sensitive(true);
        self.key = Some(Key { header: HeaderName::from_static(header), value, key });
        Ok(self)
    }

    /// Where the API is, for `Debug`.
    pub(super) fn base(&self) -> &str {
        self.base.as_str()
    }

    /// A request that gets something.
    pub(super) fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<RequestBuilder, SearchError> {
        let mut url = self.url(path);
        url.query_pairs_mut().extend_pairs(query);
        Ok(self.client()?.get(url))
    }

    /// A request that sends JSON.
    pub(super) fn post(&self, path: &str, body: &Value) -> Result<RequestBuilder, SearchError> {
        let request = self.client()?.post(self.url(path));
        Ok(request.header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string()))
    }

    /// The answer to a request.
    ///
    /// # Errors
    ///
    /// When there is none, or it is a refusal or no JSON. The key is in no error.
    pub(super) async fn ask(&self, request: RequestBuilder) -> Result<Value, SearchError> {
        let answered = tokio::time::timeout(TIME, self.answer(request)).await;
        let answered =
            answered.unwrap_or_else(|_| Err(SearchError::new(format!("there was no answer after {TIME:?}"))));
        answered.map_err(|error| self.without_key(error))
    }

    async fn answer(&self, mut request: RequestBuilder) -> Result<Value, SearchError> {
        request = request.header(ACCEPT, "application/json");
        if let Some(Key { header, value, .. }) = &self.key {
            request = request.header(header, value);
        }
        let response = request.send().await.map_err(|error| {
            SearchError::new(format!("the provider gave no answer: {}", http::reasons(&error.without_url())))
        })?;
        let status = response.status();
        let body = read(response).await?;
        let json = serde_json::from_slice::<Value>(&body);
        if !status.is_success() {
            return Err(refusal(status, json.as_ref().ok(), &body));
        }
        json.map_err(|_| {
            SearchError::from_status(
                status.as_u16(),
                None,
                "the answer is no JSON; look at the address of the provider",
            )
        })
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        url
    }

    fn client(&self) -> Result<&Client, SearchError> {
        let client = self.client.get_or_init(|| {
            let client = Client::builder()
                .user_agent(concat!("tool-std/", env!("CARGO_PKG_VERSION")))
                .connect_timeout(CONNECT_TIME)
                .no_proxy()
                // A key is not to be sent to where nobody pointed.
                .redirect(redirect::Policy::none());
            client.build().map_err(|error| http::reasons(&error))
        });
        client
            .as_ref()
            .map_err(|error| SearchError::new(format!("there is no HTTP client to be had: {error}")))
    }

    /// The same error without the key: servers repeat keys that they do not know.
    fn without_key(&self, mut error: SearchError) -> SearchError {
        if let Some(Key { key, .. }) = &self.key
            && key.reveal().len() >= SHORTEST_KEY
        {
            error.message = error.message.replace(key.reveal(), "[hidden]");
            error.code = error.code.map(|code| code.replace(key.reveal(), "[hidden]"));
        }
        error
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, SearchError> {
    let mut bytes = Vec::new();
    loop {
        let more = response.chunk().await.map_err(|error| {
            SearchError::new(format!("the answer broke off: {}", http::reasons(&error.without_url())))
        })?;
        let Some(more) = more else { return Ok(bytes) };
        if bytes.len() + more.len() > MAX_ANSWER {
            let most = shown::number(MAX_ANSWER as u64);
            return Err(SearchError::new(format!("the answer is longer than {most} bytes")));
        }
        bytes.extend_from_slice(&more);
    }
}

/// What a refusal says. Providers tell it in `error` or `detail`, as a text or as an object with a code.
fn refusal(status: reqwest::StatusCode, json: Option<&Value>, body: &[u8]) -> SearchError {
    let told = |value: &Value| -> Option<(Option<String>, String)> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        if let Some(text) = value.as_str() {
            return Some((None, text.to_owned()));
        }
        let message = ["detail", "message", "error"].iter().find_map(|name| text(name))?;
        Some((text("code").map(str::to_owned), message.to_owned()))
    };
    let told = json.and_then(|json| {
        ["error", "detail"].iter().filter_map(|name| json.get(name)).find_map(told).or_else(|| told(json))
    });
    let plain = || {
        let text = std::str::from_utf8(body).ok()?.trim();
        (json.is_none() && !text.is_empty() && !text.starts_with('<')).then(|| (None, text.to_owned()))
    };
    let (code, message) = told.or_else(plain).unwrap_or_else(|| (None, status.to_string()));
    let code = code.map(|code| shown::line(&code, 100));
    SearchError::from_status(status.as_u16(), code, shown::line(&message, MAX_REASON))
}

/// The hits of a list, by the names that the provider has for their parts. What has no address is none.
pub(super) fn hits(list: Option<&Value>, snippet: &str) -> Vec<SearchHit> {
    let hit = |value: &Value| {
        let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
        let url = text("url");
        (!url.is_empty()).then(|| SearchHit::new(text("title"), url, text(snippet)))
    };
    list.and_then(Value::as_array).into_iter().flatten().filter_map(hit).collect()
}
