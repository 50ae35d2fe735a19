//! Linking what changed gives what linking everything gives, for every language.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use code_index::link::{Linked, Linker, SourceFile, link_again};
use languages::{FileFacts, Languages};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use store::Part;

use crate::fixtures::files_in;

/// A change to the lines of one file.
#[derive(Debug, Clone)]
struct Edit {
    file: prop::sample::Index,
    change: Change,
}

#[derive(Debug, Clone)]
enum Change {
    Remove(prop::sample::Index, u8),
    Repeat(prop::sample::Index, prop::sample::Index, u8),
    Swap(prop::sample::Index, prop::sample::Index),
    Lower,
    Restore,
    /// The file is deleted, or is there again.
    ComeOrGo,
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<prop::sample::Index>;
    let change = prop_oneof![
        (at(), 1_u8..5).prop_map(|(at, count)| Change::Remove(at, count)),
        (at(), at(), 1_u8..6).prop_map(|(from, to, count)| Change::Repeat(from, to, count)),
        (at(), at()).prop_map(|(one, other)| Change::Swap(one, other)),
        Just(Change::Lower),
        Just(Change::Restore),
        Just(Change::ComeOrGo),
    ];
    (at(), change).prop_map(|(file, change)| Edit { file, change })
}

struct Read {
    path: String,
    /// Whether it is on the disk.
    is_there: bool,
    original: String,
    text: String,
    language: Option<&'static str>,
    facts: Option<Arc<FileFacts>>,
}

impl Read {
    fn new(path: &str, original: &str, text: &str) -> Self {
        let language = Languages::builtin().for_file(path, text.as_bytes());
        let facts = language.map(|language| Arc::new(language.extract(text).unwrap()));
        let language = language.map(|language| language.id());
        Self {
            path: path.to_owned(),
            is_there: true,
            original: original.to_owned(),
            text: text.to_owned(),
            language,
            facts,
        }
    }

    fn edited(&self, change: &Change) -> Self {
        let mut lines: Vec<&str> = self.text.lines().collect();
        match change {
            Change::Remove(at, count) if !lines.is_empty() => {
                let at = at.index(lines.len());
                lines.drain(at..lines.len().min(at + usize::from(*count)));
            }
            Change::Repeat(from, to, count) if !lines.is_empty() => {
                let (from, to) = (from.index(lines.len()), to.index(lines.len()));
                let copy = lines[from..lines.len().min(from + usize::from(*count))].to_vec();
                lines.splice(to..to, copy);
            }
            Change::Swap(one, other) if !lines.is_empty() => {
                let (one, other) = (one.index(lines.len()), other.index(lines.len()));
                lines.swap(one, other);
            }
            Change::Lower => lines.insert(0, ""),
            Change::Remove(..) | Change::Repeat(..) | Change::Swap(..) | Change::Restore | Change::ComeOrGo => {
                lines = self.original.lines().collect()
            }
        }
        let is_there = self.is_there != matches!(change, Change::ComeOrGo);
        Self { is_there, ..Self::new(&self.path, &self.original, &format!("{}\n", lines.join("\n"))) }
    }
}

/// The files of all fixtures of a language, each fixture in a folder of its own.
fn files_of(language: &str) -> Vec<Read> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/languages").join(language).join("fixtures");
    let mut files = Vec::new();
    let mut fixtures: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    fixtures.sort();
    for fixture in fixtures {
        let (name, text) = (fixture.file_name().unwrap().to_string_lossy(), fs::read_to_string(&fixture).unwrap());
        let read = |(path, text): (String, String)| Read::new(&format!("{name}s/{path}"), &text, &text);
        files.extend(files_in(&name, &text).into_iter().map(read));
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn link_all(known: Option<Linker>, files: &[Read]) -> (Linker, Linked) {
    let sources: Vec<SourceFile<'_>> = files
        .iter()
        .filter(|file| file.is_there)
        .map(|file| SourceFile {
            path: &file.path,
            language: file.language,
            facts: file.facts.as_ref(),
            lines: u32::try_from(file.text.lines().count()).unwrap(),
            manifest: file.facts.is_none().then_some(file.text.as_str()),
        })
        .collect();
    link_again(known, "fixtures", &sources)
}

/// Puts what is new in the place of what was there.
fn keep(files: &[Read], linked: Vec<Option<Part>>, parts: &mut BTreeMap<String, Part>) {
    for (file, part) in files.iter().filter(|file| file.is_there).zip(linked) {
        if let Some(part) = part {
            parts.insert(file.path.clone(), part);
        }
    }
}

fn check(language: &str) {
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let result = runner.run(&vec(edit(), 1..12), |edits| {
        let mut files = files_of(language);
        let (linker, linked) = link_all(None, &files);
        let mut linker = Some(linker);
        let mut parts: BTreeMap<String, Part> = BTreeMap::new();
        keep(&files, linked.parts, &mut parts);
        let mut structure = linked.structure.unwrap();
        for edit in edits {
            let file = edit.file.index(files.len());
            files[file] = files[file].edited(&edit.change);
            let (next, linked) = link_all(linker.take(), &files);
            linker = Some(next);
            keep(&files, linked.parts, &mut parts);
            structure = linked.structure.unwrap_or(structure);
            let (_, expected) = link_all(None, &files);
            let there = files.iter().filter(|file| file.is_there);
            for (file, expected) in there.zip(expected.parts.iter().flatten()) {
                prop_assert_eq!(&parts[&file.path], expected, "{}", file.path);
            }
            prop_assert_eq!(Some(&structure), expected.structure.as_ref());
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{language}: {error}");
    }
}

#[test]
fn edits_of_the_fixtures_of_each_language_give_the_graph_of_a_clean_link() {
    for language in Languages::builtin().all() {
        check(language.id());
    }
}
