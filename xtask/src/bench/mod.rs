//! `cargo xtask bench NAME`: one file and one row of [`BENCHES`] per benchmark.

mod machine;
mod report;
mod server;
mod session;

use std::path::Path;

use anyhow::{Result, bail};

/// Measures, prints (as JSON if the flag is set), and says whether every limit was held.
type Bench = fn(root: &Path, json: bool) -> Result<bool>;

const BENCHES: &[(&str, Bench)] = &[("server", server::run)];

pub(crate) fn run(root: &Path, name: &str, json: bool) -> Result<bool> {
    let Some((_, bench)) = BENCHES.iter().find(|(known, _)| *known == name) else { bail!("{}", unknown(name)) };
    bench(root, json)
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
        let error = run(Path::new("."), "teapot", false).unwrap_err();
        assert!(error.to_string().starts_with("unknown benchmark `teapot`; known benchmarks: "), "{error}");
    }
}
