//! Where things that outlive a run are kept: outside the clone, never in the repository.

use std::path::PathBuf;

use anyhow::{Context, Result};

/// The folder for installed test tools: `TRAILMARK_TEST_CACHE`, or `trailmark-test` in the platform's cache folder.
pub(crate) fn test_cache_dir() -> Result<PathBuf> {
    let chosen = std::env::var_os("TRAILMARK_TEST_CACHE").filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = chosen
        .or_else(|| platform_cache_dir().map(|cache| cache.join("trailmark-test")))
        .context("no cache folder is known here; set TRAILMARK_TEST_CACHE to one")?;
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    folder.canonicalize().with_context(|| format!("cannot resolve {}", folder.display()))
}

pub(crate) fn platform_cache_dir() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")))
    }
}
