//! Code that the grammar leaves as mere tokens: arguments of macros, what a preprocessor puts in place of a name.

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Range, Tree};

use super::parse::parse_range;
use crate::language::Language;
use crate::roles::Role;
use crate::tree::{self, Forest};

/// More than people write in one file.
const MOST: usize = 20_000;

/// The trees of such code, each with the byte at which its node begins.
#[derive(Default)]
pub(super) struct Unread {
    trees: Vec<(usize, Tree)>,
}

impl Unread {
    pub(super) fn parse(language: &Language, source: &str, tree: &Tree) -> Self {
        let mut unread = Self::default();
        let is_code = language.patterns().kinds(&[Role::Code]);
        if is_code.is_empty() {
            return unread;
        }
        let is_skipped = language.patterns().kinds(&[Role::Skip, Role::Decorator]);
        let mut found = Vec::new();
        collect(tree.root_node(), &is_code, &is_skipped, &mut found);
        let mut next = 0;
        // What is found in one of them is read as well.
        loop {
            for Tokens { key, whole, pieces } in found.drain(..) {
                let whole = whole.and_then(|whole| parse_range(language, source, whole));
                match whole.filter(|tree| !tree.root_node().has_error()) {
                    Some(tree) => unread.trees.push((key, tree)),
                    None => unread.trees.extend(
                        pieces.into_iter().filter_map(|piece| Some((key, parse_range(language, source, piece)?))),
                    ),
                }
            }
            unread.trees.truncate(MOST);
            let Some((_, tree)) = unread.trees.get(next) else { return unread };
            collect(tree.root_node(), &is_code, &is_skipped, &mut found);
            next += 1;
        }
    }

    pub(super) fn trees(&self) -> impl Iterator<Item = &Tree> {
        self.trees.iter().map(|(_, tree)| tree)
    }

    /// What stands in place of each node, by the byte at which it begins.
    pub(super) fn nodes<'t>(
        &self,
        language: &Language,
        source: &str,
        forest: &'t Forest,
    ) -> FxHashMap<usize, Vec<tree::Node<'t>>> {
        let mut nodes: FxHashMap<usize, Vec<tree::Node<'t>>> = FxHashMap::default();
        for (tree, (key, _)) in self.trees.iter().enumerate() {
            // The first tree is that of the whole text.
            let mut node = forest.root(tree + 1);
            let is_plain =
                |node: tree::Node<'t>| language.patterns().role(node, forest, source.as_bytes(), false).is_none();
            while let Some((inner, true)) = forest.first_named_in(node)
                && is_plain(node)
            {
                node = inner;
            }
            nodes.entry(*key).or_default().push(node);
        }
        nodes
    }
}

fn collect(node: Node<'_>, is_code: &[u16], is_skipped: &[u16], found: &mut Vec<Tokens>) {
    let mut nodes = vec![node];
    let mut cursor = node.walk();
    while let Some(node) = nodes.pop() {
        if is_code.contains(&node.kind_id()) {
            add_tokens(node, node.start_byte(), found);
        } else if !is_skipped.contains(&node.kind_id()) {
            let from = nodes.len();
            nodes.extend(node.children(&mut cursor));
            nodes[from..].reverse();
        }
    }
}

/// A node of tokens: what may be read as a whole, and else in pieces.
struct Tokens {
    key: usize,
    whole: Option<Range>,
    pieces: Vec<Range>,
}

fn add_tokens(node: Node<'_>, key: usize, found: &mut Vec<Tokens>) {
    let tokens: Vec<Node<'_>> = node.children(&mut node.walk()).collect();
    let [first, inner @ .., _] = tokens.as_slice() else {
        found.push(Tokens { key, whole: None, pieces: vec![node.range()] });
        return;
    };
    let is_between = |token: &Node<'_>| matches!(token.kind(), "," | ";" | "=>" | "=" | ":");
    let whole = range(inner).filter(|_| first.kind() == "{");
    let pieces: Vec<&[Node<'_>]> = inner.split(is_between).filter(|piece| !piece.is_empty()).collect();
    let is_braced = |node: &Node<'_>| node.child(0).is_some_and(|first| first.kind() == "{");
    match pieces.as_slice() {
        [[one]] if whole.is_none() && is_braced(one) => add_tokens(*one, key, found),
        _ => found.push(Tokens { key, whole, pieces: pieces.into_iter().filter_map(range).collect() }),
    }
}

fn range(tokens: &[Node<'_>]) -> Option<Range> {
    let (first, last) = (tokens.first()?, tokens.last()?);
    Some(Range {
        start_byte: first.start_byte(),
        end_byte: last.end_byte(),
        start_point: first.start_position(),
        end_point: last.end_position(),
    })
}
