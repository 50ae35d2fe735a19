//! Which files belong to a project, and what each is called.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use graph::{Label, NodeId};
use store::Result;

use crate::error;

/// How much of a project's name its files show.
const SHOWN_CHARACTERS: usize = 40;

/// The files of one project.
#[derive(Debug, Clone)]
pub(super) struct Paths {
    folder: PathBuf,
    id: String,
}

/// The part of the file names that stands for the project: as much of its name as any file system takes, and a hash of all
/// of it.
pub(super) fn id_of(name: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    let shown: String = name
        .chars()
        .take(SHOWN_CHARACTERS)
        .map(|character| if is_plain(character) { character } else { '-' })
        .collect();
    format!("{shown}-{:016x}", NodeId::of(Label::Project, name).0)
}

impl Paths {
    pub(super) fn new(folder: &Path, id: &str) -> Self {
        Self { folder: folder.to_owned(), id: id.to_owned() }
    }

    pub(super) fn database(&self) -> PathBuf {
        self.with(".db")
    }

    /// Where a new database is made before it takes its place.
    pub(super) fn unfinished(&self) -> PathBuf {
        self.with(".new")
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.with(".lock")
    }

    /// Whether a project was indexed under this name.
    pub(super) fn exists(&self) -> Result<bool> {
        let file = self.database();
        file.try_exists().map_err(|error| error::no_file(error, &file))
    }

    /// Notes that the database is damaged, so that it is made anew when the project is indexed next. A process that cannot
    /// note it leaves that to the next one that meets the damage.
    pub(super) fn mark_damaged(&self) {
        let _ = fs::write(self.with(".damaged"), "");
    }

    pub(super) fn is_marked_damaged(&self) -> bool {
        self.with(".damaged").exists()
    }

    /// Removes what a process left that was killed while it made the database.
    pub(super) fn remove_unfinished(&self) -> Result<()> {
        [".new", ".new-wal", ".new-shm", ".new-journal"].into_iter().try_for_each(|ending| self.remove(ending))
    }

    /// Removes the database with all that belongs to it. A log that stayed behind would be taken for the next one's.
    pub(super) fn remove_database(&self) -> Result<()> {
        [".db", ".db-wal", ".db-shm", ".db-journal", ".damaged"].into_iter().try_for_each(|ending| self.remove(ending))
    }

    fn with(&self, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", self.id))
    }

    fn remove(&self, ending: &str) -> Result<()> {
        let file = self.with(ending);
        match fs::remove_file(&file) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error::no_file(error, &file)),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, shown: &str) {
        let id = id_of(name);
        assert!(id.starts_with(&format!("{shown}-")), "{id}");
        assert_eq!(id.len(), shown.len() + 17, "{id}");
    }

    #[test]
    fn any_name_becomes_a_safe_file_name() {
        check("trailmark_2", "trailmark_2");
        check("../etc/passwd", "---etc-passwd");
        check("索引 C:\\x\0", "---C--x-");
        check("", "");
        check(&"long".repeat(100), &"long".repeat(10));
    }

    #[test]
    fn names_that_look_alike_have_their_own_files() {
        let ids = ["a/b", "a-b", "A-b", "a b", "a.b"].map(id_of);
        assert!(ids.iter().enumerate().all(|(position, id)| !ids[..position].contains(id)), "{ids:?}");
    }
}
