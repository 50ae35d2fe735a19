//! `cargo xtask web`: what the binary embeds and the tests look at, installed by package name and version.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::install::{NodeTools, Package, in_cache};
use crate::process;

const INSTALL: Duration = Duration::from_secs(10 * 60);
const SCRIPT: &str = "node_modules/echarts/dist/echarts.min.js";
/// A font with Chinese signs that is a file as it is.
const CHINESE: Package = Package { name: "@expo-google-fonts/noto-sans-sc", version: "0.4.3" };
const CHINESE_FILE: &str = "400Regular";

/// Installs exactly what `web/package-lock.json` names into `web/`, and says what that is.
pub(crate) fn install(root: &Path) -> Result<String> {
    let folder = root.join("web");
    let version = version(&folder)?;
    let installed = folder.join("node_modules/echarts/package.json");
    let present = std::fs::read_to_string(&installed).ok().and_then(|text| read_version(&text));
    if present.as_deref() != Some(version.as_str()) || !folder.join(SCRIPT).is_file() {
        let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
        npm.current_dir(&folder).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        process::run_ok(&mut npm, INSTALL).context("npm (part of Node.js) could not install what web/ names")?;
    }
    Ok(format!("echarts {version} in web/; the next build embeds it"))
}

/// A folder with one font that has Chinese signs, for PNGs in tests.
pub(crate) fn chinese_font(cache: &Path) -> Result<PathBuf> {
    let tools = NodeTools::install(cache, &[CHINESE])?;
    let package = tools.folder().join("node_modules").join(CHINESE.name).join(CHINESE_FILE);
    in_cache(cache, "chinese-font", |folder| {
        let fonts = std::fs::read_dir(&package).with_context(|| format!("{} has no {CHINESE_FILE}", CHINESE.name))?;
        for font in fonts {
            let font = font?;
            std::fs::copy(font.path(), folder.join(font.file_name()))?;
        }
        Ok(())
    })
}

/// The version that the lock file names.
fn version(folder: &Path) -> Result<String> {
    let lock = folder.join("package-lock.json");
    let text = std::fs::read_to_string(&lock).with_context(|| format!("cannot read {}", lock.display()))?;
    let lock: serde_json::Value = serde_json::from_str(&text).context("web/package-lock.json is not JSON")?;
    let version = &lock["packages"]["node_modules/echarts"]["version"];
    version.as_str().map(str::to_owned).context("web/package-lock.json names no version of echarts")
}

fn read_version(manifest: &str) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_str(manifest).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}
