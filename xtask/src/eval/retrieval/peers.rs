//! `cargo xtask eval retrieval --peers`: what other programs that install by name find for the very same questions.
//!
//! A peer is a row of [`PEERS`]. It runs in an empty home, on a copy of each tree, with telemetry and model hubs turned off. What it
//! cannot index in time, and what it fails to answer, counts as not found and is said.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::scores::{Row, Scores, Targets};
use super::{Answer, Asked, DEFAULT_DEPTH, INDEXING, NO_TREE, Rank, Set, Trees, jobs_of, read_set};
use crate::eval::Options;
use crate::eval::bench_folder::BenchFolder;
use crate::install::{NodeTools, Package, PythonTools};
use crate::{cache, process};

/// Short questions: what these programs are made for.
const SET: &str = "semble";

/// Stand for the folder that is indexed and for the question, in arguments.
const FOLDER: &str = "{folder}";
const QUESTION: &str = "{question}";

/// Symbols, of which many share a file or are outside of the folder that counts; fewer would leave some questions with less than
/// ten files.
const MANY: &str = "400";

const ASKING: Duration = Duration::from_secs(60);

/// It counts tokens for its report, with a table that it would fetch; without the library for that it estimates them itself.
const CODEN_PROGRAM: Program = Program::Python {
    module: "coden_retriever",
    arguments: &["-c", "import sys; sys.modules['tiktoken'] = None; from coden_retriever.__main__ import main; main()"],
};

const PEERS: &[Peer] = &[
    Peer {
        package: Package { name: "@colbymchenry/codegraph", version: "1.6.1" },
        program: Program::Node { script: "npm-shim.js" },
        index: &["init", FOLDER],
        ways: &[
            Way {
                name: "query --limit 60",
                arguments: &["query", "--path", FOLDER, "--json", "--limit", "60", QUESTION],
                read: |printed| files_of(&json(printed)?, "/node/filePath"),
            },
            Way {
                name: "query --limit 400",
                arguments: &["query", "--path", FOLDER, "--json", "--limit", MANY, QUESTION],
                read: |printed| files_of(&json(printed)?, "/node/filePath"),
            },
            Way {
                name: "explore --max-files 10",
                arguments: &["explore", "--path", FOLDER, "--max-files", "10", QUESTION],
                read: |printed| Ok(headed_files(printed)),
            },
            Way {
                name: "context --max-nodes 400",
                arguments: &["context", "--path", FOLDER, "--format", "json", "--max-nodes", MANY, QUESTION],
                read: |printed| files_of(&json(printed)?["nodes"], "/filePath"),
            },
        ],
    },
    Peer {
        package: Package { name: "code-review-graph", version: "2.3.9" },
        program: Program::Python { module: "code_review_graph", arguments: &["-m", "code_review_graph"] },
        index: &["build", "--repo", FOLDER],
        ways: &[Way {
            name: "search --limit 400",
            arguments: &["search", "--repo", FOLDER, "--limit", MANY, QUESTION],
            read: |printed| files_of(&json(printed)?["results"], "/file_path"),
        }],
    },
    Peer {
        package: Package { name: "coden-retriever", version: "2.4.1" },
        program: CODEN_PROGRAM,
        index: &[FOLDER, "--no-daemon", "--query", "index", "--format", "json"],
        ways: &[Way {
            name: "--query --limit 400",
            arguments: &[FOLDER, "--no-daemon", "--query", QUESTION, "--format", "json", "--limit", MANY],
            read: |printed| files_of(&json(printed)?, "/file"),
        }],
    },
];

/// A program that ranks code for a question in words.
struct Peer {
    package: Package,
    program: Program,
    /// What makes its index, which is not asked for anything before it has ended.
    index: &'static [&'static str],
    ways: &'static [Way],
}

/// How a package is installed and started.
enum Program {
    Node { script: &'static str },
    Python { module: &'static str, arguments: &'static [&'static str] },
}

/// One of the ways to ask it.
struct Way {
    name: &'static str,
    arguments: &'static [&'static str],
    /// Files out of what it printed, best first.
    read: fn(&str) -> Result<Vec<String>>,
}

/// Whether every peer could be asked and none has a figure above ours.
pub(super) fn compare(rank: &Rank, bench: &BenchFolder, options: &Options) -> Result<bool> {
    let mut trees = Trees::new();
    let set = read_set(SET, bench, options, &mut trees)?;
    ensure!(!set.asked.is_empty(), NO_TREE);
    rank.index(&trees)?;
    let answers = rank.ask(DEFAULT_DEPTH, &jobs_of(std::iter::once(&set)))?;
    let ours = row("ours", &set, &answers);
    let (mut theirs, mut absent) = (Vec::new(), Vec::new());
    for peer in PEERS {
        match Installed::new(peer, rank.scratch.path()) {
            Ok(installed) => theirs.extend(installed.rows(&set, &trees)?),
            Err(error) => absent.push(format!("{} could not be installed: {error:#}", peer.package.name)),
        }
    }
    println!("\n{}\n{}", Scores::HEADING, ours.line());
    for (_, row) in &theirs {
        println!("{}", row.line());
    }
    let above: Vec<&str> =
        theirs.iter().filter(|(_, row)| ours.is_behind(row)).map(|(name, _)| name.as_str()).collect();
    if !above.is_empty() {
        println!("above ours in a figure: {}", above.join(", "));
    }
    absent.iter().for_each(|why| println!("{why}"));
    Ok(above.is_empty() && absent.is_empty())
}

fn row(name: &str, set: &Set, answers: &Answers) -> Row {
    Scores::of(&set.asked, answers).row(name, set.all, Targets::default())
}

/// By the id of the question.
type Answers = BTreeMap<String, Answer>;

/// A peer that can be started.
struct Installed {
    peer: &'static Peer,
    tools: Tools,
    tree: PathBuf,
    home: PathBuf,
}

enum Tools {
    Node(NodeTools, &'static str),
    Python(PythonTools, &'static [&'static str]),
}

impl Installed {
    fn new(peer: &'static Peer, scratch: &Path) -> Result<Self> {
        let cache = cache::test_cache_dir()?;
        let tools = match peer.program {
            Program::Node { script } => Tools::Node(NodeTools::install(&cache, &[peer.package])?, script),
            Program::Python { module, arguments } => {
                Tools::Python(PythonTools::for_peer(&cache, &peer.package, module)?, arguments)
            }
        };
        let scratch = scratch.canonicalize()?;
        Ok(Self { peer, tools, tree: scratch.join("tree"), home: scratch.join("home") })
    }

    /// One for each way to ask it.
    fn rows(&self, set: &Set, trees: &Trees) -> Result<Vec<(String, Row)>> {
        let mut answers: Vec<Answers> = self.peer.ways.iter().map(|_| Answers::new()).collect();
        let mut by_tree: BTreeMap<&str, Vec<&Asked>> = BTreeMap::new();
        for asked in &set.asked {
            by_tree.entry(&asked.tree).or_default().push(asked);
        }
        for (name, questions) in by_tree {
            let tree = trees.get(name).and_then(Option::as_ref).context("a question that is asked has a tree")?;
            tree.copy(&self.tree)?;
            fs::create_dir_all(&self.home)?;
            self.answer(name, &questions, &mut answers);
            fs::remove_dir_all(&self.tree)?;
            fs::remove_dir_all(&self.home)?;
        }
        let Package { name, version } = self.peer.package;
        let rows = self.peer.ways.iter().zip(&answers).map(|(way, answers)| {
            let name = format!("{name} {version} {}", way.name);
            (name.clone(), row(&name, set, answers))
        });
        Ok(rows.collect())
    }

    fn answer(&self, name: &str, questions: &[&Asked], answers: &mut [Answers]) {
        let peer = self.peer.package.name;
        let begun = Instant::now();
        if let Err(error) = process::run_ok(&mut self.command(self.peer.index, ""), INDEXING) {
            println!("{peer}: {name} was not indexed, and its questions find nothing: {error:#}");
            return;
        }
        let indexed = begun.elapsed();
        for (way, answers) in self.peer.ways.iter().zip(answers) {
            for asked in questions {
                match self.ask(way, &asked.text) {
                    Ok(files) => drop(answers.insert(asked.id.clone(), Answer { files, ..Answer::default() })),
                    Err(error) => println!("{peer} {}: {} finds nothing: {error:#}", way.name, asked.id),
                }
            }
        }
        let asked = (begun.elapsed() - indexed).as_secs_f64();
        println!("{peer}: {name}: indexed in {:.1} s, asked in {asked:.1} s", indexed.as_secs_f64());
    }

    fn ask(&self, way: &Way, question: &str) -> Result<Vec<String>> {
        let printed = process::run_ok(&mut self.command(way.arguments, question), ASKING)?.stdout;
        Ok((way.read)(&printed)?.iter().map(|file| self.in_tree(file)).collect())
    }

    fn command(&self, arguments: &[&str], question: &str) -> Command {
        let mut command = match &self.tools {
            Tools::Node(tools, script) => tools.native_program(self.peer.package, script),
            Tools::Python(tools, arguments) => {
                let mut python = tools.python();
                python.args(*arguments);
                python
            }
        };
        for argument in arguments {
            match *argument {
                FOLDER => command.arg(&self.tree),
                QUESTION => command.arg(question),
                argument => command.arg(argument),
            };
        }
        command.current_dir(&self.home).env("HOME", &self.home).env("NO_COLOR", "1");
        command.env("DO_NOT_TRACK", "1").env("CODEGRAPH_TELEMETRY", "0").env("HF_HUB_OFFLINE", "1");
        command
    }

    /// A path as the set gives it. Some peers say whole paths and some say them from the folder that was indexed.
    fn in_tree(&self, file: &str) -> String {
        let path = self.tree.join(file);
        let path = path.strip_prefix(&self.tree).unwrap_or(&path);
        path.to_string_lossy().replace('\\', "/")
    }
}

/// JSON behind lines that are for people.
fn json(printed: &str) -> Result<Value> {
    let is_first = |line: &&str| line.starts_with(['{', '[']);
    let start = printed.lines().take_while(|line| !is_first(line)).map(|line| line.len() + 1).sum::<usize>();
    let value = printed.get(start..).unwrap_or_default();
    serde_json::from_str(value).with_context(|| format!("it printed no JSON but {:.200}", printed.trim()))
}

/// What each item of a list has at this place.
fn files_of(list: &Value, place: &str) -> Result<Vec<String>> {
    let items = list.as_array().context("it printed no list")?;
    let file = |item: &Value| Some(item.pointer(place)?.as_str()?.to_owned());
    items.iter().map(|item| file(item).with_context(|| format!("there is no {place} in {item}"))).collect()
}

/// The files of Markdown sections that are headed ``**`PATH`**``.
fn headed_files(printed: &str) -> Vec<String> {
    let path = |line: &str| Some(line.strip_prefix("**`")?.split_once("`**")?.0.to_owned());
    printed.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_in_the_order_of_the_answer() {
        let printed =
            "SEARCH\n------\n[\n{\"node\": {\"file\": \"b.py\"}}, {\"node\": {\"file\": \"a.py\"}}]\nwarning: no\n";
        assert!(json(printed).is_err(), "nothing may follow");
        let list = json(printed.strip_suffix("warning: no\n").unwrap()).unwrap();
        assert_eq!(files_of(&list, "/node/file").unwrap(), ["b.py", "a.py"]);
        assert!(files_of(&list, "/file").is_err() && files_of(&list[0], "/node/file").is_err());
        assert!(json("No results").is_err());
    }

    #[test]
    fn sections_name_their_files() {
        let printed = "**Source Code**\n\n**`src/b.rs`** — run(function)\n\n```rust\n**`no\n```\n**`a.rs`** — stop\n";
        assert_eq!(headed_files(printed), ["src/b.rs", "a.rs"]);
    }

    #[test]
    fn every_way_is_asked_the_question() {
        for peer in PEERS {
            assert!(peer.index.contains(&FOLDER), "{}", peer.package.name);
            assert!(!peer.ways.is_empty() && peer.ways.iter().all(|way| way.arguments.contains(&QUESTION)));
        }
    }
}
