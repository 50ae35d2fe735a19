//! Where something is moved from, or to: the embedded store or a server, and what each can keep.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use search::embed::Embedder;
use store::{DocumentStore, Experiences, KnowledgeGraph, ServerAddress};
use store_sqlite::SqliteStore;

use crate::embedding;
use crate::servers::{self, Server};
use crate::settings::{Settings, server_named_by};

/// A part of what is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Documents,
    Knowledge,
    Experiences,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Documents, Self::Knowledge, Self::Experiences];

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Knowledge => "the knowledge graph",
            Self::Experiences => "experiences",
        }
    }
}

/// One end of a move. Nothing is opened yet.
#[derive(Debug)]
pub(super) enum Place {
    Embedded(PathBuf),
    Server(ServerAddress),
}

impl Place {
    /// The place that an option names: `embedded`, `embedded:FOLDER`, the address of a server, or `env:VARIABLE`, which holds one
    /// of these and keeps a password out of the list of processes.
    pub(super) fn parse(given: &str, option: &'static str, settings: &Settings) -> anyhow::Result<Self> {
        let given = given.trim();
        if let Some(variable) = given.strip_prefix("env:") {
            let value = std::env::var(variable).ok().filter(|value| !value.trim().is_empty());
            let value = value.with_context(|| format!("{option} names the variable {variable}, which is not set"))?;
            return Self::parse_direct(value.trim(), option, settings);
        }
        Self::parse_direct(given, option, settings)
    }

    fn parse_direct(given: &str, option: &'static str, settings: &Settings) -> anyhow::Result<Self> {
        if given == "embedded" {
            return Ok(Self::Embedded(settings.home.clone()));
        }
        match given.strip_prefix("embedded:") {
            Some(folder) => {
                // As a URL it has two slashes more.
                let folder = folder.strip_prefix("//").unwrap_or(folder);
                if folder.is_empty() {
                    bail!("{option} names no folder; write embedded:FOLDER, or embedded for the data folder");
                }
                Ok(Self::Embedded(std::path::absolute(folder)?))
            }
            None => Ok(Self::Server(server_named_by(given, option)?)),
        }
    }

    /// Refuses a place that nothing can be read from, which would be made otherwise.
    pub(super) fn must_be_there(&self) -> anyhow::Result<()> {
        match self {
            Self::Embedded(folder) if !folder.join("trailmark.db").is_file() => {
                bail!("nothing is kept in {}: it has no trailmark.db", folder.display())
            }
            Self::Embedded(_) | Self::Server(_) => Ok(()),
        }
    }

    /// Whether both are known to be one place. One that has two names is no harm: all of it is there already.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Embedded(one), Self::Embedded(other)) => real(one) == real(other),
            (Self::Server(one), Self::Server(other)) => same_server(one, other),
            (Self::Embedded(_), Self::Server(_)) | (Self::Server(_), Self::Embedded(_)) => false,
        }
    }

    /// Without a password.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Embedded(folder) => format!("embedded:{}", folder.display()),
            Self::Server(address) => address.to_string(),
        }
    }

    /// The stores of this place, where the embedder makes vectors of experiences. Connects to nothing yet.
    pub(super) fn stores(&self, embedder: Option<Arc<dyn Embedder>>) -> Stores {
        let address = match self {
            Self::Embedded(folder) => {
                let store = Arc::new(embedding::embedded_store(folder, embedder));
                return Stores {
                    documents: Some(store.clone()),
                    knowledge: Some(store.clone()),
                    experiences: Some(store.clone()),
                    servers: Vec::new(),
                    embedded: Some(store),
                };
            }
            Self::Server(address) => address,
        };
        let mut servers = Vec::new();
        let documents = servers::documents(address).map(|(store, server)| {
            servers.push(server);
            store
        });
        let knowledge = servers::knowledge(address).map(|(store, server)| {
            servers.push(server);
            store
        });
        let experiences = servers::experiences(address, embedder).map(|(store, server)| {
            servers.push(server);
            store
        });
        Stores { documents, knowledge, experiences, servers, embedded: None }
    }
}

/// What a place can keep, each as far as it can.
pub(super) struct Stores {
    pub(super) documents: Option<Arc<dyn DocumentStore>>,
    pub(super) knowledge: Option<Arc<dyn KnowledgeGraph>>,
    pub(super) experiences: Option<Arc<dyn Experiences>>,
    servers: Vec<Arc<dyn Server>>,
    embedded: Option<Arc<SqliteStore>>,
}

impl Stores {
    pub(super) fn can_keep(&self, kind: Kind) -> bool {
        match kind {
            Kind::Documents => self.documents.is_some(),
            Kind::Knowledge => self.knowledge.is_some(),
            Kind::Experiences => self.experiences.is_some(),
        }
    }

    /// In words, for people.
    pub(super) fn all_it_keeps(&self) -> String {
        let kinds = Kind::ALL.into_iter().filter(|kind| self.can_keep(*kind)).map(Kind::words);
        kinds.collect::<Vec<_>>().join(" and ")
    }

    pub(super) async fn close(&self) {
        futures::future::join_all(self.servers.iter().map(|server| server.close())).await;
        if let Some(embedded) = &self.embedded {
            embedded.close().await;
        }
    }
}

fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

fn same_server(one: &ServerAddress, other: &ServerAddress) -> bool {
    let family = |address: &ServerAddress| match address.scheme().split('+').next() {
        Some("postgresql") => "postgres".to_owned(),
        Some("neo4j") => "bolt".to_owned(),
        scheme => scheme.unwrap_or_default().to_owned(),
    };
    let schema = |address: &ServerAddress| {
        let options = address.secret_url().rsplit_once('?').map(|(_, options)| options.to_owned()).unwrap_or_default();
        options.split('&').find(|option| option.starts_with("schema=")).map(str::to_owned)
    };
    let place = |address: &ServerAddress| {
        (family(address), address.host().to_owned(), address.name().map(str::to_owned), schema(address))
    };
    place(one) == place(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str) -> Place {
        Place::Server(ServerAddress::new(url, "--from"))
    }

    #[test]
    fn one_place_is_known_by_other_names() {
        let same = |one: &str, other: &str| server(one).is(&server(other));
        assert!(same("postgres://a:x@host/d", "postgresql://b:y@host/d"));
        assert!(same("bolt://host:7687", "neo4j+s://host:7687"));
        assert!(!same("postgres://host/d", "postgres://host/e"));
        assert!(!same("postgres://host/d?schema=a", "postgres://host/d?schema=b"));
        assert!(!same("mongodb://host/d", "postgres://host/d"));
        let folder = tempfile::tempdir().unwrap();
        let embedded = |path: PathBuf| Place::Embedded(path);
        assert!(embedded(folder.path().to_owned()).is(&embedded(folder.path().join("."))));
        assert!(!embedded(folder.path().to_owned()).is(&server("bolt://host")));
    }

    #[test]
    fn a_place_is_named_without_its_password() {
        assert_eq!(server("postgres://me:hunter2@host:1/d").name(), "postgres://host:1/d");
    }
}
