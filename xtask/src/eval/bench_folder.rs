//! Where the public test sets are.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

#[derive(Debug)]
pub(crate) struct BenchFolder(PathBuf);

impl BenchFolder {
    pub(crate) const ABSENT: &str =
        "there is no bench folder: neither ../shared/bench nor where TRAILMARK_BENCH points has callgraph/packs";

    pub(crate) fn find(root: &Path) -> Option<Self> {
        let chosen = std::env::var_os("TRAILMARK_BENCH").filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = chosen.unwrap_or_else(|| root.join("../shared/bench"));
        folder.join("callgraph/packs").is_dir().then_some(Self(folder))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.join(path)
    }

    /// The files with this ending, each with the part of its name before the first dot, by name.
    pub(crate) fn files(&self, folder: &str, ending: &str) -> Result<Vec<(String, PathBuf)>> {
        let folder = self.0.join(folder);
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if name.ends_with(ending) {
                files.push((name.split('.').next().unwrap_or_default().to_owned(), path));
            }
        }
        files.sort();
        Ok(files)
    }
}
