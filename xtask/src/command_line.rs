//! What the user may ask for: arguments in, a [`Command`] or the reason it is none out.

use crate::test_run::Selection;

pub(crate) const USAGE: &str = "\
usage: cargo xtask <command>

  test [--only STEP]... [--skip STEP]...   the whole proof: install, format, lint, build, test, tidy, docs,
                                           conformance, clients, fuzz (`test --list` names the steps)
  tidy                                     check the map, dependencies, sizes, contracts, links, generated docs
  docs [--check]                           write the generated documents, or show how they differ
  fuzz [--seconds N]                       fuzz for N seconds per target (default 600)
  bench NAME [--json]                      measure; the names are in docs/benchmarks.md";

const FUZZ_SECONDS: u64 = 600;

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    Tidy,
    Docs { check: bool },
    Test(Selection),
    Fuzz { seconds: u64 },
    Bench { name: String, json: bool },
}

pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments.peekable();
    let Some(name) = arguments.next() else { return Err("no command given".to_owned()) };
    match name.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help),
        "tidy" => end(arguments).map(|()| Command::Tidy),
        "docs" => parse_docs(arguments),
        "test" => parse_test(arguments),
        "fuzz" => parse_fuzz(arguments),
        "bench" => parse_bench(arguments),
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
                let text = value(&argument, arguments.next())?;
                seconds = text.parse().map_err(|_| format!("--seconds takes a whole number, not `{text}`"))?;
            }
            unknown => return Err(unexpected(unknown)),
        }
    }
    if seconds == 0 { Err("--seconds must be at least 1".to_owned()) } else { Ok(Command::Fuzz { seconds }) }
}

fn parse_bench(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let (mut name, mut json) = (None, false);
    for argument in arguments {
        match argument.as_str() {
            "--json" => json = true,
            option if option.starts_with('-') => return Err(unexpected(option)),
            _ if name.is_some() => return Err(unexpected(&argument)),
            _ => name = Some(argument),
        }
    }
    name.map(|name| Command::Bench { name, json }).ok_or_else(|| "bench needs the name of a benchmark".to_owned())
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
        check("docs", Ok(Command::Docs { check: false }));
        check("docs --check", Ok(Command::Docs { check: true }));
        check("test", Ok(selection(&[], &[])));
        check("test --only lint --only tidy --skip fuzz", Ok(selection(&["lint", "tidy"], &["fuzz"])));
        check("fuzz", Ok(Command::Fuzz { seconds: FUZZ_SECONDS }));
        check("fuzz --seconds 30", Ok(Command::Fuzz { seconds: 30 }));
        check("bench server --json", Ok(Command::Bench { name: "server".to_owned(), json: true }));
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
    }
}
