//! Questions that would work in this project.

use graph::Label;

use crate::names::Names;

/// Three questions with names that exist here.
pub(crate) fn questions(names: &dyn Names) -> Vec<String> {
    let first = |label: Label| names.sample(label, 1).into_iter().next().map(|hit| hit.name);
    let function = first(Label::Function).or_else(|| first(Label::Method));
    let class = first(Label::Class).or_else(|| first(Label::Interface));
    let file = first(Label::File);
    let wanted = [
        function.map(|name| format!("Who calls {name}?")),
        class.map(|name| format!("What methods does {name} have?")),
        file.map(|name| format!("What functions are in {name}?")),
        Some("Show me all classes that contain 'user' in their name".to_owned()),
        Some("What are the 5 longest functions?".to_owned()),
        Some("Which functions are never called?".to_owned()),
    ];
    wanted.into_iter().flatten().take(3).collect()
}
