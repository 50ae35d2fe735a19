//! The servers that keep a part of what is stored, where the settings name one. One function per part, one arm per kind.

use std::fmt;
use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt as _};
use search::embed::Embedder;
use store::{DocumentStore, Experiences, KnowledgeGraph, ServerAddress};

/// A server behind one of the promises, for whoever asks whether it answers.
pub(crate) trait Server: fmt::Debug + Send + Sync {
    fn address(&self) -> &ServerAddress;

    /// What it says it is.
    fn version(&self) -> BoxFuture<'_, store::Result<String>>;

    /// Waits for what goes on behind the calls, and leaves the server alone.
    fn close(&self) -> BoxFuture<'_, ()> {
        async {}.boxed()
    }
}

/// Something that is kept, and the server that keeps it.
pub(crate) type Remote<T> = (Arc<T>, Arc<dyn Server>);

/// The documents on this server.
pub(crate) fn documents(address: &ServerAddress) -> Option<Remote<dyn DocumentStore>> {
    match address.scheme().as_str() {
        #[cfg(feature = "mongodb")]
        "mongodb" | "mongodb+srv" => {
            let store = Arc::new(store_mongodb::MongoStore::new(address.clone()));
            Some((store.clone(), store))
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => postgres(address).map(|(store, server)| (store as _, server)),
        _ => None,
    }
}

/// The knowledge graph on this server.
pub(crate) fn knowledge(address: &ServerAddress) -> Option<Remote<dyn KnowledgeGraph>> {
    match address.scheme().as_str() {
        #[cfg(feature = "neo4j")]
        "neo4j" | "neo4j+s" | "neo4j+ssc" | "bolt" | "bolt+s" | "bolt+ssc" => {
            let graph = Arc::new(store_neo4j::BoltGraph::new(address.clone()));
            Some((graph.clone(), graph))
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => postgres(address).map(|(store, server)| (store as _, server)),
        _ => None,
    }
}

/// The experiences on this server, with vectors that the embedder makes.
pub(crate) fn experiences(
    address: &ServerAddress,
    embedder: Option<Arc<dyn Embedder>>,
) -> Option<Remote<dyn Experiences>> {
    let _ = &embedder;
    match address.scheme().as_str() {
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => postgres_with(address, embedder).map(|(store, server)| (store as _, server)),
        _ => None,
    }
}

#[cfg(feature = "mongodb")]
impl Server for store_mongodb::MongoStore {
    fn address(&self) -> &ServerAddress {
        self.address()
    }

    fn version(&self) -> BoxFuture<'_, store::Result<String>> {
        self.version().boxed()
    }
}

#[cfg(feature = "neo4j")]
impl Server for store_neo4j::BoltGraph {
    fn address(&self) -> &ServerAddress {
        self.address()
    }

    fn version(&self) -> BoxFuture<'_, store::Result<String>> {
        self.version().boxed()
    }
}

/// An address that is none was refused with the settings.
#[cfg(feature = "postgres")]
fn postgres(address: &ServerAddress) -> Option<Remote<store_postgres::PostgresStore>> {
    postgres_with(address, None)
}

#[cfg(feature = "postgres")]
fn postgres_with(
    address: &ServerAddress,
    embedder: Option<Arc<dyn Embedder>>,
) -> Option<Remote<store_postgres::PostgresStore>> {
    let location = address.secret_url().parse().ok()?;
    let store = store_postgres::PostgresStore::open(location, address.setting());
    let store = Arc::new(match embedder {
        Some(embedder) => store.with_embedder(embedder),
        None => store,
    });
    Some((store.clone(), Arc::new(Postgres { address: address.clone(), store })))
}

#[cfg(feature = "postgres")]
#[derive(Debug)]
struct Postgres {
    address: ServerAddress,
    store: Arc<store_postgres::PostgresStore>,
}

#[cfg(feature = "postgres")]
impl Server for Postgres {
    fn address(&self) -> &ServerAddress {
        &self.address
    }

    fn version(&self) -> BoxFuture<'_, store::Result<String>> {
        async { Ok(format!("PostgreSQL {}", self.store.check().await?)) }.boxed()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.store.close().boxed()
    }
}
