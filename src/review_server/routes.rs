//! Routes the requests of the desk's page.

use std::error::Error as _;
use std::sync::Arc;

use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tower_http::limit::RequestBodyLimitLayer;

use super::answers::Desk;
use super::choice::Choice;
use super::desk_error::DeskError;
use crate::hint::readable;

/// The path of the desk.
pub const PATH: &str = "/.greatness/desk";

/// The largest size of a choice in bytes. A choice for an open with a thousand players needs a
/// hundredth of it.
const LONGEST_CHOICE: usize = 4 << 20;

const PAGE: &str = include_str!("../../templates/desk.html");
const STYLE: &str = include_str!("../../templates/desk.css");
const SCRIPT: &str = include_str!("../../templates/desk.js");

/// The routes of the desk, for [`Preview::with`](crate::preview::Preview::with).
pub fn routes(desk: Desk) -> Router {
    Router::new()
        .route(PATH, get(|| async { Html(PAGE) }))
        .route(&format!("{PATH}/desk.css"), file("text/css; charset=utf-8", STYLE))
        .route(&format!("{PATH}/desk.js"), file("text/javascript; charset=utf-8", SCRIPT))
        .route(&format!("{PATH}/queue"), get(queue))
        .route(&format!("{PATH}/find"), get(find))
        .route(&format!("{PATH}/event/{{id}}"), get(event))
        .route(&format!("{PATH}/effect/{{id}}"), post(effect))
        .route(&format!("{PATH}/decide/{{id}}"), post(decide).delete(take_back))
        .route(&format!("{PATH}/decisions"), get(own_decisions))
        .route(&format!("{PATH}/rebuild"), get(rebuild_state).post(rebuild))
        .layer(DefaultBodyLimit::max(LONGEST_CHOICE))
        .layer(RequestBodyLimitLayer::new(LONGEST_CHOICE))
        .layer(middleware::from_fn(refuse_other_origins))
        .with_state(Arc::new(desk))
}

/// Answers with a bundled file of this media type.
fn file(kind: &'static str, text: &'static str) -> MethodRouter<Arc<Desk>> {
    get(move || async move { ([(CONTENT_TYPE, kind)], text) })
}

/// Whether a request is from a page of this server. Browsers name the origin of all requests that
/// change something.
fn is_from_own_page(headers: &HeaderMap) -> bool {
    if !headers.contains_key(ORIGIN) {
        return true;
    }
    // An origin that is not ASCII is unreadable, and another page's.
    let origin = header(headers, ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
    origin.is_some() && origin == header(headers, HOST)
}

/// The text of a header, if it is there and readable.
fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Refuses requests from other origins: another page in the same browser must not decide anything.
async fn refuse_other_origins(request: Request, next: Next) -> Response {
    if !is_from_own_page(request.headers()) {
        return (StatusCode::FORBIDDEN, "This desk accepts requests only from its own page.\n")
            .into_response();
    }
    let mut response = next.run(request).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An error, for the page.
#[derive(Serialize)]
struct ErrorAnswer {
    error: String,
}

impl IntoResponse for DeskError {
    fn into_response(self) -> Response {
        let status = match &self {
            DeskError::Write { .. } | DeskError::Filed(_) => StatusCode::INTERNAL_SERVER_ERROR,
            DeskError::Changed(_) => StatusCode::CONFLICT,
            DeskError::Decision(_)
            | DeskError::Lookup(_)
            | DeskError::Choice(_)
            | DeskError::Asked(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        (status, Json(ErrorAnswer { error: capital(&self.to_string()) })).into_response()
    }
}

/// A message as a sentence: its first letter is a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The choice of a request, or the answer to one that is none.
fn read(choice: Result<Json<Choice>, JsonRejection>) -> Result<Choice, Box<Response>> {
    match choice {
        Ok(Json(choice)) => Ok(choice),
        Err(JsonRejection::JsonDataError(error)) => {
            let reason = error.source().map(ToString::to_string).unwrap_or_default();
            Err(Box::new(DeskError::Asked(plain(&reason)).into_response()))
        }
        Err(other) => Err(Box::new(other.into_response())),
    }
}

/// The error of a wrong value, without terms of the program: `expected games: 99.5 is not a whole
/// number`.
fn plain(reason: &str) -> String {
    let reason = readable(reason.split(" at line ").next().unwrap_or(reason));
    let (key, what) = match reason.split_once("invalid ") {
        Some((key, what)) => (key.replace('_', " "), what),
        None => return reason.replace('_', " "),
    };
    let value = what.split('`').nth(1).or_else(|| what.split('"').nth(1));
    match (value, what.split_once(", expected ")) {
        (Some(value), Some((_, expected))) => format!("{key}{value} is not {expected}"),
        _ => reason.replace('_', " "),
    }
}

fn answer<T: Serialize>(found: Result<T, DeskError>) -> Response {
    match found {
        Ok(found) => Json(found).into_response(),
        Err(error) => error.into_response(),
    }
}

async fn queue(State(desk): State<Arc<Desk>>) -> Response {
    answer(desk.queue())
}

#[derive(Deserialize)]
struct FindQuery {
    name: String,
}

async fn find(
    State(desk): State<Arc<Desk>>,
    Query(FindQuery { name }): Query<FindQuery>,
) -> Response {
    Json(desk.find(&name)).into_response()
}

async fn event(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Response {
    answer(desk.event(&id))
}

async fn effect(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    choice: Result<Json<Choice>, JsonRejection>,
) -> Response {
    match read(choice) {
        Ok(choice) => answer(desk.effect(&id, choice)),
        Err(refused) => *refused,
    }
}

async fn decide(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    choice: Result<Json<Choice>, JsonRejection>,
) -> Response {
    match read(choice) {
        Ok(choice) => answer(desk.decide(&id, choice)),
        Err(refused) => *refused,
    }
}

async fn rebuild_state(State(desk): State<Arc<Desk>>) -> Response {
    Json(desk.rebuild_state()).into_response()
}

/// Starts a rebuild. The page asks for its state, because a build may take minutes.
async fn rebuild(State(desk): State<Arc<Desk>>) -> Response {
    if desk.begin_rebuild() {
        std::thread::spawn(move || desk.rebuild());
    }
    (StatusCode::ACCEPTED, Json(())).into_response()
}

#[derive(Deserialize)]
struct WithdrawQuery {
    /// The revision of the decision that the page shows.
    seen: Option<String>,
}

async fn take_back(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    Query(WithdrawQuery { seen }): Query<WithdrawQuery>,
) -> Response {
    answer(desk.take_back(&id, seen.as_deref()))
}

async fn own_decisions(State(desk): State<Arc<Desk>>) -> Response {
    answer(desk.own_decisions())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(json: &str) -> String {
        plain(&serde_json::from_str::<Choice>(json).unwrap_err().to_string())
    }

    #[test]
    fn only_the_desks_own_page_may_decide() {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static("localhost:8000"));
        assert!(is_from_own_page(&headers), "a request without an origin");
        for (origin, is_own) in [
            (&b"http://localhost:8000"[..], true),
            (b"http://localhost:8001", false),
            (b"https://localhost:8000", false),
            (b"null", false),
            (b"http://localh\xf6st:8000", false),
        ] {
            headers.insert(ORIGIN, HeaderValue::from_bytes(origin).unwrap());
            assert_eq!(is_from_own_page(&headers), is_own, "{}", origin.escape_ascii());
        }
    }

    #[test]
    fn a_wrong_value_is_reported_without_terms_of_the_program() {
        assert_eq!(message(r#"{"expected_games": 99.5}"#), "99.5 is not a whole number");
        assert_eq!(
            capital(&plain(
                "expected_games: invalid type: floating point `99.5`, expected usize at line 1 column 208"
            )),
            "Expected games: 99.5 is not a whole number"
        );
        assert_eq!(message(r#"{"listed": "yes"}"#), "yes is not true or false");
    }
}
