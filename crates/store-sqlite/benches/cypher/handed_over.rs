//! The graph and the questions as files that another engine can read.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;

use graph::NodeId;
use serde_json::json;
use store::GraphUpdate;

use crate::questions::{Parameter, Question};

/// `node-LABEL.csv` and `edge-TYPE-FROM-TO.csv`, with a line of headings, and `questions.json`.
pub(crate) fn write(folder: &Path, update: &GraphUpdate, questions: &[Question]) {
    fs::create_dir_all(folder).unwrap();
    let mut files = Files { folder, open: HashMap::new() };
    let parts = || update.files.iter().filter_map(|file| file.part.as_ref());
    let mut known: HashMap<NodeId, (&str, &str)> = HashMap::new();
    for node in parts().flat_map(|part| &part.nodes) {
        known.insert(node.id, (node.label.name(), &node.qualified_name));
        files.add(
            &format!("node-{}", node.label.name()),
            "qualified_name,name,line_start",
            &format!("{},{},{}", node.qualified_name, node.name, node.start_line),
        );
    }
    let mut written = HashSet::new();
    for edge in parts().flat_map(|part| &part.edges) {
        if !written.insert((edge.from, edge.relation, edge.to, edge.line)) {
            continue;
        }
        let ((from_label, from), (to_label, to)) = (known[&edge.from], known[&edge.to]);
        let name = format!("edge-{}-{from_label}-{to_label}", edge.relation.name());
        files.add(&name, "from,to,line", &format!("{from},{to},{}", edge.line));
    }
    let asked = questions.iter().filter_map(|question| {
        let parameters = |given: &Vec<Parameter>| given.iter().cloned().collect::<HashMap<_, _>>();
        let all: Vec<_> = question.parameters.iter().map(parameters).collect();
        Some(json!({ "name": question.name, "cypher": question.peer?, "parameters": all }))
    });
    fs::write(folder.join("questions.json"), serde_json::Value::from_iter(asked).to_string()).unwrap();
}

struct Files<'a> {
    folder: &'a Path,
    open: HashMap<String, BufWriter<File>>,
}

impl Files<'_> {
    fn add(&mut self, name: &str, headings: &str, line: &str) {
        if !self.open.contains_key(name) {
            let mut file = BufWriter::new(File::create(self.folder.join(format!("{name}.csv"))).unwrap());
            writeln!(file, "{headings}").unwrap();
            self.open.insert(name.to_owned(), file);
        }
        writeln!(self.open.get_mut(name).unwrap(), "{line}").unwrap();
    }
}
