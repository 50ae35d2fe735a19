//! What an HTTP request must show before it reaches the protocol: the token, and a body that is a message.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::Value;

use super::token::Token;
use crate::mcp::envelope::{self, Rejection};

/// The longest body that is read.
pub(super) const LONGEST_BODY: usize = 4 * 1024 * 1024;
/// How long a client may take to send its body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Lets only requests with the right token through.
pub(super) async fn require_token(State(token): State<Arc<Token>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given =
        given.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    if given.is_some_and(|(_, given)| token.matches(given.trim())) {
        return next.run(request).await;
    }
    let message = "Unauthorized: send `Authorization: Bearer TOKEN`; `trailmark doctor` says where the token is kept";
    let mut response = refuse(StatusCode::UNAUTHORIZED, &Rejection::invalid_request(message, Value::Null));
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"trailmark\""));
    response
}

/// Answers bodies that are too long, too slow, not JSON or not JSON-RPC with a JSON-RPC error of their own.
pub(super) async fn require_message(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let bytes = match read_body(body).await {
        Ok(bytes) => bytes,
        Err((status, rejection)) => return refuse(status, &rejection),
    };
    if let Err(rejection) = envelope::read(&bytes) {
        return refuse(StatusCode::BAD_REQUEST, &rejection);
    }
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

async fn read_body(body: Body) -> Result<Bytes, (StatusCode, Rejection)> {
    let collecting = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, LONGEST_BODY).collect());
    match collecting.await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let message = format!("Invalid request: a body may have at most {LONGEST_BODY} bytes");
            Err((StatusCode::PAYLOAD_TOO_LARGE, Rejection::invalid_request(message, Value::Null)))
        }
        Ok(Err(error)) => {
            let message = format!("Invalid request: the body could not be read: {error}");
            Err((StatusCode::BAD_REQUEST, Rejection::invalid_request(message, Value::Null)))
        }
        Err(_elapsed) => {
            let message = format!("Invalid request: the body took longer than {} s", BODY_TIMEOUT.as_secs());
            Err((StatusCode::REQUEST_TIMEOUT, Rejection::invalid_request(message, Value::Null)))
        }
    }
}

fn refuse(status: StatusCode, rejection: &Rejection) -> Response {
    let json = HeaderValue::from_static("application/json");
    (status, [(header::CONTENT_TYPE, json)], rejection.to_json().to_string()).into_response()
}
