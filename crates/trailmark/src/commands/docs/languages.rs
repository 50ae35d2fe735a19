//! `docs/languages.md`: what each language's files give.

use languages::Languages;
use languages::settings::{Level, Settings};

const HEAD: &str = "# Languages

<!-- Written by `cargo xtask docs`; do not edit. -->

Files of other kinds are in the graph as `File` nodes, and their words can be searched.

- **full**: definitions, imports, inheritance and calls, across files. Calls are followed through scopes, imports, declared types,
  constructors, results, assignments, arguments, containers and inheritance.
- **structure**: definitions, and calls within a file.

| language | level | files | not resolved |
|---|---|---|---|
";

pub(super) fn page(languages: &Languages) -> String {
    let mut rows: Vec<String> = languages.all().iter().map(|language| row(language.settings())).collect();
    rows.sort_unstable();
    format!("{HEAD}{}", rows.concat())
}

fn row(settings: &Settings) -> String {
    let level = match settings.level {
        Level::Full => "full",
        Level::Structure => "structure",
    };
    let extensions = settings.extensions.iter().map(|extension| format!("`.{extension}`"));
    let names = settings.file_names.iter().map(|name| format!("`{name}`"));
    let files: Vec<String> = extensions.chain(names).collect();
    let limits = if settings.limits.is_empty() { "–" } else { &settings.limits };
    format!("| {} | {level} | {} | {limits} |\n", settings.name, files.join(" "))
}
