//! The server, found at the first call, with the indexes that finding needs; whole transactions, tried again where that can
//! help.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use neo4rs::{ConfigBuilder, Graph, Query, Row, Txn};
use store::knowledge::Name;
use store::{Result, ServerAddress};
use tokio::sync::{OnceCell, Semaphore};

use crate::dialect::{self, NEEDS, TYPE};
use crate::failure::{Again, Failure, Outcome};

/// Less than the deadline of a tool, so that the answer can say who was slow.
const ANSWER: Duration = Duration::from_millis(4_500);
/// For work on many records, which no tool waits for.
const BULK: Duration = Duration::from_secs(120);
const MOST_CONNECTIONS: usize = 16;
/// More writers than this are mostly in each other's way.
const WRITERS: usize = 4;
/// The first pause before another try; the next ones double. The deadline ends them.
const PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(320);

/// Work within one transaction, which may be done more than once; true when an earlier try may have been committed.
pub(crate) type Working<'a, T> = Pin<Box<dyn Future<Output = Outcome<T>> + Send + 'a>>;

pub(crate) struct Connection {
    address: ServerAddress,
    /// How long a call may take.
    answer: Duration,
    server: OnceCell<Server>,
    types: Mutex<HashSet<Name>>,
    writers: Semaphore,
}

struct Server {
    graph: Graph,
    has_keys_index: bool,
}

/// One transaction.
pub(crate) struct Session {
    transaction: Txn,
    pub(crate) has_keys_index: bool,
}

impl Connection {
    pub(crate) fn new(address: ServerAddress) -> Self {
        let (types, writers) = (Mutex::default(), Semaphore::new(WRITERS));
        Self { address, answer: ANSWER, server: OnceCell::new(), types, writers }
    }

    pub(crate) fn with_answer_within(self, answer: Duration) -> Self {
        Self { answer, ..self }
    }

    pub(crate) fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Reads in one transaction.
    pub(crate) async fn read<T: Send>(
        &self,
        work: impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync,
    ) -> Result<T> {
        self.run(self.answer, None, work).await
    }

    /// The same for much at once.
    pub(crate) async fn read_much<T: Send>(
        &self,
        work: impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync,
    ) -> Result<T> {
        self.run(BULK, None, work).await
    }

    /// Does all of it in one transaction.
    pub(crate) async fn write<T: Send>(
        &self,
        work: impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync,
    ) -> Result<T> {
        self.run(self.answer, Some(&self.writers), work).await
    }

    /// The same for much at once.
    pub(crate) async fn write_much<T: Send>(
        &self,
        work: impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync,
    ) -> Result<T> {
        self.run(BULK, Some(&self.writers), work).await
    }

    async fn run<T: Send>(
        &self,
        limit: Duration,
        writers: Option<&Semaphore>,
        work: impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync,
    ) -> Result<T> {
        self.within(limit, async {
            let _turn = match writers {
                Some(writers) => writers.acquire().await.ok(),
                None => None,
            };
            let (mut is_unsure, mut pause) = (false, PAUSE);
            loop {
                let failure = match self.once(&work, is_unsure).await {
                    Ok(answer) => return Ok(answer),
                    Err(failure) => failure,
                };
                match failure.again() {
                    Again::No => return Err(failure),
                    Again::Undone => {}
                    Again::Unsure if is_unsure => return Err(failure),
                    Again::Unsure => is_unsure = true,
                }
                tokio::time::sleep(pause).await;
                pause = LONGEST_PAUSE.min(pause * 2);
            }
        })
        .await
    }

    /// Sees to it that relationships of these types can be found.
    pub(crate) async fn know_types<'n>(&self, kinds: impl IntoIterator<Item = &'n Name> + Send) -> Result<()> {
        let new: HashSet<Name> = {
            let known = self.types.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            kinds.into_iter().filter(|kind| !known.contains(*kind)).cloned().collect()
        };
        for kind in new {
            self.write(|session, _| {
                let note = Query::new(format!("MERGE (t:{TYPE} {{_name: $name}})")).param("name", kind.as_str());
                Box::pin(session.done(note))
            })
            .await?;
            self.within(self.answer, async {
                let server = self.server().await?;
                accepts(&server.graph, &dialect::relationship_index(kind.as_str())).await.map(drop)
            })
            .await?;
            self.types.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(kind);
        }
        Ok(())
    }

    pub(crate) async fn version(&self) -> Result<String> {
        self.read(|session, _| Box::pin(session.done(Query::new("RETURN 1".to_owned())))).await?;
        let asked = self.read(|session, _| {
            let ask = "CALL dbms.components() YIELD name, versions RETURN name + ' ' + versions[0] AS version";
            Box::pin(async move { session.rows(Query::new(ask.to_owned())).await })
        });
        let rows = asked.await.unwrap_or_default();
        let version = rows.first().and_then(|row| row.get::<String>("version").ok());
        Ok(version.unwrap_or_else(|| "a Bolt server that does not say which".to_owned()))
    }

    async fn within<T>(&self, limit: Duration, work: impl Future<Output = Outcome<T>> + Send) -> Result<T> {
        match tokio::time::timeout(limit, work).await {
            Ok(ended) => ended.map_err(|failure| failure.into_error(&self.address)),
            Err(_) => Err(self.address.unavailable(format!("no answer within {} ms", limit.as_millis()))),
        }
    }

    async fn once<T: Send>(
        &self,
        work: &(impl for<'a> Fn(&'a mut Session, bool) -> Working<'a, T> + Send + Sync),
        is_unsure: bool,
    ) -> Outcome<T> {
        let server = self.server().await?;
        let transaction = server.graph.start_txn().await?;
        let mut session = Session { transaction, has_keys_index: server.has_keys_index };
        match work(&mut session, is_unsure).await {
            Ok(answer) => {
                session.transaction.commit().await?;
                Ok(answer)
            }
            Err(failure) => {
                // What it holds must not stay held until the connection is used again.
                if matches!(failure, Failure::Store(_)) {
                    let _ = session.transaction.rollback().await;
                }
                Err(failure)
            }
        }
    }

    async fn server(&self) -> Outcome<&Server> {
        self.server
            .get_or_try_init(|| async {
                let graph = Graph::connect(self.config().build()?)?;
                // The first statement says what is wrong with the address, if something is.
                let mut first = graph.start_txn().await?;
                first.run(Query::new("RETURN 1".to_owned())).await?;
                first.commit().await?;
                for need in NEEDS {
                    let ways: Vec<String> = need.ways.iter().map(|way| (*way).to_owned()).collect();
                    if !accepts(&graph, &ways).await? {
                        tracing::info!("{} has no index so that {}", self.address, need.what);
                    }
                }
                let has_keys_index = accepts(&graph, &[dialect::keys_probe()]).await?;
                Ok(Server { graph, has_keys_index })
            })
            .await
    }

    fn config(&self) -> ConfigBuilder {
        let address = &self.address;
        let config = ConfigBuilder::default()
            .uri(format!("{}://{}", address.scheme(), address.host()))
            .user(address.user().unwrap_or_default())
            .password(address.password().unwrap_or_default())
            // It also ends every wait for an answer; the deadlines of this file are shorter where they should be.
            .connection_timeout(BULK)
            .max_connections(MOST_CONNECTIONS);
        match address.name() {
            Some(database) => config.db(database),
            None => config,
        }
    }
}

/// Only the address: the driver's own description may hold the password.
impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Session {
    /// All rows of the answer.
    pub(crate) async fn rows(&mut self, query: Query) -> Outcome<Vec<Row>> {
        let mut stream = self.transaction.execute(query).await?;
        let mut rows = Vec::new();
        while let Some(row) = stream.next(self.transaction.handle()).await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Runs a statement whose answer does not matter.
    pub(crate) async fn done(&mut self, query: Query) -> Outcome<()> {
        self.rows(query).await.map(drop)
    }

    /// The number in the column `number` of the only row.
    pub(crate) async fn number(&mut self, query: Query) -> Outcome<u64> {
        let rows = self.rows(query).await?;
        let number = rows.first().map(|row| row.get::<i64>("number")).transpose()?.unwrap_or(0);
        Ok(u64::try_from(number).unwrap_or(0))
    }
}

/// Does the first of these that the server does not refuse, outside of any transaction, as changes of the schema want it.
async fn accepts(graph: &Graph, ways: &[String]) -> Outcome<bool> {
    for way in ways {
        match graph.run(Query::new(way.clone())).await {
            Ok(_) => return Ok(true),
            Err(neo4rs::Error::Neo4j(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}
