//! What became of each step, and the table that says so.

use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// With a few words on what was proved.
    Passed(String),
    Failed(String),
    /// With the reason. Nothing is known then, so it is never counted as passed.
    NotRun(String),
}

impl Outcome {
    /// For a check that has printed its own findings.
    pub(crate) fn of(holds: bool, proved: &str) -> Self {
        if holds { Self::Passed(proved.to_owned()) } else { Self::Failed("see its output above".to_owned()) }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Passed(_) => "passed",
            Self::Failed(_) => "FAILED",
            Self::NotRun(_) => "skipped",
        }
    }

    fn detail(&self) -> &str {
        match self {
            Self::Passed(detail) | Self::Failed(detail) | Self::NotRun(detail) => detail,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.word(), self.detail())
    }
}

#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<(&'static str, Outcome, f64)>,
}

impl Report {
    pub(super) fn add(&mut self, step: &'static str, outcome: Outcome, seconds: f64) {
        self.rows.push((step, outcome, seconds));
    }

    pub(super) fn has_passed(&self, step: &str) -> bool {
        self.rows.iter().any(|(name, outcome, _)| *name == step && matches!(outcome, Outcome::Passed(_)))
    }

    /// Nothing failed and, if `everything_must_run`, nothing was left out.
    pub(super) fn holds(&self, everything_must_run: bool) -> bool {
        self.count("FAILED") == 0 && (self.count("skipped") == 0 || !everything_must_run)
    }

    fn count(&self, word: &str) -> usize {
        self.rows.iter().filter(|(_, outcome, _)| outcome.word() == word).count()
    }

    fn list(&self, formatter: &mut fmt::Formatter<'_>, title: &str, word: &str) -> fmt::Result {
        let mut title = Some(title);
        for (step, outcome, _) in self.rows.iter().filter(|(_, outcome, _)| outcome.word() == word) {
            if let Some(title) = title.take() {
                writeln!(formatter, "\n{title}")?;
            }
            writeln!(formatter, "  {step}: {}", outcome.detail().replace('\n', "\n    "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.iter().map(|(step, _, _)| step.len()).max().unwrap_or(0).max(4);
        writeln!(formatter, "\n{:width$}  {:7}  {:>7}", "step", "result", "seconds")?;
        for (step, outcome, seconds) in &self.rows {
            write!(formatter, "{step:width$}  {:7}  {seconds:7.1}", outcome.word())?;
            match outcome {
                Outcome::Passed(proved) => writeln!(formatter, "  {proved}")?,
                Outcome::Failed(_) | Outcome::NotRun(_) => writeln!(formatter)?,
            }
        }
        self.list(formatter, "failed:", "FAILED")?;
        self.list(formatter, "could not be run (under CI=true this fails):", "skipped")?;
        let [passed, failed, skipped] = ["passed", "FAILED", "skipped"].map(|word| self.count(word));
        write!(formatter, "\n{passed} passed, {failed} failed, {skipped} skipped")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_every_step_and_then_the_reasons() {
        let mut report = Report::default();
        report.add("lint", Outcome::Passed("no warning".to_owned()), 1.25);
        report.add("conformance", Outcome::Failed("ping: 1 failed\ntools-list: 2 failed".to_owned()), 12.0);
        report.add("fuzz", Outcome::NotRun("it needs `build`, which did not pass".to_owned()), 0.0);
        let expected = "
step         result   seconds
lint         passed       1.2  no warning
conformance  FAILED      12.0
fuzz         skipped      0.0

failed:
  conformance: ping: 1 failed
    tools-list: 2 failed

could not be run (under CI=true this fails):
  fuzz: it needs `build`, which did not pass

1 passed, 1 failed, 1 skipped";
        assert_eq!(report.to_string(), expected);
    }
}
