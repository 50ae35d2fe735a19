//! The figures of the last commit: a change may not make one worse without saying so in its diff.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::scores::Scores;

const FILE: &str = "crates/code-index/contract/callgraph-baseline.toml";
const HEAD: &str = "# The figures of the last commit. `cargo xtask test` fails where one falls by more than 0.002;\n\
    # `cargo xtask eval callgraph --update` writes those of a run. Sets that were not run keep theirs.\n";
const TOLERANCE: f64 = 0.002;

/// Figures by name, by the name of their set.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Baseline(BTreeMap<String, BTreeMap<String, f64>>);

impl Baseline {
    /// Empty where there is none yet.
    pub(super) fn read(root: &Path) -> Result<Self> {
        match std::fs::read_to_string(root.join(FILE)) {
            Ok(text) => Self::parse(&text).with_context(|| format!("{FILE} is not a table of figures")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("cannot read {FILE}")),
        }
    }

    fn parse(text: &str) -> Result<Self> {
        Ok(Self(toml::from_str(text)?))
    }

    /// One line for each figure of the run that is worse than it was, or that nobody wrote down.
    pub(super) fn falls(&self, scores: &Scores) -> Vec<String> {
        let mut falls = Vec::new();
        for score in scores.measured() {
            let Some(known) = self.0.get(&score.set) else {
                falls.push(format!("{}: {FILE} has no figures; run `cargo xtask eval callgraph --update`", score.set));
                continue;
            };
            for (name, was) in known {
                let is = score.figure(name).unwrap_or(0.0);
                if is < was - TOLERANCE {
                    falls.push(format!("{}: {name} fell from {was:.4} to {is:.4}", score.set));
                }
            }
        }
        falls
    }

    /// With the figures of this run in place of the old ones.
    pub(super) fn with(mut self, scores: &Scores) -> Self {
        for score in scores.measured() {
            let figures = score.figures.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
            self.0.insert(score.set.clone(), figures);
        }
        self
    }

    pub(super) fn write(&self, root: &Path) -> Result<()> {
        let path = root.join(FILE);
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&path, self.text()).with_context(|| format!("cannot write {FILE}"))?;
        println!("wrote {FILE}");
        Ok(())
    }

    fn text(&self) -> String {
        let mut text = HEAD.to_owned();
        for (set, figures) in &self.0 {
            text += &format!("\n[{set:?}]\n");
            figures.iter().for_each(|(name, value)| text += &format!("{name} = {value:.4}\n"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::scores::Score;
    use super::*;

    fn scores(set: &str, recall: f64) -> Scores {
        let mut scores = Scores::default();
        let figures = vec![("recall", recall)];
        scores.add(Score { set: set.to_owned(), size: String::new(), figures, beside: String::new() });
        scores
    }

    #[test]
    fn a_fall_is_reported_and_noise_is_not() {
        let baseline = Baseline::default().with(&scores("calls of chi", 0.9));
        assert!(baseline.falls(&scores("calls of chi", 0.8985)).is_empty());
        assert_eq!(baseline.falls(&scores("calls of chi", 0.89)), ["calls of chi: recall fell from 0.9000 to 0.8900"]);
    }

    #[test]
    fn a_set_without_figures_does_not_pass() {
        let falls = Baseline::default().falls(&scores("pycg", 1.0));
        assert!(falls[0].starts_with("pycg: "), "{falls:?}");
    }

    #[test]
    fn what_was_written_is_read_again_and_sets_not_run_are_kept() {
        let baseline = Baseline::default().with(&scores("a", 0.5)).with(&scores("calls of b", 0.25));
        assert_eq!(Baseline::parse(&baseline.text()).unwrap(), baseline);
    }
}
