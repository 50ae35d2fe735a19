//! Finding files by their words.

use std::future::ready;

use search::file_words::{Collector, Field, Part, PartWords, word_hash};
use search::{FileKind, FileWords};

use super::expect::{equal, holds};
use super::graphs::{file, update};
use super::{Case, Verdict};
use crate::{FileUpdate, GraphUpdate, ProjectCatalog, ProjectGraph, Result};

pub(super) const CASES: &[Case<dyn ProjectCatalog>] = &[
    Case { name: "files are found by their words", run: |catalog| Box::pin(ready(found(catalog))) },
    Case {
        name: "words go with their file, and new ones replace them",
        run: |catalog| Box::pin(ready(follow(catalog))),
    },
];

/// The words of a file that is one part.
pub(super) fn words(path: &str, text: &str) -> FileWords {
    let mut collector = Collector::new(FileKind::Source, vec![Part { end_line: 7, ..Part::default() }]);
    collector.add(0, Field::Head, path);
    collector.add(0, Field::Body, text);
    collector.finish()
}

fn file_with(path: &str, text: &str) -> FileUpdate {
    FileUpdate { words: Some(Some(words(path, text))), ..file(path, &[]) }
}

fn paths_with(project: &dyn ProjectGraph, word: &str) -> Result<Vec<String>> {
    let reader = project.words()?;
    let mut found = Vec::new();
    reader.files_with(word, &mut found)?;
    let mut paths = Vec::new();
    for (number, _) in found {
        paths.extend(reader.file(number)?.map(|file| file.path));
    }
    paths.sort();
    Ok(paths)
}

fn found(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = catalog.create("sample", "/sample")?;
    project.apply(&update(vec![file_with("a.py", "user user 索引"), file_with("b.py", "user color")]))?;
    equal("both", paths_with(&*project, "user")?, vec!["a.py".to_owned(), "b.py".to_owned()])?;
    equal("one", paths_with(&*project, "索引")?, vec!["a.py".to_owned()])?;
    equal("none", paths_with(&*project, "absent")?, vec![])?;
    let reader = project.words()?;
    equal("classes", reader.classes()?.iter().flatten().count(), 2)?;
    let mut found = Vec::new();
    reader.files_with("color", &mut found)?;
    let file = reader.file(found[0].0)?;
    let parts = file.and_then(|file| PartWords::read(&file.parts, &[(word_hash("user"), 0)]));
    equal("in parts", parts.map(|parts| parts.found.len()), Some(1))
}

fn follow(catalog: &dyn ProjectCatalog) -> Verdict {
    let project = catalog.create("sample", "/sample")?;
    project.apply(&update(vec![file_with("a.py", "old"), file_with("b.py", "old"), file_with("c.py", "old")]))?;
    let without_words = FileUpdate { words: Some(None), ..file("c.py", &["c"]) };
    project.apply(&update(vec![file_with("a.py", "new"), file("b.py", &["b"]), without_words]))?;
    equal("left as it was", paths_with(&*project, "old")?, vec!["b.py".to_owned()])?;
    equal("new", paths_with(&*project, "new")?, vec!["a.py".to_owned()])?;
    project.apply(&GraphUpdate { removed: vec!["a.py".to_owned(), "b.py".to_owned()], ..GraphUpdate::default() })?;
    let is_empty = project.words()?.classes()?.iter().all(Option::is_none);
    holds(is_empty, || "files that have gone have words".to_owned())
}
