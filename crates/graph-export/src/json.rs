//! JSON: `{"project": …, "nodes": [{id, labels, properties}], "relationships": [{type, from, to, properties}]}`, with one
//! line for each node and relationship.

use std::io::{self, Write};

use graph::Edge;
use serde_json::json;

use crate::{NodeRecord, Source, Value, id_text, of_edge, of_node};

pub(crate) fn write(source: &dyn Source, output: &mut dyn Write) -> io::Result<()> {
    write!(output, "{{\"project\":{},\n\"nodes\":[", json!(source.project()))?;
    let mut separator = "\n";
    source.nodes(&mut |record| {
        write!(output, "{separator}{}", node(record))?;
        separator = ",\n";
        Ok(())
    })?;
    write!(output, "\n],\n\"relationships\":[")?;
    let mut separator = "\n";
    source.edges(&mut |edge| {
        write!(output, "{separator}{}", relationship(edge))?;
        separator = ",\n";
        Ok(())
    })?;
    writeln!(output, "\n]}}")
}

fn node(record: &NodeRecord<'_>) -> serde_json::Value {
    let labels = [record.node.label.name()];
    json!({ "id": id_text(record.node.id), "labels": labels, "properties": object(of_node(record)) })
}

fn relationship(edge: &Edge) -> serde_json::Value {
    json!({
        "type": edge.relation.name(),
        "from": id_text(edge.from),
        "to": id_text(edge.to),
        "properties": object(of_edge(edge)),
    })
}

fn object<'a>(properties: impl IntoIterator<Item = (&'static str, Value<'a>)>) -> serde_json::Value {
    let value = |value| match value {
        Value::Text(text) => json!(text),
        Value::List(list) => json!(list),
        Value::Number(number) => json!(number),
        Value::Fraction(fraction) => json!(fraction),
    };
    properties.into_iter().map(|(key, found)| (key.to_owned(), value(found))).collect()
}

#[cfg(test)]
mod tests {
    use crate::sample::{self, exported};

    #[test]
    fn a_graph_is_one_object() {
        let expected = r#"{"project":"a \"b\"\n",
"nodes":[
{"id":"0000000000000001","labels":["File"],"properties":{"qualified_name":"a.py","name":"a.py","file_path":"a.py"}},
{"id":"0000000000000002","labels":["Function"],"properties":{"qualified_name":"a.f","name":"f","file_path":"a.py","line_start":1,"line_end":3,"signature":"def f(x: '<T>') -> \"\\u0027\"","docstring":"线 \u001b[1m\r\n]]> & \\","decorators":["@a('x', 1)","@b"],"modifiers":["async"]}}
],
"relationships":[
{"type":"DEFINES","from":"0000000000000001","to":"0000000000000002","properties":{"line":0,"resolution":"syntax","confidence":1.0}},
{"type":"CALLS","from":"0000000000000002","to":"0000000000000002","properties":{"line":2,"resolution":"flow","confidence":0.95}}
]}
"#;
        assert_eq!(exported("json", &sample::Sample), expected);
        let read: serde_json::Value = serde_json::from_str(expected).unwrap();
        assert_eq!(read["nodes"][1]["properties"]["docstring"], sample::DOCSTRING);
        assert_eq!(read["nodes"][1]["properties"]["signature"], sample::SIGNATURE);
    }

    #[test]
    fn an_empty_graph_is_valid() {
        let read: serde_json::Value = serde_json::from_str(&exported("json", &sample::Empty)).unwrap();
        assert_eq!(read, serde_json::json!({ "project": "empty", "nodes": [], "relationships": [] }));
    }
}
