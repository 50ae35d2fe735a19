//! `trailmark.toml`: where it is looked for and how its mistakes are told.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::given::Given;

const NAME: &str = "trailmark.toml";

/// Why the settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    #[error("cannot read the settings file {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("the settings file {} is wrong: {message}", path.display())]
    Wrong { path: PathBuf, message: String },
}

/// The file that was named, else the one in the data folder.
pub(super) fn find(named: Option<&Path>, home: Option<&Path>) -> Result<Option<PathBuf>, FileError> {
    if let Some(path) = named {
        let source = match fs::metadata(path) {
            Ok(_) => return Ok(Some(path.to_owned())),
            Err(source) => source,
        };
        return Err(FileError::Unreadable { path: path.to_owned(), source });
    }
    Ok(home.map(|home| home.join(NAME)).filter(|path| path.is_file()))
}

/// The file in the current folder, unless it is the one that was read already.
pub(super) fn in_current_folder(read: Option<&Path>) -> Option<PathBuf> {
    let path = PathBuf::from(NAME);
    let is_read = read.is_some_and(|read| fs::canonicalize(read).ok() == fs::canonicalize(&path).ok());
    (path.is_file() && !is_read).then_some(path)
}

pub(super) fn read(path: &Path) -> Result<Given, FileError> {
    let text = fs::read_to_string(path).map_err(|source| FileError::Unreadable { path: path.to_owned(), source })?;
    // The message shows the line, which may hold an address with a password.
    let explain = |error: toml::de::Error| web_search::without_credentials(&error.to_string());
    toml::from_str(&text).map_err(|error| FileError::Wrong { path: path.to_owned(), message: explain(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_gives_what_flags_did_not() {
        let (_folder, path) = written("read-only = true\ntoolsets = [\"documents\"]\nmax-calls = 8\n");
        let flags = Given { max_calls: Some(2), ..Given::default() };
        let merged = flags.or(read(&path).unwrap());
        assert_eq!((merged.read_only, merged.max_calls), (Some(true), Some(2)));
        assert_eq!(merged.toolsets, Some(vec!["documents".to_owned()]));
    }

    #[test]
    fn a_mistake_is_told_with_its_place() {
        let (_folder, path) = written("read-only = true\nread-onyl = true\n");
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("read-onyl") && error.contains("line 2"), "{error}");
    }

    #[test]
    fn a_mistake_is_told_without_a_password() {
        let (_folder, path) = written("[web_search]\nulr = \"http://me:s3cret@host/\"\n");
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains("ulr") && error.contains("line 2") && !error.contains("s3cret"), "{error}");
    }

    #[test]
    fn a_named_file_must_exist() {
        let folder = tempfile::tempdir().unwrap();
        assert!(find(Some(&folder.path().join("none.toml")), None).is_err());
        assert_eq!(find(None, Some(folder.path())).unwrap(), None);
    }
}
