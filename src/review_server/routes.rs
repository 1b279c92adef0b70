//! Routes the requests of the desk's page.

use std::sync::Arc;

use axum::extract::{Path, Query, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tower_http::limit::RequestBodyLimitLayer;

use super::answers::{Desk, DeskError};
use super::choice::Choice;

/// The path of the desk.
pub const PATH: &str = "/.greatness/desk";

/// The largest size of a choice in bytes. A choice for an open with a thousand players needs a
/// hundredth of it.
const LONGEST_CHOICE: usize = 4 << 20;

const PAGE: &str = include_str!("../../templates/desk.html");
const STYLE: &str = include_str!("../../templates/desk.css");
const SCRIPT: &str = include_str!("../../templates/desk.js");

/// The routes of the desk, for [`Preview::with`](crate::site::Preview::with).
pub fn routes(desk: Desk) -> Router {
    let file = |kind: &'static str, text: &'static str| {
        get(move || async move { ([(CONTENT_TYPE, kind)], text) })
    };
    Router::new()
        .route(PATH, get(|| async { Html(PAGE) }))
        .route(&format!("{PATH}/desk.css"), file("text/css; charset=utf-8", STYLE))
        .route(&format!("{PATH}/desk.js"), file("text/javascript; charset=utf-8", SCRIPT))
        .route(&format!("{PATH}/queue"), get(queue))
        .route(&format!("{PATH}/find"), get(find))
        .route(&format!("{PATH}/event/{{id}}"), get(event))
        .route(&format!("{PATH}/effect/{{id}}"), post(effect))
        .route(&format!("{PATH}/decide/{{id}}"), post(decide).delete(take_back))
        .route(&format!("{PATH}/rebuild"), get(rebuild_state).post(rebuild))
        .layer(RequestBodyLimitLayer::new(LONGEST_CHOICE))
        .layer(middleware::from_fn(refuse_other_origins))
        .with_state(Arc::new(desk))
}

/// Refuses requests from other origins: another page in the same browser must not decide anything.
async fn refuse_other_origins(request: Request, next: Next) -> Response {
    let is_own = {
        let headers = request.headers();
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        text(ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host))
    };
    if !is_own {
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
            DeskError::Decision(_)
            | DeskError::Lookup(_)
            | DeskError::Choice(_)
            | DeskError::Asked(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        (status, Json(ErrorAnswer { error: self.to_string() })).into_response()
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
    Json(choice): Json<Choice>,
) -> Response {
    answer(desk.effect(&id, choice))
}

async fn decide(
    State(desk): State<Arc<Desk>>,
    Path(id): Path<String>,
    Json(choice): Json<Choice>,
) -> Response {
    answer(desk.decide(&id, choice))
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

async fn take_back(State(desk): State<Arc<Desk>>, Path(id): Path<String>) -> Response {
    answer(desk.take_back(&id))
}
