//! Children of a node with their fields.

use smallvec::SmallVec;
use tree_sitter::Node;

/// A child and the field it stands in; 0 for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Child<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) field: u16,
}

pub(crate) type Children<'t> = SmallVec<[Child<'t>; 6]>;

pub(crate) fn children_of(node: Node<'_>) -> Children<'_> {
    let mut children = Children::new();
    if node.child_count() == 0 {
        return children;
    }
    let mut cursor = node.walk();
    if cursor.goto_first_child() {
        loop {
            children.push(Child { node: cursor.node(), field: cursor.field_id().map_or(0, std::num::NonZero::get) });
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    children
}
