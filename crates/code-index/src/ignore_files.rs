//! What `.gitignore` and `.trailmarkignore` say about a path.
//!
//! The deepest file that has something to say decides. Any `.trailmarkignore` goes before any `.gitignore`, and only it can
//! take in what the rules for folders and hidden files leave out. `.gitignore` works outside of git repositories too.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

pub(crate) const GIT_IGNORE: &str = ".gitignore";
pub(crate) const TRAILMARK_IGNORE: &str = ".trailmarkignore";

/// More than this is not an ignore file.
const MAX_BYTES: u64 = 1_000_000;

/// The rules of a folder and of all folders above it.
#[derive(Debug, Clone, Default)]
pub(crate) struct IgnoreRules(Option<Arc<Layer>>);

#[derive(Debug)]
struct Layer {
    above: IgnoreRules,
    git: Option<IgnoreFile>,
    trailmark: Option<IgnoreFile>,
}

#[derive(Debug)]
struct IgnoreFile {
    /// As the report names it.
    name: String,
    matcher: Gitignore,
}

/// What the rules say about one path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Nothing,
    /// Left out, by the rules in this file.
    Ignored {
        by: String,
    },
    /// Taken in, whatever other rules say.
    Included,
}

impl IgnoreRules {
    /// What holds in this root because of the git repository it is in: rules of the folders above, and of the clone itself.
    pub(crate) fn around(root: &Path) -> Self {
        let Some(repository) = root.ancestors().find(|folder| folder.join(".git").exists()) else {
            return Self::default();
        };
        let mut rules = Self::default();
        if let Some(exclude) = IgnoreFile::read(repository, &repository.join(".git/info/exclude"), ".git/info/exclude")
        {
            rules = rules.with(Some(exclude), None);
        }
        let inner = root.ancestors().skip(1).take_while(|folder| folder.starts_with(repository));
        let mut above: Vec<&Path> = inner.collect();
        above.reverse();
        for folder in above {
            let file = folder.join(GIT_IGNORE);
            rules = rules.with(IgnoreFile::read(folder, &file, &file.display().to_string()), None);
        }
        rules
    }

    /// These rules and those in the ignore files of a folder below, where it has some.
    pub(crate) fn below(&self, folder: &Path, path: &str, entries: &[&str]) -> Self {
        let read = |name: &str| {
            entries.binary_search(&name).ok()?;
            let shown = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            IgnoreFile::read(folder, &folder.join(name), &shown)
        };
        self.clone().with(read(GIT_IGNORE), read(TRAILMARK_IGNORE))
    }

    fn with(self, git: Option<IgnoreFile>, trailmark: Option<IgnoreFile>) -> Self {
        if git.is_none() && trailmark.is_none() {
            return self;
        }
        Self(Some(Arc::new(Layer { above: self, git, trailmark })))
    }

    /// What is said about a path in the folder of these rules.
    pub(crate) fn judge(&self, path: &Path, is_folder: bool) -> Verdict {
        match self.decide(path, is_folder, |layer| layer.trailmark.as_ref()) {
            Verdict::Nothing => {}
            decided @ (Verdict::Ignored { .. } | Verdict::Included) => return decided,
        }
        match self.decide(path, is_folder, |layer| layer.git.as_ref()) {
            // Git tracks it; the rules for folders and hidden files hold all the same.
            Verdict::Included | Verdict::Nothing => Verdict::Nothing,
            ignored @ Verdict::Ignored { .. } => ignored,
        }
    }

    fn decide(&self, path: &Path, is_folder: bool, file: fn(&Layer) -> Option<&IgnoreFile>) -> Verdict {
        for rules in self.layers().filter_map(file) {
            match rules.matcher.matched(path, is_folder) {
                Match::None => {}
                Match::Ignore(_) => return Verdict::Ignored { by: rules.name.clone() },
                Match::Whitelist(_) => return Verdict::Included,
            }
        }
        Verdict::Nothing
    }

    /// From the deepest up.
    fn layers(&self) -> impl Iterator<Item = &Layer> {
        std::iter::successors(self.0.as_deref(), |layer| layer.above.0.as_deref())
    }
}

impl IgnoreFile {
    /// Lines that are no pattern are passed over, as git does. `None` for what is no regular file.
    fn read(folder: &Path, file: &Path, name: &str) -> Option<Self> {
        let metadata = fs::symlink_metadata(file).ok()?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            return None;
        }
        let bytes = fs::read(file).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let mut builder = GitignoreBuilder::new(folder);
        for line in text.trim_start_matches('\u{feff}').lines() {
            let _ = builder.add_line(None, line);
        }
        let matcher = builder.build().ok()?;
        (!matcher.is_empty()).then(|| Self { name: name.to_owned(), matcher })
    }
}
