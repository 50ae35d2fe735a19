//! Which folders hold no code of the project's own: installed packages, build output, caches.
//!
//! `!name/` in a `.trailmarkignore` takes a folder in again.

/// A folder is left out when its name, its neighbours and its content all fit; an empty list fits anything.
struct FolderRule {
    names: &'static [&'static str],
    /// One of these is beside it. `*` at the beginning stands for any text.
    beside: &'static [&'static str],
    /// One of these is in it.
    inside: &'static [&'static str],
    reason: &'static str,
}

const PACKAGES: &str = "installed packages";
const VENDORED: &str = "a copy of the dependencies";
const BUILT: &str = "build output";
const CACHE: &str = "a cache";
const ENVIRONMENT: &str = "a virtual environment";
const COVERAGE: &str = "coverage reports";
const VERSIONS: &str = "data of version control";
const OWN_DATA: &str = "Trailmark's own data";

const fn always(names: &'static [&'static str], reason: &'static str) -> FolderRule {
    FolderRule { names, beside: &[], inside: &[], reason }
}

const fn beside(names: &'static [&'static str], beside: &'static [&'static str], reason: &'static str) -> FolderRule {
    FolderRule { names, beside, inside: &[], reason }
}

const fn inside(names: &'static [&'static str], inside: &'static [&'static str], reason: &'static str) -> FolderRule {
    FolderRule { names, beside: &[], inside, reason }
}

#[rustfmt::skip]
const RULES: &[FolderRule] = &[
    always(&[".git", ".hg", ".svn", ".jj", "CVS"], VERSIONS),
    always(&["node_modules", "bower_components", "jspm_packages", "site-packages", "elm-stuff"], PACKAGES),
    always(&["__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle", ".terraform"], CACHE),
    always(&[".next", ".nuxt", ".svelte-kit", ".dart_tool", ".build", ".stack-work", "dist-newstyle"], BUILT),
    always(&["zig-out", "zig-cache", ".zig-cache", "DerivedData"], BUILT),
    always(&["htmlcov", ".nyc_output"], COVERAGE),
    beside(&["vendor"], &["go.mod", "composer.json", "Gemfile", "Cargo.toml"], VENDORED),
    beside(&["Pods"], &["Podfile"], VENDORED),
    beside(&["Carthage"], &["Cartfile"], VENDORED),
    beside(&["deps"], &["mix.exs"], VENDORED),
    beside(&["_build"], &["mix.exs", "rebar.config", "dune-project"], BUILT),
    beside(&["target"], &["Cargo.toml", "pom.xml", "build.sbt"], BUILT),
    beside(&["build"], &["build.gradle", "build.gradle.kts", "pubspec.yaml"], BUILT),
    beside(&["dist"], &["package.json", "setup.py", "pyproject.toml"], BUILT),
    beside(&["out"], &["package.json", "build.xml"], BUILT),
    beside(&["bin", "obj"], &["*.csproj", "*.fsproj", "*.vbproj"], BUILT),
    inside(&["coverage"], &["lcov.info", "lcov-report", "coverage-final.json", "clover.xml"], COVERAGE),
    inside(&[], &["CMakeCache.txt"], BUILT),
    inside(&[], &["pyvenv.cfg", "conda-meta"], ENVIRONMENT),
    inside(&[], &["CACHEDIR.TAG"], CACHE),
    inside(&[], &["trailmark.db", "audit.db"], OWN_DATA),
];

/// Hidden files and folders that say how a project is built and tested.
const HIDDEN_BUT_USEFUL: &[&str] = &[".github", ".circleci", ".gitlab-ci.yml", ".travis.yml"];

/// Why the folder with this name is left out, as far as it can be told from beside it; `siblings` are sorted.
pub(crate) fn by_place(name: &str, siblings: &[&str]) -> Option<&'static str> {
    let fits = |rule: &&FolderRule| {
        rule.inside.is_empty() && rule.names.contains(&name) && (rule.beside.is_empty() || has(siblings, rule.beside))
    };
    RULES.iter().find(fits).map(|rule| rule.reason)
}

/// Why the folder with this name and these entries is left out; `entries` are sorted.
pub(crate) fn by_content(name: &str, entries: &[&str]) -> Option<&'static str> {
    let fits = |rule: &&FolderRule| {
        !rule.inside.is_empty() && (rule.names.is_empty() || rule.names.contains(&name)) && has(entries, rule.inside)
    };
    RULES.iter().find(fits).map(|rule| rule.reason)
}

/// Whether nothing can take this folder in.
pub(crate) fn is_never_read(name: &str) -> bool {
    name == ".git"
}

pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !HIDDEN_BUT_USEFUL.contains(&name)
}

fn has(sorted: &[&str], wanted: &[&str]) -> bool {
    wanted.iter().any(|name| match name.strip_prefix('*') {
        Some(end) => sorted.iter().any(|given| given.ends_with(end)),
        None => sorted.binary_search(name).is_ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_left_out_only_where_its_neighbours_say_what_it_is() {
        assert_eq!(by_place("node_modules", &[]), Some(PACKAGES));
        assert_eq!(by_place("vendor", &["go.mod", "vendor"]), Some(VENDORED));
        assert_eq!(by_place("vendor", &["main.py", "vendor"]), None);
        assert_eq!(by_place("obj", &["Shop.csproj", "obj"]), Some(BUILT));
        assert_eq!(by_place("build", &["build", "setup.py"]), None);
        assert_eq!(by_content("env", &["bin", "pyvenv.cfg"]), Some(ENVIRONMENT));
        assert_eq!(by_content("coverage", &["__init__.py", "report.py"]), None);
    }
}
