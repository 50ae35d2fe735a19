//! `cargo xtask bench NAME`: one file and one row of [`BENCHES`] per benchmark.

mod charts;
mod cypher;
mod experiences;
mod index;
mod knowledge;
mod machine;
mod openapi;
mod report;
mod retrieval;
mod server;
mod session;
mod usage;
mod web_search;

use std::path::Path;

use anyhow::{Result, bail};

#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Options {
    /// Print JSON instead of a table.
    pub(crate) json: bool,
    /// Leave the peers out where the benchmark can do without.
    pub(crate) no_peers: bool,
}

/// Measures, prints, and says whether every limit was held.
type Bench = fn(root: &Path, options: Options) -> Result<bool>;

const BENCHES: &[(&str, Bench)] = &[
    ("server", server::run),
    ("index", index::run),
    ("cypher", cypher::run),
    ("experiences", experiences::run),
    ("knowledge", knowledge::run),
    ("retrieval", retrieval::run),
    ("web-search", web_search::run),
    ("charts", charts::run),
    ("openapi", openapi::run),
];

pub(crate) fn run(root: &Path, name: &str, options: Options) -> Result<bool> {
    let Some((_, bench)) = BENCHES.iter().find(|(known, _)| *known == name) else { bail!("{}", unknown(name)) };
    bench(root, options)
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = BENCHES.iter().map(|(known, _)| *known).collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("unknown benchmark `{name}`; known benchmarks: {known}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_benchmark_is_refused_by_name() {
        let error = run(Path::new("."), "teapot", Options::default()).unwrap_err();
        assert!(error.to_string().starts_with("unknown benchmark `teapot`; known benchmarks: "), "{error}");
    }
}
