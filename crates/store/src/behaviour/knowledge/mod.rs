//! The knowledge graph: cases that are steps in files, and cases that need more than steps.
//!
//! `contract/knowledge/*.md` says what a step is. The same files run on every backend.

mod apply;
mod at_once;
mod read;
mod value;

use super::{Case, Problem, Verdict};
use crate::KnowledgeGraph;

pub(super) const CASES: &[Case<dyn KnowledgeGraph>] = at_once::CASES;

const FILES: &[(&str, &str)] = &[
    ("nodes.md", include_str!("../../../contract/knowledge/nodes.md")),
    ("relationships.md", include_str!("../../../contract/knowledge/relationships.md")),
    ("paths.md", include_str!("../../../contract/knowledge/paths.md")),
    ("neighbors.md", include_str!("../../../contract/knowledge/neighbors.md")),
    ("search.md", include_str!("../../../contract/knowledge/search.md")),
];

/// A case of a file: a heading and the steps under it.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) name: &'static str,
    file: &'static str,
    /// Each with its line.
    steps: Vec<(usize, &'static str)>,
}

/// All cases of all files.
pub(super) fn written() -> Vec<Written> {
    FILES.iter().flat_map(|(file, text)| cases(file, text)).collect()
}

/// Runs the steps on a graph that is empty at first; the first that does not come to what it says is the problem.
pub(super) async fn run(case: &Written, graph: &dyn KnowledgeGraph) -> Verdict {
    let mut names = apply::Names::default();
    for (line, step) in &case.steps {
        for repetition in read::repeated(step) {
            let done = apply::step(graph, &mut names, &repetition).await;
            done.map_err(|problem| Problem::new(format!("{}:{line}: `{repetition}`: {problem}", case.file)))?;
        }
    }
    Ok(())
}

fn cases(file: &'static str, text: &'static str) -> Vec<Written> {
    let mut cases: Vec<Written> = Vec::new();
    let mut is_block = false;
    for (line, number) in text.lines().zip(1..) {
        if let Some(name) = line.strip_prefix("## ") {
            cases.push(Written { name: name.trim(), file, steps: Vec::new() });
        } else if line.starts_with("```") {
            is_block = line == "```steps";
        } else if let Some(case) = cases.last_mut()
            && is_block
            && !line.trim().is_empty()
        {
            case.steps.push((number, line.trim()));
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn every_case_has_a_name_of_its_own_and_steps() {
        let cases = super::written();
        let mut names = HashSet::new();
        for case in &cases {
            assert!(names.insert(case.name), "`{}` is there twice", case.name);
            assert!(!case.steps.is_empty(), "`{}` has no steps", case.name);
        }
        assert!(cases.len() > 30, "{} cases", cases.len());
    }
}
