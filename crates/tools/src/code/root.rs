//! Where a path that a caller gives leads: never outside of the project's root, whatever links and dots it goes through.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::file_errors::{quoted, unreachable_path};
use crate::error::ToolError;

/// Links that one path may go through; more are a circle.
const MOST_LINKS: usize = 40;

/// The folder that a call may not leave.
#[derive(Debug)]
pub(super) struct Root {
    /// Absolute and without symbolic links.
    path: PathBuf,
}

/// A path below a root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Absolute and without symbolic links, as far as it exists.
    pub(super) path: PathBuf,
    /// As the caller wrote it.
    pub(super) given: String,
}

impl Root {
    pub(super) fn at(path: &Path) -> Result<Self, ToolError> {
        let shown = path.display();
        let path = fs::canonicalize(path)
            .map_err(|error| ToolError::not_found(format!("the project root {shown} cannot be reached: {error}")))?;
        if !path.is_dir() {
            return Err(ToolError::not_found(format!("the project root {shown} is not a directory")));
        }
        Ok(Self { path })
    }

    /// The place that a path means: relative to the root, or absolute and inside of it.
    pub(super) fn place(&self, given: &str) -> Result<Place, ToolError> {
        let outside = || ToolError::forbidden(format!("{} is outside of project root", quoted(given)));
        match follow(&self.path, Path::new(given)) {
            Ok(path) if path.starts_with(&self.path) => Ok(Place { path, given: given.to_owned() }),
            // What lies outside stays unknown, even whether it exists.
            Ok(_) => Err(outside()),
            Err(stopped) if !stopped.at.starts_with(&self.path) => Err(outside()),
            Err(stopped) => Err(unreachable_path(given, &stopped.error)),
        }
    }

    /// The path from the root, `/` between its parts.
    pub(super) fn relative(&self, place: &Place) -> String {
        let relative = place.path.strip_prefix(&self.path).unwrap_or(&place.path);
        let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }
}

/// A path that could not be followed further than this.
#[derive(Debug)]
struct Stopped {
    at: PathBuf,
    error: io::Error,
}

/// Follows a path from a folder as the system would, link by link. What does not exist is taken as it is written, so that
/// the place of a new file is known before it is made.
fn follow(from: &Path, path: &Path) -> Result<PathBuf, Stopped> {
    let mut found = from.to_owned();
    let mut left = path.to_owned();
    let mut links = 0;
    loop {
        let mut parts = left.components();
        let Some(part) = parts.next() else { return Ok(found) };
        let rest = parts.as_path().to_owned();
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(found.pop()),
            Component::Prefix(_) | Component::RootDir => found.push(part),
            Component::Normal(name) => {
                found.push(name);
                if let Some(target) = link_target(&found)? {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(Stopped { at: found, error: io::Error::other("its links go in a circle") });
                    }
                    found.pop();
                    left = target.join(rest);
                    continue;
                }
            }
        }
        left = rest;
    }
}

/// Where a symbolic link points; nothing for what is none or does not exist.
fn link_target(path: &Path) -> Result<Option<PathBuf>, Stopped> {
    let stopped = |error| Stopped { at: path.to_owned(), error };
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => fs::read_link(path).map(Some).map_err(stopped),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(stopped(error)),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A root with files, folders and links, and a neighbour that must not be reached.
    struct Sample {
        folder: tempfile::TempDir,
        root: Root,
    }

    fn sample() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        for directory in ["root/src", "root-neighbour"] {
            fs::create_dir_all(folder.path().join(directory)).unwrap();
        }
        for file in ["root/a.txt", "root/src/b.txt", "root-neighbour/secret.txt"] {
            fs::write(folder.path().join(file), "x").unwrap();
        }
        for (link, target) in [
            ("inside", "src/b.txt"),
            ("folder", "src"),
            ("chain", "folder/../inside"),
            ("outside", "../root-neighbour/secret.txt"),
            ("outside-folder", "../root-neighbour"),
            ("new-inside", "src/new.txt"),
            ("new-outside", "../root-neighbour/new.txt"),
            ("around", "../root/a.txt"),
            ("circle", "circle"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        symlink(folder.path().join("root-neighbour"), root.join("absolute")).unwrap();
        Sample { root: Root::at(&root).unwrap(), folder }
    }

    impl Sample {
        #[track_caller]
        fn check(&self, given: &str, expected: &str) {
            let found = self.root.place(given).map(|place| self.root.relative(&place));
            assert_eq!(found.unwrap_or_else(|error| error.message), expected, "{given}");
        }
    }

    #[test]
    fn a_path_leads_where_the_system_would_lead_it() {
        let sample = sample();
        for (given, expected) in [
            ("a.txt", "a.txt"),
            ("./src//b.txt", "src/b.txt"),
            (".", ""),
            ("src/../a.txt", "a.txt"),
            ("../root/a.txt", "a.txt"),
            ("inside", "src/b.txt"),
            ("folder/b.txt", "src/b.txt"),
            ("folder/../a.txt", "a.txt"),
            ("chain", "src/b.txt"),
            ("around", "a.txt"),
            ("new-inside", "src/new.txt"),
            ("new/deep/file.txt", "new/deep/file.txt"),
            ("new/../inside", "src/b.txt"),
            ("folder/new.txt", "src/new.txt"),
            ("中文/文件.txt", "中文/文件.txt"),
        ] {
            sample.check(given, expected);
        }
        let absolute = sample.folder.path().join("root/a.txt");
        sample.check(absolute.to_str().unwrap(), "a.txt");
    }

    #[test]
    fn a_way_out_is_refused_whether_or_not_something_is_there() {
        let sample = sample();
        let neighbour = sample.folder.path().join("root-neighbour/secret.txt");
        for given in [
            "..",
            "../root-neighbour/secret.txt",
            "../root-neighbour/none.txt",
            "src/../../root-neighbour",
            "new/../../root-neighbour/secret.txt",
            "outside",
            "outside/x",
            "outside-folder/secret.txt",
            "outside-folder/none/none.txt",
            "new-outside",
            "absolute/secret.txt",
            "folder/../../root-neighbour",
            "/etc/passwd",
            "/",
            neighbour.to_str().unwrap(),
        ] {
            sample.check(given, &format!("`{given}` is outside of project root"));
        }
    }

    #[test]
    fn a_path_that_cannot_be_followed_says_why() {
        let sample = sample();
        sample.check("circle", "`circle` cannot be reached: its links go in a circle");
        sample.check("a.txt/x", "`a.txt/x` cannot be reached: a part of it is a file, not a directory");
        sample.check("a\0b", "`a\\0b` is no path: it holds a NUL character");
        let long = "x".repeat(300);
        sample.check(&long, &format!("`{}…` is no path: a name in it is too long", "x".repeat(200)));
    }

    #[test]
    fn a_root_must_be_a_directory() {
        let sample = sample();
        let error = Root::at(&sample.folder.path().join("none")).unwrap_err();
        assert!(error.message.contains("none cannot be reached: "), "{error}");
        let error = Root::at(&sample.folder.path().join("root/a.txt")).unwrap_err();
        assert!(error.message.ends_with("a.txt is not a directory"), "{error}");
    }

    #[test]
    fn a_root_that_is_a_link_counts_as_what_it_points_to() {
        let sample = sample();
        let link = sample.folder.path().join("link");
        symlink("root", &link).unwrap();
        let root = Root::at(&link).unwrap();
        for given in [link.join("a.txt"), sample.folder.path().join("root/a.txt"), PathBuf::from("a.txt")] {
            assert_eq!(root.relative(&root.place(given.to_str().unwrap()).unwrap()), "a.txt");
        }
    }
}
