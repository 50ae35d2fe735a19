//! Every way to search the web: one file and one row of [`PROVIDERS`] each.

pub(crate) mod mcp;
pub(crate) mod searxng;

use std::fmt;
use std::time::Duration;

use futures::future::BoxFuture;

use crate::configuration::{Configuration, ConfigurationError};
use crate::error::Error;
use crate::query::Question;
use crate::rows::Found;

/// All of them; the settings name them.
pub const PROVIDERS: &[ProviderInfo] = &[searxng::INFO, mcp::INFO];

/// A row of facts about a provider.
#[derive(Clone, Copy)]
pub struct ProviderInfo {
    /// What the settings call it.
    pub name: &'static str,
    /// What it is, for the documentation.
    pub summary: &'static str,
    /// Checks the settings; opens and starts nothing.
    pub(crate) open: fn(&Configuration) -> Result<Box<dyn Provider>, ConfigurationError>,
}

impl fmt::Debug for ProviderInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderInfo").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Somebody who can be asked. What it holds is in no `Debug` form as far as it is secret.
pub(crate) trait Provider: Send + Sync + fmt::Debug {
    /// What messages call it: with its host, without credentials.
    fn place(&self) -> &str;

    /// One request, which ends in this time. At most so many bytes are read.
    fn ask<'a>(&'a self, question: &'a Question, bounds: Bounds) -> BoxFuture<'a, Result<Found, Error>>;

    /// The name under which its results are shown.
    fn source(&self) -> String;

    /// The engines that such a question goes to, where that can be known.
    fn engines<'a>(&'a self, question: &'a Question, bounds: Bounds) -> BoxFuture<'a, Option<Vec<String>>>;

    /// Ends what was started.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// What one request may cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) time: Duration,
    pub(crate) bytes: usize,
}
