//! Rust: files are modules of the crate whose `Cargo.toml` is nearest above them.

use super::is_below;
use crate::link::SourceFile;
use crate::link::program::folder_of;

#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Folder and name of each package, longest folder first.
    packages: Vec<(String, String)>,
}

impl Layout {
    pub(super) fn new(files: &[SourceFile<'_>]) -> Self {
        let manifests = files.iter().filter(|file| file.path == "Cargo.toml" || file.path.ends_with("/Cargo.toml"));
        let mut packages: Vec<(String, String)> = manifests
            .filter_map(|file| Some((folder_of(file.path).to_owned(), package_name(file.manifest?)?)))
            .collect();
        packages.sort_by_key(|(folder, _)| (usize::MAX - folder.len(), folder.clone()));
        Self { packages }
    }

    pub(super) fn crate_of(&self, path: &str) -> String {
        self.split(path).0
    }

    /// `crate::module::path` of a file.
    pub(super) fn module_of(&self, path: &str) -> String {
        let (name, modules) = self.split(path);
        modules.into_iter().fold(name, |module, part| format!("{module}::{part}"))
    }

    fn split<'p>(&self, path: &'p str) -> (String, Vec<&'p str>) {
        let package = self.packages.iter().find(|(folder, _)| is_below(path, folder));
        let (folder, name) = package.map_or(("", "crate"), |(folder, name)| (folder.as_str(), name.as_str()));
        let rest = path[folder.len()..].trim_start_matches('/');
        let (target, below) = match rest.split_once('/') {
            Some(("src", below)) => match below.strip_prefix("bin/") {
                Some(binary) => target_and_rest(binary),
                None => (None, below),
            },
            Some(("tests" | "examples" | "benches", below)) => target_and_rest(below),
            _ => (None, rest),
        };
        let below = below.strip_suffix(".rs").unwrap_or(below);
        let mut modules: Vec<&str> = below.split('/').filter(|part| !part.is_empty()).collect();
        if modules.last().is_some_and(|last| matches!(*last, "mod" | "lib" | "main")) {
            modules.pop();
        }
        (target.map_or(name, |target| target).replace('-', "_"), modules)
    }
}

/// A test or binary is a crate of its own: `a.rs`, or `a/main.rs` with modules beside it.
fn target_and_rest(below: &str) -> (Option<&str>, &str) {
    match below.split_once('/') {
        Some((target, rest)) => (Some(target), rest),
        None => (below.strip_suffix(".rs"), ""),
    }
}

fn package_name(manifest: &str) -> Option<String> {
    let mut in_package = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            in_package = line == "[package]";
        } else if in_package
            && let Some((key, value)) = line.split_once('=')
            && key.trim() == "name"
        {
            return Some(value.trim().trim_matches('"').replace('-', "_"));
        }
    }
    None
}
