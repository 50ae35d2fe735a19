//! How many scenarios pass, by category.

use std::collections::BTreeMap;
use std::fmt;

use crate::gherkin::Scenario;
use crate::scenario::{Group, Outcome};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    /// Of those, errors of the very kind and time that were expected.
    pub exact: usize,
    pub total: usize,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        self.total += 1;
        self.passed += usize::from(outcome.has_passed());
        self.exact += usize::from(*outcome == Outcome::Passed);
    }

    /// In percent; nothing counts as everything.
    pub fn percent(&self) -> f64 {
        if self.total == 0 { 100.0 } else { 100.0 * self.passed as f64 / self.total as f64 }
    }
}

#[derive(Debug, Default)]
pub struct Report {
    groups: BTreeMap<Group, Tally>,
    categories: BTreeMap<String, Tally>,
    failures: Vec<(Group, String, String)>,
}

impl Report {
    pub fn add(&mut self, scenario: &Scenario, group: Group, outcome: &Outcome) {
        self.groups.entry(group).or_default().add(outcome);
        if group == Group::Core {
            let category = scenario.feature.rsplit_once('/').map_or(&*scenario.feature, |(folder, _)| folder);
            self.categories.entry(category.to_owned()).or_default().add(outcome);
        }
        if let Outcome::Failed(reason) = outcome {
            self.failures.push((group, scenario.id(), reason.clone()));
        }
    }

    pub fn tally(&self, group: Group) -> Tally {
        self.groups.get(&group).copied().unwrap_or_default()
    }

    /// Identity and reason of every scenario of these groups that failed.
    pub fn failures(&self, groups: &[Group]) -> impl Iterator<Item = (&str, &str)> {
        let wanted: Vec<_> = self.failures.iter().filter(|(group, _, _)| groups.contains(group)).collect();
        wanted.into_iter().map(|(_, id, reason)| (id.as_str(), reason.as_str()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "| core reads | passed | of |\n|---|---:|---:|")?;
        for (category, tally) in &self.categories {
            writeln!(formatter, "| {category} | {} | {} |", tally.passed, tally.total)?;
        }
        writeln!(formatter, "\n| group | passed | of | % | exact |\n|---|---:|---:|---:|---:|")?;
        for (group, tally) in &self.groups {
            let Tally { passed, total, exact } = tally;
            writeln!(formatter, "| {group:?} | {passed} | {total} | {:.1} | {exact} |", tally.percent())?;
        }
        Ok(())
    }
}
