//! The knowledge graph in several processes, and after a kill.

use std::collections::{BTreeMap, HashSet};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::sync::Arc;

use store::knowledge::{FuzzySearch, Name, NeighborSearch, Properties, Value};
use store::{KnowledgeGraph as _, NewNode, NewRelationship, NodeId, RelationshipId};
use store_sqlite::SqliteStore;

use crate::child::{Role, report, start};
use crate::sample::assert_sound;

/// How many nodes each process relates to a node of its own.
pub(crate) const RELATE_MANY: usize = 50;

pub(crate) fn node(name: &str) -> NewNode {
    let properties = BTreeMap::from([(Name::parse("name").unwrap(), Value::from(name))]);
    NewNode { label: Name::parse("Entity").unwrap(), properties: Properties::new(properties).unwrap() }
}

pub(crate) fn between(from: NodeId, to: NodeId) -> NewRelationship {
    NewRelationship { from, to, kind: Name::parse("RELATED_TO").unwrap(), properties: Properties::default() }
}

pub(crate) async fn names_near(store: &SqliteStore, query: &str) -> usize {
    let search = FuzzySearch { query: query.to_owned(), labels: Vec::new(), limit: usize::MAX };
    store.fuzzy_search(search).await.unwrap().len()
}

#[tokio::test]
async fn two_processes_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let children = [start(Role::RelateMany, folder.path()), start(Role::RelateMany, folder.path())];
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let store = SqliteStore::open(folder.path());
    let size = store.size().await.unwrap();
    assert_eq!((size.nodes, size.relationships), (2 * (RELATE_MANY as u64 + 1), 2 * RELATE_MANY as u64));
    let hubs = store.nodes_in_order(None, usize::MAX).await.unwrap();
    for hub in hubs.iter().filter(|node| node.properties.names().eq(["hub"])) {
        let search = NeighborSearch { id: hub.id, depth: 1, types: Vec::new(), budget: 1_000 };
        assert_eq!(store.neighbors(search).await.unwrap().nodes.len(), RELATE_MANY);
    }
    assert_eq!(names_near(&store, "gruond").await, 2 * RELATE_MANY);
    assert_sound(&store).await;
}

pub(crate) async fn relate_many(store: &SqliteStore) {
    let hub = store.create_node(node("hub")).await.unwrap();
    let all = (0..RELATE_MANY).map(|number| async move {
        let created = store.create_node(node(&format!("ground {number}"))).await.unwrap();
        store.create_relationship(between(hub, created)).await.unwrap();
    });
    futures::future::join_all(all).await;
}

const KILLS: usize = 10;

#[tokio::test]
async fn nothing_of_the_graph_is_lost_when_a_process_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut nodes, mut relationships, mut gone) = (HashSet::new(), HashSet::new(), HashSet::new());
    for round in 0..KILLS {
        for line in run_and_kill(folder.path(), 10 + 3 * round) {
            let Some((what, id)) = line.split_once(' ') else { continue };
            match what {
                "node" => assert!(nodes.insert(id.parse::<NodeId>().unwrap())),
                "relationship" => assert!(relationships.insert(id.parse::<RelationshipId>().unwrap())),
                "deleting" => assert!(nodes.remove(&id.parse::<NodeId>().unwrap())),
                "deleted" => assert!(gone.insert(id.parse::<NodeId>().unwrap())),
                _ => {}
            }
        }
        let store = SqliteStore::open(folder.path());
        let kept: HashSet<_> =
            store.nodes_in_order(None, usize::MAX).await.unwrap().into_iter().map(|node| node.id).collect();
        assert_eq!(nodes.difference(&kept).next(), None, "an acknowledged node is lost");
        assert_eq!(gone.intersection(&kept).next(), None, "a deleted node is back");
        for id in &relationships {
            // Its nodes may have been deleted with it since.
            let found = store.relationship(*id).await;
            assert!(found.is_ok() || !gone.is_empty(), "an acknowledged relationship is lost");
        }
        assert_eq!(names_near(&store, "kill").await, kept.len().min(search::fuzzy::MOST_CANDIDATES));
        assert_sound(&store).await;
        store.close().await;
    }
}

/// What two processes reported before they were killed, one of them after so many lines.
fn run_and_kill(folder: &Path, lines: usize) -> Vec<String> {
    let mut children = [start(Role::RelateForEver, folder), start(Role::RelateForEver, folder)];
    let mut reports = String::new();
    let mut outputs = children.each_mut().map(|child| BufReader::new(child.stdout.take().unwrap()));
    while reports.matches("node ").count() < lines {
        assert_ne!(outputs[0].read_line(&mut reports).unwrap(), 0, "the process ended by itself: {reports}");
    }
    children.iter_mut().for_each(|child| child.kill().unwrap());
    for output in &mut outputs {
        output.read_to_string(&mut reports).unwrap();
        // The last line of a killed process may be half a line.
        let whole = reports.rfind('\n').map_or(0, |end| end + 1);
        reports.truncate(whole);
    }
    for child in &mut children {
        child.wait().unwrap();
    }
    reports.lines().map(str::to_owned).collect()
}

pub(crate) async fn relate_for_ever(store: SqliteStore) {
    let store = Arc::new(store);
    let relate = |store: Arc<SqliteStore>| async move {
        let mut before = store.create_node(node("kill")).await.unwrap();
        report(&format!("node {before}"));
        for number in 1_u64.. {
            let created = store.create_node(node("kill")).await.unwrap();
            report(&format!("node {created}"));
            let relationship = store.create_relationship(between(before, created)).await.unwrap();
            report(&format!("relationship {relationship}"));
            if number.is_multiple_of(4) {
                report(&format!("deleting {before}"));
                store.delete_node(before, true).await.unwrap();
                report(&format!("deleted {before}"));
            }
            before = created;
        }
    };
    tokio::join!(relate(store.clone()), relate(store.clone()), relate(store));
}
