//! Go: a folder is a package, named from the module path in `go.mod`.

use crate::link::SourceFile;
use crate::link::program::folder_of;

#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Module path and folder, longest path first.
    modules: Vec<(String, String)>,
}

impl Layout {
    pub(super) fn new(files: &[SourceFile<'_>]) -> Self {
        let manifests = files.iter().filter(|file| file.path == "go.mod" || file.path.ends_with("/go.mod"));
        let mut modules: Vec<(String, String)> = manifests
            .filter_map(|file| {
                let line = file.manifest?.lines().find_map(|line| line.trim().strip_prefix("module "))?;
                Some((line.trim().trim_matches('"').to_owned(), folder_of(file.path).to_owned()))
            })
            .collect();
        modules.sort_by_key(|(path, _)| (usize::MAX - path.len(), path.clone()));
        Self { modules }
    }

    /// The folder of an imported package, if it is in the project.
    pub(super) fn folder_of(&self, import: &str) -> Option<String> {
        self.modules.iter().find_map(|(module, folder)| {
            let rest = import.strip_prefix(module.as_str())?;
            match rest.strip_prefix('/') {
                Some(below) if folder.is_empty() => Some(below.to_owned()),
                Some(below) => Some(format!("{folder}/{below}")),
                None if rest.is_empty() => Some(folder.clone()),
                None => None,
            }
        })
    }

    /// How others import the package in this folder.
    pub(super) fn import_path(&self, folder: &str) -> Option<String> {
        let mut modules: Vec<&(String, String)> = self.modules.iter().collect();
        modules.sort_by_key(|(_, root)| usize::MAX - root.len());
        modules.into_iter().find_map(|(module, root)| {
            if folder == root {
                return Some(module.clone());
            }
            let below = if root.is_empty() { folder } else { folder.strip_prefix(root.as_str())?.strip_prefix('/')? };
            Some(format!("{module}/{below}"))
        })
    }
}
