//! GraphML, for networkx, Gephi and yEd: a directed graph with typed keys.
//!
//! GraphML has no lists, so a list is written as the text of a JSON array. XML has no way at all to write most control
//! characters; the pictures that Unicode has of them stand in their place.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::json;

use crate::{EDGE_KEYS, NODE_KEYS, Source, Value, ValueKind, id_text, of_edge, of_node};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"#;
const PROJECT: &str = "project";
const LABELS: &str = "labels";
const TYPE: &str = "type";

pub(crate) fn write(source: &dyn Source, output: &mut dyn Write) -> io::Result<()> {
    output.write_all(HEAD.as_bytes())?;
    write_keys(output)?;
    writeln!(output, r#"<graph edgedefault="directed">"#)?;
    write_data(output, "graph", PROJECT, Value::Text(source.project()))?;
    source.nodes(&mut |record| {
        writeln!(output, r#"<node id="{}">"#, id_text(record.node.id))?;
        write_data(output, "node", LABELS, Value::Text(record.node.label.name()))?;
        of_node(record).try_for_each(|(key, value)| write_data(output, "node", key, value))?;
        writeln!(output, "</node>")
    })?;
    source.edges(&mut |edge| {
        writeln!(output, r#"<edge source="{}" target="{}">"#, id_text(edge.from), id_text(edge.to))?;
        write_data(output, "edge", TYPE, Value::Text(edge.relation.name()))?;
        of_edge(edge).into_iter().try_for_each(|(key, value)| write_data(output, "edge", key, value))?;
        writeln!(output, "</edge>")
    })?;
    writeln!(output, "</graph>\n</graphml>")
}

fn write_keys(output: &mut dyn Write) -> io::Result<()> {
    let text = |key: &'static str| (key, ValueKind::Text);
    let keys = |of: &'static str, own: &'static str, keys: &'static [(&'static str, ValueKind)]| {
        std::iter::once(text(own)).chain(keys.iter().copied()).map(move |(key, kind)| (of, key, kind))
    };
    let all = keys("graph", PROJECT, &[]).chain(keys("node", LABELS, NODE_KEYS)).chain(keys("edge", TYPE, EDGE_KEYS));
    for (of, key, kind) in all {
        let kind = match kind {
            ValueKind::Text | ValueKind::List => "string",
            ValueKind::Number => "int",
            ValueKind::Fraction => "double",
        };
        writeln!(output, r#"<key id="{of}.{key}" for="{of}" attr.name="{key}" attr.type="{kind}"/>"#)?;
    }
    Ok(())
}

fn write_data(output: &mut dyn Write, of: &str, key: &str, value: Value<'_>) -> io::Result<()> {
    let text = match value {
        Value::Text(text) => Cow::Borrowed(text),
        Value::List(list) => Cow::Owned(json!(list).to_string()),
        Value::Number(number) => Cow::Owned(number.to_string()),
        Value::Fraction(fraction) => Cow::Owned(format!("{fraction:?}")),
    };
    writeln!(output, r#"<data key="{of}.{key}">{}</data>"#, escaped(&text))
}

/// Text as the content of an element.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Readers make a line feed of a carriage return that is not written so.
            '\r' => escaped.push_str("&#13;"),
            '\t' | '\n' => escaped.push(character),
            '\0'..='\u{1f}' => escaped.push(picture(character)),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// `␛` for an escape character.
fn picture(control: char) -> char {
    char::from_u32(0x2400 + u32::from(control)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::escaped;
    use crate::sample::{self, exported};

    #[test]
    fn a_graph_is_a_document_with_typed_keys() {
        let text = exported("graphml", &sample::Sample);
        let from_graph = text.split_once("<key ").unwrap().1;
        let expected = r#"id="graph.project" for="graph" attr.name="project" attr.type="string"/>
<key id="node.labels" for="node" attr.name="labels" attr.type="string"/>
<key id="node.qualified_name" for="node" attr.name="qualified_name" attr.type="string"/>
<key id="node.name" for="node" attr.name="name" attr.type="string"/>
<key id="node.file_path" for="node" attr.name="file_path" attr.type="string"/>
<key id="node.line_start" for="node" attr.name="line_start" attr.type="int"/>
<key id="node.line_end" for="node" attr.name="line_end" attr.type="int"/>
<key id="node.signature" for="node" attr.name="signature" attr.type="string"/>
<key id="node.docstring" for="node" attr.name="docstring" attr.type="string"/>
<key id="node.decorators" for="node" attr.name="decorators" attr.type="string"/>
<key id="node.modifiers" for="node" attr.name="modifiers" attr.type="string"/>
<key id="edge.type" for="edge" attr.name="type" attr.type="string"/>
<key id="edge.line" for="edge" attr.name="line" attr.type="int"/>
<key id="edge.resolution" for="edge" attr.name="resolution" attr.type="string"/>
<key id="edge.confidence" for="edge" attr.name="confidence" attr.type="double"/>
<graph edgedefault="directed">
<data key="graph.project">a "b"
</data>
<node id="0000000000000001">
<data key="node.labels">File</data>
<data key="node.qualified_name">a.py</data>
<data key="node.name">a.py</data>
<data key="node.file_path">a.py</data>
</node>
<node id="0000000000000002">
<data key="node.labels">Function</data>
<data key="node.qualified_name">a.f</data>
<data key="node.name">f</data>
<data key="node.file_path">a.py</data>
<data key="node.line_start">1</data>
<data key="node.line_end">3</data>
<data key="node.signature">def f(x: '&lt;T&gt;') -&gt; "\u0027"</data>
<data key="node.docstring">线 ␛[1m&#13;
]]&gt; &amp; \</data>
<data key="node.decorators">["@a('x', 1)","@b"]</data>
<data key="node.modifiers">["async"]</data>
</node>
<edge source="0000000000000001" target="0000000000000002">
<data key="edge.type">DEFINES</data>
<data key="edge.line">0</data>
<data key="edge.resolution">syntax</data>
<data key="edge.confidence">1.0</data>
</edge>
<edge source="0000000000000002" target="0000000000000002">
<data key="edge.type">CALLS</data>
<data key="edge.line">2</data>
<data key="edge.resolution">flow</data>
<data key="edge.confidence">0.95</data>
</edge>
</graph>
</graphml>
"#;
        assert_eq!(from_graph, expected);
    }

    #[test]
    fn characters_that_xml_cannot_hold_are_shown_by_others() {
        assert_eq!(escaped("\0\u{8}\t\n\u{7f}\u{fffe}\u{ffff}😀"), "␀␈\t\n\u{7f}\u{fffd}\u{fffd}😀");
    }
}
