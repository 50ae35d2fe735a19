//! Recall, mean reciprocal rank and discounted gain, as the scorer of the bench folder defines them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Asked};

/// The means over the queries of one set.
#[derive(Debug, Default)]
pub(super) struct Scores {
    files: Vec<Figures>,
    functions: Vec<Figures>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Figures {
    recall_1: f64,
    recall_5: f64,
    recall_10: f64,
    reciprocal: f64,
    gain: f64,
}

/// What a set must reach; a figure that is not named may be anything.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Targets {
    pub(super) recall_1: Option<f64>,
    pub(super) recall_10: Option<f64>,
    pub(super) gain: Option<f64>,
    pub(super) functions_10: Option<f64>,
}

/// Figures of one set, in the order of [`Scores::HEADING`].
#[derive(Debug)]
pub(super) struct Row {
    name: String,
    queries: String,
    figures: Vec<(Option<f64>, Option<f64>)>,
}

impl Row {
    /// Whether nothing is below its target.
    pub(super) fn holds(&self) -> bool {
        !self.figures.iter().any(|(figure, target)| is_missed(*figure, *target))
    }

    /// Whether a figure is lower than that of the other row, as far as both are shown.
    pub(super) fn is_behind(&self, other: &Self) -> bool {
        let shown = |figure: Option<f64>| figure.map(|figure| (figure * 1e3).round());
        self.figures.iter().zip(&other.figures).any(|(own, other)| shown(own.0) < shown(other.0))
    }

    pub(super) fn line(&self) -> String {
        let cell = |(figure, target): &(Option<f64>, Option<f64>)| {
            let shown = figure.map_or("–".to_owned(), |figure| format!("{figure:.3}"));
            if is_missed(*figure, *target) { format!("{shown} **missed**") } else { shown }
        };
        let cells: Vec<String> = self.figures.iter().map(cell).collect();
        format!("| {} | {} | {} |", self.name, self.queries, cells.join(" | "))
    }
}

fn is_missed(figure: Option<f64>, target: Option<f64>) -> bool {
    figure.zip(target).is_some_and(|(figure, target)| figure < target)
}

impl Scores {
    pub(super) const HEADING: &str = "\
| set | queries (of) | files R@1 | R@5 | R@10 | MRR | NDCG@10 | functions R@1 | R@10 | MRR |
|---|---|---|---|---|---|---|---|---|---|";

    pub(super) fn of(queries: &[Asked], answers: &BTreeMap<String, Answer>) -> Self {
        let nothing = Answer::default();
        let mut scores = Self::default();
        for asked in queries {
            let answer = answers.get(&asked.id).unwrap_or(&nothing);
            scores.files.push(Figures::of(&ranked_files(asked, answer), &asked.files));
            if !asked.functions.is_empty() {
                let wanted: BTreeSet<String> = asked.functions.iter().map(|name| short(name)).collect();
                let wanted: Vec<String> = wanted.into_iter().collect();
                let ranked = distinct(answer.functions.iter().map(|name| short(name)));
                scores.functions.push(Figures::of(&ranked, &wanted));
            }
        }
        scores
    }

    /// A row of the table. `all` is how many queries the set has, with a tree or without.
    pub(super) fn row(&self, name: &str, all: usize, targets: Targets) -> Row {
        let files = Figures::mean(&self.files);
        let functions = (!self.functions.is_empty()).then(|| Figures::mean(&self.functions));
        let of_functions = |figure: fn(&Figures) -> f64| functions.as_ref().map(figure);
        let figures = vec![
            (Some(files.recall_1), targets.recall_1),
            (Some(files.recall_5), None),
            (Some(files.recall_10), targets.recall_10),
            (Some(files.reciprocal), None),
            (Some(files.gain), targets.gain),
            (of_functions(|figures| figures.recall_1), None),
            (of_functions(|figures| figures.recall_10), targets.functions_10),
            (of_functions(|figures| figures.reciprocal), None),
        ];
        Row { name: name.to_owned(), queries: format!("{} ({all})", self.files.len()), figures }
    }
}

/// Sets with a root were made of what is below it, and match paths by their ends.
fn ranked_files(asked: &Asked, answer: &Answer) -> Vec<String> {
    let Some(root) = &asked.root else { return answer.files.clone() };
    let below = answer.files.iter().filter(|path| root.is_empty() || path.starts_with(&format!("{root}/")));
    let same = |path: &str, wanted: &str| {
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        ends(path, wanted) || ends(wanted, path)
    };
    distinct(below.map(|path| asked.files.iter().find(|wanted| same(path, wanted)).unwrap_or(path).clone()))
}

/// A path and the last two parts of a name.
fn short(name: &str) -> String {
    let (path, name) = name.split_once("::").unwrap_or((name, ""));
    let parts: Vec<&str> = name.split(['.', ':', '#', '/']).filter(|part| !part.is_empty()).collect();
    format!("{path}::{}", parts[parts.len().saturating_sub(2)..].join("."))
}

fn distinct(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(item.clone())).collect()
}

impl Figures {
    fn of(ranked: &[String], wanted: &[String]) -> Self {
        let is_wanted: Vec<bool> = ranked.iter().map(|item| wanted.contains(item)).collect();
        let recall = |count: usize| is_wanted.iter().take(count).filter(|is| **is).count() as f64 / wanted.len() as f64;
        let discount = |position: usize| 1.0 / (position as f64 + 2.0).log2();
        let gained: f64 = (0..10).filter(|at| is_wanted.get(*at) == Some(&true)).map(discount).sum();
        let possible: f64 = (0..wanted.len().min(10)).map(discount).sum();
        let first = is_wanted.iter().position(|is| *is);
        Self {
            recall_1: recall(1),
            recall_5: recall(5),
            recall_10: recall(10),
            reciprocal: first.map_or(0.0, |position| 1.0 / (position as f64 + 1.0)),
            gain: gained / possible,
        }
    }

    fn mean(all: &[Self]) -> Self {
        let mean = |figure: fn(&Self) -> f64| all.iter().map(figure).sum::<f64>() / all.len().max(1) as f64;
        Self {
            recall_1: mean(|figures| figures.recall_1),
            recall_5: mean(|figures| figures.recall_5),
            recall_10: mean(|figures| figures.recall_10),
            reciprocal: mean(|figures| figures.reciprocal),
            gain: mean(|figures| figures.gain),
        }
    }
}

/// How long queries took.
#[derive(Debug)]
pub(super) struct Times(Vec<f64>);

impl Times {
    pub(super) fn of(answers: &BTreeMap<String, Answer>) -> Self {
        let mut times: Vec<f64> = answers.values().map(|answer| answer.milliseconds).collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    pub(super) fn line(&self, depth: &str) -> String {
        let at = |part: f64| self.0.get((self.0.len() as f64 * part) as usize).copied().unwrap_or_default();
        format!("query at depth {depth}: p50 {:.1} ms, p99 {:.1} ms over {} queries", at(0.5), at(0.99), self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn figures_are_those_of_the_definitions() {
        let figures = Figures::of(&texts(&["x", "a", "y", "b"]), &texts(&["a", "b"]));
        assert_eq!((figures.recall_1, figures.recall_5, figures.reciprocal), (0.0, 1.0, 0.5));
        let expected = (1.0 / 3_f64.log2() + 1.0 / 5_f64.log2()) / (1.0 + 1.0 / 3_f64.log2());
        assert!((figures.gain - expected).abs() < 1e-12);
        assert_eq!(Figures::of(&[], &texts(&["a"])), Figures::default());
    }

    #[test]
    fn a_figure_below_its_target_is_marked() {
        let figures = Figures { recall_1: 0.5, recall_10: 0.9, ..Figures::default() };
        let scores = Scores { files: vec![figures], functions: Vec::new() };
        let targets = Targets { recall_1: Some(0.6), recall_10: Some(0.9), ..Targets::default() };
        let row = scores.row("lite", 3, targets);
        assert_eq!(row.line(), "| lite | 1 (3) | 0.500 **missed** | 0.000 | 0.900 | 0.000 | 0.000 | – | – | – |");
        assert!(!row.holds() && scores.row("lite", 3, Targets::default()).holds());
        let better = Scores { files: vec![Figures { recall_1: 0.501, ..figures }], functions: Vec::new() };
        let better = better.row("lite", 3, targets);
        assert!(row.is_behind(&better) && !better.is_behind(&row) && !row.is_behind(&row));
    }

    #[test]
    fn functions_are_compared_by_the_last_two_parts_of_their_names() {
        assert_eq!(short("a/b.rs::sync::mpsc::Sender::send"), "a/b.rs::Sender.send");
        assert_eq!(short("a.py::load"), "a.py::load");
    }

    #[test]
    fn sets_with_a_root_look_below_it_and_match_by_the_end() {
        let asked = Asked {
            id: String::new(),
            text: String::new(),
            tree: String::new(),
            root: Some("lib".to_owned()),
            files: texts(&["url.c"]),
            functions: Vec::new(),
        };
        let answer = Answer { files: texts(&["src/url.c", "lib/url.c", "lib/a.c"]), ..Answer::default() };
        assert_eq!(ranked_files(&asked, &answer), ["url.c", "lib/a.c"]);
    }
}
