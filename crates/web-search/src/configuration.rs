//! Which provider is to be used, and how it is reached, as the operator says it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::providers::{PROVIDERS, Provider, ProviderInfo};
use crate::secrets::without_credentials;

/// What the operator has set. An empty text is no setting.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// A name from [`PROVIDERS`]; where it is missing, a command means `mcp` and an address alone `searxng`.
    pub provider: Option<String>,
    /// Of SearXNG, with a user name and a password in it where it wants them; or of an MCP server.
    pub url: Option<String>,
    /// The program of an MCP server.
    pub command: Option<PathBuf>,
    pub arguments: Vec<String>,
    /// Variables for that program beside those it inherits.
    pub environment: BTreeMap<String, String>,
    /// The tool of an MCP server that searches; found by itself where it is missing.
    pub tool: Option<String>,
    /// Sent to an MCP server at an address.
    pub token: Option<String>,
}

/// Why a configuration cannot be used. No message repeats an address: it may hold a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationError {
    #[error("there is no provider `{given}`; the providers are {}", known())]
    UnknownProvider { given: String },
    #[error("nothing says where to search: set `url` (SearXNG) or `command` (an MCP server)")]
    Nothing,
    #[error("the address is not one; it is written https://HOST or http://HOST:PORT")]
    NotAnAddress,
    #[error("`{setting}` is not a setting of the provider `{provider}`")]
    Needless { provider: &'static str, setting: &'static str },
    #[error("the provider `{provider}` needs {needed}")]
    Missing { provider: &'static str, needed: &'static str },
    #[error("`url` and `command` are both set; an MCP server is reached in one way")]
    TwoWays,
}

impl Configuration {
    /// SearXNG at this address.
    pub fn searxng(url: impl Into<String>) -> Self {
        Self { provider: Some("searxng".to_owned()), url: Some(url.into()), ..Self::default() }
    }

    pub(crate) fn open(&self) -> Result<(&'static ProviderInfo, Box<dyn Provider>), ConfigurationError> {
        let info = self.info()?;
        Ok((info, (info.open)(&self.without_blanks())?))
    }

    fn info(&self) -> Result<&'static ProviderInfo, ConfigurationError> {
        let cleaned = self.without_blanks();
        let name = match (cleaned.provider, &cleaned.command, &cleaned.url) {
            (Some(name), _, _) => name,
            (None, Some(_), _) => "mcp".to_owned(),
            (None, None, Some(_)) => "searxng".to_owned(),
            (None, None, None) => return Err(ConfigurationError::Nothing),
        };
        let known = PROVIDERS.iter().find(|info| info.name == name);
        known.ok_or_else(|| ConfigurationError::UnknownProvider { given: without_credentials(&name) })
    }

    fn without_blanks(&self) -> Self {
        let set =
            |text: &Option<String>| text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        Self {
            provider: set(&self.provider),
            url: set(&self.url),
            command: self.command.clone().filter(|command| !command.as_os_str().is_empty()),
            tool: set(&self.tool),
            token: set(&self.token),
            arguments: self.arguments.clone(),
            environment: self.environment.clone(),
        }
    }

    /// Refuses settings that this provider does nothing with.
    pub(crate) fn has_none_of(
        &self,
        provider: &'static str,
        settings: &[&'static str],
    ) -> Result<(), ConfigurationError> {
        let is_set = |setting: &&&'static str| match **setting {
            "command" => self.command.is_some(),
            "arguments" => !self.arguments.is_empty(),
            "environment" => !self.environment.is_empty(),
            "tool" => self.tool.is_some(),
            "token" => self.token.is_some(),
            _ => false,
        };
        match settings.iter().find(is_set) {
            Some(setting) => Err(ConfigurationError::Needless { provider, setting }),
            None => Ok(()),
        }
    }
}

/// What may be secret is not shown.
impl fmt::Debug for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, url, command, arguments, environment, tool, token } = self;
        let mut shown = f.debug_struct("Configuration");
        let before_parameters = |url: &str| without_credentials(url.split(['?', '#']).next().unwrap_or_default());
        shown.field("provider", provider).field("url", &url.as_deref().map(before_parameters));
        shown.field("command", command).field("arguments", &arguments.len());
        shown.field("environment", &environment.keys().collect::<Vec<_>>()).field("tool", tool);
        shown.field("token", &token.as_ref().map(|_| crate::secrets::HIDDEN)).finish()
    }
}

fn known() -> String {
    PROVIDERS.iter().map(|info| info.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(provider: Option<&str>, url: Option<&str>, command: Option<&str>) -> Configuration {
        Configuration {
            provider: provider.map(str::to_owned),
            url: url.map(str::to_owned),
            command: command.map(PathBuf::from),
            ..Configuration::default()
        }
    }

    #[track_caller]
    fn refusal(configuration: &Configuration) -> String {
        let message = configuration.open().map(|(info, _)| info.name).unwrap_err().to_string();
        assert!(!message.contains("s3cret"), "{message}");
        message
    }

    #[test]
    fn a_provider_is_known_by_its_name_or_by_how_it_is_reached() {
        let name = |configuration: &Configuration| configuration.open().unwrap().0.name;
        assert_eq!(name(&configuration(None, Some("http://127.0.0.1:8888"), None)), "searxng");
        assert_eq!(name(&configuration(Some(" "), Some(" https://host/searxng/ "), Some(""))), "searxng");
        assert_eq!(name(&configuration(None, None, Some("mcp-searxng"))), "mcp");
        assert_eq!(name(&configuration(Some("mcp"), Some("http://localhost:3000/mcp"), None)), "mcp");
    }

    #[test]
    fn what_cannot_work_is_refused_without_repeating_secrets() {
        let url = "http://me:s3cret@host/";
        assert_eq!(refusal(&configuration(None, None, None)), ConfigurationError::Nothing.to_string());
        assert_eq!(
            refusal(&configuration(Some("google"), Some(url), None)),
            "there is no provider `google`; the providers are searxng, mcp"
        );
        assert_eq!(refusal(&configuration(Some("searxng"), None, None)), "the provider `searxng` needs `url`");
        assert_eq!(refusal(&configuration(Some("mcp"), None, None)), "the provider `mcp` needs `command` or `url`");
        assert_eq!(refusal(&configuration(Some("mcp"), Some(url), Some("x"))), ConfigurationError::TwoWays.to_string());
        assert_eq!(
            refusal(&configuration(Some("searxng"), Some(url), Some("x"))),
            "`command` is not a setting of the provider `searxng`"
        );
        for wrong in ["s3cret", "host:8080", "ftp://me:s3cret@host", "http://", "file:///etc"] {
            assert_eq!(
                refusal(&Configuration::searxng(wrong)),
                ConfigurationError::NotAnAddress.to_string(),
                "{wrong}"
            );
            assert_eq!(
                refusal(&configuration(Some("mcp"), Some(wrong), None)),
                ConfigurationError::NotAnAddress.to_string()
            );
        }
        let with_token = Configuration { token: Some("s3cret".to_owned()), ..Configuration::searxng(url) };
        assert_eq!(refusal(&with_token), "`token` is not a setting of the provider `searxng`");
        let of_program = Configuration { token: Some("s3cret".to_owned()), ..configuration(None, None, Some("x")) };
        assert_eq!(refusal(&of_program), "`token` is not a setting of the provider `mcp`");
    }

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let configuration = Configuration {
            environment: [("KEY".to_owned(), "s3cret".to_owned())].into(),
            arguments: vec!["--key=s3cret".to_owned()],
            token: Some("s3cret".to_owned()),
            ..Configuration::searxng("http://me:s3cret@host/")
        };
        let shown = format!("{configuration:?} {configuration:#?}");
        assert!(!shown.contains("s3cret") && shown.contains("host") && shown.contains("KEY"), "{shown}");
    }
}
