//! The APIs whose operations become tools: documents by flag or in the settings file, credentials by environment only.

use std::collections::BTreeMap;
use std::time::Duration;

use openapi::{ApiIdentity, ApiSettings, ClientCredentials, Credentials, Filter, Secret};
use serde::Deserialize;

use super::{Given, SettingsError, secret};

const USUAL_MOST_TOOLS: usize = 40;
const LONGEST_TIMEOUT: u64 = 120;

/// `[[openapi]]` in the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct ApiTable {
    source: String,
    name: Option<String>,
    base_url: Option<String>,
    #[serde(default)]
    allow_private: bool,
    #[serde(default)]
    allow_external_refs: bool,
    timeout_seconds: Option<u64>,
    max_schema_bytes: Option<usize>,
    max_response_bytes: Option<usize>,
    #[serde(default)]
    methods: Vec<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    paths: Vec<String>,
    #[serde(default)]
    operations: Vec<String>,
    #[serde(default)]
    exclude_tags: Vec<String>,
    #[serde(default)]
    exclude_paths: Vec<String>,
    #[serde(default)]
    exclude_operations: Vec<String>,
    #[serde(default)]
    auth: AuthTable,
}

/// `[openapi.auth]`: the names of environment variables, never what they hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct AuthTable {
    token: Option<String>,
    user: Option<String>,
    password: Option<String>,
    key: Option<String>,
    /// By the name of the security scheme.
    #[serde(default)]
    keys: BTreeMap<String, String>,
    client_id: Option<String>,
    client_secret: Option<String>,
    token_url: Option<String>,
    #[serde(default)]
    scopes: Vec<String>,
}

/// One API as it is to be loaded.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredApi {
    pub(crate) settings: ApiSettings,
    auth: AuthTable,
}

/// All of them, and from how many operations on they are searched.
#[derive(Debug, Clone)]
pub(crate) struct ConfiguredApis {
    pub(crate) apis: Vec<ConfiguredApi>,
    pub(crate) most_tools: usize,
}

pub(super) fn resolve(given: &Given) -> Result<ConfiguredApis, SettingsError> {
    let read_only = given.read_only.unwrap_or(false);
    let mut apis = of_flags(given)?;
    for table in given.apis.iter().flatten() {
        apis.push(of_table(table)?);
    }
    for api in &mut apis {
        api.settings.filter.read_only = read_only;
        if let Some(name) = api.settings.name.as_deref().filter(|name| !openapi::is_api_name(name)) {
            return Err(SettingsError::ApiName { name: name.to_owned() });
        }
    }
    Ok(ConfiguredApis { apis, most_tools: given.api_tools.unwrap_or(USUAL_MOST_TOOLS) })
}

/// The first name and address belong to the first document, and so on.
fn of_flags(given: &Given) -> Result<Vec<ConfiguredApi>, SettingsError> {
    let list = |flag: &Option<Vec<String>>| flag.clone().unwrap_or_default();
    let (sources, names, bases) = (list(&given.openapi), list(&given.api_name), list(&given.base_url));
    let sources: Vec<String> = sources.into_iter().filter(|source| !source.trim().is_empty()).collect();
    for (flag, count) in [("--api-name", names.len()), ("--base-url", bases.len())] {
        if count > sources.len() {
            return Err(SettingsError::NoDocument { flag, documents: sources.len() });
        }
    }
    let apis = sources.into_iter().enumerate().map(|(at, source)| {
        let mut settings = ApiSettings::new(source);
        settings.name = names.get(at).cloned().filter(|name| !name.is_empty());
        settings.base_url = bases.get(at).cloned().filter(|base| !base.is_empty());
        ConfiguredApi { settings, auth: AuthTable::default() }
    });
    Ok(apis.collect())
}

fn of_table(table: &ApiTable) -> Result<ConfiguredApi, SettingsError> {
    let table = table.clone();
    let mut settings = ApiSettings::new(table.source);
    settings.name = table.name;
    settings.base_url = table.base_url;
    settings.allow_private = table.allow_private;
    settings.allow_external_refs = table.allow_external_refs;
    if let Some(seconds) = table.timeout_seconds {
        if !(1..=LONGEST_TIMEOUT).contains(&seconds) {
            let allowed = "from 1 to 120";
            return Err(SettingsError::OutOfRange { setting: "timeout-seconds", given: seconds, allowed });
        }
        settings.timeout = Duration::from_secs(seconds);
    }
    if let Some(bytes) = table.max_schema_bytes {
        if !(512..=1_000_000).contains(&bytes) {
            let allowed = "from 512 to 1000000";
            return Err(SettingsError::OutOfRange { setting: "max-schema-bytes", given: bytes as u64, allowed });
        }
        settings.schema_bytes = bytes;
    }
    settings.answer_bytes = table.max_response_bytes.unwrap_or(settings.answer_bytes);
    settings.filter = Filter {
        methods: table.methods,
        tags: table.tags,
        paths: table.paths,
        operations: table.operations,
        exclude_tags: table.exclude_tags,
        exclude_paths: table.exclude_paths,
        exclude_operations: table.exclude_operations,
        read_only: false,
    };
    Ok(ConfiguredApi { settings, auth: table.auth })
}

impl ConfiguredApi {
    /// What the environment holds for this API, by the names in the settings file or by its own.
    pub(crate) fn credentials(&self, api: &ApiIdentity) -> Credentials {
        let variables = self.variables(api);
        let held = |variable: &String| secret(variable).map(|value| Secret::new(&value));
        let own_key = |(scheme, variable): &(String, String)| Some((scheme.clone(), held(variable)?));
        let token_url = self.auth.token_url.clone().or_else(|| secret(&variables.token_url));
        let scopes = match self.auth.scopes.as_slice() {
            [] => secret(&variables.scopes).unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
            given => given.to_vec(),
        };
        Credentials {
            bearer: held(&variables.token),
            basic: held(&variables.user).zip(held(&variables.password)),
            key: held(&variables.key),
            keys: variables.keys.iter().filter_map(own_key).collect(),
            client: held(&variables.client_id).zip(held(&variables.client_secret)).map(|(id, secret)| {
                let token_url = token_url.as_deref().and_then(openapi::web_address);
                ClientCredentials { id, secret, token_url, scopes }
            }),
        }
    }

    /// The names of the variables that hold something for this API.
    pub(crate) fn set_variables(&self, api: &ApiIdentity) -> Vec<String> {
        let Variables { token, user, password, key, keys, client_id, client_secret, token_url, scopes } =
            self.variables(api);
        let named = [token, user, password, key, client_id, client_secret, token_url, scopes];
        let all = named.into_iter().chain(keys.into_iter().map(|(_, variable)| variable));
        all.filter(|variable| secret(variable).is_some()).collect()
    }

    /// What to set where an API asks for credentials of which there are none.
    pub(crate) fn wanted_variables(&self, api: &ApiIdentity) -> String {
        let Variables { token, user, password, key, .. } = self.variables(api);
        format!("set {token}, {key}, or {user} and {password}, as the API asks for")
    }

    fn variables(&self, api: &ApiIdentity) -> Variables {
        let auth = &self.auth;
        let usual = |ending: &str| format!("TRAILMARK_API_{}_{ending}", variable_part(&api.name));
        let named = |named: &Option<String>, ending: &str| named.clone().unwrap_or_else(|| usual(ending));
        let own_key = |scheme: &String| {
            let usual = || usual(&format!("KEY_{}", variable_part(scheme)));
            (scheme.clone(), auth.keys.get(scheme).cloned().unwrap_or_else(usual))
        };
        Variables {
            token: named(&auth.token, "TOKEN"),
            user: named(&auth.user, "USER"),
            password: named(&auth.password, "PASSWORD"),
            key: named(&auth.key, "KEY"),
            keys: api.schemes.iter().map(own_key).collect(),
            client_id: named(&auth.client_id, "CLIENT_ID"),
            client_secret: named(&auth.client_secret, "CLIENT_SECRET"),
            token_url: usual("TOKEN_URL"),
            scopes: usual("SCOPES"),
        }
    }
}

/// The names of environment variables that an API looks at.
struct Variables {
    token: String,
    user: String,
    password: String,
    key: String,
    /// By the name of the security scheme.
    keys: Vec<(String, String)>,
    client_id: String,
    client_secret: String,
    token_url: String,
    scopes: String,
}

/// A name as a part of the name of a variable.
fn variable_part(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}
