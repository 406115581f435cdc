//! The server: requests in, answers out.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::UnboundedReceiverStream;

use crate::chat::{self, Answer, Prompt, Refusal, Request, Splitter};
use crate::constrain::{Callable, Constraint};
use crate::generate::{Engine, Job, Piece};

/// The most bytes of a request.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// The names that the model is listed by.
const NAMES: [&str; 2] = ["smollm2", chat::EAGER];

/// Answers what comes until the future is dropped.
///
/// # Errors
///
/// When the listener fails.
pub async fn serve(listener: TcpListener, engine: Engine) -> std::io::Result<()> {
    let routes = Router::new()
        .route("/v1/chat/completions", post(completions))
        .route("/v1/models", get(models))
        .route("/health", get(health))
        .fallback(async || {
            refuse(
                404,
                "not_found",
                "there is `POST /v1/chat/completions`, `GET /v1/models` and `GET /health`",
            )
        })
        .method_not_allowed_fallback(async || {
            refuse(405, "method_not_allowed", "this path has another method")
        })
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(engine);
    axum::serve(listener, routes).await
}

async fn models() -> Response {
    let models = NAMES.map(|name| json!({ "id": name, "object": "model", "owned_by": "local" }));
    json_of(StatusCode::OK, &json!({ "object": "list", "data": models }))
}

async fn health(State(engine): State<Engine>) -> Response {
    let counts = engine.counts();
    json_of(
        StatusCode::OK,
        &json!({
            "status": "ok",
            "is_writing": counts.is_writing,
            "answered": counts.answered,
            "given_up": counts.given_up,
        }),
    )
}

async fn completions(State(engine): State<Engine>, body: Result<Bytes, BytesRejection>) -> Response {
    match start(engine, body).await {
        Ok((request, pieces)) if request.stream => in_pieces(&request, pieces),
        Ok((request, pieces)) => whole(&request, pieces).await,
        Err(refusal) => refused(&refusal),
    }
}

async fn start(
    engine: Engine,
    body: Result<Bytes, BytesRejection>,
) -> Result<(Request, mpsc::UnboundedReceiver<Piece>), Refusal> {
    let body = body.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Refusal {
            status: 413,
            code: "too_large",
            message: format!("the body has more than {MAX_BODY} bytes"),
        },
        status => Refusal { status: status.as_u16(), code: "bad_body", message: error.body_text() },
    })?;
    // Long texts and large schemas take their time.
    let prepared = tokio::task::spawn_blocking(move || {
        let request = chat::read(&body)?;
        let (prompt, constraint) = prepare(&engine, &request)?;
        Ok::<_, Refusal>((engine, request, prompt, constraint))
    });
    let (engine, request, prompt, constraint) =
        prepared.await.map_err(|error| failed(error.to_string()))??;
    let (sender, pieces) = mpsc::unbounded_channel();
    let job = Job { prompt, constraint, max_tokens: request.max_tokens, pieces: sender };
    if !engine.start(job) {
        let message = "too many requests wait for the model; ask again later".to_owned();
        return Err(Refusal { status: 503, code: "busy", message });
    }
    Ok((request, pieces))
}

fn prepare(engine: &Engine, request: &Request) -> Result<(Prompt, Option<Constraint>), Refusal> {
    let prompt = chat::prompt(request, engine.vocabulary()).map_err(|error| failed(error.to_string()))?;
    if prompt.tokens.len() >= engine.context() {
        return Err(Refusal::request(
            "context_length_exceeded",
            format!(
                "the messages and tools are {} tokens, and the model reads less than {}",
                prompt.tokens.len(),
                engine.context()
            ),
        ));
    }
    let callable: Vec<Callable> = request.tools.iter().map(|tool| tool.callable.clone()).collect();
    let constraint = request.wanted.map(|wanted| engine.grammars().of(&callable, wanted)).transpose();
    let constraint = constraint.map_err(|error| Refusal::request("unsupported_schema", error.to_string()))?;
    Ok((prompt, constraint))
}

fn splitter(request: &Request) -> Splitter {
    Splitter::new(request.tools.iter().map(|tool| &tool.callable))
}

async fn whole(request: &Request, mut pieces: mpsc::UnboundedReceiver<Piece>) -> Response {
    let mut splitter = splitter(request);
    let mut said = Vec::new();
    while let Some(piece) = pieces.recv().await {
        match piece {
            Piece::Text(text) => said.extend(splitter.add(&text)),
            Piece::End(end) => {
                said.extend(splitter.end(end.reason));
                return json_of(StatusCode::OK, &Answer::new(&request.model).whole(&said, &end));
            }
            Piece::Failed(error) => return refused(&failed(error)),
        }
    }
    refused(&failed("the model has ended".to_owned()))
}

fn in_pieces(request: &Request, pieces: mpsc::UnboundedReceiver<Piece>) -> Response {
    let answer = Answer::new(&request.model);
    let first = tokio_stream::once(event(&answer.first()));
    let mut splitter = splitter(request);
    let include_usage = request.include_usage;
    let rest = UnboundedReceiverStream::new(pieces).map(move |piece| match piece {
        Piece::Text(text) => splitter.add(&text).iter().map(|said| event(&answer.more(said))).collect(),
        Piece::End(end) => {
            let left = splitter.end(end.reason).map(|said| event(&answer.more(&said))).unwrap_or_default();
            let last = event(&answer.last(&end, splitter.is_call()));
            let usage = if include_usage { event(&answer.usage(&end)) } else { String::new() };
            format!("{left}{last}{usage}data: [DONE]\n\n")
        }
        Piece::Failed(error) => event(&failed(error).to_json()),
    });
    let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
    (headers, Body::from_stream(first.chain(rest).map(Ok::<_, Infallible>))).into_response()
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn failed(message: String) -> Refusal {
    Refusal { status: 500, code: "failed", message }
}

fn refuse(status: u16, code: &'static str, message: &str) -> Response {
    refused(&Refusal { status, code, message: message.to_owned() })
}

fn refused(refusal: &Refusal) -> Response {
    let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    json_of(status, &refusal.to_json())
}

fn json_of(status: StatusCode, value: &Value) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}
