//! A connection that does whole transactions, and tries again where that can help.

use std::fmt;
use std::time::Duration;

use neo4rs::{ConfigBuilder, Graph, Query, Row};

use crate::error::{may_pass, of_first_connection, of_statement};
use crate::{Error, Target};

const CONNECT: Duration = Duration::from_secs(15);
/// A server may take its time over a batch; one that has gone is noticed sooner, by the keep-alive of the connection.
const ANSWER: Duration = Duration::from_secs(10 * 60);
/// Writers in each other's way, or a server that starts anew, pass within seconds.
const PAUSES: [Duration; 4] =
    [Duration::from_millis(100), Duration::from_millis(400), Duration::from_millis(1_500), Duration::from_secs(3)];

pub(crate) struct Connection {
    graph: Graph,
    target: Target,
}

impl fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Connection").field("target", &self.target).finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects and does one transaction with nothing in it, so that everything that can be wrong shows here.
    pub(crate) async fn open(target: &Target) -> Result<Self, Error> {
        let mut config = ConfigBuilder::default()
            .uri(&target.address)
            .user(&target.user)
            .password(&target.password)
            .connection_timeout(ANSWER)
            .max_connections(2);
        if let Some(database) = &target.database {
            config = config.db(database.as_str());
        }
        let failed = |error| of_first_connection(target, error);
        let graph = config.build().and_then(Graph::connect).map_err(failed)?;
        let first = async {
            let mut transaction = graph.start_txn().await?;
            transaction.run(Query::new("RETURN 1".to_owned())).await?;
            transaction.commit().await
        };
        let first = tokio::time::timeout(CONNECT, first).await;
        first.map_err(|_| failed(neo4rs::Error::ConnectionTimedOut))?.map_err(failed)?;
        Ok(Self { graph, target: target.clone() })
    }

    /// Does all of this in one transaction. What it does must bear to be done twice: the answer to a commit can get lost.
    pub(crate) async fn commit(&self, queries: &[Query]) -> Result<(), Error> {
        self.patiently(|| async {
            let mut transaction = self.graph.start_txn().await?;
            for query in queries {
                transaction.run(query.clone()).await?;
            }
            transaction.commit().await
        })
        .await
    }

    /// The first row of the answer, from a transaction of its own.
    pub(crate) async fn row(&self, query: Query) -> Result<Option<Row>, Error> {
        self.patiently(|| async {
            let mut transaction = self.graph.start_txn().await?;
            let mut rows = transaction.execute(query.clone()).await?;
            let first = rows.next(transaction.handle()).await?;
            while rows.next(transaction.handle()).await?.is_some() {}
            transaction.commit().await?;
            Ok(first)
        })
        .await
    }

    /// The first rows of the answer, from a transaction that keeps nothing.
    pub(crate) async fn rows(&self, query: Query, most: usize) -> Result<Vec<Row>, Error> {
        self.patiently(|| async {
            let mut transaction = self.graph.start_txn().await?;
            let mut stream = transaction.execute(query.clone()).await?;
            let mut rows = Vec::new();
            while let Some(row) = stream.next(transaction.handle()).await? {
                if rows.len() < most {
                    rows.push(row);
                }
            }
            transaction.rollback().await?;
            Ok(rows)
        })
        .await
    }

    /// Does one statement outside of any transaction, as changes of the schema want it; false if the server refuses it.
    pub(crate) async fn accepts(&self, statement: &str) -> Result<bool, Error> {
        match self.graph.run(Query::new(statement.to_owned())).await {
            Ok(_) => Ok(true),
            Err(neo4rs::Error::Neo4j(_)) => Ok(false),
            Err(error) => Err(of_statement(&self.target, error)),
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    async fn patiently<T, F>(&self, work: impl Fn() -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, neo4rs::Error>>,
    {
        for pause in PAUSES {
            match work().await {
                Err(error) if may_pass(&error) => tokio::time::sleep(pause).await,
                ended => return ended.map_err(|error| of_statement(&self.target, error)),
            }
        }
        work().await.map_err(|error| of_statement(&self.target, error))
    }
}
