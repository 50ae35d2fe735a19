//! Python: a file is a module, a folder a package; imports start at the roots of the source.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ModuleMap, join};
use crate::link::program::{Unit, folder_of};
use crate::link::value::{Kind, Value};

/// The folders that absolute imports start from.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Layout {
    roots: Vec<String>,
}

impl Layout {
    /// The root, and every folder that holds a package but is none itself, nearest to the root first.
    pub(super) fn new(units: &FxHashMap<String, u32>, folders: &FxHashSet<String>) -> Self {
        let is_package = |folder: &str| units.contains_key(&format!("{folder}/__init__.py"));
        let mut roots: Vec<String> = folders
            .iter()
            .filter(|folder| is_package(folder))
            .map(|folder| folder_of(folder).to_owned())
            .filter(|above| above.is_empty() || !is_package(above))
            .collect();
        roots.extend([String::new(), "src".to_owned(), "lib".to_owned()]);
        roots.sort_by_key(|root| (root.matches('/').count() + usize::from(!root.is_empty()), root.clone()));
        roots.dedup();
        Self { roots }
    }
}

pub(super) fn resolve(map: &ModuleMap, unit: &Unit, module: &str) -> Option<Value> {
    let path = module.trim_start_matches('.').replace('.', "/");
    let dots = module.len() - module.trim_start_matches('.').len();
    if dots > 0 {
        let up = "../".repeat(dots - 1);
        return at(map, &join(unit.folder(), &format!("{up}{path}"))?);
    }
    let in_package = map.unit_at(&format!("{}/__init__.py", unit.folder())).is_some();
    let here = (!in_package).then(|| join(unit.folder(), &path)).flatten().and_then(|path| at_file(map, &path));
    here.or_else(|| map.python.roots.iter().find_map(|root| at_file(map, &join(root, &path)?)))
        .or_else(|| map.python.roots.iter().find_map(|root| at(map, &join(root, &path)?)))
}

/// The module or package below a package.
pub(super) fn below(map: &ModuleMap, folder: &str, name: &str) -> Option<Value> {
    at(map, &join(folder, name)?)
}

fn at_file(map: &ModuleMap, path: &str) -> Option<Value> {
    let candidates = [format!("{path}.py"), format!("{path}/__init__.py"), format!("{path}.pyi")];
    let unit = candidates.iter().find_map(|candidate| map.unit_at(candidate.trim_start_matches('/')));
    unit.map(|unit| Value::new(Kind::Module, unit))
}

/// A module, or a folder that is a package without saying so.
fn at(map: &ModuleMap, path: &str) -> Option<Value> {
    at_file(map, path).or_else(|| {
        let is_folder = !path.is_empty() && map.has_folder(path);
        is_folder.then(|| map.find_package("py", path)).flatten().map(|package| Value::new(Kind::Package, package))
    })
}

/// The name under which others import a file: from the folder above its outermost package, or from the root.
pub(super) fn name(map: &ModuleMap, path: &str) -> String {
    let is_package = |folder: &str| map.unit_at(&format!("{folder}/__init__.py")).is_some();
    let stem = path.trim_end_matches(".pyi").trim_end_matches(".pyw").trim_end_matches(".py");
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    let mut folder = folder_of(path);
    let mut outermost = None;
    while !folder.is_empty() && is_package(folder) {
        outermost = Some(folder);
        folder = folder_of(folder);
    }
    let root = outermost.map_or("", folder_of);
    let below = stem.strip_prefix(root).unwrap_or(stem).trim_start_matches('/');
    let below = if outermost.is_none() { below.strip_prefix("src/").unwrap_or(below) } else { below };
    below.replace('/', ".")
}
