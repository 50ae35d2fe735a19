//! What tree-sitter alone needs: `list DATA` names the files of an indexed project, `parse FOLDER` parses those on standard input.
//!
//! The second prints one JSON object with the processor seconds of parsing alone; reading the files is not counted.

#![expect(clippy::print_stdout, reason = "it is a command for `cargo xtask bench index`")]

use std::collections::HashMap;
use std::io::{BufRead as _, Read as _};
use std::path::Path;
use std::time::Duration;

use languages::{Language, Languages};
use store::ProjectCatalog as _;
use store_sqlite::SqliteProjects;
use tree_sitter::Parser;

/// Of a larger file only the head is indexed.
const MAX_BYTES: u64 = 2_000_000;

type Problem = Box<dyn std::error::Error>;

fn main() -> Result<(), Problem> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some("list"), Some(data)) => list(Path::new(&data)),
        (Some("parse"), Some(folder)) => parse(Path::new(&folder)),
        _ => Err("usage: parse_only list DATA | parse_only parse FOLDER".into()),
    }
}

/// One line for each file with a grammar: its language and its path.
fn list(data: &Path) -> Result<(), Problem> {
    let catalog = SqliteProjects::open(data);
    for project in catalog.list()? {
        let graph = catalog.find(&project.name)?.ok_or("the project has gone")?;
        for file in graph.files()? {
            if let Some(language) = file.language {
                println!("{language}\t{}", file.path);
            }
        }
    }
    Ok(())
}

fn parse(folder: &Path) -> Result<(), Problem> {
    let mut parser = Parser::new();
    let mut languages: HashMap<String, &Language> = HashMap::new();
    let (mut spent, mut files, mut bytes, mut lines) = (Duration::ZERO, 0_u64, 0, 0);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (id, path) = line.split_once('\t').ok_or("a line is a language and a path")?;
        let language = match languages.get(id) {
            Some(language) => language,
            None => {
                *languages.entry(id.to_owned()).or_insert(Languages::builtin().get(id).ok_or("a language is known")?)
            }
        };
        let mut text = Vec::new();
        std::fs::File::open(folder.join(path))?.take(MAX_BYTES).read_to_end(&mut text)?;
        parser.set_language(language.grammar())?;
        let begin = processor_time();
        let tree = parser.parse(&text, None);
        spent += processor_time().saturating_sub(begin);
        drop(tree.ok_or("a tree for every text")?);
        (files, bytes, lines) = (files + 1, bytes + text.len(), lines + text.split(|byte| *byte == b'\n').count());
    }
    println!(r#"{{"files":{files},"bytes":{bytes},"lines":{lines},"seconds":{}}}"#, spent.as_secs_f64());
    Ok(())
}

#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.try_into().unwrap_or(0), now.tv_nsec.try_into().unwrap_or(0))
}

/// Time on the clock, where the system's own is not known.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
