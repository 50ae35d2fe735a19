//! Asking a model for the vectors of texts.

use std::time::Duration;

use reqwest::StatusCode;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::error::Error;

/// A server that is busy or has failed is asked so often.
const ATTEMPTS: u32 = 4;

/// How long to wait before the second attempt; before each later one twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest pause that a server may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

#[derive(Debug, Serialize)]
struct Request<'a> {
    model: &'a str,
    input: &'a [String],
    encoding_format: &'static str,
}

#[derive(Debug, Deserialize)]
struct Answer {
    data: Vec<Embedding>,
}

#[derive(Debug, Deserialize)]
struct Embedding {
    index: Option<usize>,
    embedding: Vec<f32>,
}

impl Client {
    /// A vector for each text, in their order, all of the same length. A server that is busy is asked again after a while.
    pub async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Error> {
        let request = Request { model: self.endpoint().model(), input: texts, encoding_format: "float" };
        let body = serde_json::to_vec(&request).expect("a request holds nothing but text");
        let mut pause = FIRST_PAUSE;
        for attempt in 1.. {
            let (error, wanted) = match self.post_within_limits(body.clone()).await {
                Ok(answer) if answer.status == StatusCode::OK => return self.vectors(&answer.body, texts.len()),
                Ok(answer) => {
                    let (host, status) = (self.endpoint().host(), answer.status.as_u16());
                    let error = Error::Status { host, status, body: self.shown(&answer.body) };
                    let is_for_now = answer.status == StatusCode::TOO_MANY_REQUESTS || answer.status.is_server_error();
                    (error, is_for_now.then_some(answer.retry_after.map(Duration::from_secs)))
                }
                Err(error @ Error::Lost { .. }) => (error, Some(None)),
                Err(error) => (error, None),
            };
            match wanted {
                Some(wanted) if attempt < ATTEMPTS => {
                    tokio::time::sleep(wanted.unwrap_or(pause).min(LONGEST_PAUSE)).await
                }
                Some(_) | None => return Err(error),
            }
            pause *= 2;
        }
        unreachable!("the last attempt returns")
    }

    fn vectors(&self, body: &[u8], wanted: usize) -> Result<Vec<Vec<f32>>, Error> {
        let refused = || Error::NotEmbeddings { host: self.endpoint().host(), body: self.shown(body) };
        let answer: Answer = serde_json::from_slice(body).map_err(|_| refused())?;
        let mut vectors: Vec<Option<Vec<f32>>> = vec![None; wanted];
        for (position, Embedding { index, embedding }) in answer.data.into_iter().enumerate() {
            let place = vectors.get_mut(index.unwrap_or(position)).ok_or_else(refused)?;
            *place = Some(embedding);
        }
        let vectors: Vec<Vec<f32>> = vectors.into_iter().collect::<Option<_>>().ok_or_else(refused)?;
        let length = vectors.first().map_or(0, Vec::len);
        let is_one_length = length > 0 && vectors.iter().all(|vector| vector.len() == length);
        if wanted == 0 || is_one_length { Ok(vectors) } else { Err(refused()) }
    }
}
