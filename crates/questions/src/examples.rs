//! Questions that would work in this project.

use graph::Label;

use crate::names::{Hit, Names};

/// Things of each kind among which a good example is sought.
const SAMPLE: usize = 40;

/// Three questions with names that exist here.
pub(crate) fn questions(names: &dyn Names) -> Vec<String> {
    let function = first(&[Label::Function, Label::Method], names);
    let class = first(&[Label::Class, Label::Interface], names);
    let wanted = [
        function.as_ref().map(|hit| format!("Who calls {}?", hit.name)),
        class.as_ref().map(|hit| format!("What methods does {} have?", hit.name)),
        function.as_ref().or(class.as_ref()).and_then(contents),
        Some("Show me all classes that contain 'user' in their name".to_owned()),
        Some("What are the 5 longest functions?".to_owned()),
        Some("Which functions are never called?".to_owned()),
    ];
    wanted.into_iter().flatten().take(3).collect()
}

/// One with the first of these labels that the project has, outside of tests if there is one.
fn first(labels: &[Label], names: &dyn Names) -> Option<Hit> {
    let mut sample = labels.iter().map(|label| names.sample(*label, SAMPLE)).find(|sample| !sample.is_empty())?;
    let outside = sample.iter().position(|hit| !hit.file_path.to_lowercase().contains("test"));
    Some(sample.swap_remove(outside.unwrap_or(0)))
}

/// A question about the file of a definition, which is sure to have such.
fn contents(hit: &Hit) -> Option<String> {
    let is_plain = |character: char| character.is_alphanumeric() || "_./-".contains(character);
    let path = Some(&hit.file_path).filter(|path| !path.is_empty() && path.chars().all(is_plain))?;
    let kinds = [(Label::Function, "functions"), (Label::Method, "methods")];
    let kind = kinds.iter().find(|(label, _)| *label == hit.label).map_or("classes", |(_, kind)| kind);
    Some(format!("What {kind} are in {path}?"))
}
