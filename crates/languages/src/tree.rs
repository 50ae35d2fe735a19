//! A syntax tree as plain entries in one list, whoever has parsed the text.
//!
//! The children of a node stand together, so that looking at them costs next to nothing; a tree of tree-sitter has to be asked for
//! each of them.

use tree_sitter::{Tree, TreeCursor};

/// What a tree says of one node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) row: u32,
    pub(crate) end_row: u32,
    /// Where its children begin and end among the entries.
    first: u32,
    last: u32,
    pub(crate) kind: u16,
    /// The field that it stands in; 0 for none.
    pub(crate) field: u16,
    marks: u8,
}

impl Entry {
    const NAMED: u8 = 1;
    const EXTRA: u8 = 2;
    const ERROR: u8 = 4;
    /// Has children that are more than tokens.
    const PARENT: u8 = 8;

    pub(crate) fn leaf(kind: u16, start: u32, end: u32, row: u32, end_row: u32) -> Self {
        Self { start, end, row, end_row, first: 0, last: 0, kind, field: 0, marks: Self::NAMED }
    }

    pub(crate) fn token(self) -> Self {
        Self { marks: self.marks & !Self::NAMED, ..self }
    }

    pub(crate) fn extra(self) -> Self {
        Self { marks: self.marks | Self::EXTRA, ..self }
    }

    pub(crate) fn is_extra(&self) -> bool {
        self.marks & Self::EXTRA != 0
    }

    pub(crate) fn node(&self) -> Node<'_> {
        Node(self)
    }

    fn at(cursor: &TreeCursor<'_>) -> Self {
        let node = cursor.node();
        let mark = |holds: bool, mark: u8| if holds { mark } else { 0 };
        Self {
            start: index(node.start_byte()),
            end: index(node.end_byte()),
            row: index(node.start_position().row),
            end_row: index(node.end_position().row),
            first: 0,
            last: 0,
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, std::num::NonZero::get),
            marks: mark(node.is_named(), Self::NAMED)
                | mark(node.is_extra(), Self::EXTRA)
                | mark(node.is_error(), Self::ERROR),
        }
    }
}

/// A node of a tree in a forest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'t>(&'t Entry);

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Node<'_> {
    /// The same for the same node only.
    pub(crate) fn id(&self) -> usize {
        std::ptr::from_ref(self.0).addr()
    }

    pub(crate) fn kind_id(&self) -> u16 {
        self.0.kind
    }

    pub(crate) fn start_byte(&self) -> usize {
        self.0.start as usize
    }

    pub(crate) fn end_byte(&self) -> usize {
        self.0.end as usize
    }

    pub(crate) fn byte_range(&self) -> std::ops::Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub(crate) fn start_row(&self) -> usize {
        self.0.row as usize
    }

    pub(crate) fn end_row(&self) -> usize {
        self.0.end_row as usize
    }

    /// Whether it is more than a mere token.
    pub(crate) fn is_named(&self) -> bool {
        self.0.marks & Entry::NAMED != 0
    }

    /// Whether it may stand anywhere, as comments do.
    pub(crate) fn is_extra(&self) -> bool {
        self.0.is_extra()
    }

    pub(crate) fn is_error(&self) -> bool {
        self.0.marks & Entry::ERROR != 0
    }

    pub(crate) fn has_named_children(&self) -> bool {
        self.0.marks & Entry::PARENT != 0
    }

    pub(crate) fn has_children(&self) -> bool {
        self.0.first < self.0.last
    }
}

/// Some trees of one text.
#[derive(Debug, Default)]
pub(crate) struct Forest {
    entries: Vec<Entry>,
    /// The root of each tree.
    roots: Vec<Entry>,
}

impl Forest {
    pub(crate) fn add(&mut self, tree: &Tree) {
        let root = tree.root_node();
        self.entries.reserve(root.descendant_count());
        let mut growing = Growing { forest: std::mem::take(self), waiting: Vec::new() };
        let mut cursor = root.walk();
        growing.push(Entry::at(&cursor));
        // Where the children of each node around begin among those that wait.
        let mut begins = Vec::new();
        loop {
            if cursor.goto_first_child() {
                begins.push(growing.mark());
                growing.push(Entry::at(&cursor));
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(begin) = begins.pop() else {
                    *self = growing.grown();
                    return;
                };
                growing.give_to_parent(begin);
                cursor.goto_parent();
            }
            growing.push(Entry::at(&cursor));
        }
    }

    /// Gives a node its children, which are whole.
    fn settle(&mut self, parent: &mut Entry, children: &[Entry]) {
        parent.first = index(self.entries.len());
        self.entries.extend_from_slice(children);
        parent.last = index(self.entries.len());
        if children.iter().any(|child| child.marks & Entry::NAMED != 0) {
            parent.marks |= Entry::PARENT;
        }
    }

    pub(crate) fn root(&self, tree: usize) -> Node<'_> {
        Node(&self.roots[tree])
    }

    pub(crate) fn children_of(&self, node: Node<'_>) -> &[Entry] {
        &self.entries[node.0.first as usize..node.0.last as usize]
    }

    pub(crate) fn nodes_in<'t>(&'t self, node: Node<'_>) -> impl DoubleEndedIterator<Item = Node<'t>> + 't {
        self.children_of(node).iter().map(Node)
    }

    pub(crate) fn named_in<'t>(&'t self, node: Node<'_>) -> impl Iterator<Item = Node<'t>> + 't {
        self.nodes_in(node).filter(Node::is_named)
    }

    /// The first child that is more than a token, and whether it is the only one.
    pub(crate) fn first_named_in<'t>(&'t self, node: Node<'_>) -> Option<(Node<'t>, bool)> {
        let mut named = self.named_in(node);
        named.next().map(|first| (first, named.next().is_none()))
    }
}

/// Code has about one node in this many bytes.
const BYTES_PER_NODE: usize = 8;

/// Whether the nodes below one are changed with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Too,
    Not,
}

/// A forest with a tree whose nodes come in the order in which they end.
#[derive(Debug, Default)]
pub(crate) struct Growing {
    forest: Forest,
    /// Nodes whose parent has not ended.
    waiting: Vec<Entry>,
}

impl Growing {
    /// With room for about as many nodes as a text has.
    pub(crate) fn of_text(text: &str) -> Self {
        let forest = Forest { entries: Vec::with_capacity(text.len() / BYTES_PER_NODE), roots: Vec::new() };
        Self { forest, waiting: Vec::new() }
    }

    /// Where the children of a node begin that begins now.
    pub(crate) fn mark(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn push(&mut self, entry: Entry) {
        self.waiting.push(entry);
    }

    /// The last node that is no comment.
    pub(crate) fn last_mut(&mut self) -> Option<&mut Entry> {
        self.waiting.iter_mut().rev().find(|entry| !entry.is_extra())
    }

    /// Where the last node stands that is no comment.
    pub(crate) fn mark_of_last(&self) -> usize {
        self.waiting.iter().rposition(|entry| !entry.is_extra()).unwrap_or(0)
    }

    pub(crate) fn set_field(&mut self, at: usize, field: u16) {
        self.waiting[at].field = field;
    }

    /// The last node, if it is the only one from there on that is no comment.
    pub(crate) fn only_since(&self, begin: usize) -> Option<&Entry> {
        let mut nodes = self.waiting[begin..].iter().filter(|entry| !entry.is_extra());
        nodes.next().filter(|_| nodes.next().is_none())
    }

    /// What came from there on is in this node, but for comments at the end.
    pub(crate) fn close(&mut self, begin: usize, mut node: Entry) {
        let after = self.waiting[begin..].iter().rev().take_while(|entry| entry.is_extra()).count();
        let end = self.waiting.len() - after;
        self.forest.settle(&mut node, &self.waiting[begin..end]);
        self.waiting.splice(begin..end, [node]);
    }

    /// What came from there on is in this node.
    pub(crate) fn close_whole(&mut self, begin: usize, mut node: Entry) {
        self.forest.settle(&mut node, &self.waiting[begin..]);
        self.waiting.truncate(begin);
        self.waiting.push(node);
    }

    pub(crate) fn drop_last(&mut self, count: usize) {
        self.waiting.truncate(self.waiting.len() - count);
    }

    /// How many nodes have settled, and how many wait.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.forest.entries.len(), self.waiting.len())
    }

    /// Gives up what came since it was of that size.
    pub(crate) fn cut(&mut self, (settled, waiting): (usize, usize)) {
        self.forest.entries.truncate(settled);
        self.waiting.truncate(waiting);
    }

    /// Changes a node that waits and those below it, as long as that succeeds.
    pub(crate) fn change(&mut self, at: usize, change: &mut impl FnMut(&mut Entry) -> Option<Below>) -> Option<()> {
        let entries = &mut self.forest.entries;
        let mut ranges = Vec::new();
        if change(&mut self.waiting[at])? == Below::Too {
            ranges.push((self.waiting[at].first, self.waiting[at].last));
        }
        while let Some((first, last)) = ranges.pop() {
            for entry in entries[first as usize..last as usize].iter_mut().filter(|entry| !entry.is_extra()) {
                if change(entry)? == Below::Too {
                    ranges.push((entry.first, entry.last));
                }
            }
        }
        Some(())
    }

    /// Those that wait from there on are the children of the one before them.
    fn give_to_parent(&mut self, begin: usize) {
        let (around, children) = self.waiting.split_at_mut(begin);
        let Some(parent) = around.last_mut() else { return };
        self.forest.settle(parent, children);
        self.waiting.truncate(begin);
    }

    /// The forest, once the root of the tree is all that waits.
    pub(crate) fn grown(mut self) -> Forest {
        self.forest.roots.append(&mut self.waiting);
        self.forest
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a file is cut long before it has four billion bytes or nodes")
}
