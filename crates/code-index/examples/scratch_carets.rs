//! Scratch: prints the edges of a fixture; to be deleted.
use std::collections::HashMap;
fn main() {
    let mut arguments = std::env::args().skip(1);
    let (id, mark, path) = (arguments.next().unwrap(), arguments.next().unwrap(), arguments.next().unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    let mut files: Vec<(String, String)> = vec![(path.rsplit('/').next().unwrap().to_owned(), String::new())];
    for line in text.lines() {
        match line.strip_prefix(&format!("{mark}- /")) {
            Some(name) => files.push((name.trim().to_owned(), String::new())),
            None => { let last = files.last_mut().unwrap(); last.1.push_str(line); last.1.push('\n'); }
        }
    }
    files.retain(|(_, text)| !text.trim().is_empty());
    let language = languages::Languages::builtin().get(&id).unwrap();
    let facts: Vec<_> = files.iter().map(|(_, text)| language.extract(text).unwrap()).collect();
    let sources: Vec<_> = files.iter().zip(&facts).map(|((path, _), facts)| code_index::link::SourceFile { path, language: Some(&id), facts: Some(facts), lines: facts.lines, manifest: None }).collect();
    let linked = code_index::link::link("p", &sources);
    let mut nodes = HashMap::new();
    for part in linked.parts.iter().chain([&linked.structure]) { for node in &part.nodes { nodes.insert(node.id, node.clone()); } }
    let file = |node: &graph::Node| node.file.and_then(|file| nodes.get(&file)).map_or(String::new(), |file| file.qualified_name.clone());
    for (index, part) in linked.parts.iter().enumerate() {
        for node in &part.nodes { println!("node {} {} {}:{}", node.label, node.name, files[index].0, node.own_line); }
        for edge in &part.edges {
            let Some(to) = nodes.get(&edge.to) else { continue };
            println!("edge {} {} {} -> {}:{} {} {}", files[index].0, edge.line, edge.relation, file(to), to.own_line, to.name, nodes.get(&edge.from).map_or("?", |from| from.name.as_str()));
        }
    }
}
