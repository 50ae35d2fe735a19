//! Is linking what changed the same as linking everything? `cargo run --release -p code-index --example relink -- FOLDER [EDITS [SEED]]`.
//!
//! Lines of the files in FOLDER are taken away, repeated, swapped and put back, and files come and go, in memory; after each edit the
//! graph that follows from the one before is compared with one from nothing. Ends with an error at the first difference.

#![expect(clippy::print_stdout, reason = "it is a command for people who work on the linker")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use code_index::link::{Linked, Linker, SourceFile, link_again};
use languages::{FileFacts, Languages};
use store::Part;

type Problem = Box<dyn std::error::Error>;

struct Read {
    path: String,
    /// Whether it is there at the moment.
    is_there: bool,
    text: String,
    original: String,
    language: Option<&'static str>,
    lines: u32,
    facts: Option<Arc<FileFacts>>,
}

fn main() -> Result<(), Problem> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: relink FOLDER [EDITS [SEED]]")?;
    let edits: u64 = arguments.next().map_or(Ok(20), |number| number.parse())?;
    let mut random = Random(arguments.next().map_or(Ok(1), |number| number.parse())?);
    let mut files = read_all(Path::new(&folder))?;
    let code: Vec<usize> = (0..files.len()).filter(|file| files[*file].facts.is_some()).collect();
    let began = Instant::now();
    let (linker, linked) = link_all(None, &files);
    println!("{} files, {} of them code; {:?} to link all", files.len(), code.len(), began.elapsed());
    let mut linker = Some(linker);
    let mut parts: BTreeMap<String, Part> = BTreeMap::new();
    keep(&files, linked.parts, &mut parts);
    let mut structure = linked.structure.unwrap_or_default();
    let mut times: Vec<Duration> = Vec::new();
    for edit in 0..edits {
        let file = code[random.below(code.len())];
        let what = change(&mut files[file], &mut random);
        let began = Instant::now();
        let (next, linked) = link_all(linker.take(), &files);
        let time = began.elapsed();
        times.push(time);
        linker = Some(next);
        let changed = linked.parts.iter().flatten().count();
        keep(&files, linked.parts, &mut parts);
        structure = linked.structure.unwrap_or(structure);
        println!("{edit}: {} {what}: {time:?}, {changed} parts", files[file].path);
        compare(&files, &parts, &structure)?;
    }
    times.sort_unstable();
    println!("half of them within {:?}, all within {:?}", times[times.len() / 2], times[times.len() - 1]);
    Ok(())
}

/// Puts what is new in the place of what was there.
fn keep(files: &[Read], linked: Vec<Option<Part>>, parts: &mut BTreeMap<String, Part>) {
    for (file, part) in files.iter().filter(|file| file.is_there).zip(linked) {
        if let Some(part) = part {
            parts.insert(file.path.clone(), part);
        }
    }
}

fn compare(files: &[Read], parts: &BTreeMap<String, Part>, structure: &Part) -> Result<(), Problem> {
    let (_, linked) = link_all(None, files);
    let there = files.iter().filter(|file| file.is_there);
    for (file, expected) in there.zip(linked.parts.iter().flatten()) {
        let part = parts.get(&file.path).ok_or_else(|| format!("{} has no part", file.path))?;
        for edge in expected.edges.iter().filter(|edge| !part.edges.contains(edge)) {
            println!("{} lacks {edge:?}", file.path);
        }
        for edge in part.edges.iter().filter(|edge| !expected.edges.contains(edge)) {
            println!("{} has {edge:?}", file.path);
        }
        if part != expected {
            return Err(format!("{} differs", file.path).into());
        }
    }
    if linked.structure.as_ref() != Some(structure) { Err("packages differ".into()) } else { Ok(()) }
}

fn change(file: &mut Read, random: &mut Random) -> &'static str {
    let mut lines: Vec<&str> = file.text.lines().collect();
    let original = file.original.clone();
    if !file.is_there || random.below(4) == 0 {
        file.is_there = !file.is_there;
        return if file.is_there { "comes" } else { "goes" };
    }
    let what = match random.below(6) {
        0 if lines.len() > 3 => {
            let at = random.below(lines.len());
            lines.remove(at);
            "loses a line"
        }
        1 if lines.len() > 8 => {
            let (at, length) = (random.below(lines.len() - 4), 1 + random.below(8));
            let copy: Vec<&str> = lines[at..lines.len().min(at + length)].to_vec();
            let to = random.below(lines.len());
            lines.splice(to..to, copy);
            "repeats lines"
        }
        2 if lines.len() > 8 => {
            let (one, other) = (random.below(lines.len()), random.below(lines.len()));
            lines.swap(one, other);
            "swaps two lines"
        }
        3 if lines.len() > 12 => {
            let at = random.below(lines.len() - 10);
            lines.drain(at..at + 1 + random.below(9));
            "loses lines"
        }
        4 => {
            lines.insert(0, "");
            "is moved down"
        }
        _ => {
            lines = original.lines().collect();
            "is put back"
        }
    };
    let text = format!("{}\n", lines.join("\n"));
    *file = read(&file.path, &text, original);
    what
}

fn read_all(root: &Path) -> Result<Vec<Read>, Problem> {
    let mut files = Vec::new();
    for entry in ignore::WalkBuilder::new(root).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file())
            && let Ok(text) = std::fs::read_to_string(entry.path())
        {
            files.push(read(&entry.path().strip_prefix(root)?.to_string_lossy(), &text, text.clone()));
        }
    }
    files.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(files)
}

fn read(path: &str, text: &str, original: String) -> Read {
    let language = Languages::builtin().for_file(path, text.as_bytes());
    let facts = language.and_then(|language| language.extract(text).ok()).map(Arc::new);
    let language = language.map(|language| language.id());
    let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    Read { path: path.to_owned(), is_there: true, text: text.to_owned(), original, language, lines, facts }
}

fn link_all(known: Option<Linker>, files: &[Read]) -> (Linker, Linked) {
    let is_manifest = |path: &str| [".json", ".mod", ".toml"].iter().any(|ending| path.ends_with(ending));
    let sources: Vec<SourceFile<'_>> = files
        .iter()
        .filter(|file| file.is_there)
        .map(|file| SourceFile {
            path: &file.path,
            language: file.language,
            facts: file.facts.as_ref(),
            lines: file.lines,
            manifest: is_manifest(&file.path).then_some(file.text.as_str()),
        })
        .collect();
    link_again(known, "project", &sources)
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit.max(1)
    }
}
