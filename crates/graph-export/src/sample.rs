//! A small graph with everything in it that is hard to write.

use std::io;

use graph::{Confidence, Edge, Label, Node, NodeId, Relation, Resolution};

use crate::{Format, NodeRecord, Source};

pub(crate) const SIGNATURE: &str = "def f(x: '<T>') -> \"\\u0027\"";
pub(crate) const DOCSTRING: &str = "线 \u{1b}[1m\r\n]]> & \\";

#[derive(Debug)]
pub(crate) struct Sample;

#[derive(Debug)]
pub(crate) struct Empty;

impl Source for Sample {
    fn project(&self) -> &str {
        "a \"b\"\n"
    }

    fn nodes(&self, each: &mut dyn FnMut(&NodeRecord<'_>) -> io::Result<()>) -> io::Result<()> {
        [bare_node(), full_node()].iter().try_for_each(|node| each(&NodeRecord { node, path: Some("a.py") }))
    }

    fn edges(&self, each: &mut dyn FnMut(&Edge) -> io::Result<()>) -> io::Result<()> {
        edges().iter().try_for_each(each)
    }
}

impl Source for Empty {
    fn project(&self) -> &str {
        "empty"
    }

    fn nodes(&self, _: &mut dyn FnMut(&NodeRecord<'_>) -> io::Result<()>) -> io::Result<()> {
        Ok(())
    }

    fn edges(&self, _: &mut dyn FnMut(&Edge) -> io::Result<()>) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn bare_node() -> Node {
    let name = || "a.py".to_owned();
    Node { id: NodeId(1), label: Label::File, name: name(), qualified_name: name(), ..Node::default() }
}

pub(crate) fn full_node() -> Node {
    Node {
        id: NodeId(2),
        label: Label::Function,
        name: "f".to_owned(),
        qualified_name: "a.f".to_owned(),
        file: Some(NodeId(1)),
        start_line: 1,
        end_line: 3,
        own_line: 2,
        signature: Some(SIGNATURE.to_owned()),
        docstring: Some(DOCSTRING.to_owned()),
        decorators: vec!["@a('x', 1)".to_owned(), "@b".to_owned()],
        modifiers: vec!["async".to_owned()],
    }
}

pub(crate) fn edges() -> [Edge; 2] {
    let defines = Edge {
        from: NodeId(1),
        relation: Relation::Defines,
        to: NodeId(2),
        line: 0,
        resolution: Resolution::Syntax,
        confidence: Confidence::CERTAIN,
    };
    let calls = Edge {
        from: NodeId(2),
        relation: Relation::Calls,
        line: 2,
        resolution: Resolution::Flow,
        confidence: Confidence(95),
        ..defines
    };
    [defines, calls]
}

/// The graph in this format.
pub(crate) fn exported(format: &str, source: &dyn Source) -> String {
    let mut output = Vec::new();
    (Format::named(format).unwrap().write)(source, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}
