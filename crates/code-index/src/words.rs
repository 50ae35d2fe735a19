//! By which words can a file and each definition in it be found?

use languages::facts::{Def, DefKind};
use languages::{FileFacts, lines};
use search::file_words::{Collector, Field, Part};
use search::{FileKind, FileWords};

/// What a line begins with that says something about what comes below it.
const COMMENTS: &[&str] = &["//", "#", "*", "/*", "--", ";;", "@", "%", "\"\"\""];

pub(crate) fn words_of(path: &str, text: &str, has_grammar: bool, facts: Option<&FileFacts>) -> FileWords {
    let definitions = facts.map(definitions).unwrap_or_default();
    let lines: Vec<&str> = lines::each(text).collect();
    let parts = parts(&definitions, u32::try_from(lines.len()).unwrap_or(u32::MAX));
    let owners = owners(&parts, &lines);
    let mut collector = Collector::new(FileKind::of(path, has_grammar), parts);
    collector.add(0, Field::Head, path);
    let name = path.rsplit('/').next().unwrap_or(path);
    collector.add_exact(0, Field::Head, name.split('.').next().unwrap_or(name));
    for (position, definition) in (1..).zip(&definitions) {
        collector.add(position, Field::Name, definition.name);
        collector.add_exact(position, Field::Name, definition.name);
        collector.add(position, Field::Head, &definition.def.signature);
    }
    for (line, owner) in lines.iter().zip(owners) {
        collector.add(owner, Field::Body, line);
    }
    collector.finish()
}

struct Definition<'a> {
    def: &'a Def,
    name: &'a str,
    /// Its place among the facts.
    place: usize,
}

/// Those that are nodes of the graph, from the outside in.
fn definitions(facts: &FileFacts) -> Vec<Definition<'_>> {
    let is_part = |def: &Def| match def.kind {
        DefKind::Class | DefKind::Interface | DefKind::Enum | DefKind::Type | DefKind::Function | DefKind::Method => {
            def.start_line > 0
        }
        DefKind::Module | DefKind::Namespace | DefKind::Lambda => false,
    };
    let all = facts.defs.iter().enumerate();
    let mut found: Vec<_> = all
        .filter(|(_, def)| is_part(def))
        .map(|(place, def)| Definition { def, name: facts.text(def.name), place })
        .collect();
    found.sort_by_key(|found| (found.def.start_line, std::cmp::Reverse(found.def.end_line), found.place));
    found
}

fn parts(definitions: &[Definition<'_>], lines: u32) -> Vec<Part> {
    let mut parts = vec![Part { start_line: 0, end_line: lines, parent: 0, length: 0 }];
    // Those that have not ended yet, the innermost last.
    let mut open: Vec<u32> = Vec::new();
    for (position, definition) in (1..).zip(definitions) {
        let Def { start_line, end_line, .. } = *definition.def;
        open.retain(|&outer| parts[outer as usize].end_line >= end_line);
        parts.push(Part { start_line, end_line, parent: open.last().copied().unwrap_or(0), length: 0 });
        open.push(position);
    }
    parts
}

/// The part that each line belongs to: the innermost, and above it the remarks that belong to it.
fn owners(parts: &[Part], lines: &[&str]) -> Vec<u32> {
    let mut owners = vec![0; lines.len()];
    for (position, part) in (0..).zip(parts).skip(1) {
        let first = (part.start_line as usize).saturating_sub(1);
        let remarks = lines.iter().take(first).rev().take_while(|line| is_remark(line)).count();
        let last = (part.end_line as usize).min(lines.len());
        if let Some(owned) = owners.get_mut(first - remarks.min(first)..last) {
            owned.fill(position);
        }
    }
    owners
}

fn is_remark(line: &str) -> bool {
    let line = line.trim_start();
    COMMENTS.iter().any(|comment| line.starts_with(comment))
}
