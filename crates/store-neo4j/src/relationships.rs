//! Relationships: kept, read, changed, removed. An index finds them only by type and id, so that every type is noted.

use std::collections::HashSet;

use jiff::Timestamp;
use neo4rs::{BoltType, Query};
use store::knowledge::{NewRelationship, NodeId, Patch, Relationship, RelationshipId, no_node, no_relationship};

use crate::connection::Session;
use crate::dialect::{NODE, TYPE};
use crate::failure::Outcome;
use crate::nodes::{at_most, later};
use crate::row::{self, RELATIONSHIP_COLUMNS};

pub(crate) fn new(relationship: NewRelationship) -> Relationship {
    let NewRelationship { from, to, kind, properties } = relationship;
    let now = Timestamp::now();
    Relationship { id: RelationshipId::generate(), from, to, kind, properties, created_at: now, updated_at: now }
}

pub(crate) async fn create(session: &mut Session, relationship: &Relationship, again: bool) -> Outcome<()> {
    let Relationship { id, from, to, kind, .. } = relationship;
    let put = if again {
        format!("MERGE (a)-[r:`{kind}` {{_id: $id}}]->(b) ON CREATE SET r += $properties")
    } else {
        format!("CREATE (a)-[r:`{kind}` {{_id: $id}}]->(b) SET r += $properties")
    };
    let statement =
        format!("MATCH (a:{NODE} {{_id: $from}}) MATCH (b:{NODE} {{_id: $to}}) {put} RETURN count(r) AS number");
    let query = Query::new(statement)
        .param("id", id.to_string())
        .param("from", from.to_string())
        .param("to", to.to_string())
        .param("properties", BoltType::Map(row::of_relationship(relationship)));
    if session.number(query).await? > 0 {
        return Ok(());
    }
    let missing = missing_end(session, [*from, *to]).await?;
    Err(no_node(missing.unwrap_or(*from)).into())
}

pub(crate) async fn get(session: &mut Session, id: RelationshipId) -> Outcome<Relationship> {
    let types = types(session).await?;
    let one = |kind: &String| {
        format!("MATCH (a:{NODE})-[r:`{kind}`]->(b:{NODE}) WHERE r._id = $id RETURN {RELATIONSHIP_COLUMNS}")
    };
    let statement = types.iter().map(one).collect::<Vec<_>>().join(" UNION ALL ");
    if statement.is_empty() {
        return Err(no_relationship(id).into());
    }
    let rows = session.rows(Query::new(statement).param("id", id.to_string())).await?;
    row::relationship(rows.first().ok_or_else(|| no_relationship(id))?)
}

pub(crate) async fn update(session: &mut Session, id: RelationshipId, patch: &Patch) -> Outcome<()> {
    let found = get(session, id).await?;
    // Read again once it is held: others may have changed it since.
    let hold = at(&found, &format!("SET r._held = true RETURN {RELATIONSHIP_COLUMNS}"));
    let rows = session.rows(hold).await?;
    let held = row::relationship(rows.first().ok_or_else(|| no_relationship(id))?)?;
    let after = patch.apply(&held.properties)?;
    let changes = row::changes(&held.properties, &after, later(held.updated_at));
    let change = at(&found, "SET r += $changes REMOVE r._held").param("changes", BoltType::Map(changes));
    session.done(change).await
}

pub(crate) async fn delete(session: &mut Session, id: RelationshipId, again: bool) -> Outcome<()> {
    match get(session, id).await {
        Ok(found) => session.done(at(&found, "DELETE r")).await,
        // The earlier try may have removed it.
        Err(_) if again => Ok(()),
        Err(failure) => Err(failure),
    }
}

pub(crate) async fn in_order(
    session: &mut Session,
    after: Option<RelationshipId>,
    limit: usize,
) -> Outcome<Vec<Relationship>> {
    let after = after.map(|after| after.to_string()).unwrap_or_default();
    let mut found = Vec::new();
    for kind in types(session).await? {
        let statement = format!(
            "MATCH (a:{NODE})-[r:`{kind}`]->(b:{NODE}) WHERE r._id > $after \
             RETURN {RELATIONSHIP_COLUMNS} ORDER BY r._id LIMIT {}",
            at_most(limit)
        );
        for row in session.rows(Query::new(statement).param("after", after.clone())).await? {
            found.push(row::relationship(&row)?);
        }
    }
    found.sort_by_key(|relationship| relationship.id);
    found.truncate(limit);
    Ok(found)
}

/// The first of these that is not there.
pub(crate) async fn missing_end(
    session: &mut Session,
    ends: impl IntoIterator<Item = NodeId>,
) -> Outcome<Option<NodeId>> {
    let ends: Vec<NodeId> = ends.into_iter().collect();
    let ids = crate::value::texts(ends.iter().map(NodeId::to_string));
    let statement = format!("UNWIND $ids AS id MATCH (n:{NODE} {{_id: id}}) RETURN DISTINCT n._id AS id");
    let rows = session.rows(Query::new(statement).param("ids", ids)).await?;
    let there = rows.iter().map(|row| Ok(row.get::<String>("id")?)).collect::<Outcome<HashSet<String>>>()?;
    Ok(ends.into_iter().find(|end| !there.contains(&end.to_string())))
}

/// A statement about one relationship `r` from `a` to `b` whose type and beginning are known.
fn at(found: &Relationship, statement: &str) -> Query {
    let kind = &found.kind;
    let find = format!("MATCH (a:{NODE} {{_id: $from}})-[r:`{kind}`]->(b:{NODE}) WHERE r._id = $id {statement}");
    Query::new(find).param("from", found.from.to_string()).param("id", found.id.to_string())
}

async fn types(session: &mut Session) -> Outcome<Vec<String>> {
    let rows = session.rows(Query::new(format!("MATCH (t:{TYPE}) RETURN t._name AS name"))).await?;
    let name = |row: &neo4rs::Row| -> Outcome<String> {
        let name: String = row.get("name")?;
        // It becomes part of a statement: a note that somebody else wrote must not.
        store::knowledge::Name::parse(&name)?;
        Ok(name)
    };
    rows.iter().map(name).collect()
}
