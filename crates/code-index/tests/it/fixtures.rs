//! The fixtures of the languages: source with carets that say what must be found.
//!
//! A caret stands in a comment below the line it speaks of: `^ calls shop.py:12`, `^ calls nothing`, `^ defines Class Shop`,
//! `^ inherits base.py:1`, `^ refers shop.py:3`. Lines are those of the fixture as it stands. `known-gaps.txt` names what is not
//! found yet; a gap that closes must be taken out of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use code_index::link::{SourceFile, link};
use graph::{Edge, Node, NodeId, Relation};
use languages::{FileFacts, Languages};

#[test]
fn carets_tell_the_truth() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/languages");
    let mut wrong = BTreeSet::new();
    let mut carets = 0;
    for language in Languages::builtin().all() {
        let fixtures = std::fs::read_dir(folder.join(language.id()).join("fixtures")).unwrap();
        let mut paths: Vec<_> = fixtures.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let fixture = Fixture::new(&name, &std::fs::read_to_string(&path).unwrap());
            carets += fixture.carets.len();
            wrong.extend(fixture.wrong().into_iter().map(|found| format!("{}/{found}", language.id())));
        }
    }
    assert!(carets > 300, "only {carets} carets were found");
    let known: BTreeSet<String> = include_str!("known-gaps.txt").lines().map(str::to_owned).collect();
    let new: Vec<_> = wrong.difference(&known).collect();
    let closed: Vec<_> = known.difference(&wrong).collect();
    assert!(new.is_empty() && closed.is_empty(), "not found: {new:#?}\nclosed, take them out: {closed:#?}");
}

struct Caret {
    path: String,
    /// The line it speaks of.
    line: u32,
    column: usize,
    claim: String,
    own_line: u32,
}

struct Fixture {
    files: Vec<(String, String)>,
    carets: Vec<Caret>,
}

impl Fixture {
    fn new(name: &str, text: &str) -> Self {
        let files = files_in(name, text);
        let carets = files.iter().flat_map(|(path, text)| carets(path, text)).collect();
        Self { files, carets }
    }

    /// The claims that do not hold.
    fn wrong(&self) -> Vec<String> {
        let languages = Languages::builtin();
        let facts: Vec<Option<Arc<FileFacts>>> = self
            .files
            .iter()
            .map(|(path, text)| {
                languages.for_file(path, text.as_bytes()).map(|language| Arc::new(language.extract(text).unwrap()))
            })
            .collect();
        let sources: Vec<SourceFile<'_>> = self
            .files
            .iter()
            .zip(&facts)
            .map(|((path, text), facts)| SourceFile {
                path,
                language: languages.for_file(path, text.as_bytes()).map(|language| language.id()),
                facts: facts.as_ref(),
                lines: u32::try_from(text.lines().count()).unwrap(),
                manifest: Some(text),
            })
            .collect();
        let linked = link("fixture", &sources);
        let mut found = Found { nodes: BTreeMap::new(), edges: Vec::new() };
        for ((path, _), part) in self.files.iter().zip(linked.parts.into_iter().flatten()) {
            found.nodes.extend(part.nodes.into_iter().map(|node| (node.id, (path.clone(), node))));
            found.edges.extend(part.edges);
        }
        let wrong = self.carets.iter().filter(|caret| !found.holds(caret, self));
        wrong.map(|caret| format!("{}:{} {}", caret.path, caret.own_line, caret.claim)).collect()
    }

    /// The name under a caret.
    fn word(&self, caret: &Caret) -> String {
        let (_, text) = self.files.iter().find(|(path, _)| *path == caret.path).unwrap();
        let line: Vec<char> = text.lines().nth(caret.line as usize - 1).unwrap().chars().collect();
        line[caret.column.min(line.len())..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect()
    }
}

/// The files of a fixture; one without headers is a file itself.
pub(crate) fn files_in(name: &str, text: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let header = line.split_once("- /").filter(|(mark, _)| matches!(*mark, "//" | "#" | "--" | "%"));
        match header {
            Some((_, path)) => files.push((path.trim().to_owned(), String::new())),
            None => {
                if files.is_empty() {
                    files.push((name.to_owned(), String::new()));
                }
                let (_, text) = files.last_mut().unwrap();
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    files
}

fn carets(path: &str, text: &str) -> Vec<Caret> {
    let mut carets = Vec::new();
    let mut line = 0;
    for (number, content) in (1..).zip(text.lines()) {
        let claim = content.split_once("^ ").filter(|(before, claim)| {
            let is_comment = before.trim_start().starts_with(['/', '#', '-', '*', '%']);
            let is_blank = before.trim_start().trim_start_matches(['/', '#', '-', '*', '%']).trim().is_empty();
            let is_claim = ["calls ", "defines ", "inherits ", "refers "].iter().any(|word| claim.starts_with(word));
            is_comment && is_blank && is_claim
        });
        match claim {
            Some((before, claim)) => carets.push(Caret {
                path: path.to_owned(),
                line,
                column: before.chars().count(),
                claim: claim.trim().to_owned(),
                own_line: number,
            }),
            None => line = number,
        }
    }
    carets
}

struct Found {
    nodes: BTreeMap<NodeId, (String, Node)>,
    edges: Vec<Edge>,
}

impl Found {
    fn holds(&self, caret: &Caret, fixture: &Fixture) -> bool {
        let (verb, rest) = caret.claim.split_once(' ').unwrap();
        let mut targets = rest.split_whitespace().take_while(|word| !word.starts_with('('));
        match verb {
            "defines" => {
                let (label, name) = rest.split_once(' ').unwrap();
                self.nodes.values().any(|(path, node)| {
                    let covers = node.start_line <= caret.line && caret.line <= node.end_line;
                    *path == caret.path && covers && node.label.name() == label && node.name == name.trim()
                })
            }
            "calls" if rest.starts_with("nothing") => !self.calls_something(caret, &fixture.word(caret)),
            "calls" => {
                targets.all(|target| self.related(caret, &[Relation::Calls, Relation::Instantiates], target, true))
            }
            "inherits" => {
                targets.all(|target| self.related(caret, &[Relation::Inherits, Relation::Implements], target, false))
            }
            _ => targets.all(|target| self.related(caret, &[Relation::References], target, true)),
        }
    }

    fn calls_something(&self, caret: &Caret, word: &str) -> bool {
        self.edges.iter().any(|edge| {
            let target = self.nodes.get(&edge.to);
            let is_here = self.nodes.get(&edge.from).is_some_and(|(path, _)| *path == caret.path);
            edge.relation == Relation::Calls
                && edge.line == caret.line
                && is_here
                && target.is_some_and(|(_, node)| node.name == word)
        })
    }

    /// Whether a line of the caret's file is related to the definition at `path:line`.
    fn related(&self, caret: &Caret, relations: &[Relation], target: &str, by_line: bool) -> bool {
        let (target_path, target_line) = target.rsplit_once(':').unwrap();
        let target_line: u32 = target_line.trim_end_matches(',').parse().unwrap();
        self.edges.iter().any(|edge| {
            let (Some((path, from)), Some((to_path, to))) = (self.nodes.get(&edge.from), self.nodes.get(&edge.to))
            else {
                return false;
            };
            let is_at = if by_line {
                edge.line == caret.line
            } else {
                from.start_line <= caret.line && caret.line <= from.end_line
            };
            let hits = [to.own_line, to.start_line].contains(&target_line);
            relations.contains(&edge.relation) && *path == caret.path && is_at && to_path == target_path && hits
        })
    }
}
