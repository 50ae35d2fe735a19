//! Questions to a graph server about the projects that were imported there.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use code_query::{CypherServer, ServerError, ServerRows};
use cypher::Confinement;
use graph::{Label, PROPERTY_ALIASES};
use graph_export::cypher::NODE;
use neo4rs::{BoltType, Query, Row};
use questions::Hit;
use tokio::sync::Mutex;

use crate::cells::cell;
use crate::connection::Connection;
use crate::{Error, Target, marker};

/// A server that is connected to by the first question, and again after it was lost.
#[derive(Debug)]
pub struct CodeServer {
    target: Target,
    connection: Mutex<Option<Arc<Connection>>>,
}

impl CodeServer {
    /// Connects to nothing yet.
    pub fn new(target: Target) -> Self {
        Self { target, connection: Mutex::default() }
    }

    async fn connection(&self) -> Result<Arc<Connection>, Error> {
        let mut held = self.connection.lock().await;
        if let Some(connection) = &*held {
            return Ok(connection.clone());
        }
        let opened = Arc::new(Connection::open(&self.target).await?);
        *held = Some(opened.clone());
        Ok(opened)
    }

    /// The rows of a query that only reads. A connection that was lost is not kept for the next one, and neither is one whose
    /// question was given up: what is left unread there would be the answer to the next.
    async fn read(&self, query: Query, most: usize) -> Result<Vec<Row>, ServerError> {
        let connection = self.connection().await.map_err(told)?;
        let forget = Forget { server: self, done: false };
        let read = connection.rows(query, most).await;
        match read {
            Ok(rows) => {
                forget.keep();
                Ok(rows)
            }
            Err(error) => {
                if matches!(error, Error::Refused { .. }) {
                    forget.keep();
                }
                Err(told(error))
            }
        }
    }
}

/// Lets go of the connection unless the question came to its end.
struct Forget<'a> {
    server: &'a CodeServer,
    done: bool,
}

impl Forget<'_> {
    fn keep(mut self) {
        self.done = true;
    }
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        if !self.done
            && let Ok(mut held) = self.server.connection.try_lock()
        {
            *held = None;
        }
    }
}

#[async_trait]
impl CypherServer for CodeServer {
    fn address(&self) -> &str {
        self.target.address()
    }

    async fn state(&self, project: &str) -> Result<Option<u64>, ServerError> {
        let rows = self.read(marker::find(project), 1).await?;
        Ok(rows.first().and_then(marker::whole))
    }

    async fn projects(&self) -> Result<Vec<String>, ServerError> {
        let rows = self.read(marker::list(), usize::MAX).await?;
        let whole = rows.iter().filter(|row| marker::whole(row).is_some());
        Ok(whole.filter_map(|row| row.get::<String>("id").ok()).collect())
    }

    async fn names(&self, project: &str) -> Result<Vec<Hit>, ServerError> {
        let text = format!(
            "MATCH (n:{NODE}) WHERE n.project = $project RETURN labels(n) AS labels, n.name AS name, \
             n.qualified_name AS qualified_name, n.file_path AS file_path, n.line_start AS line"
        );
        let rows = self.read(Query::new(text).param("project", project), usize::MAX).await?;
        Ok(rows.iter().filter_map(hit).collect())
    }

    async fn rows(&self, query: &str, columns: Option<&[String]>, most: usize) -> Result<ServerRows, ServerError> {
        let rows = self.read(Query::new(query.to_owned()), most).await?;
        let columns = columns.map_or_else(|| named_by(&rows), <[String]>::to_vec);
        let of = |row: &Row| {
            let value =
                |column: &String| row.get::<BoltType>(column).map_or(code_query::Cell::Null, |value| cell(&value));
            columns.iter().map(value).collect()
        };
        Ok(ServerRows { rows: rows.iter().map(of).collect(), columns })
    }

    fn confinement<'a>(&self, project: &'a str) -> Confinement<'a> {
        Confinement { property: "project", value: project, common_label: NODE, aliases: PROPERTY_ALIASES }
    }
}

/// The columns of `RETURN *`, which only the server knows.
fn named_by(rows: &[Row]) -> Vec<String> {
    let names: BTreeSet<String> = rows.iter().flat_map(Row::keys).map(|key| key.value.clone()).collect();
    names.into_iter().collect()
}

fn hit(row: &Row) -> Option<Hit> {
    let labels: Vec<String> = row.get("labels").ok()?;
    let label = Label::ALL.into_iter().find(|label| labels.iter().any(|name| name == label.name()))?;
    let text = |column: &str| row.get::<String>(column).unwrap_or_default();
    let line = row.get::<i64>("line").ok().and_then(|line| u32::try_from(line).ok()).unwrap_or_default();
    (label != Label::Project).then(|| Hit {
        label,
        name: text("name"),
        qualified_name: text("qualified_name"),
        file_path: text("file_path"),
        start_line: line,
    })
}

fn told(error: Error) -> ServerError {
    let text = match error.hint() {
        Some(_) if matches!(error, Error::Lost { .. }) => format!("{error}; ask again"),
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    };
    if matches!(error, Error::Refused { .. }) { ServerError::Refused(text) } else { ServerError::Unavailable(text) }
}
