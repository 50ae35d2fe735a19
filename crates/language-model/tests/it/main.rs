//! The client against a server on this machine that behaves well and badly.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod replies;
mod trouble;

use std::time::Duration;

use language_model::{Client, Endpoint, Error, Limits};
use testkit::{ModelReply, ModelServer};

pub(crate) const KEY: &str = "sk-very-secret-0123456789";

pub(crate) fn client(base: &str) -> Client {
    let limits = Limits { total: Duration::from_millis(700), ..Limits::default() };
    Client::new(Endpoint::new(base, "some-model", Some(KEY)).unwrap(), limits)
}

pub(crate) fn ask(client: &Client) -> Result<String, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(client.complete("Answer in Cypher.", &["who calls main?".to_owned()]))
}

/// What a client makes of this reply, in words that hold no key.
#[track_caller]
pub(crate) fn error_of(reply: ModelReply) -> Error {
    let server = ModelServer::start(vec![reply]);
    let error = ask(&client(&server.base_url())).unwrap_err();
    let shown = format!("{error} {error:?} {error:#?}");
    assert!(!shown.contains(KEY) && !shown.contains("very-secret"), "{shown}");
    assert_eq!(server.requests().len(), 1, "it is not asked again");
    error
}
