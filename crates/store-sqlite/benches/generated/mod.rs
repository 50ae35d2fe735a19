//! A code graph of any size, the same each time: files with classes and functions, classes with methods, and calls of which a few
//! functions get most.

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};
use store::projects::file_id;
use store::{FileRecord, FileUpdate, GraphUpdate, Part};

const VERBS: [&str; 24] = [
    "get", "set", "load", "store", "find", "parse", "write", "read", "make", "drop", "send", "take", "build", "check",
    "apply", "merge", "split", "count", "format", "render", "update", "remove", "resolve", "validate",
];
const NOUNS: [&str; 32] = [
    "user", "name", "path", "file", "node", "edge", "graph", "query", "index", "table", "row", "column", "page",
    "token", "session", "request", "response", "header", "body", "order", "item", "price", "account", "event", "queue",
    "worker", "cache", "buffer", "stream", "schema", "field", "value",
];

/// How much there is of everything.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    pub(crate) files: usize,
    pub(crate) classes: usize,
    pub(crate) functions: usize,
    pub(crate) methods: usize,
    pub(crate) relationships: usize,
}

impl Size {
    /// 200 000 nodes and 1 000 000 relationships, so many times.
    pub(crate) const fn times(factor: usize) -> Self {
        Self {
            files: 10_000 * factor,
            classes: 30_000 * factor,
            functions: 100_000 * factor,
            methods: 60_000 * factor,
            relationships: 1_000_000 * factor,
        }
    }

    /// Functions and methods, which call and are called; their numbers begin with 0.
    pub(crate) const fn callables(self) -> usize {
        self.functions + self.methods
    }
}

/// Numbers that look random and are the same each time.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    /// Below the limit, and the smaller the likelier: few get most.
    fn small(&mut self, limit: usize) -> usize {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((share.powi(3) * limit as f64) as usize).min(limit - 1)
    }
}

/// The qualified name of a function or method.
pub(crate) fn callable_name(size: Size, number: usize) -> String {
    match number.checked_sub(size.functions) {
        None => format!("{}.{}", module(number % size.files), callable_last(number)),
        Some(method) => format!("{}.{}", class_name(size, method % size.classes), callable_last(number)),
    }
}

pub(crate) fn callable_id(size: Size, number: usize) -> NodeId {
    let label = if number < size.functions { Label::Function } else { Label::Method };
    NodeId::of(label, &callable_name(size, number))
}

/// The function or method that so many others are called more often than; where it is written has nothing to do with it.
pub(crate) const fn popular(size: Size, rank: usize) -> usize {
    rank * 7_919 % size.callables()
}

/// The whole graph as the first index would store it.
pub(crate) fn update(size: Size) -> GraphUpdate {
    let mut parts: Vec<Part> = (0..size.files).map(|file| file_part(size, file)).collect();
    let written: usize = parts.iter().map(|part| part.edges.len()).sum();
    let ids: Vec<_> = (0..size.callables()).map(|number| callable_id(size, number)).collect();
    let mut random = Random::new(7);
    for number in written..size.relationships {
        let from = random.below(size.callables());
        let to = ids[popular(size, random.small(size.callables()))];
        let relation = if number % 10 == 0 { Relation::References } else { Relation::Calls };
        let line = u32::try_from(random.below(2_000)).unwrap() + 1;
        let (resolution, confidence) = (Resolution::Import, Confidence(90));
        parts[file_of(size, from)].edges.push(Edge { from: ids[from], relation, to, line, resolution, confidence });
    }
    let files = parts.into_iter().enumerate().map(|(number, part)| file_update(number, part)).collect();
    GraphUpdate { files, ..GraphUpdate::default() }
}

fn file_of(size: Size, callable: usize) -> usize {
    callable.checked_sub(size.functions).map_or(callable, |method| method % size.classes) % size.files
}

fn path(file: usize) -> String {
    format!("src/package_{}/{}_{file}.py", file % 97, NOUNS[file % NOUNS.len()])
}

fn module(file: usize) -> String {
    format!("package_{}.{}_{file}", file % 97, NOUNS[file % NOUNS.len()])
}

fn class_name(size: Size, class: usize) -> String {
    format!("{}.{}", module(class % size.files), class_last(class))
}

fn class_last(class: usize) -> String {
    let word = |number: usize| {
        let word = NOUNS[number % NOUNS.len()];
        format!("{}{}", word[..1].to_uppercase(), &word[1..])
    };
    format!("{}{}{}", word(class), word(class / 31), class / 997)
}

/// About a fifth as many names as functions.
fn callable_last(number: usize) -> String {
    let (verb, noun) = (VERBS[number % VERBS.len()], NOUNS[number / 5 % NOUNS.len()]);
    format!("{verb}_{noun}_{}", number / 5 % 40_009)
}

fn file_part(size: Size, file: usize) -> Part {
    let owner = file_id(&path(file));
    let mut part = Part::default();
    let name = path(file).rsplit('/').next().unwrap().to_owned();
    part.nodes.push(Node { name, ..node(owner, Label::File, path(file), 0) });
    for class in (file..size.classes).step_by(size.files) {
        let class_node = node(owner, Label::Class, class_name(size, class), class);
        part.edges.push(defines(owner, Relation::Defines, class_node.id));
        for method in (class..size.methods).step_by(size.classes) {
            let number = size.functions + method;
            let method_node = node(owner, Label::Method, callable_name(size, number), number);
            part.edges.push(defines(class_node.id, Relation::DefinesMethod, method_node.id));
            part.nodes.push(method_node);
        }
        part.nodes.push(class_node);
    }
    for function in (file..size.functions).step_by(size.files) {
        let function = node(owner, Label::Function, callable_name(size, function), function);
        part.edges.push(defines(owner, Relation::Defines, function.id));
        part.nodes.push(function);
    }
    part
}

fn node(file: NodeId, label: Label, qualified_name: String, number: usize) -> Node {
    let name = qualified_name.rsplit('.').next().unwrap_or_default().to_owned();
    let line = u32::try_from(number % 1_500).unwrap() + 1;
    Node {
        id: NodeId::of(label, &qualified_name),
        label,
        file: Some(file),
        start_line: line,
        end_line: line + 20,
        own_line: line,
        signature: Some(format!("def {name}(self, first: int, second: str) -> bool")),
        docstring: number.is_multiple_of(2).then(|| "Says what it does in one line of ordinary length.".to_owned()),
        decorators: Vec::new(),
        modifiers: vec!["public".to_owned()],
        name,
        qualified_name,
    }
}

fn defines(from: NodeId, relation: Relation, to: NodeId) -> Edge {
    Edge { from, relation, to, line: 0, resolution: Resolution::Syntax, confidence: Confidence::CERTAIN }
}

fn file_update(number: usize, part: Part) -> FileUpdate {
    let record = FileRecord {
        path: path(number),
        language: Some("python".to_owned()),
        size: 4_000,
        modified: 1,
        content_hash: vec![7; 32],
        graph_hash: vec![8; 32],
        lines: 1_600,
        problem: None,
    };
    FileUpdate { record, facts: None, part: Some(part), words: None }
}
