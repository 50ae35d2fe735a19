//! Taking over what another store kept, with its ids and times.

use std::collections::{BTreeMap, BTreeSet};

use neo4rs::{BoltType, Query};
use store::knowledge::{Name, Node, NodeId, Relationship, no_node};

use crate::connection::Session;
use crate::dialect::NODE;
use crate::failure::{Outcome, unreadable};
use crate::{find, relationships as ends, row, value};

pub(crate) async fn nodes(session: &mut Session, nodes: Vec<Node>) -> Outcome<usize> {
    let known = find::by_ids(session, nodes.iter().map(|node| node.id)).await?;
    let mut seen: BTreeSet<NodeId> = known.into_keys().collect();
    let mut by_label: BTreeMap<Name, Vec<BoltType>> = BTreeMap::new();
    let mut new = 0;
    for node in nodes.iter().filter(|node| seen.insert(node.id)) {
        let row = [
            ("id".to_owned(), node.id.to_string().into()),
            ("properties".to_owned(), BoltType::Map(row::of_node(node))),
        ];
        by_label.entry(node.label.clone()).or_default().push(BoltType::Map(value::map(row)));
        new += 1;
    }
    for (label, rows) in by_label {
        let statement =
            format!("UNWIND $rows AS row CREATE (n:{NODE}:`{label}` {{_id: row.id}}) SET n += row.properties");
        session.done(Query::new(statement).param("rows", BoltType::List(rows.into()))).await?;
    }
    Ok(new)
}

pub(crate) async fn relationships(session: &mut Session, given: Vec<Relationship>) -> Outcome<usize> {
    let mut by_kind: BTreeMap<Name, Vec<&Relationship>> = BTreeMap::new();
    for relationship in &given {
        by_kind.entry(relationship.kind.clone()).or_default().push(relationship);
    }
    let mut new = 0;
    for (kind, relationships) in by_kind {
        let mut seen = known(session, &kind, &relationships).await?;
        let fresh: Vec<&Relationship> =
            relationships.into_iter().filter(|relationship| seen.insert(relationship.id.to_string())).collect();
        let both = fresh.iter().flat_map(|relationship| [relationship.from, relationship.to]);
        if let Some(missing) = ends::missing_end(session, both).await? {
            return Err(no_node(missing).into());
        }
        let statement = format!(
            "UNWIND $rows AS row MATCH (a:{NODE} {{_id: row.from}}) MATCH (b:{NODE} {{_id: row.to}}) \
             CREATE (a)-[r:`{kind}` {{_id: row.id}}]->(b) SET r += row.properties"
        );
        session.done(Query::new(statement).param("rows", rows(&fresh))).await?;
        new += fresh.len();
    }
    Ok(new)
}

async fn known(session: &mut Session, kind: &Name, given: &[&Relationship]) -> Outcome<BTreeSet<String>> {
    let statement = format!(
        "UNWIND $rows AS row MATCH (a:{NODE} {{_id: row.from}})-[r:`{kind}`]->() WHERE r._id = row.id RETURN r._id AS id"
    );
    let found = session.rows(Query::new(statement).param("rows", rows(given))).await?;
    found.iter().map(|row| Ok(row.get::<String>("id").map_err(unreadable)?)).collect()
}

fn rows(relationships: &[&Relationship]) -> BoltType {
    let row = |relationship: &&Relationship| {
        let text = |name: &str, text: String| (name.to_owned(), BoltType::from(text));
        let Relationship { id, from, to, .. } = relationship;
        let properties = ("properties".to_owned(), BoltType::Map(row::of_relationship(relationship)));
        let ids = [text("id", id.to_string()), text("from", from.to_string()), text("to", to.to_string())];
        BoltType::Map(value::map(ids.into_iter().chain([properties])))
    };
    BoltType::List(relationships.iter().map(row).collect::<Vec<_>>().into())
}
