//! The figures of one run beside their targets and the peers', as a table.

use std::fmt;

use super::targets::{self, Target};

/// What is known of one set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Score {
    /// The name of the set, which is also its name in the baseline.
    pub(super) set: String,
    /// A few words on its size.
    pub(super) size: String,
    /// Names of figures and their values, such as `recall`.
    pub(super) figures: Vec<(&'static str, f64)>,
    /// What the peers reach that were measured in the same run.
    pub(super) beside: String,
}

impl Score {
    pub(super) fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

#[derive(Debug, Default)]
pub(super) struct Scores {
    measured: Vec<Score>,
    /// Sets that could not be measured, and why.
    not_run: Vec<(String, String)>,
}

impl Scores {
    pub(super) fn add(&mut self, score: Score) {
        self.measured.push(score);
    }

    pub(super) fn not_run(&mut self, set: &str, reason: impl Into<String>) {
        self.not_run.push((set.to_owned(), reason.into()));
    }

    pub(super) fn measured(&self) -> &[Score] {
        &self.measured
    }

    pub(super) fn summary(&self) -> String {
        let figure = |score: &Score| {
            let (name, value) = score.figures.last().copied().unwrap_or(("–", 0.0));
            format!("{} {name} {value:.3}", score.set)
        };
        self.measured.iter().map(figure).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "| set | size | precision | recall | F1 | target | others |\n|---|---|---|---|---|---|---|"
        )?;
        for score in &self.measured {
            let target = targets::of(&score.set);
            let cell = |name| shown(score, target, name);
            let wanted = target.map_or("–".to_owned(), Target::wanted);
            let others = [target.map_or("", |target| target.others), &score.beside];
            let others: Vec<&str> = others.into_iter().filter(|text| !text.is_empty()).collect();
            let others = if others.is_empty() { "–".to_owned() } else { others.join("; ") };
            let Score { set, size, .. } = score;
            let (precision, recall, f1) = (cell("precision"), cell("recall"), cell("f1"));
            writeln!(formatter, "| {set} | {size} | {precision} | {recall} | {f1} | {wanted} | {others} |")?;
        }
        for (set, reason) in &self.not_run {
            writeln!(formatter, "not run: {set}: {reason}")?;
        }
        Ok(())
    }
}

fn shown(score: &Score, target: Option<&Target>, name: &str) -> String {
    let Some(value) = score.figure(name) else { return "–".to_owned() };
    let is_missed = target.and_then(|target| target.least(name)).is_some_and(|least| value < least);
    format!("{value:.3}{}", if is_missed { " **missed**" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_below_its_target_is_marked_and_what_was_not_run_is_named() {
        let mut scores = Scores::default();
        let figures = vec![("precision", 0.99), ("recall", 0.8), ("f1", 0.885)];
        scores.add(Score { set: "pycg".to_owned(), size: "3 cases".to_owned(), figures, beside: String::new() });
        scores.not_run("chi", "no tree");
        let text = scores.to_string();
        assert!(text.contains("| pycg | 3 cases | 0.990 | 0.800 | 0.885 **missed** |"), "{text}");
        assert!(text.ends_with("not run: chi: no tree\n"), "{text}");
    }
}
