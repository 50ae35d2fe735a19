//! A folder with source code, a store to index it into, and ways to look at what came of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use code_index::{IndexError, IndexReport, IndexRequest, Indexer, Observer};
use graph::{Edge, Node};
use store::{FileRecord, ProjectCatalog, ProjectGraph};
use store_sqlite::SqliteProjects;
use tempfile::TempDir;

pub(crate) const PROJECT: &str = "sample";

pub(crate) struct Workbench {
    pub(crate) root: TempDir,
    pub(crate) data: TempDir,
    pub(crate) catalog: Arc<SqliteProjects>,
    pub(crate) indexer: Arc<Indexer>,
}

/// Everything that a graph holds, in a form that can be compared.
#[derive(Debug, PartialEq)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) files: Vec<FileRecord>,
    pub(crate) facts: Vec<(String, Vec<u8>)>,
    pub(crate) words: Words,
}

/// The parts of each file, and the files of some words.
pub(crate) type Words = (BTreeMap<String, Vec<u8>>, BTreeMap<(&'static str, String), u8>);

/// Some of those in the files that tests write.
const WORDS: &[&str] = &["load", "sav", "find", "sort", "cart", "item", "return", "def", "notes", "shop", "word"];

impl Workbench {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let (root, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let catalog = Arc::new(SqliteProjects::open(data.path()));
        let indexer = Arc::new(Indexer::new(Arc::clone(&catalog) as Arc<dyn ProjectCatalog>).that_stays());
        let bench = Self { root, data, catalog, indexer };
        for (path, text) in files {
            bench.write(path, text);
        }
        bench
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.path(path), text);
    }

    /// As a new process would be: it knows only what is stored.
    pub(crate) fn restart(&mut self) {
        self.catalog = Arc::new(SqliteProjects::open(self.data.path()));
        self.indexer = Arc::new(Indexer::new(Arc::clone(&self.catalog) as Arc<dyn ProjectCatalog>).that_stays());
    }

    pub(crate) fn request(&self) -> IndexRequest {
        request(self.root.path())
    }

    pub(crate) fn try_index(&self) -> Result<IndexReport, IndexError> {
        self.indexer.index(&self.request(), &())
    }

    pub(crate) fn index(&self) -> IndexReport {
        self.try_index().unwrap()
    }

    pub(crate) fn keep_up(&self, observer: &dyn Observer) {
        self.indexer.keep_up(&self.request(), observer).unwrap();
    }

    pub(crate) fn project(&self) -> Arc<dyn ProjectGraph> {
        self.catalog.find(PROJECT).unwrap().unwrap()
    }

    pub(crate) fn graph(&self) -> Graph {
        graph_of(&*self.project())
    }

    /// What indexing the folder as it is now into an empty store gives.
    pub(crate) fn clean_graph(&self) -> Graph {
        let data = tempfile::tempdir().unwrap();
        let catalog = Arc::new(SqliteProjects::open(data.path()));
        Indexer::new(Arc::clone(&catalog) as Arc<dyn ProjectCatalog>).index(&self.request(), &()).unwrap();
        graph_of(&*catalog.find(PROJECT).unwrap().unwrap())
    }

    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.project().files().unwrap().iter().any(|file| file.path == path)
    }

    /// Whether the graph has a node with this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.graph().nodes.iter().any(|node| node.name == name)
    }
}

pub(crate) fn request(root: &Path) -> IndexRequest {
    IndexRequest { root: root.to_owned(), project: Some(PROJECT.to_owned()), force: false }
}

pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn graph_of(project: &dyn ProjectGraph) -> Graph {
    let (mut nodes, mut edges, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    project
        .nodes(&mut |node| {
            nodes.push(node.clone());
            true
        })
        .unwrap();
    project
        .edges(&[], &mut |edge| {
            edges.push(*edge);
            true
        })
        .unwrap();
    project.facts(&mut |path, bytes| facts.push((path.to_owned(), bytes.to_owned()))).unwrap();
    facts.retain(|(_, bytes)| !bytes.is_empty());
    facts.sort();
    edges.sort();
    let files = project.files().unwrap().into_iter().map(|record| FileRecord { modified: 0, ..record });
    Graph { nodes, edges, files: files.collect(), facts, words: words_of(project) }
}

fn words_of(project: &dyn ProjectGraph) -> Words {
    let words = project.words().unwrap();
    let classes = words.classes().unwrap();
    let numbers = (0_u32..).zip(&classes).filter(|(_, class)| class.is_some()).map(|(number, _)| number);
    let files: BTreeMap<u32, _> = numbers.map(|number| (number, words.file(number).unwrap().unwrap())).collect();
    let mut lists = BTreeMap::new();
    for &word in WORDS {
        let mut found = Vec::new();
        words.files_with(word, &mut found).unwrap();
        let there = found.iter().filter_map(|(number, weight)| Some((files.get(number)?.path.clone(), weight.0)));
        lists.extend(there.map(|(path, weight)| ((word, path), weight)));
    }
    (files.into_values().map(|file| (file.path, file.parts)).collect(), lists)
}

/// Why a path was left out, as the report says it.
pub(crate) fn reason(report: &IndexReport, path: &str) -> Option<String> {
    let found = report.skipped.iter().find(|skipped| skipped.path == path);
    found.map(|skipped| skipped.reason.to_string())
}
