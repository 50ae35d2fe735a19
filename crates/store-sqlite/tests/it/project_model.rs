//! Any sequence of updates gives what maps in memory give, whichever catalog makes them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use graph::{Confidence, Direction, Edge, GraphRead, Label, Node, NodeId, NodeKey, Relation, Resolution};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use store::projects::file_id;
use store::{FileRecord, FileUpdate, GraphUpdate, Part, ProjectCatalog as _, ProjectGraph};
use store_sqlite::SqliteProjects;

use crate::sample::{edge, edges_of, node, nodes_of, record};

const PATHS: [&str; 4] = ["a.py", "b.py", "dir/c.py", "索引.md"];
const FUNCTIONS: [&str; 5] = ["alpha", "bravo", "charlie", "delta", "回声"];
const RELATIONS: [Relation; 3] = [Relation::Calls, Relation::References, Relation::Defines];
const RESOLUTIONS: [Resolution; 2] = [Resolution::Import, Resolution::Type];

/// Some functions, with edges from them to any.
fn part(owner: Option<NodeId>) -> impl Strategy<Value = Part> {
    let functions = subsequence(&FUNCTIONS[..], 0..=FUNCTIONS.len());
    (functions, 0..3_u32).prop_flat_map(move |(functions, line)| {
        let nodes: Vec<_> =
            functions.iter().map(|name| Node { start_line: line, ..node(Label::Function, name, owner) }).collect();
        let count = if nodes.is_empty() { 0..1 } else { 0..6 };
        let from: Vec<_> = if nodes.is_empty() { vec![NodeId(0)] } else { nodes.iter().map(|node| node.id).collect() };
        vec(any_edge(from), count).prop_map(move |edges| Part { nodes: nodes.clone(), edges })
    })
}

fn any_edge(from: Vec<NodeId>) -> impl Strategy<Value = Edge> {
    let ends = (select(from), select(&RELATIONS[..]), select(&FUNCTIONS[..]));
    let rest = (0..2_u32, select(&RESOLUTIONS[..]), 1..3_u8);
    (ends, rest).prop_map(|((from, relation, to), (line, resolution, confidence))| Edge {
        line,
        resolution,
        confidence: Confidence(confidence * 30),
        ..edge(from, relation, NodeId::of(Label::Function, to))
    })
}

fn file(path: &'static str) -> impl Strategy<Value = FileUpdate> {
    let facts = option::of(vec(any::<u8>(), 0..3));
    let languages = option::of(select(&["python", "rust"][..]));
    (languages, 0..2_i64, facts, option::of(part(Some(file_id(path))))).prop_map(
        move |(language, modified, facts, part)| {
            let language = language.map(str::to_owned);
            FileUpdate { record: FileRecord { language, modified, ..record(path) }, facts, part, words: None }
        },
    )
}

fn any_update() -> impl Strategy<Value = GraphUpdate> {
    let files = subsequence(&PATHS[..], 0..=PATHS.len()).prop_shuffle();
    let files = files.prop_flat_map(|paths| paths.into_iter().map(file).collect::<Vec<_>>());
    let removed = subsequence(&PATHS[..], 0..=2).prop_map(|paths| paths.into_iter().map(str::to_owned).collect());
    (files, removed, option::of(part(None))).prop_map(|(files, removed, structure)| GraphUpdate {
        files,
        removed,
        structure,
        ..GraphUpdate::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_project_does_what_maps_do(updates in vec((any_update(), any::<bool>()), 1..15)) {
        let folder = tempfile::tempdir().unwrap();
        let catalogs = [SqliteProjects::open(folder.path()), SqliteProjects::open(folder.path())];
        catalogs[0].create("sample", "/sample").unwrap();
        let projects = catalogs.each_ref().map(|catalog| catalog.find("sample").unwrap().unwrap());
        let mut model = Model::default();
        for (update, is_first) in updates {
            let before = (model.clone(), projects[0].info().unwrap().epoch);
            projects[usize::from(is_first)].apply(&update).unwrap();
            model.apply(&update);
            for project in &projects {
                model.compare(&**project);
            }
            let epoch = projects[1].info().unwrap().epoch;
            // What is removed and added again in one step may count as a change.
            let may_differ = update.files.iter().any(|file| update.removed.contains(&file.record.path));
            prop_assert!(epoch != before.1 || model == before.0, "changed without an epoch");
            prop_assert!(epoch == before.1 || model != before.0 || may_differ, "an epoch without a change");
        }
    }
}

/// What a project holds.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    files: BTreeMap<String, FileRecord>,
    facts: BTreeMap<String, Vec<u8>>,
    nodes: BTreeMap<NodeId, Node>,
    edges: BTreeMap<Key, Edge>,
}

type Key = (NodeId, Relation, NodeId, u32);

impl Model {
    fn apply(&mut self, update: &GraphUpdate) {
        for path in &update.removed {
            self.remove(Some(file_id(path)));
            self.files.remove(path);
            self.facts.remove(path);
        }
        for file in update.files.iter().filter(|file| file.part.is_some()) {
            self.remove(Some(file_id(&file.record.path)));
        }
        if update.structure.is_some() {
            self.remove(None);
        }
        for file in &update.files {
            self.files.insert(file.record.path.clone(), file.record.clone());
            self.facts.extend(file.facts.clone().map(|facts| (file.record.path.clone(), facts)));
        }
        let parts: Vec<_> =
            update.files.iter().filter_map(|file| file.part.as_ref()).chain(&update.structure).collect();
        self.nodes.extend(parts.iter().flat_map(|part| &part.nodes).map(|node| (node.id, node.clone())));
        let mut edges: Vec<_> = parts.iter().flat_map(|part| part.edges.iter().copied()).collect();
        edges.sort_by_key(|edge| (edge.confidence, Reverse(edge.resolution)));
        self.edges.extend(edges.iter().map(|edge| ((edge.from, edge.relation, edge.to, edge.line), *edge)));
    }

    fn remove(&mut self, owner: Option<NodeId>) {
        let is_gone = |id: &NodeId| self.nodes.get(id).is_some_and(|node| node.file == owner);
        self.edges.retain(|_, edge| !is_gone(&edge.from));
        self.nodes.retain(|_, node| node.file != owner);
    }

    fn compare(&self, project: &dyn ProjectGraph) {
        assert_eq!(nodes_of(project), self.nodes.values().cloned().collect::<Vec<_>>());
        assert_eq!(edges_of(project), self.edges.values().copied().collect::<Vec<_>>());
        assert_eq!(project.files().unwrap(), self.files.values().cloned().collect::<Vec<_>>());
        let mut facts = BTreeMap::new();
        project.facts(&mut |path, bytes| drop(facts.insert(path.to_owned(), bytes.to_vec()))).unwrap();
        assert_eq!(facts, self.facts);
        let info = project.info().unwrap();
        let counts = [self.files.len(), self.nodes.len(), self.edges.len()].map(|count| count as u64);
        assert_eq!([info.files, info.nodes, info.relationships], counts);
        self.compare_reader(&*project.reader().unwrap());
        for name in FUNCTIONS {
            let found = project.find_qualified(name).unwrap();
            assert_eq!(found.first().map(|found| &found.node), self.nodes.get(&NodeId::of(Label::Function, name)));
        }
    }

    /// Edges that end at no node are not seen.
    fn compare_reader(&self, reader: &dyn GraphRead) {
        let is_whole = |edge: &&Edge| self.nodes.contains_key(&edge.to);
        for relation in RELATIONS {
            let count = self.edges.values().filter(is_whole).filter(|edge| edge.relation == relation).count() as u64;
            let found = reader.edge_count(&[reader.relation(relation.name()).unwrap()]).unwrap();
            assert_eq!(found, count, "{relation}");
        }
        for id in self.nodes.keys() {
            let mut steps = Vec::new();
            reader.expand(NodeKey(u64::try_from(id.0).unwrap()), Direction::Outgoing, &[], &mut steps).unwrap();
            let count = self.edges.values().filter(is_whole).filter(|edge| edge.from == *id).count();
            assert_eq!(steps.len(), count);
        }
    }
}
