//! Source trees of public packages, downloaded by name and version and unpacked into the cache.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::install::{self, Package};
use crate::process;

/// One tree: packages from PyPI, each in a folder of its own.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) name: &'static str,
    archives: &'static [Archive],
}

/// A package in one of the forms in which it is published.
#[derive(Debug)]
enum Archive {
    /// As its authors keep it, with tests.
    Source(Package),
    /// As it is installed. Nothing is run to get it.
    Wheel(Package),
}

pub(crate) const FLASK: Tree =
    Tree { name: "Flask", archives: &[Archive::Source(Package { name: "Flask", version: "3.1.2" })] };
pub(crate) const DJANGO: Tree =
    Tree { name: "Django", archives: &[Archive::Source(Package { name: "Django", version: "5.2.8" })] };
/// About two million lines.
pub(crate) const LARGE: Tree = Tree {
    name: "Home Assistant, SymPy and Twisted",
    archives: &[
        Archive::Wheel(Package { name: "homeassistant", version: "2024.3.3" }),
        Archive::Wheel(Package { name: "sympy", version: "1.14.0" }),
        Archive::Wheel(Package { name: "twisted", version: "26.10.0" }),
    ],
};

const DOWNLOAD: Duration = Duration::from_secs(10 * 60);
const UNPACKED: &str = "tree";
/// Wheels are zip files by another name.
const UNPACK: &str =
    "import shutil, sys; a, to = sys.argv[1:]; shutil.unpack_archive(a, to, 'zip' if a.endswith('.whl') else None)";

/// The folder with the tree, which must not be changed.
pub(crate) fn unpacked(cache: &Path, tree: &Tree) -> Result<PathBuf> {
    let packages: Vec<Package> = tree.archives.iter().map(Archive::package).collect();
    let name = format!("source-{}", install::folder_name(&packages));
    let folder = install::in_cache(cache, &name, |folder| {
        tree.archives.iter().try_for_each(|archive| download(archive, folder))
    })
    .with_context(|| format!("the source of {} could not be downloaded", tree.name))?;
    inmost(folder.join(UNPACKED))
}

/// Through folders that hold nothing but one folder.
fn inmost(mut folder: PathBuf) -> Result<PathBuf> {
    loop {
        let entries = std::fs::read_dir(&folder)?.collect::<Result<Vec<_>, _>>()?;
        match entries.as_slice() {
            [only] if only.file_type()?.is_dir() => folder = only.path(),
            _ => return Ok(folder),
        }
    }
}

/// A copy that may be changed.
pub(crate) fn copy(tree: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(tree).with_context(|| format!("cannot list {}", tree.display()))? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type()? {
            kind if kind.is_dir() => copy(&from, &to)?,
            kind if kind.is_file() => drop(std::fs::copy(&from, &to)?),
            _ => {}
        }
    }
    Ok(())
}

impl Archive {
    fn package(&self) -> Package {
        match self {
            Self::Source(package) | Self::Wheel(package) => *package,
        }
    }
}

fn download(archive: &Archive, folder: &Path) -> Result<()> {
    let Package { name, version } = archive.package();
    let (python, _) = install::system_python()?;
    let downloads = folder.join(name);
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest"])
        .arg(&downloads);
    match archive {
        Archive::Source(_) => pip.args(["--no-binary", name]),
        Archive::Wheel(_) => pip.args(["--only-binary", ":all:"]),
    };
    pip.arg(format!("{name}=={version}"));
    process::run_ok(&mut pip, DOWNLOAD)?;
    let files = std::fs::read_dir(&downloads)?.collect::<Result<Vec<_>, _>>()?;
    ensure!(files.len() == 1, "pip downloaded {} files for {name}", files.len());
    let mut unpack = Command::new(python);
    unpack.args(["-c", UNPACK]).arg(files[0].path()).arg(folder.join(UNPACKED).join(name));
    process::run_ok(&mut unpack, DOWNLOAD)?;
    Ok(std::fs::remove_dir_all(downloads)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_below_the_folders_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("Flask/flask-3");
        std::fs::create_dir_all(inner.join("src")).unwrap();
        std::fs::write(inner.join("README"), "").unwrap();
        assert_eq!(inmost(folder.path().to_path_buf()).unwrap(), inner);
    }

    #[test]
    fn a_copy_has_every_file_and_can_be_changed() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::create_dir_all(from.join("x/y")).unwrap();
        std::fs::write(from.join("x/y/z.py"), "z").unwrap();
        copy(&from, &to).unwrap();
        std::fs::write(to.join("x/y/z.py"), "other").unwrap();
        assert_eq!(std::fs::read_to_string(from.join("x/y/z.py")).unwrap(), "z");
    }
}
