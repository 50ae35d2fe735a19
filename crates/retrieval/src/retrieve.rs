//! From a query to what is worth looking at, best first.

use graph::{Label, Node, NodeId};
use rustc_hash::FxHashMap;
use search::embed::Vector;
use store::{FoundNode, Result, WordRead};

use crate::anchors;
use crate::expand::{Reached, expand};
use crate::files::{self, Found};
use crate::hit::{FileHit, Hit, Retrieved, Source};
use crate::near::Near;
use crate::parts::{Comparison, Looked, longer};
use crate::query::Query;
use crate::support::{Support, Supported, User, support};
use crate::weights::Weights;

/// The furthest that relationships are followed.
pub const MAX_DEPTH: u8 = 5;

/// How many files are looked into.
const LOOKED: usize = 100;

/// Of how many the definitions are candidates.
const OPENED: usize = 25;

/// How many definitions of one file are.
const OF_ONE_FILE: usize = 30;

/// How many of the best definitions lead to others.
const SEEDS: usize = 30;

/// As near as what is supported comes to what supports it.
const BEHIND: f32 = 0.9999;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// How many relationships to follow, at most [`MAX_DEPTH`]; 0 leaves the graph alone.
    pub depth: u8,
    /// How many hits and files to give.
    pub limit: usize,
    pub weights: Weights,
}

impl Default for Options {
    fn default() -> Self {
        Self { depth: 1, limit: 10, weights: Weights::default() }
    }
}

/// The files and definitions that matter to a query. `meaning` is its vector, where the project has vectors of an embedder.
pub fn retrieve(words: &dyn WordRead, meaning: Option<&Vector>, query: &Query, options: &Options) -> Result<Retrieved> {
    let weights = &options.weights;
    let mut found = files::find(words, query, weights)?;
    let near = Near::of(words, meaning, query)?;
    near.raise_files(weights, &mut found);
    let mut looked = look(words, query, &found, weights)?;
    near.raise_parts(weights, &mut looked);
    anchors::raise(query, &found.worth, weights, &mut looked);
    demote(query, weights, &mut looked);
    let mut candidates = Candidates { words, weights, by_node: FxHashMap::default(), files: FxHashMap::default() };
    candidates.take_files(&looked)?;
    let depth = options.depth.min(MAX_DEPTH);
    if depth > 0 {
        candidates.take_neighbours(depth)?;
    }
    Ok(candidates.finish(options.limit, depth))
}

fn look(words: &dyn WordRead, query: &Query, found: &Found, weights: &Weights) -> Result<Vec<Looked>> {
    let comparison = Comparison::new(query, found, weights);
    let mut best: Vec<_> = found.files.clone();
    let prior = |file: &files::Scored| file.score * weights.of_kind(file.class.kind).max(0.5);
    best.sort_by(|left, right| prior(right).total_cmp(&prior(left)));
    best.truncate(LOOKED);
    let mut looked = Vec::with_capacity(best.len());
    for scored in best {
        if let Some(file) = words.file(scored.number)? {
            looked.push(comparison.look(file, scored));
        }
    }
    Ok(looked)
}

/// What is not the product itself comes after it, unless the query asks for it.
fn demote(query: &Query, weights: &Weights, looked: &mut [Looked]) {
    use search::FileKind;
    for file in looked.iter_mut() {
        let is_asked_for =
            match file.class.kind {
                FileKind::Test => query.asks_for_tests,
                FileKind::Documentation => query.asks_for_documents,
                FileKind::Source | FileKind::Example | FileKind::Foreign | FileKind::Other => false,
            } || query.places.iter().any(|place| place.path.contains('/') && file.file.path.ends_with(&place.path));
        if !is_asked_for {
            let factor = weights.of_kind(file.class.kind);
            file.score *= factor;
            file.part_scores.iter_mut().for_each(|score| *score *= factor);
        }
    }
    looked.sort_by(|left, right| right.score.total_cmp(&left.score).then_with(|| left.file.path.cmp(&right.file.path)));
}

#[derive(Debug)]
struct Candidate {
    hit: Hit,
    score: f32,
}

struct Candidates<'a> {
    words: &'a dyn WordRead,
    weights: &'a Weights,
    by_node: FxHashMap<NodeId, Candidate>,
    /// By path.
    files: FxHashMap<String, f32>,
}

impl Candidates<'_> {
    fn take_files(&mut self, looked: &[Looked]) -> Result<()> {
        for (rank, file) in looked.iter().enumerate() {
            self.files.insert(file.file.path.clone(), file.score);
            if rank < OPENED {
                self.take_definitions(file)?;
            }
        }
        Ok(())
    }

    fn take_definitions(&mut self, file: &Looked) -> Result<()> {
        let nodes = self.words.definitions(file.file.id)?;
        let mut scored: Vec<(usize, f32)> =
            file.part_scores.iter().copied().enumerate().skip(1).filter(|(_, score)| *score > 0.0).collect();
        scored.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        let best = scored.first().map_or(0.0, |(_, score)| *score);
        for (place, score) in scored.into_iter().take(OF_ONE_FILE) {
            let part = &file.parts[place];
            let is_it = |node: &&Node| {
                node.start_line == part.start_line && node.end_line == part.end_line && node.label.is_definition()
            };
            let Some(node) = nodes.iter().find(is_it) else { continue };
            let local_name = local_name(node, &nodes);
            let source = if file.has_words[place] { Source::Keyword } else { Source::Embedding };
            let hit = hit(node, local_name, &file.file.path, source, 0);
            let score = score * (1.0 + self.weights.part_size * longer(part)) + self.weights.file_share * file.score;
            let is_callable = matches!(node.label, Label::Function | Label::Method);
            self.add(hit, if is_callable { score } else { score * self.weights.whole_type });
        }
        let of_rest = file.part_scores.first().copied().unwrap_or(0.0);
        if of_rest > best {
            self.add(whole_file(file), of_rest + self.weights.file_share * file.score);
        }
        Ok(())
    }

    fn add(&mut self, hit: Hit, score: f32) {
        self.by_node.entry(hit.node).or_insert(Candidate { hit, score: 0.0 }).score += score;
    }

    /// What the best definitions use is raised, in proportion to its own score; what relationships alone lead to comes with the
    /// little that is handed on to it.
    fn take_neighbours(&mut self, depth: u8) -> Result<()> {
        let best = self.best();
        let supported = self.support(&best)?;
        let reached = expand(self.words, &best, depth, self.weights.graph_share)?;
        let mut reached: Vec<(NodeId, Reached)> = reached.into_iter().collect();
        reached.sort_unstable_by_key(|(node, _)| *node);
        for (node, Reached { distance, score }) in reached {
            if self.by_node.contains_key(&node) {
                continue;
            }
            if let Some(FoundNode { node, path: Some(path) }) = self.words.node(node)? {
                self.take_node(&node, &path, distance, score);
            }
        }
        self.raise_definitions(&supported.definitions);
        self.raise_files(supported.files);
        Ok(())
    }

    fn support(&self, best: &[(NodeId, f32)]) -> Result<Supported> {
        let file = |node: NodeId| self.by_node.get(&node).map(|candidate| candidate.hit.file.as_str());
        let user = |&(node, score): &(NodeId, f32)| Some(User { node, score, file: file(node)? });
        let users: Vec<User<'_>> = best.iter().filter_map(user).collect();
        support(self.words, &users, file)
    }

    /// What words found, best first.
    fn best(&self) -> Vec<(NodeId, f32)> {
        let mut best: Vec<(NodeId, f32)> =
            self.by_node.iter().map(|(node, candidate)| (*node, candidate.score)).collect();
        best.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        best.truncate(SEEDS);
        best
    }

    fn take_node(&mut self, node: &Node, path: &str, distance: u8, score: f32) {
        if node.label.is_definition() {
            let of_file = self.files.get(path).copied().unwrap_or_default();
            let score = score + self.weights.file_share * of_file;
            self.add(hit(node, local_name(node, &[]), path, Source::Graph, distance), score);
        }
    }

    /// Nothing overtakes what it is supported by.
    fn raise_definitions(&mut self, supported: &FxHashMap<NodeId, Support>) {
        for (node, Support { share, best }) in supported {
            if let Some(known) = self.by_node.get_mut(node) {
                let raised = known.score * (1.0 + self.weights.graph_part * share);
                known.score = known.score.max(raised.min(best * BEHIND));
            }
        }
    }

    fn raise_files(&mut self, supported: FxHashMap<String, f32>) {
        let most = self.files.values().copied().fold(0.0, f32::max);
        for (path, share) in supported {
            let (gain, fill) = (1.0 + self.weights.graph_file * share, most * self.weights.graph_fill * share);
            self.files.entry(path).and_modify(|known| *known *= gain).or_insert(fill);
        }
    }

    fn finish(self, limit: usize, depth: u8) -> Retrieved {
        let Self { by_node, files, .. } = self;
        let mut candidates: Vec<Candidate> = by_node.into_values().collect();
        candidates.sort_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then_with(|| left.hit.symbol.cmp(&right.hit.symbol))
                .then(left.hit.node.cmp(&right.hit.node))
        });
        let of_source = |source: Source| candidates.iter().filter(|candidate| candidate.hit.source == source).count();
        let (by_meaning, by_graph) = (of_source(Source::Embedding), of_source(Source::Graph));
        let all = candidates.len();
        let best = candidates.first().map_or(1.0, |candidate| candidate.score);
        let hits = candidates
            .into_iter()
            .take(limit)
            .map(|candidate| Hit { relevance: f64::from(candidate.score / best).clamp(0.0, 1.0), ..candidate.hit })
            .collect();
        let mut files: Vec<(String, f32)> = files.into_iter().collect();
        files.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        let best = files.first().map_or(1.0, |(_, score)| *score);
        let files = files
            .into_iter()
            .take(limit)
            .map(|(path, score)| FileHit { path, relevance: f64::from(score / best).clamp(0.0, 1.0) })
            .collect();
        Retrieved { hits, files, candidates: all, by_meaning, by_graph, depth }
    }
}

fn hit(node: &Node, local_name: String, path: &str, source: Source, distance: u8) -> Hit {
    Hit {
        node: node.id,
        label: node.label,
        symbol: node.qualified_name.clone(),
        local_name,
        file: path.to_owned(),
        start_line: node.start_line,
        end_line: node.end_line,
        source,
        distance,
        relevance: 0.0,
    }
}

fn whole_file(file: &Looked) -> Hit {
    Hit {
        node: file.file.id,
        label: Label::File,
        symbol: file.file.path.clone(),
        local_name: String::new(),
        file: file.file.path.clone(),
        start_line: 1,
        end_line: file.file.lines.max(1),
        source: if file.has_words.contains(&true) { Source::Keyword } else { Source::Embedding },
        distance: 0,
        relevance: 0.0,
    }
}

/// The names of what is around a definition, from the outside in, and its own.
fn local_name(node: &Node, nodes: &[Node]) -> String {
    let around = nodes.iter().filter(|outer| {
        outer.label.is_definition()
            && outer.start_line <= node.start_line
            && node.end_line <= outer.end_line
            && outer.id != node.id
            && (outer.start_line, outer.end_line) != (node.start_line, node.end_line)
    });
    let mut names: Vec<&str> = around.map(|outer| outer.name.as_str()).collect();
    // A method may be written outside of its type, which its qualified name tells.
    if names.is_empty() && node.label == Label::Method {
        let separators = |character: char| ".:#/".contains(character);
        let mut parts = node.qualified_name.rsplit(separators).filter(|part| !part.is_empty());
        names.extend(parts.nth(1));
    }
    names.push(&node.name);
    names.join(".")
}
