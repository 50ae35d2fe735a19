//! Which servers keep what: addresses as they are given, and which of them can be used.

use std::fmt;

use serde::Deserialize;
use store::ServerAddress;

use super::{Given, SettingsError};

/// An address that may hold a password.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct ServerUrl(String);

impl From<&str> for ServerUrl {
    fn from(url: &str) -> Self {
        Self(url.to_owned())
    }
}

impl fmt::Debug for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerUrl(…)")
    }
}

/// A kind of server, by what its addresses begin with.
#[derive(Debug)]
struct Kind {
    scheme: &'static str,
    /// The feature of this crate without which it cannot be used.
    feature: &'static str,
    is_built: bool,
}

const fn kind(scheme: &'static str, feature: &'static str, is_built: bool) -> Kind {
    Kind { scheme, feature, is_built }
}

const POSTGRES: bool = cfg!(feature = "postgres");

const MONGODB: bool = cfg!(feature = "mongodb");
const NEO4J: bool = cfg!(feature = "neo4j");

/// What can keep documents.
const DOCUMENTS: &[Kind] = &[
    kind("mongodb", "mongodb", MONGODB),
    kind("mongodb+srv", "mongodb", MONGODB),
    kind("postgres", "postgres", POSTGRES),
    kind("postgresql", "postgres", POSTGRES),
];

/// What can keep the knowledge graph.
const KNOWLEDGE: &[Kind] = &[
    kind("neo4j", "neo4j", NEO4J),
    kind("neo4j+s", "neo4j", NEO4J),
    kind("neo4j+ssc", "neo4j", NEO4J),
    kind("bolt", "neo4j", NEO4J),
    kind("bolt+s", "neo4j", NEO4J),
    kind("bolt+ssc", "neo4j", NEO4J),
    kind("postgres", "postgres", POSTGRES),
    kind("postgresql", "postgres", POSTGRES),
];

/// What can keep experiences.
const EXPERIENCES: &[Kind] = &[kind("postgres", "postgres", POSTGRES), kind("postgresql", "postgres", POSTGRES)];

pub(super) fn documents(given: &Given) -> Result<Option<ServerAddress>, SettingsError> {
    address(given.documents.as_ref(), "TRAILMARK_DOCUMENTS", DOCUMENTS)
}

pub(super) fn knowledge(given: &Given) -> Result<Option<ServerAddress>, SettingsError> {
    address(given.knowledge.as_ref(), "TRAILMARK_KNOWLEDGE", KNOWLEDGE)
}

pub(super) fn experiences(given: &Given) -> Result<Option<ServerAddress>, SettingsError> {
    address(given.experiences.as_ref(), "TRAILMARK_EXPERIENCES", EXPERIENCES)
}

/// The server at this address, which an option of the command line gave, whatever it can keep.
pub(crate) fn server_named_by(url: &str, option: &'static str) -> Result<ServerAddress, SettingsError> {
    let mut kinds: Vec<&Kind> = DOCUMENTS.iter().chain(KNOWLEDGE).collect();
    kinds.sort_by_key(|kind| kind.scheme);
    kinds.dedup_by_key(|kind| kind.scheme);
    usable(ServerAddress::new(url, option), &kinds, "embedded, embedded:FOLDER or env:VARIABLE")
}

/// An empty setting is none, so that a variable can be switched off.
fn address(
    given: Option<&ServerUrl>,
    setting: &'static str,
    kinds: &'static [Kind],
) -> Result<Option<ServerAddress>, SettingsError> {
    let Some(ServerUrl(url)) = given.filter(|ServerUrl(url)| !url.trim().is_empty()) else { return Ok(None) };
    let kinds: Vec<&Kind> = kinds.iter().collect();
    usable(ServerAddress::new(url, setting), &kinds, "empty for the embedded store").map(Some)
}

/// The address, if it is that of such a server; `otherwise` is what may be given beside.
fn usable(address: ServerAddress, kinds: &[&Kind], otherwise: &str) -> Result<ServerAddress, SettingsError> {
    let (scheme, setting) = (address.scheme(), address.setting());
    match kinds.iter().find(|kind| kind.scheme == scheme) {
        Some(kind) if !kind.is_built => Err(SettingsError::NotBuilt { setting, scheme, feature: kind.feature }),
        Some(kind) if !address.host().is_empty() => checked(address, kind.feature),
        Some(_) | None => {
            let allowed: Vec<String> = kinds.iter().map(|kind| format!("{}://HOST", kind.scheme)).collect();
            Err(SettingsError::Server { setting, scheme, allowed: format!("{}, or {otherwise}", allowed.join(", ")) })
        }
    }
}

/// The address, if its kind of server can read it.
fn checked(address: ServerAddress, feature: &str) -> Result<ServerAddress, SettingsError> {
    #[cfg(feature = "postgres")]
    if feature == "postgres" {
        let read: Result<store_postgres::Address, _> = address.secret_url().parse();
        let setting = address.setting();
        read.map_err(|problem| SettingsError::Address { setting, problem: problem.to_string() })?;
    }
    let _ = feature;
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: Result<Option<&str>, &str>) {
        let given = Given { documents: Some(url.into()), ..Given::default() };
        let found = documents(&given).map(|address| address.map(|address| address.to_string()));
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map(|found| found.map(str::to_owned)).map_err(str::to_owned), "{url}");
    }

    #[test]
    #[cfg(all(feature = "mongodb", feature = "postgres"))]
    fn an_address_names_a_server_that_can_keep_it() {
        check("", Ok(None));
        check(" ", Ok(None));
        check("postgres://me:hunter2@host:1/notes", Ok(Some("postgres://host:1/notes")));
        check("postgresql://host", Ok(Some("postgresql://host")));
        let wrong = |scheme: &str| {
            format!(
                "TRAILMARK_DOCUMENTS begins with `{scheme}`; it must be mongodb://HOST, mongodb+srv://HOST, postgres://HOST, postgresql://HOST, or empty for the embedded store"
            )
        };
        check("mysql://me:hunter2@host", Err(&wrong("mysql")));
        check("hunter2", Err(&wrong("")));
        check("postgres://", Err(&wrong("postgres")));
        check(
            "postgres://me:hunter2@host/notes?schema=A-1",
            Err(
                "TRAILMARK_DOCUMENTS is wrong: the schema must be 1 to 63 lower-case letters, digits and underscores, not begin with a digit, and not with pg_",
            ),
        );
    }

    #[test]
    fn settings_do_not_show_a_password() {
        let url = Some("postgres://me:hunter2@host".into());
        let given = Given { documents: url.clone(), experiences: url, ..Given::default() };
        let settings = format!("{given:?} {:?} {:?}", documents(&given), experiences(&given));
        assert!(!settings.contains("hunter2"), "{settings}");
    }
}
