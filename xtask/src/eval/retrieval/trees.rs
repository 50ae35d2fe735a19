//! Where the files of a commit are: in a folder that is given, or in a git repository, out of which each commit is written when it is
//! indexed and not before.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::eval::Options;
use crate::{process, sources};

const LISTING: Duration = Duration::from_secs(120);

/// The files of one commit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tree {
    Folder(PathBuf),
    Commit { repository: PathBuf, commit: String },
}

impl Tree {
    /// By the name `OWNER/NAME@COMMIT`, where it was said where it is.
    pub(super) fn find(name: &str, options: &Options) -> Option<Self> {
        let given = options.trees.iter().find(|(given, _)| given == name).map(|(_, folder)| folder.clone());
        let in_folder = || Some(options.tree_folder.as_ref()?.join(name.replace('/', "+")));
        let folder = given.or_else(in_folder).filter(|folder| folder.is_dir());
        folder.map(Self::Folder).or_else(|| Self::in_repository(name, options.repositories.as_ref()?))
    }

    /// Files that may be changed, and how many of them could not be had.
    pub(super) fn copy(&self, into: &Path) -> Result<usize> {
        match self {
            Self::Folder(folder) => sources::copy(folder, into).map(|()| 0),
            Self::Commit { repository, commit } => write(repository, commit, into),
        }
    }

    fn in_repository(name: &str, repositories: &Path) -> Option<Self> {
        let (repository, commit) = name.rsplit_once('@')?;
        let folder = repositories.join(repository.replace('/', "+"));
        let is_repository = |folder: &PathBuf| folder.join("HEAD").is_file();
        let repository = [folder.clone(), folder.join("repo"), folder.join(".git")].into_iter().find(is_repository)?;
        let mut git = git(&repository);
        let is_there = process::run_ok(git.args(["cat-file", "-e", &format!("{commit}^{{tree}}")]), LISTING).is_ok();
        is_there.then(|| Self::Commit { repository, commit: commit.to_owned() })
    }
}

fn git(repository: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("--git-dir").arg(repository);
    git
}

/// Writes the files of a commit, and says how many the repository does not have. Links and modules are left out.
pub(super) fn write(repository: &Path, commit: &str, into: &Path) -> Result<usize> {
    let listed = process::run_ok(git(repository).args(["ls-tree", "-r", "-z", commit]), LISTING)?.stdout;
    let mut objects = Objects::open(repository)?;
    let mut absent = 0;
    for row in listed.split('\0').filter(|row| !row.is_empty()) {
        let (about, path) = row.split_once('\t').context("a row of `git ls-tree` names a path")?;
        let about: Vec<&str> = about.split(' ').collect();
        let [mode, "blob", object] = about[..] else { continue };
        if mode == "120000" {
            continue;
        }
        let path = Path::new(path);
        let is_inside = path.components().all(|component| matches!(component, Component::Normal(_)));
        ensure!(is_inside, "{} is outside of its tree", path.display());
        let Some(content) = objects.read(object)? else {
            absent += 1;
            continue;
        };
        let path = into.join(path);
        fs::create_dir_all(path.parent().unwrap_or(into))?;
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(absent)
}

/// `git cat-file --batch`, which ends when it is dropped.
struct Objects {
    process: Child,
    asks: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    fn open(repository: &Path) -> Result<Self> {
        let mut git = git(repository);
        git.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = git.spawn().context("cannot start git")?;
        let asks = process.stdin.take();
        let answers = BufReader::new(process.stdout.take().context("the output of git was not piped")?);
        Ok(Self { process, asks, answers })
    }

    /// The content of an object, if the repository has it.
    fn read(&mut self, object: &str) -> Result<Option<Vec<u8>>> {
        writeln!(self.asks.as_mut().context("git takes nothing")?, "{object}")?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let parts: Vec<&str> = head.split_whitespace().collect();
        let size = match parts[..] {
            [_, "blob", size] => size.parse::<usize>()?,
            [_, "missing"] => return Ok(None),
            _ => bail!("git says `{}` of {object}", head.trim()),
        };
        let mut content = vec![0; size + 1];
        self.answers.read_exact(&mut content)?;
        content.pop();
        Ok(Some(content))
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        self.asks = None;
        let _ = self.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git_in(folder: &Path, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(folder).args(["-c", "user.name=a", "-c", "user.email=a@example.com"]).args(arguments);
        process::run_ok(&mut git, LISTING).unwrap().stdout.trim().to_owned()
    }

    #[test]
    fn a_commit_is_written_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let repository = folder.path().join("shop+cart");
        fs::create_dir_all(repository.join("a")).unwrap();
        git_in(&repository, &["init", "--quiet"]);
        fs::write(repository.join("a/b.py"), "old\n").unwrap();
        git_in(&repository, &["add", "."]);
        git_in(&repository, &["commit", "--quiet", "--message", "old"]);
        let commit = git_in(&repository, &["rev-parse", "HEAD"]);
        fs::write(repository.join("a/b.py"), "new\n").unwrap();
        git_in(&repository, &["commit", "--quiet", "--all", "--message", "new"]);

        let options = Options { repositories: Some(folder.path().to_owned()), ..Options::default() };
        let found = Tree::find(&format!("shop/cart@{commit}"), &options);
        let git_folder = repository.join(".git");
        assert_eq!(found, Some(Tree::Commit { repository: git_folder.clone(), commit: commit.clone() }));
        assert_eq!(Tree::find(&format!("shop/cart@{}", "0".repeat(40)), &options), None);
        assert_eq!(Tree::find(&format!("shop/other@{commit}"), &options), None);

        let into = folder.path().join("tree");
        assert_eq!(write(&git_folder, &commit, &into).unwrap(), 0);
        assert_eq!(fs::read_to_string(into.join("a/b.py")).unwrap(), "old\n");
    }
}
