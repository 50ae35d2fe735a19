//! Which project is a root indexed as?

use std::path::{Path, PathBuf};

use store::ProjectCatalog;

use crate::error::IndexError;

/// A folder that can be indexed, with its path in the one form in which it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Root {
    pub(crate) fn open(path: &Path) -> Result<Self, IndexError> {
        let unreadable = |source| IndexError::RootUnreadable { root: path.to_owned(), source };
        let path = path.canonicalize().map_err(unreadable)?;
        if !path.metadata().map_err(unreadable)?.is_dir() {
            return Err(IndexError::RootIsNoFolder { root: path });
        }
        match path.to_str() {
            Some(text) => Ok(Self { text: text.to_owned(), path }),
            None => Err(IndexError::RootIsNotUtf8 { root: path }),
        }
    }
}

/// The name asked for; or the one under which the root is indexed already; or that of its folder, with a hash of its path
/// where another root has that name.
pub(crate) fn project_name(
    catalog: &dyn ProjectCatalog,
    root: &Root,
    wanted: Option<&str>,
) -> Result<String, IndexError> {
    if let Some(name) = wanted {
        return wanted_name(catalog, root, name);
    }
    if let Some(graph) = catalog.find_root(&root.text)? {
        return Ok(graph.info()?.name);
    }
    let folder = root.path.file_name().and_then(|name| name.to_str()).unwrap_or("root");
    if catalog.find(folder)?.is_none() {
        return Ok(folder.to_owned());
    }
    let hash = blake3::hash(root.text.as_bytes()).to_hex();
    Ok(format!("{folder}__{}", &hash[..8]))
}

fn wanted_name(catalog: &dyn ProjectCatalog, root: &Root, name: &str) -> Result<String, IndexError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(IndexError::NameIsEmpty);
    }
    let taken = catalog.find(name)?.map(|graph| graph.info()).transpose()?;
    match taken.filter(|info| info.root != root.path) {
        Some(info) => Err(IndexError::NameIsTaken { name: name.to_owned(), root: info.root }),
        None => Ok(name.to_owned()),
    }
}
