//! Children of nodes with their fields, read off whole trees in one walk.

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree, TreeCursor};

/// A child and the field it stands in; 0 for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) field: u16,
}

impl<'t> Child<'t> {
    fn at(cursor: &TreeCursor<'t>) -> Self {
        Self { node: cursor.node(), field: cursor.field_id().map_or(0, std::num::NonZero::get) }
    }
}

/// The children of all nodes of some trees. A cursor of its own for each node that is looked at costs several times as much.
#[derive(Debug, Default)]
pub(crate) struct Forest<'t> {
    /// Those of one node stand together.
    children: Vec<Child<'t>>,
    /// Where they begin and end, by the identity of the node.
    ranges: FxHashMap<usize, (u32, u32)>,
}

impl<'t> Forest<'t> {
    pub(crate) fn add(&mut self, tree: &'t Tree) {
        let root = tree.root_node();
        self.children.reserve(root.descendant_count());
        self.ranges.reserve(root.descendant_count() / 2);
        let mut cursor = root.walk();
        // Nodes whose parent is not left yet, and where the children of each node around begin among them.
        let mut waiting = vec![Child::at(&cursor)];
        let mut begins = Vec::new();
        loop {
            if cursor.goto_first_child() {
                begins.push(waiting.len());
                waiting.push(Child::at(&cursor));
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(begin) = begins.pop() else { return };
                let first = self.children.len();
                self.children.extend(waiting.drain(begin..));
                let parent = waiting[begin - 1].node.id();
                self.ranges.insert(parent, (index(first), index(self.children.len())));
                cursor.goto_parent();
            }
            waiting.push(Child::at(&cursor));
        }
    }

    pub(crate) fn children_of(&self, node: Node<'t>) -> &[Child<'t>] {
        if node.child_count() == 0 {
            return &[];
        }
        self.ranges.get(&node.id()).map_or(&[], |(first, end)| &self.children[*first as usize..*end as usize])
    }

    pub(crate) fn nodes_in(&self, node: Node<'t>) -> impl DoubleEndedIterator<Item = Node<'t>> + '_ {
        self.children_of(node).iter().map(|child| child.node)
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a file is cut long before it has four billion nodes")
}
