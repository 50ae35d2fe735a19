//! JavaScript and TypeScript: a file is a module, found by path, by `tsconfig.json` paths or by the name of a workspace package.

use serde_json::Value as Json;

use super::{ModuleMap, is_below, join};
use crate::link::SourceFile;
use crate::link::program::{Unit, folder_of};

const EXTENSIONS: &[&str] = &["ts", "tsx", "d.ts", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue"];

#[derive(Debug, Default)]
pub(super) struct Layout {
    configs: Vec<Config>,
    packages: Vec<Package>,
}

/// What a `tsconfig.json` or `jsconfig.json` says of module names.
#[derive(Debug)]
struct Config {
    folder: String,
    base: Option<String>,
    /// Pattern and targets, as written.
    paths: Vec<(String, Vec<String>)>,
}

/// A package of the workspace.
#[derive(Debug)]
struct Package {
    name: String,
    folder: String,
    entries: Vec<String>,
}

impl Layout {
    pub(super) fn new(files: &[SourceFile<'_>]) -> Self {
        let mut layout = Self::default();
        for file in files {
            let (Some(text), name) = (file.manifest, file.path.rsplit('/').next().unwrap_or_default()) else {
                continue;
            };
            let folder = folder_of(file.path);
            if name == "package.json" {
                layout.packages.extend(package(folder, text));
            } else if name.ends_with(".json") && (name.starts_with("tsconfig") || name.starts_with("jsconfig")) {
                layout.configs.extend(config(folder, text));
            }
        }
        layout.configs.sort_by_key(|config| (usize::MAX - config.folder.len(), config.folder.clone()));
        layout
    }
}

pub(super) fn resolve(map: &ModuleMap, unit: &Unit, module: &str) -> Option<u32> {
    let module = module.split(['?', '#']).next().filter(|path| !path.is_empty()).unwrap_or(module);
    if module.starts_with('.') {
        return file(map, &join(unit.folder(), module)?);
    }
    let configs = map.node.configs.iter().filter(|config| is_below(&unit.path, &config.folder));
    configs
        .into_iter()
        .find_map(|config| config.resolve(map, module))
        .or_else(|| map.node.packages.iter().find_map(|package| package.resolve(map, module)))
        .or_else(|| installed(map, unit.folder(), module))
}

/// A package in a `node_modules` folder here or above, where those are indexed at all.
fn installed(map: &ModuleMap, folder: &str, module: &str) -> Option<u32> {
    let mut folder = folder;
    loop {
        let found = file(map, &join(folder, &format!("node_modules/{module}"))?);
        if found.is_some() || folder.is_empty() {
            return found;
        }
        folder = folder_of(folder);
    }
}

impl Config {
    fn resolve(&self, map: &ModuleMap, module: &str) -> Option<u32> {
        let base = join(&self.folder, self.base.as_deref().unwrap_or("."))?;
        let by_pattern = self.paths.iter().find_map(|(pattern, targets)| {
            let middle = match pattern.split_once('*') {
                Some((before, after)) => module.strip_prefix(before)?.strip_suffix(after)?,
                None => (pattern == module).then_some("")?,
            };
            targets.iter().find_map(|target| file(map, &join(&base, &target.replacen('*', middle, 1))?))
        });
        by_pattern.or_else(|| self.base.as_ref().and_then(|_| file(map, &join(&base, module)?)))
    }
}

impl Package {
    fn resolve(&self, map: &ModuleMap, module: &str) -> Option<u32> {
        let rest = module.strip_prefix(self.name.as_str())?;
        if let Some(below) = rest.strip_prefix('/') {
            return file(map, &join(&self.folder, below)?)
                .or_else(|| file(map, &join(&self.folder, &format!("src/{below}"))?));
        }
        if !rest.is_empty() {
            return None;
        }
        let entries = self.entries.iter().map(String::as_str).chain(["src/index", "index", "lib/index", "src/main"]);
        entries.into_iter().find_map(|entry| file(map, &join(&self.folder, entry)?))
    }
}

/// The file that a path without an extension, or with that of its compiled form, means.
fn file(map: &ModuleMap, path: &str) -> Option<u32> {
    if let Some(unit) = map.unit_at(path) {
        return Some(unit);
    }
    let stem = path
        .rsplit_once('.')
        .filter(|(_, extension)| matches!(*extension, "js" | "jsx" | "mjs" | "cjs"))
        .map(|(stem, _)| stem);
    let stems = [Some(path), stem];
    let with_extension = stems
        .into_iter()
        .flatten()
        .find_map(|stem| EXTENSIONS.iter().find_map(|extension| map.unit_at(&format!("{stem}.{extension}"))));
    with_extension.or_else(|| {
        let index = if path.is_empty() { "index".to_owned() } else { format!("{path}/index") };
        EXTENSIONS.iter().find_map(|extension| map.unit_at(&format!("{index}.{extension}")))
    })
}

fn package(folder: &str, text: &str) -> Option<Package> {
    let json: Json = serde_json::from_str(text).ok()?;
    let name = json.get("name")?.as_str()?.to_owned();
    let fields = ["source", "types", "module", "main"];
    let entries = fields.iter().filter_map(|field| json.get(field)?.as_str()).map(str::to_owned).collect();
    Some(Package { name, folder: folder.to_owned(), entries })
}

fn config(folder: &str, text: &str) -> Option<Config> {
    let json: Json = serde_json::from_str(&without_comments(text)).ok()?;
    let options = json.get("compilerOptions")?;
    let base = options.get("baseUrl").and_then(Json::as_str).map(str::to_owned);
    let texts = |value: &Json| {
        value
            .as_array()
            .map(|list| list.iter().filter_map(Json::as_str).map(str::to_owned).collect())
            .unwrap_or_default()
    };
    let paths = options.get("paths").and_then(Json::as_object);
    let paths = paths.map(|paths| paths.iter().map(|(pattern, targets)| (pattern.clone(), texts(targets))).collect());
    Some(Config { folder: folder.to_owned(), base, paths: paths.unwrap_or_default() })
}

/// JSON as these files really hold it: with comments and commas too many.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    let mut in_text = false;
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some(_)) if in_text => {
                out.push(character);
                out.extend(characters.next());
            }
            ('"', _) => {
                in_text = !in_text;
                out.push(character);
            }
            ('/', Some('/')) if !in_text => while characters.next_if(|next| *next != '\n').is_some() {},
            ('/', Some('*')) if !in_text => {
                let mut last = ' ';
                for next in characters.by_ref() {
                    if last == '*' && next == '/' {
                        break;
                    }
                    last = next;
                }
            }
            ('}' | ']', _) if !in_text => {
                let kept = out.trim_end().trim_end_matches(',').len();
                out.truncate(kept);
                out.push(character);
            }
            _ => out.push(character),
        }
    }
    out
}
