//! Where the repository is and how cargo is called in it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// The repository's root folder. Cargo names the package's folder to whatever it runs, so nothing is compiled in.
pub(crate) fn root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").context("run this through cargo: `cargo xtask <command>`")?;
    let package = PathBuf::from(package);
    let root = package.parent().context("the xtask package has no parent folder")?;
    Ok(root.to_path_buf())
}

/// True where a machine, not a developer, reads the outcome: then nothing may be left out.
pub(crate) fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// What is tested must not depend on how the developer has set up their own server.
pub(crate) fn remove_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TRAILMARK_")) {
        command.env_remove(name);
    }
}

/// The cargo that runs us, in the repository. Under CI, what it compiles is kept outside the clone.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    remove_settings(&mut command);
    if is_ci()
        && std::env::var_os("CARGO_TARGET_DIR").is_none()
        && let Some(cache) = crate::cache::platform_cache_dir()
    {
        command.env("CARGO_TARGET_DIR", cache.join("trailmark-target"));
    }
    command
}
