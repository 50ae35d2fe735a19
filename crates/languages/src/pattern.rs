//! Patterns in tree-sitter's query syntax, compiled so that one walk over a tree can try them node by node.
//!
//! Each top-level pattern is anchored at the node that carries its role (`… @function`). A pattern is tried at most once per
//! node: a part without a quantifier is the first child that fits (after the one before it, unless it names a
//! field), `?` may be missing, `*` and `+` are all that fit. The
//! same text is a valid query for tree-sitter's own engine, which a test checks; running it here costs a fraction, because
//! nothing is searched for.

mod read;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::roles::{Part, Role};
use crate::tree::{Entry, Forest, Node};

pub(crate) use read::PatternError;

/// All patterns of one language, by the kind of node they are anchored at.
#[derive(Debug)]
pub(crate) struct Patterns {
    values: Vec<Vec<Pattern>>,
    types: Vec<Vec<Pattern>>,
}

impl Patterns {
    pub(crate) fn compile(text: &str, grammar: &tree_sitter::Language) -> Result<Self, PatternError> {
        let kinds = grammar.node_kind_count();
        let mut patterns = Self { values: vec![Vec::new(); kinds], types: vec![Vec::new(); kinds] };
        for pattern in read::patterns(text, grammar)? {
            let table = if pattern.role.is_for_types() { &mut patterns.types } else { &mut patterns.values };
            for kind in &pattern.root.kinds {
                table[usize::from(*kind)].push(pattern.clone());
            }
        }
        Ok(patterns)
    }

    /// What this node is, and its parts; the first pattern that fits wins.
    pub(crate) fn role<'t>(
        &self,
        node: Node<'t>,
        forest: &'t Forest,
        source: &[u8],
        in_type: bool,
    ) -> Option<Match<'t>> {
        let kind = usize::from(node.kind_id());
        let types = self.types.get(kind).filter(|_| in_type).map_or(&[][..], Vec::as_slice);
        let values = self.values.get(kind).map_or(&[][..], Vec::as_slice);
        let mut candidates = types.iter().chain(values);
        let has_parts = |pattern: &Pattern| !pattern.root.is_bare();
        let children = if types.iter().chain(values).any(has_parts) { forest.children_of(node) } else { &[] };
        candidates.find_map(|pattern| pattern.try_at(node, children, forest, source))
    }

    /// The kinds of nodes that may have one of these roles.
    pub(crate) fn kinds(&self, roles: &[Role]) -> Vec<u16> {
        let has_role = |patterns: &[Pattern]| patterns.iter().any(|pattern| roles.contains(&pattern.role));
        (0..).zip(&self.values).filter(|(_, patterns)| has_role(patterns)).map(|(kind, _)| kind).collect()
    }
}

/// A node's role and the nodes that play a part in it, in the order of the text.
#[derive(Debug)]
pub(crate) struct Match<'t> {
    pub(crate) role: Role,
    parts: Found<'t>,
}

impl<'t> Match<'t> {
    pub(crate) fn one(&self, part: Part) -> Option<Node<'t>> {
        self.parts.iter().find(|(found, _)| *found == Capture::Part(part)).map(|(_, node)| *node)
    }

    pub(crate) fn all(&self, part: Part) -> impl Iterator<Item = Node<'t>> + '_ {
        self.parts.iter().filter(move |(found, _)| *found == Capture::Part(part)).map(|(_, node)| *node)
    }

    pub(crate) fn has(&self, part: Part) -> bool {
        self.parts.iter().any(|(found, _)| *found == Capture::Part(part))
    }

    pub(crate) fn without(&self, part: Part) -> Self {
        Self {
            role: self.role,
            parts: self.parts.iter().filter(|(found, _)| *found != Capture::Part(part)).copied().collect(),
        }
    }

    pub(crate) fn push(&mut self, part: Part, node: Node<'t>) {
        self.parts.push((Capture::Part(part), node));
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.parts.extend(other.parts.iter().copied());
    }

    /// Its parts in a form that is quick to search where they are many.
    pub(crate) fn search(&self) -> Search<'_, 't> {
        if self.parts.len() <= FEW {
            return Search { found: self, many: None };
        }
        let parts = || self.parts.iter().filter(|(part, _)| part.is_part()).map(|(_, node)| node);
        let mut ranges: Vec<(usize, usize)> = parts().map(|node| (node.start_byte(), node.end_byte())).collect();
        ranges.sort_unstable();
        Search { found: self, many: Some(Many { ids: parts().map(Node::id).collect(), ranges }) }
    }

    /// Whether the node plays a part, or is a word that a condition has looked at.
    fn is_part(&self, node: Node<'t>) -> bool {
        self.parts.iter().any(|(part, found)| *found == node && (part.is_part() || !node.has_named_children()))
    }

    /// Whether some part is this node or lies within it.
    fn covers(&self, child: Node<'t>) -> bool {
        let parts = self.parts.iter().filter(|(part, _)| part.is_part());
        parts
            .into_iter()
            .any(|(_, node)| node.start_byte() >= child.start_byte() && node.end_byte() <= child.end_byte())
    }
}

/// As many parts as are searched one by one.
const FEW: usize = 16;

/// The parts of a match: which nodes they are, and where they lie.
pub(crate) struct Search<'m, 't> {
    found: &'m Match<'t>,
    many: Option<Many>,
}

struct Many {
    ids: FxHashSet<usize>,
    /// Where they begin and end, sorted.
    ranges: Vec<(usize, usize)>,
}

impl<'t> Search<'_, 't> {
    pub(crate) fn is_part(&self, node: Node<'t>) -> bool {
        match &self.many {
            Some(many) => many.ids.contains(&node.id()),
            None => self.found.is_part(node),
        }
    }

    pub(crate) fn covers(&self, child: Node<'t>) -> bool {
        let Some(Many { ranges, .. }) = &self.many else { return self.found.covers(child) };
        let first = ranges.partition_point(|(start, _)| *start < child.start_byte());
        let within = ranges[first..].iter().take_while(|(start, _)| *start <= child.end_byte());
        within.into_iter().any(|(_, end)| *end <= child.end_byte())
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    role: Role,
    root: NodePattern,
    conditions: Vec<Condition>,
}

impl Pattern {
    fn try_at<'t>(
        &self,
        node: Node<'t>,
        children: &'t [Entry],
        forest: &'t Forest,
        source: &[u8],
    ) -> Option<Match<'t>> {
        let mut found: Found<'t> = self.root.captures.iter().map(|capture| (*capture, node)).collect();
        if !self.root.parts_fit(children, forest, &mut found) {
            return None;
        }
        let holds = self.conditions.iter().all(|condition| condition.holds(&found, source));
        holds.then_some(Match { role: self.role, parts: found })
    }
}

type Found<'t> = SmallVec<[(Capture, Node<'t>); 6]>;

/// A name after `@` below the root: a part, or a name that only conditions use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capture {
    Part(Part),
    Private(u8),
}

impl Capture {
    fn is_part(self) -> bool {
        matches!(self, Self::Part(_))
    }
}

#[derive(Debug, Clone)]
struct NodePattern {
    /// Sorted; empty for any named node.
    kinds: Vec<u16>,
    captures: SmallVec<[Capture; 1]>,
    parts: Vec<PartPattern>,
    absent: Vec<u16>,
    /// Whether tokens fit as well.
    is_any: bool,
}

#[derive(Debug, Clone)]
struct PartPattern {
    field: Option<u16>,
    quantifier: Quantifier,
    /// Whether it must be the very next named child: `.` before it.
    is_next: bool,
    /// Whether no named child may come after it: `.` at the end.
    is_last: bool,
    node: NodePattern,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantifier {
    One,
    Optional,
    Any,
    Some,
}

impl NodePattern {
    fn fits<'t>(&self, node: Node<'t>, forest: &'t Forest, found: &mut Found<'t>) -> bool {
        let kind_fits = if self.kinds.is_empty() {
            (node.is_named() || self.is_any) && !node.is_extra()
        } else {
            self.kinds.binary_search(&node.kind_id()).is_ok()
        };
        if !kind_fits {
            return false;
        }
        let before = found.len();
        found.extend(self.captures.iter().map(|capture| (*capture, node)));
        if self.is_bare() {
            return true;
        }
        let fits = self.parts_fit(forest.children_of(node), forest, found);
        if !fits {
            found.truncate(before);
        }
        fits
    }

    /// Whether nothing is asked of its children.
    fn is_bare(&self) -> bool {
        self.parts.is_empty() && self.absent.is_empty()
    }

    /// Parts in fields are found by their field, the others in the order in which they are written.
    fn parts_fit<'t>(&self, children: &'t [Entry], forest: &'t Forest, found: &mut Found<'t>) -> bool {
        let absent = |field: &u16| !children.iter().any(|child| child.field == *field);
        let mut at = 0;
        self.absent.iter().all(absent) && self.parts.iter().all(|part| part.fits(children, &mut at, forest, found))
    }
}

impl PartPattern {
    fn fits<'t>(&self, children: &'t [Entry], at: &mut usize, forest: &'t Forest, found: &mut Found<'t>) -> bool {
        let first = if self.field.is_some() { 0 } else { *at };
        let mut any = false;
        for (position, child) in children.iter().enumerate().skip(first) {
            if self.field.is_some_and(|field| field != child.field) || !self.node.fits(child.node(), forest, found) {
                if self.is_next && child.node().is_named() && !child.is_extra() {
                    break;
                }
                continue;
            }
            any = true;
            if self.field.is_none() {
                *at = position + 1;
            }
            if matches!(self.quantifier, Quantifier::One | Quantifier::Optional) {
                break;
            }
        }
        if self.is_last && children.iter().skip(*at).any(|child| child.node().is_named() && !child.is_extra()) {
            return false;
        }
        any || matches!(self.quantifier, Quantifier::Optional | Quantifier::Any)
    }
}

/// `(#eq? @name "text")`, `(#eq? @name @other)`, `(#any-of? @name "a" "b")`, `(#lower? @name)` (its first letter is small) and their `not-` forms.
#[derive(Debug, Clone)]
struct Condition {
    capture: Capture,
    /// Empty where the first letter decides, or another node.
    texts: Vec<String>,
    other: Option<Capture>,
    holds_if_equal: bool,
}

impl Condition {
    fn holds(&self, found: &Found<'_>, source: &[u8]) -> bool {
        let Some((_, node)) = found.iter().find(|(capture, _)| *capture == self.capture) else { return true };
        let text = &source[node.byte_range()];
        if let Some(other) = self.other {
            let mut others = found.iter().filter(|(capture, _)| *capture == other);
            return others.any(|(_, node)| &source[node.byte_range()] == text) == self.holds_if_equal;
        }
        if self.texts.is_empty() {
            return text.first().is_some_and(u8::is_ascii_lowercase) == self.holds_if_equal;
        }
        self.texts.iter().any(|allowed| allowed.as_bytes() == text) == self.holds_if_equal
    }
}
