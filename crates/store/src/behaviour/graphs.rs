//! Changing and reading a code graph.

use std::future::ready;
use std::sync::Arc;

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use jiff::Timestamp;

use super::expect::{equal, fails_with, holds};
use super::words::words;
use super::{Case, Verdict};
use crate::projects::file_id;
use crate::{ErrorKind, FileRecord, FileUpdate, FoundNode, GraphUpdate, Part, ProjectCatalog, ProjectGraph, Result};

pub(super) const CASES: &[Case<dyn ProjectCatalog>] = &[
    Case { name: "nodes and edges read back unchanged", run: |catalog| Box::pin(ready(graph_reads_back(catalog))) },
    Case { name: "files and facts read back unchanged", run: |catalog| Box::pin(ready(files_read_back(catalog))) },
    Case { name: "what an update leaves out stays", run: |catalog| Box::pin(ready(left_out(catalog))) },
    Case { name: "a new part takes the place of the old", run: |catalog| Box::pin(ready(replaced(catalog))) },
    Case { name: "a removed file takes all of it along", run: |catalog| Box::pin(ready(removed(catalog))) },
    Case { name: "a node can move to another file in one step", run: |catalog| Box::pin(ready(renamed(catalog))) },
    Case { name: "of a node in two files the last one counts", run: |catalog| Box::pin(ready(twice(catalog))) },
    Case { name: "of edges found in two ways the surest counts", run: |catalog| Box::pin(ready(surest(catalog))) },
    Case { name: "the structure is replaced as a whole", run: |catalog| Box::pin(ready(structure(catalog))) },
    Case { name: "a refused update changes nothing", run: |catalog| Box::pin(ready(refused(catalog))) },
    Case { name: "nodes are found by qualified name", run: |catalog| Box::pin(ready(qualified(catalog))) },
    Case { name: "nodes are found by name, some of them", run: |catalog| Box::pin(ready(named(catalog))) },
    Case {
        name: "nodes and edges come in order until told to stop",
        run: |catalog| Box::pin(ready(in_order(catalog))),
    },
    Case { name: "edges can be asked for by type", run: |catalog| Box::pin(ready(by_type(catalog))) },
    Case { name: "the epoch changes with the graph, and only then", run: |catalog| Box::pin(ready(epochs(catalog))) },
    Case { name: "counts follow every change", run: |catalog| Box::pin(ready(counts(catalog))) },
];

type Graph = (Vec<Node>, Vec<Edge>);

/// Everything in the graph.
pub(super) fn graph_of(project: &dyn ProjectGraph) -> Result<Graph> {
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    project.nodes(&mut |node| {
        nodes.push(node.clone());
        true
    })?;
    project.edges(&[], &mut |edge| {
        edges.push(*edge);
        true
    })?;
    Ok((nodes, edges))
}

pub(super) fn update(files: Vec<FileUpdate>) -> GraphUpdate {
    GraphUpdate { files, ..GraphUpdate::default() }
}

/// A Python file that defines these functions.
pub(super) fn file(path: &str, functions: &[&str]) -> FileUpdate {
    let id = file_id(path);
    let mut part = Part { nodes: vec![node(Label::File, path, Some(id))], edges: Vec::new() };
    part.nodes.extend(functions.iter().map(|name| node(Label::Function, name, Some(id))));
    part.edges.extend(functions.iter().map(|name| edge(id, Relation::Defines, NodeId::of(Label::Function, name))));
    FileUpdate { record: record(path), facts: None, part: Some(part), words: None }
}

fn record(path: &str) -> FileRecord {
    FileRecord {
        path: path.to_owned(),
        language: Some("python".to_owned()),
        size: 10,
        modified: 1,
        content_hash: vec![1, 2],
        graph_hash: vec![3],
        lines: 7,
        problem: None,
    }
}

fn node(label: Label, qualified_name: &str, file: Option<NodeId>) -> Node {
    let name = qualified_name.rsplit(['.', '/']).next().unwrap_or_default().to_owned();
    let id = NodeId::of(label, qualified_name);
    Node { id, label, name, qualified_name: qualified_name.to_owned(), file, ..Node::default() }
}

fn edge(from: NodeId, relation: Relation, to: NodeId) -> Edge {
    Edge { from, relation, to, line: 0, resolution: Resolution::Syntax, confidence: Confidence::CERTAIN }
}

/// A project with these files, and what is in its graph then.
fn project(catalog: &dyn ProjectCatalog, files: Vec<FileUpdate>) -> Result<Arc<dyn ProjectGraph>> {
    let project = catalog.create("sample", "/sample")?;
    project.apply(&update(files))?;
    Ok(project)
}

/// The graph that these parts make together.
fn graph(parts: &[&Part]) -> Graph {
    let mut nodes: Vec<_> = parts.iter().flat_map(|part| part.nodes.clone()).collect();
    let mut edges: Vec<_> = parts.iter().flat_map(|part| part.edges.clone()).collect();
    nodes.sort_by_key(|node| node.id);
    edges.sort();
    (nodes, edges)
}

fn parts(files: &[FileUpdate]) -> Vec<&Part> {
    files.iter().filter_map(|file| file.part.as_ref()).collect()
}

fn graph_reads_back(catalog: &dyn ProjectCatalog) -> Verdict {
    let id = file_id("a.py");
    let texts = ["", "plain", "索引 🚀", "quote ' \" \\ \n\r\t", "x\0y", "$set ?1 :name", "\u{10FFFF}\u{FEFF}"];
    let mut part = Part::default();
    for (number, label) in (1_u32..).zip(Label::ALL) {
        let text = texts[number as usize % texts.len()].to_owned();
        let mut node = node(label, &format!("some.{text}"), Some(id));
        (node.start_line, node.end_line, node.own_line) = (number, u32::MAX, number + 1);
        (node.signature, node.docstring) = (Some(text.clone()), number.is_multiple_of(2).then(|| text.clone()));
        (node.decorators, node.modifiers) = (vec![text; number as usize % 3], vec!["async".to_owned(), String::new()]);
        part.nodes.push(node);
    }
    for (line, relation) in (0..).zip(Relation::ALL) {
        for (hundredths, resolution) in (0..).zip(Resolution::ALL) {
            let to = NodeId::of(Label::Class, resolution.name());
            let found =
                Edge { line, resolution: *resolution, confidence: Confidence(hundredths), ..edge(id, *relation, to) };
            part.edges.push(Edge { from: part.nodes[0].id, ..found });
        }
    }
    part.edges.push(Edge { line: u32::MAX, ..part.edges[0] });
    let files = vec![FileUpdate { part: Some(part), ..file("a.py", &[]) }];
    let expected = graph(&parts(&files));
    equal("graph", graph_of(&*project(catalog, files)?)?, expected)
}

fn files_read_back(catalog: &dyn ProjectCatalog) -> Verdict {
    let odd = FileRecord {
        language: None,
        size: u64::from(u32::MAX) + 1,
        modified: -1,
        content_hash: Vec::new(),
        lines: u32::MAX,
        problem: Some("无法读取".to_owned()),
        ..record("索引/b 🚀.py")
    };
    let facts = |facts: &[u8], record| FileUpdate { record, facts: Some(facts.to_vec()), ..file("", &[]) };
    let files = vec![
        FileUpdate { part: None, ..facts(&[0, 255, 0], odd.clone()) },
        FileUpdate { part: None, ..facts(&[7; 100_000], record("a/c.py")) },
        FileUpdate { part: None, words: Some(Some(words("a.md", "words 文字"))), ..file("a.md", &[]) },
    ];
    let project = project(catalog, files)?;
    equal("files", project.files()?, vec![record("a.md"), record("a/c.py"), odd.clone()])?;
    let mut found = Vec::new();
    project.facts(&mut |path, facts| found.push((path.to_owned(), facts.to_vec())))?;
    found.sort();
    equal("facts", found, vec![("a/c.py".to_owned(), vec![7; 100_000]), (odd.path, vec![0, 255, 0])])
}

fn facts_of(project: &dyn ProjectGraph) -> Result<Vec<(String, usize)>> {
    let mut found = Vec::new();
    project.facts(&mut |path, facts| found.push((path.to_owned(), facts.len())))?;
    found.sort();
    Ok(found)
}

fn left_out(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = project(catalog, vec![FileUpdate { facts: Some(vec![1; 9]), ..file("a.py", &["a"]) }])?;
    let before = (graph_of(&*project)?, facts_of(&*project)?);
    let newer = FileRecord { modified: 2, ..record("a.py") };
    let record_alone = FileUpdate { record: newer.clone(), facts: None, part: None, words: None };
    project.apply(&update(vec![record_alone]))?;
    equal("record", project.files()?, vec![newer])?;
    equal("graph and facts", (graph_of(&*project)?, facts_of(&*project)?), before)
}

fn replaced(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = project(catalog, vec![file("a.py", &["a", "b"]), file("b.py", &["c"])])?;
    let mut changed = file("a.py", &["b", "d"]);
    if let Some(part) = &mut changed.part {
        part.nodes[1].start_line = 50;
        part.edges[0].confidence = Confidence(50);
        part.edges.push(edge(part.nodes[1].id, Relation::Calls, part.nodes[2].id));
    }
    let files = vec![changed, file("b.py", &["c"])];
    let expected = graph(&parts(&files));
    project.apply(&update(files))?;
    equal("graph", graph_of(&*project)?, expected)
}

fn removed(catalog: &dyn ProjectCatalog) -> Verdict {
    let kept = file("b.py", &["c"]);
    let expected = graph(&parts(std::slice::from_ref(&kept)));
    let gone =
        FileUpdate { facts: Some(vec![1]), words: Some(Some(words("a.py", "words"))), ..file("a.py", &["a", "b"]) };
    let project = project(catalog, vec![gone, kept])?;
    let removed = vec!["a.py".to_owned(), "never there".to_owned()];
    project.apply(&GraphUpdate { removed, ..GraphUpdate::default() })?;
    equal("graph", graph_of(&*project)?, expected)?;
    equal("files", project.files()?, vec![record("b.py")])?;
    equal("facts", facts_of(&*project)?, vec![])
}

fn renamed(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = project(catalog, vec![file("a.py", &["a", "b"]), file("b.py", &["c"])])?;
    let files = vec![file("z.py", &["a", "b"]), file("b.py", &[]), file("c.py", &["c"])];
    let expected = graph(&parts(&files));
    project.apply(&GraphUpdate { removed: vec!["a.py".to_owned()], ..update(files) })?;
    equal("graph", graph_of(&*project)?, expected)?;
    let found = project.find_qualified("a")?;
    equal("path", found.into_iter().map(|found| found.path).collect(), vec![Some("z.py".to_owned())])
}

fn twice(catalog: &dyn ProjectCatalog) -> Verdict {
    let path = |project: &dyn ProjectGraph| project.find_qualified("a").map(|mut found| found.pop()?.path);
    let project = project(catalog, vec![file("a.py", &["a"]), file("b.py", &["a"])])?;
    equal("the later file", path(&*project)?, Some("b.py".to_owned()))?;
    project.apply(&update(vec![file("b.py", &["a"]), file("a.py", &["a"])]))?;
    equal("the other order", path(&*project)?, Some("a.py".to_owned()))?;
    project.apply(&update(vec![file("b.py", &["a"])]))?;
    equal("a later update", path(&*project)?, Some("b.py".to_owned()))?;
    equal("counts", (project.info()?.nodes, project.info()?.relationships), (3, 2))
}

fn surest(catalog: &dyn ProjectCatalog) -> Verdict {
    let mut sample = file("a.py", &["a"]);
    if let Some(part) = &mut sample.part {
        let sure = part.edges[0];
        let unsure = Edge { confidence: Confidence(30), resolution: Resolution::UniqueName, ..sure };
        part.edges = vec![unsure, sure, Edge { confidence: Confidence(60), ..unsure }];
    }
    let project = project(catalog, vec![sample])?;
    equal("edges", graph_of(&*project)?.1, graph(&parts(&[file("a.py", &["a"])])).1)
}

fn structure(catalog: &dyn ProjectCatalog) -> Verdict {
    let files = [file("a.py", &["a"])];
    let project = project(catalog, vec![file("a.py", &["a"])])?;
    let folder = |name: &str| {
        let nodes = vec![node(Label::Project, "sample", None), node(Label::Folder, name, None)];
        Part { edges: vec![edge(nodes[1].id, Relation::Contains, file_id("a.py"))], nodes }
    };
    for structure in [folder("old"), folder("new"), Part::default()] {
        let expected = graph(&[&[&structure], &parts(&files)[..]].concat());
        project.apply(&GraphUpdate { structure: Some(structure), ..GraphUpdate::default() })?;
        equal("graph", graph_of(&*project)?, expected)?;
    }
    Ok(())
}

fn refused(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = project(catalog, vec![file("a.py", &["a"])])?;
    let before = (project.info()?, graph_of(&*project)?, project.files()?);
    let foreign_node = FileUpdate { part: file("b.py", &["b"]).part, ..file("c.py", &[]) };
    let mut foreign_edge = file("d.py", &["d"]);
    foreign_edge.part.iter_mut().for_each(|part| part.edges[0].from = file_id("a.py"));
    for refused in [foreign_node, foreign_edge] {
        let result = project.apply(&update(vec![file("a.py", &["new"]), refused]));
        fails_with("apply", ErrorKind::InvalidInput, result)?;
        equal("state", (project.info()?, graph_of(&*project)?, project.files()?), before.clone())?;
    }
    Ok(())
}

/// A module, a class and a file whose names look alike, and what else is in no file.
fn alike(catalog: &dyn ProjectCatalog) -> Result<Arc<dyn ProjectGraph>> {
    let project = project(catalog, vec![file("pay", &["shop.pay", "alpha.pay", "pay"])])?;
    let nodes = [Label::Project, Label::Package, Label::Folder, Label::ExternalPackage];
    let structure = Part { nodes: nodes.map(|label| node(label, "pay", None)).to_vec(), edges: Vec::new() };
    let class = Part { nodes: vec![node(Label::Class, "pay", Some(file_id("b.py")))], edges: Vec::new() };
    let more = FileUpdate { part: Some(class), ..file("b.py", &[]) };
    project.apply(&GraphUpdate { structure: Some(structure), ..update(vec![more]) })?;
    Ok(project)
}

fn qualified(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = alike(catalog)?;
    let found = |label, name: &str, path: Option<&str>| {
        let file = path.map(file_id);
        FoundNode { node: node(label, name, file), path: path.map(str::to_owned) }
    };
    let expected = vec![
        found(Label::Package, "pay", None),
        found(Label::Class, "pay", Some("b.py")),
        found(Label::Function, "pay", Some("pay")),
    ];
    equal("pay", project.find_qualified("pay")?, expected)?;
    equal("shop.pay", project.find_qualified("shop.pay")?, vec![found(Label::Function, "shop.pay", Some("pay"))])?;
    for absent in ["", "PAY", "shop", "%", "shop.pay "] {
        equal(absent, project.find_qualified(absent)?, vec![])?;
    }
    Ok(())
}

fn named(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = alike(catalog)?;
    let names = |limit| {
        let found = project.find_named("pay", limit)?;
        Ok::<_, crate::StoreError>(found.into_iter().map(|found| found.node.qualified_name).collect::<Vec<_>>())
    };
    equal("all", names(10)?, ["alpha.pay", "pay", "pay", "pay", "shop.pay"].map(str::to_owned).to_vec())?;
    equal("some", names(1)?, vec!["alpha.pay".to_owned()])?;
    equal("none", names(0)?, vec![])?;
    equal("absent", project.find_named("shop.pay", 10)?, vec![])
}

fn in_order(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = project(catalog, vec![file("b.py", &["c", "a"]), file("a.py", &["b", "d", "e"])])?;
    let (nodes, edges) = graph_of(&*project)?;
    holds(nodes.is_sorted_by_key(|node| node.id), || "nodes are not in order".to_owned())?;
    holds(edges.is_sorted(), || "edges are not in order".to_owned())?;
    let (mut seen_nodes, mut seen_edges) = (Vec::new(), Vec::new());
    project.nodes(&mut |node| {
        seen_nodes.push(node.clone());
        seen_nodes.len() < 2
    })?;
    project.edges(&[Relation::Defines], &mut |edge| {
        seen_edges.push(*edge);
        seen_edges.len() < 3
    })?;
    equal("stopped", (seen_nodes, seen_edges), (nodes[..2].to_vec(), edges[..3].to_vec()))
}

fn by_type(catalog: &dyn ProjectCatalog) -> Verdict {
    let mut sample = file("a.py", &["a"]);
    if let Some(part) = &mut sample.part {
        let to = part.nodes[1].id;
        part.edges = Relation::ALL.iter().map(|relation| edge(part.nodes[0].id, *relation, to)).collect();
    }
    let project = project(catalog, vec![sample])?;
    for wanted in [&[Relation::Calls][..], &[Relation::DependsOn, Relation::Contains], &[]] {
        let mut seen = Vec::new();
        project.edges(wanted, &mut |edge| {
            seen.push(edge.relation);
            true
        })?;
        let expected = Relation::ALL.iter().filter(|relation| wanted.is_empty() || wanted.contains(relation));
        equal("relations", seen, expected.copied().collect())?;
    }
    Ok(())
}

fn epochs(catalog: &dyn ProjectCatalog) -> Verdict {
    let sample = || FileUpdate { facts: Some(vec![1]), ..file("a.py", &["a"]) };
    let project = project(catalog, vec![sample()])?;
    let time = Timestamp::from_second(1_700_000_000).unwrap_or_default();
    let same = [
        GraphUpdate::default(),
        update(vec![sample()]),
        GraphUpdate { removed: vec!["never there".to_owned()], indexed_at: Some(time), ..GraphUpdate::default() },
        GraphUpdate { structure: Some(Part::default()), ..GraphUpdate::default() },
    ];
    let mut epoch = project.info()?.epoch;
    for update in same {
        project.apply(&update)?;
        equal(&format!("epoch after {update:?}"), project.info()?.epoch, epoch)?;
    }
    equal("indexed_at", project.info()?.indexed_at, Some(time))?;
    let structure = Part { nodes: vec![node(Label::Folder, "src", None)], edges: Vec::new() };
    let changes = [
        update(vec![FileUpdate { facts: Some(vec![2]), ..sample() }]),
        update(vec![file("a.py", &["b"])]),
        update(vec![FileUpdate { part: Some(Part::default()), ..sample() }]),
        GraphUpdate { structure: Some(structure), ..GraphUpdate::default() },
        GraphUpdate { removed: vec!["a.py".to_owned()], ..GraphUpdate::default() },
    ];
    for update in changes {
        project.apply(&update)?;
        let now = project.info()?.epoch;
        holds(now != epoch, || format!("the epoch stayed after {update:?}"))?;
        epoch = now;
    }
    equal("indexed_at", project.info()?.indexed_at, Some(time))
}

fn counts(catalog: &dyn ProjectCatalog) -> Verdict {
    let written = |path: &str, language: Option<&str>, functions: &[&str]| FileUpdate {
        record: FileRecord { language: language.map(str::to_owned), ..record(path) },
        ..file(path, functions)
    };
    let project = catalog.create("sample", "/sample")?;
    let check = |update: GraphUpdate, counts: (u64, u64, u64), languages: &[(&str, u64)]| {
        project.apply(&update)?;
        let info = project.info()?;
        equal("counts", (info.files, info.nodes, info.relationships), counts)?;
        equal("languages", info.languages, languages.iter().map(|(name, files)| ((*name).to_owned(), *files)).collect())
    };
    let files = vec![
        written("a.rs", Some("rust"), &["a", "b"]),
        written("b.go", Some("go"), &[]),
        written("c.go", Some("go"), &["c"]),
        written("d", None, &[]),
    ];
    check(update(files), (4, 7, 3), &[("go", 2), ("rust", 1)])?;
    check(update(vec![written("b.go", Some("c"), &["d"])]), (4, 8, 4), &[("c", 1), ("go", 1), ("rust", 1)])?;
    let removed = vec!["a.rs".to_owned(), "d".to_owned()];
    check(GraphUpdate { removed, ..GraphUpdate::default() }, (2, 4, 2), &[("c", 1), ("go", 1)])?;
    let removed = vec!["b.go".to_owned(), "c.go".to_owned()];
    check(GraphUpdate { removed, ..GraphUpdate::default() }, (0, 0, 0), &[])
}
