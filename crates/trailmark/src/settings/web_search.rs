//! Which provider searches the web: an address of SearXNG by flag and environment, or a table of the settings file.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Deserialize;
use web_search::{Configuration, Limits, WebSearch};

use super::{Given, SettingsError, WEB_SEARCH_TOKEN_VARIABLE, secret};

/// An address that may have a password in it, and so is not shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct HiddenAddress(String);

impl FromStr for HiddenAddress {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for HiddenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[address]")
    }
}

/// `[web_search]` in the settings file.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebSearchTable {
    provider: Option<String>,
    url: Option<String>,
    command: Option<PathBuf>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    tool: Option<String>,
}

impl WebSearchTable {
    fn configuration(&self, token: Option<String>) -> Configuration {
        let Self { provider, url, command, arguments, environment, tool } = self.clone();
        Configuration { provider, url, command, arguments, environment, tool, token }
    }
}

impl fmt::Debug for WebSearchTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.configuration(None).fmt(f)
    }
}

/// Checked, and not opened. An empty address is none, so that a variable can be switched off.
pub(super) fn resolve(given: &Given) -> Result<Option<Configuration>, SettingsError> {
    let address = given.searxng_url.as_ref().map(|HiddenAddress(url)| url.trim()).filter(|url| !url.is_empty());
    let configuration = match (address, &given.web_search) {
        (Some(url), _) => Configuration::searxng(url),
        (None, Some(table)) => table.configuration(secret(WEB_SEARCH_TOKEN_VARIABLE)),
        (None, None) => return Ok(None),
    };
    WebSearch::new(&configuration, Limits::default())?;
    Ok(Some(configuration))
}
