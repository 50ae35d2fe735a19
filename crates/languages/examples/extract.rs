//! Prints what reading the facts of a folder costs beside parsing it, and a hash of the facts: `cargo run --release -p languages --example extract -- FOLDER…`.

#![expect(clippy::print_stdout, reason = "it is a command for people who work on the extraction")]

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

use languages::{Language, Languages};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for folder in std::env::args().skip(1) {
        let mut paths = Vec::new();
        collect(Path::new(&folder), &mut paths)?;
        paths.sort();
        let mut files: Vec<(&'static Language, String)> = Vec::new();
        for path in &paths {
            let Ok(text) = std::fs::read_to_string(path) else { continue };
            let language = Languages::builtin().for_file(&path.to_string_lossy(), text.as_bytes());
            files.extend(language.map(|language| (language, text)));
        }
        measure(&folder, &files)?;
    }
    Ok(())
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != ".git" {
            collect(&entry.path(), paths)?;
        } else if entry.file_type()?.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}

fn measure(folder: &str, files: &[(&'static Language, String)]) -> Result<(), Box<dyn std::error::Error>> {
    let mut parser = tree_sitter::Parser::new();
    let begin = processor_milliseconds()?;
    for (language, text) in files {
        parser.set_language(language.grammar())?;
        parser.parse(text, None);
    }
    let parsed = processor_milliseconds()?;
    let facts: Vec<_> = files.iter().map(|(language, text)| language.extract(text).ok()).collect();
    let end = processor_milliseconds()?;
    let mut hasher = DefaultHasher::new();
    facts.iter().for_each(|facts| hasher.write(format!("{facts:?}").as_bytes()));
    let (parsing, both) = (parsed - begin, end - parsed);
    let (count, hash) = (files.len(), hasher.finish());
    println!("{folder}: {count} files, {parsing} ms to parse, {both} ms to parse and read facts, hash {hash:016x}");
    Ok(())
}

/// What this thread has had of the processor so far, where Linux tells it.
fn processor_milliseconds() -> Result<u64, Box<dyn std::error::Error>> {
    let times = std::fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: u64 = times.split_whitespace().next().ok_or("no time")?.parse()?;
    Ok(nanoseconds / 1_000_000)
}
