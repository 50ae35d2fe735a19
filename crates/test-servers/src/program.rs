//! What is to be known about one kind of server, and where one of them lives.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// A package of a registry, by name and version.
#[derive(Debug, Clone, Copy)]
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
}

/// One kind of server.
pub trait Program: fmt::Debug + Sync {
    /// How people name it on the command line.
    fn name(&self) -> &'static str;

    /// What holds it, on PyPI.
    fn packages(&self) -> &'static [Package];

    /// The settings that may be given the address of such a server.
    fn settings(&self) -> &'static [&'static str];

    /// How many free ports one of them needs.
    fn ports(&self) -> usize {
        1
    }

    /// What is done once, before the first start.
    fn prepare(&self, _place: &Place) -> Result<()> {
        Ok(())
    }

    /// What starts it; its output is read by [`Program::is_ready`].
    fn command(&self, place: &Place) -> Result<Command>;

    /// Whether it takes connections, by what it has written since it was started.
    fn is_ready(&self, place: &Place, output: &str) -> bool;

    /// What is done after a start, the first time and later ones.
    fn settle(&self, _place: &Place, _is_first: bool) -> Result<()> {
        Ok(())
    }

    /// The address of one, with its user and password.
    fn url(&self, place: &Place) -> String;

    /// The address of another database on the same server, empty.
    fn fresh_database(&self, _place: &Place, name: &str) -> Result<String> {
        anyhow::bail!("{} has no database `{name}` and cannot make one", self.name())
    }

    /// The signal that ends it at once and leaves no process behind.
    fn stop_signal(&self) -> &'static str {
        "KILL"
    }

    /// The variable that tells tests where the packages are installed.
    fn variable(&self) -> String {
        format!("TRAILMARK_TEST_{}", self.name().to_uppercase().replace('-', "_"))
    }
}

/// Where one server lives: what it was installed into, its own folder, its ports.
#[derive(Debug, Clone)]
pub struct Place {
    /// A Python environment with the packages of the program.
    pub installed: PathBuf,
    /// Its own, deleted when it ends.
    pub folder: PathBuf,
    pub ports: Vec<u16>,
}

impl Place {
    pub fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Where the packages were unpacked.
    pub fn packages(&self) -> Result<PathBuf> {
        if cfg!(windows) {
            return Ok(self.installed.join("Lib/site-packages"));
        }
        let library = self.installed.join("lib");
        let versions = fs::read_dir(&library).with_context(|| format!("cannot read {}", library.display()))?;
        let found = versions.flatten().map(|version| version.path().join("site-packages")).find(|path| path.is_dir());
        found.with_context(|| format!("{} is no Python environment", self.installed.display()))
    }

    /// The interpreter of that environment.
    pub fn python(&self) -> PathBuf {
        self.installed.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }
}

/// Some packages lose the mark on their programs on the way.
pub(crate) fn make_executable(program: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = fs::metadata(program).with_context(|| format!("there is no {}", program.display()))?;
        if found.permissions().mode() & 0o111 != 0o111 {
            fs::set_permissions(program, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}
