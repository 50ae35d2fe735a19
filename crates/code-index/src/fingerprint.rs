//! Hashes that tell whether a file, or its part of the graph, is what it was.

use graph::{Edge, Node};
use store::Part;

use crate::content::Content;

/// Raise it when the same bytes should give other facts or another graph than before: everything is then indexed again.
const FACTS_VERSION: u32 = 8;

const VERSION_BYTES: usize = 4;

/// What version of Trailmark made a hash. A new release always indexes again.
pub(crate) fn version() -> [u8; VERSION_BYTES] {
    let hash = blake3::hash(format!("{} {FACTS_VERSION}", env!("CARGO_PKG_VERSION")).as_bytes());
    let mut version = [0; VERSION_BYTES];
    version.copy_from_slice(&hash.as_bytes()[..VERSION_BYTES]);
    version
}

/// Of what was read of a file.
pub(crate) fn of_content(content: &Content) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[u8::from(content.is_cut)]);
    hasher.update(&content.bytes);
    [&version()[..], hasher.finalize().as_bytes()].concat()
}

/// Whether this version of Trailmark made the hash of a content.
pub(crate) fn is_current(content_hash: &[u8]) -> bool {
    content_hash.starts_with(&version())
}

/// Of nodes and edges, whose order is settled first.
pub(crate) fn of_part(part: &mut Part) -> Vec<u8> {
    part.nodes.sort_unstable_by_key(|node| node.id);
    part.edges.sort_unstable();
    let mut bytes = Vec::with_capacity(part.nodes.len() * 256 + part.edges.len() * 24);
    put_number(&mut bytes, part.nodes.len() as u64);
    part.nodes.iter().for_each(|node| put_node(&mut bytes, node));
    part.edges.iter().for_each(|edge| put_edge(&mut bytes, edge));
    blake3::hash(&bytes).as_bytes().to_vec()
}

fn put_node(bytes: &mut Vec<u8>, node: &Node) {
    let Node {
        id,
        label,
        name,
        qualified_name,
        file,
        start_line,
        end_line,
        own_line,
        signature,
        docstring,
        decorators,
        modifiers,
    } = node;
    bytes.extend(id.0.to_le_bytes());
    bytes.push(label.code());
    put_text(bytes, name);
    put_text(bytes, qualified_name);
    bytes.extend(file.map_or(-1, |file| file.0).to_le_bytes());
    [start_line, end_line, own_line].into_iter().for_each(|line| bytes.extend(line.to_le_bytes()));
    for text in [signature, docstring] {
        bytes.push(u8::from(text.is_some()));
        put_text(bytes, text.as_deref().unwrap_or_default());
    }
    for texts in [decorators, modifiers] {
        put_number(bytes, texts.len() as u64);
        texts.iter().for_each(|text| put_text(bytes, text));
    }
}

fn put_edge(bytes: &mut Vec<u8>, edge: &Edge) {
    let Edge { from, relation, to, line, resolution, confidence } = edge;
    bytes.extend(from.0.to_le_bytes());
    bytes.push(relation.code());
    bytes.extend(to.0.to_le_bytes());
    bytes.extend(line.to_le_bytes());
    bytes.extend([resolution.code(), confidence.0]);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

fn put_number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use graph::{Confidence, Label, NodeId, Relation, Resolution};

    use super::*;

    fn node(name: &str) -> Node {
        Node { id: NodeId::of(Label::Function, name), name: name.to_owned(), ..Node::default() }
    }

    fn edge(line: u32) -> Edge {
        Edge {
            from: NodeId(1),
            relation: Relation::Calls,
            to: NodeId(2),
            line,
            resolution: Resolution::Import,
            confidence: Confidence::CERTAIN,
        }
    }

    #[test]
    fn the_order_of_nodes_and_edges_does_not_matter_but_their_content_does() {
        let hash = |nodes: &[Node], edges: &[Edge]| of_part(&mut Part { nodes: nodes.to_vec(), edges: edges.to_vec() });
        let first = hash(&[node("a"), node("b")], &[edge(1), edge(2)]);
        assert_eq!(first, hash(&[node("b"), node("a")], &[edge(2), edge(1)]));
        assert_ne!(first, hash(&[node("b"), node("a")], &[edge(2), edge(3)]));
        let documented = Node { docstring: Some(String::new()), ..node("a") };
        assert_ne!(first, hash(&[documented, node("b")], &[edge(1), edge(2)]));
    }

    #[test]
    fn a_hash_of_another_version_is_recognised() {
        let hash = of_content(&Content { bytes: b"x".to_vec(), is_cut: false });
        assert!(is_current(&hash));
        assert!(!is_current(&hash[1..]));
        assert!(!is_current(&[]));
    }
}
