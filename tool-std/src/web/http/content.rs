//! What kind of content came.

use encoding_rs::Encoding;
use infer::MatcherType;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Response, Url};

use super::super::fetch::{FetchError, FetchErrorKind, Page};
use super::super::shown;
use super::charset::{self, Decoded};

/// What the server says that it sends.
pub(super) struct Said {
    kind: Kind,
    charset: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Html,
    Xml,
    Text,
    /// Bytes of any kind, which some servers say of everything.
    Unknown,
}

/// Content that can be read.
pub(super) enum Content {
    Html(Decoded),
    Text(Decoded),
}

/// What the server says that it sends; `None` if it says nothing.
///
/// # Errors
///
/// When it is nothing that can be read as text.
pub(super) fn said(response: &Response) -> Result<Option<Said>, FetchError> {
    // What the client could unpack has no such header any more.
    if let Some(packed) = response.headers().get(CONTENT_ENCODING).filter(|packed| *packed != "identity") {
        let packed = shown::line(&String::from_utf8_lossy(packed.as_bytes()), 40);
        let message =
            format!("it is packed as `{packed}`, which nobody asked for and which is not read here");
        return Err(FetchError::new(FetchErrorKind::Content, message));
    }
    let Some(whole) = response.headers().get(CONTENT_TYPE) else { return Ok(None) };
    let whole = String::from_utf8_lossy(whole.as_bytes());
    let mut parts = whole.split(';');
    let name = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
    let charset = parts.find_map(|part| {
        let (key, value) = part.split_once('=')?;
        let value = value.trim().trim_matches(['"', '\'']);
        key.trim().eq_ignore_ascii_case("charset").then(|| value.to_owned())
    });
    let kind = match &*name {
        "" | "application/octet-stream" | "binary/octet-stream" | "application/x-unknown-content-type" => {
            Kind::Unknown
        }
        "text/html" | "application/xhtml+xml" => Kind::Html,
        "text/xml" | "application/xml" => Kind::Xml,
        _ if name.ends_with("+xml") => Kind::Xml,
        _ if name.starts_with("text/") || name.ends_with("+json") || is_text(&name) => Kind::Text,
        _ => return Err(not_read(&name)),
    };
    Ok(Some(Said { kind, charset }))
}

/// Whether a type that does not say so is text.
fn is_text(name: &str) -> bool {
    let rest = name.strip_prefix("application/").unwrap_or_default();
    let rest = rest.strip_prefix("x-").unwrap_or(rest);
    matches!(
        rest,
        "json"
            | "ndjson"
            | "jsonlines"
            | "json5"
            | "javascript"
            | "ecmascript"
            | "typescript"
            | "yaml"
            | "toml"
            | "sql"
            | "sh"
            | "csh"
            | "tex"
            | "latex"
            | "graphql"
            | "httpd-php"
            | "subrip"
            | "mbox"
            | "pem-file"
    )
}

/// The content of an answer, decoded.
///
/// # Errors
///
/// When it is nothing that can be read as text.
pub(super) fn of(bytes: &[u8], said: Option<&Said>) -> Result<Content, FetchError> {
    let kind = said.map_or(Kind::Unknown, |said| said.kind);
    let charset = said.and_then(|said| said.charset.as_deref());
    // The bytes are believed before what is said of them.
    if let Some(known) = infer::get(bytes).filter(|known| is_binary(known.matcher_type(), known.mime_type()))
    {
        return Err(not_read(known.mime_type()));
    }
    let is_html = kind == Kind::Html || (kind == Kind::Unknown && looks_like_html(bytes));
    let decoded = match kind {
        _ if is_html => charset::decode(bytes, charset, charset::in_html),
        Kind::Xml => charset::decode(bytes, charset, charset::in_xml),
        _ => charset::decode(bytes, charset, |_| None),
    };
    if !is_html && decoded.text.contains('\0') {
        return Err(not_read("a file with NUL bytes"));
    }
    Ok(if is_html { Content::Html(decoded) } else { Content::Text(decoded) })
}

fn is_binary(kind: MatcherType, name: &str) -> bool {
    !matches!(kind, MatcherType::Text) && !matches!(name, "text/html" | "text/xml" | "text/x-shellscript")
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    [&b"<!doctype html"[..], b"<html", b"<head", b"<body"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

/// Names what is not read, and says what else can be done.
fn not_read(name: &str) -> FetchError {
    let name = shown::line(name, 100);
    let message = match &*name {
        "application/pdf" => {
            "it is a PDF (`application/pdf`), which is not read here; look for the same text as a web \
                              page, or download it and convert it"
                .to_owned()
        }
        name if name.contains('/') => format!("it is `{name}`, which is not read here; only text is"),
        name => format!("it is {name}, which is not read here; only text is"),
    };
    FetchError::new(FetchErrorKind::Content, message)
}

impl Decoded {
    /// Text as it is, as a page.
    pub(super) fn into_page(self, url: &Url) -> Page {
        let mut page = Page::new(url.as_str(), self.text);
        page.notes.extend(self.note);
        page
    }
}

/// The encoding that a label names.
pub(super) fn named(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim().as_bytes())
}
