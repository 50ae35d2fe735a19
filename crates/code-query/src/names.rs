//! Looking names up for the translator, in whatever graph can be read.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use graph::{
    Condition, GraphRead, Label, NodeFilter, NodeKey, PropertyKey, ReadError, ReadResult, Test, TextRelation, Value,
};
use questions::{Hit, Names, fold, parts, similar_folds};

/// The longest list that is given.
const MOST: usize = 400;

/// Nodes that are read at a time.
const BATCH: usize = 4_096;

/// The names of one state of a graph. A graph that cannot be read has no names; [`Self::failure`] says why.
#[expect(missing_debug_implementations, reason = "a graph that is read has no form for people")]
pub struct GraphNames<'g> {
    graph: &'g dyn GraphRead,
    failure: RefCell<Option<ReadError>>,
    /// Every node with the fold of its name; made when a name is spelled as nothing is.
    folds: OnceCell<Vec<(String, NodeKey)>>,
}

impl<'g> GraphNames<'g> {
    pub fn new(graph: &'g dyn GraphRead) -> Self {
        Self { graph, failure: RefCell::default(), folds: OnceCell::new() }
    }

    pub fn failure(&self) -> Option<ReadError> {
        self.failure.take()
    }

    fn or_note<T: Default>(&self, result: ReadResult<T>) -> T {
        result.unwrap_or_else(|error| {
            self.failure.replace(Some(error));
            T::default()
        })
    }

    fn text(&self, node: NodeKey, property: &str) -> ReadResult<String> {
        let Some(key) = self.graph.property(property) else { return Ok(String::new()) };
        Ok(match self.graph.node_property(node, key)? {
            Value::Text(text) => text.to_string(),
            _ => String::new(),
        })
    }

    /// `None` for what has no name of its own.
    fn hit(&self, node: NodeKey) -> ReadResult<Option<Hit>> {
        let label = crate::cell::label_of(node, self.graph)?;
        let Some(label) = Label::ALL.into_iter().find(|known| known.name() == label) else { return Ok(None) };
        if label == Label::Project {
            return Ok(None);
        }
        let start_line = match self.graph.property("line_start") {
            Some(key) => match self.graph.node_property(node, key)? {
                Value::Int(line) => u32::try_from(line).unwrap_or_default(),
                _ => 0,
            },
            None => 0,
        };
        let qualified_name = self.text(node, "qualified_name")?;
        let file_path = match label {
            Label::File | Label::Folder => qualified_name.clone(),
            _ => self.text(node, "file_path")?,
        };
        Ok(Some(Hit { label, name: self.text(node, "name")?, qualified_name, file_path, start_line }))
    }

    /// Those that fit the hint and then the test itself, by qualified name.
    fn found(&self, filter: &NodeFilter, most: usize, fits: impl Fn(&Hit) -> bool) -> ReadResult<Vec<Hit>> {
        let mut hits = Vec::new();
        self.each(filter, |node| {
            if let Some(hit) = self.hit(node)?.filter(&fits) {
                hits.push(hit);
            }
            Ok(hits.len() < most)
        })?;
        hits.sort_by(|left, right| order(left).cmp(&order(right)));
        Ok(hits)
    }

    fn each(&self, filter: &NodeFilter, mut take: impl FnMut(NodeKey) -> ReadResult<bool>) -> ReadResult<()> {
        let (mut nodes, mut after) = (Vec::new(), None);
        loop {
            nodes.clear();
            self.graph.scan(filter, after, BATCH, &mut nodes)?;
            for node in &nodes {
                if !take(*node)? {
                    return Ok(());
                }
            }
            after = nodes.last().copied();
            if nodes.len() < BATCH {
                return Ok(());
            }
        }
    }

    fn with(&self, property: &str, test: Test) -> Option<NodeFilter> {
        let property: PropertyKey = self.graph.property(property)?;
        Some(NodeFilter { labels: Vec::new(), conditions: vec![Condition { property, test }] })
    }

    fn folds(&self) -> &[(String, NodeKey)] {
        self.folds.get_or_init(|| {
            let mut folds = Vec::new();
            let read = self.each(&NodeFilter::default(), |node| {
                folds.push((fold(&self.text(node, "name")?), node));
                Ok(true)
            });
            self.or_note(read);
            folds.sort();
            folds
        })
    }

    fn hits(&self, nodes: impl Iterator<Item = NodeKey>) -> Vec<Hit> {
        let hits: ReadResult<Vec<Option<Hit>>> = nodes.take(MOST).map(|node| self.hit(node)).collect();
        let mut hits: Vec<Hit> = self.or_note(hits).into_iter().flatten().collect();
        hits.sort_by(|left, right| order(left).cmp(&order(right)));
        hits
    }
}

impl Names for GraphNames<'_> {
    fn exact(&self, name: &str) -> Vec<Hit> {
        let filter = self.with("name", Test::Equals(Value::Text(name.into())));
        filter.map(|filter| self.or_note(self.found(&filter, MOST, |hit| hit.name == name))).unwrap_or_default()
    }

    fn folded(&self, wanted: &str) -> Vec<Hit> {
        let folds = self.folds();
        let first = folds.partition_point(|(fold, _)| fold.as_str() < wanted);
        self.hits(folds[first..].iter().take_while(|(fold, _)| fold == wanted).map(|(_, node)| *node))
    }

    fn suffix(&self, partial: &str) -> Vec<Hit> {
        let wanted = parts(partial);
        let Some(last) = wanted.last() else { return Vec::new() };
        let ends = |property: &str| {
            let test =
                Test::Text { relation: TextRelation::EndsWith, wanted: Arc::from(last.as_str()), lower_case: true };
            self.with(property, test)
        };
        let fits = |hit: &Hit| {
            let is_path = matches!(hit.label, Label::File | Label::Folder | Label::Module);
            parts(&hit.qualified_name).ends_with(&wanted) || (is_path && parts(&hit.file_path).ends_with(&wanted))
        };
        let mut hits = Vec::new();
        for filter in ["qualified_name", "file_path"].into_iter().filter_map(ends) {
            hits.extend(self.or_note(self.found(&filter, MOST, fits)));
        }
        hits.sort_by(|left, right| order(left).cmp(&order(right)));
        hits.dedup();
        hits.truncate(MOST);
        hits
    }

    fn similar(&self, name: &str, limit: usize) -> Vec<Hit> {
        let mut known: Vec<&str> = self.folds().iter().map(|(fold, _)| fold.as_str()).collect();
        known.dedup();
        let similar = similar_folds(name, known.into_iter());
        similar.into_iter().take(limit).flat_map(|known| self.folded(known)).take(limit).collect()
    }

    fn sample(&self, label: Label, limit: usize) -> Vec<Hit> {
        let Some(key) = self.graph.label(label.name()) else { return Vec::new() };
        let filter = NodeFilter { labels: vec![vec![key]], conditions: Vec::new() };
        let is_plain = |hit: &Hit| {
            hit.label == label
                && hit.name.chars().all(|character| character.is_alphanumeric() || "_./-".contains(character))
        };
        let mut hits = self.or_note(self.found(&filter, MOST, is_plain));
        let is_test = |hit: &Hit| hit.file_path.to_lowercase().contains("test");
        hits.sort_by_key(|hit| (hit.name.starts_with('_'), is_test(hit), hit.qualified_name.clone()));
        hits.truncate(limit);
        hits
    }
}

fn order(hit: &Hit) -> (&str, Label, u32) {
    (&hit.qualified_name, hit.label, hit.start_line)
}
