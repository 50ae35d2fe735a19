//! An import: put every node, then every relationship, remove what was not put, count.

use std::sync::Arc;

use graph_export::Source;
use graph_export::cypher::{INDEX, UNIQUE};
use neo4rs::Query;

use crate::connection::Connection;
use crate::marker::{self, Position, number};
use crate::stream::{Batches, Part};
use crate::{Error, Target, statements};

/// What is imported: one state of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub project: String,
    /// Tells this state of the project from every other.
    pub epoch: u64,
    pub nodes: u64,
    pub relationships: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Nodes,
    Relationships,
    Removing,
}

/// How far a phase has come; of what is removed, the total is not known before the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub phase: Phase,
    pub done: u64,
    pub total: u64,
}

/// How the server came to hold the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Imported,
    /// Another run had put this many nodes and relationships already.
    Continued {
        nodes: u64,
        relationships: u64,
    },
    /// Nothing was to be done.
    UpToDate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    pub outcome: Outcome,
    pub removed_nodes: u64,
    /// Besides those that went with their nodes.
    pub removed_relationships: u64,
}

/// Makes the server hold exactly this state of the project. To be run again after any failure.
pub async fn import(
    target: &Target,
    import: &Import,
    source: Arc<dyn Source>,
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Report, Error> {
    let connection = Connection::open(target).await?;
    prepare(&connection).await?;
    let begun = marker::read(&connection, import).await?;
    let mut run = Run { connection, import, source, position: begun, progress };
    if begun.is_complete && run.missing().await?.is_none() {
        return Ok(Report { outcome: Outcome::UpToDate, removed_nodes: 0, removed_relationships: 0 });
    }
    if begun.is_complete {
        run.position = Position::default();
    }
    let resumed = run.position;
    let mut removed = run.everything().await?;
    let mut missing = run.missing().await?;
    if missing.is_some() && resumed != Position::default() {
        // Somebody has removed what an earlier run had put.
        run.position = Position::default();
        removed = run.everything().await?;
        missing = run.missing().await?;
    }
    if let Some(missing) = missing {
        return Err(missing);
    }
    run.finish().await?;
    let Position { nodes, relationships, .. } = resumed;
    let is_new = resumed == Position::default();
    let outcome = if is_new { Outcome::Imported } else { Outcome::Continued { nodes, relationships } };
    Ok(Report { outcome, removed_nodes: removed.0, removed_relationships: removed.1 })
}

/// Without an index each row costs a look at every node, so there must be one before the first.
async fn prepare(connection: &Connection) -> Result<(), Error> {
    if connection.accepts(UNIQUE).await? || connection.accepts(INDEX).await? {
        return Ok(());
    }
    Err(Error::Refused {
        address: connection.target().address().to_owned(),
        code: "no index".to_owned(),
        reason: format!("it takes neither `{UNIQUE}` nor `{INDEX}`"),
    })
}

struct Run<'a> {
    connection: Connection,
    import: &'a Import,
    source: Arc<dyn Source>,
    position: Position,
    progress: &'a mut (dyn FnMut(Progress) + Send),
}

impl Run<'_> {
    /// Puts what is left and removes the rest; the numbers of nodes and relationships removed.
    async fn everything(&mut self) -> Result<(u64, u64), Error> {
        self.put(Part::Nodes).await?;
        self.put(Part::Relationships).await?;
        // Nodes take their relationships with them.
        let nodes = self.remove(&statements::remove_nodes(), 0).await?;
        let relationships = self.remove(&statements::remove_relationships(), nodes).await?;
        Ok((nodes, relationships))
    }

    async fn put(&mut self, part: Part) -> Result<(), Error> {
        let mut batches = Batches::read(self.source.clone(), self.import.clone(), part, *self.done(part));
        self.tell(part);
        while let Some(batch) = batches.next().await? {
            *self.done(part) += batch.rows;
            let mut queries = batch.into_queries();
            queries.push(marker::write(self.import, Position { is_complete: false, ..self.position }));
            self.connection.commit(&queries).await?;
            self.tell(part);
        }
        Ok(())
    }

    async fn remove(&mut self, statement: &str, before: u64) -> Result<u64, Error> {
        let mut removed = 0;
        loop {
            let query = Query::new(statement.to_owned()).param("epoch", number(self.import.epoch));
            match self.number(query).await? {
                0 => return Ok(removed),
                gone => removed += gone,
            }
            (self.progress)(Progress { phase: Phase::Removing, done: before + removed, total: before + removed });
        }
    }

    /// What the server holds, if that is not what it should hold.
    async fn missing(&mut self) -> Result<Option<Error>, Error> {
        let found_nodes = self.number(Query::new(statements::count_nodes())).await?;
        let found_relationships = self.number(Query::new(statements::count_relationships())).await?;
        let &Import { nodes, relationships, .. } = self.import;
        let address = self.connection.target().address().to_owned();
        let is_whole = (found_nodes, found_relationships) == (nodes, relationships);
        let missing = Error::Incomplete { address, nodes, relationships, found_nodes, found_relationships };
        Ok((!is_whole).then_some(missing))
    }

    async fn finish(&mut self) -> Result<(), Error> {
        let end = Position { is_complete: true, ..self.position };
        self.connection.commit(&[marker::write(self.import, end)]).await
    }

    /// The `number` in the answer to a question about the project.
    async fn number(&self, query: Query) -> Result<u64, Error> {
        let row = self.connection.row(query.param("project", self.import.project.as_str())).await?;
        let number = row.and_then(|row| row.get::<i64>("number").ok()).and_then(|number| u64::try_from(number).ok());
        Ok(number.unwrap_or_default())
    }

    fn done(&mut self, part: Part) -> &mut u64 {
        match part {
            Part::Nodes => &mut self.position.nodes,
            Part::Relationships => &mut self.position.relationships,
        }
    }

    fn tell(&mut self, part: Part) {
        let (phase, total) = match part {
            Part::Nodes => (Phase::Nodes, self.import.nodes),
            Part::Relationships => (Phase::Relationships, self.import.relationships),
        };
        let done = *self.done(part);
        (self.progress)(Progress { phase, done, total });
    }
}
