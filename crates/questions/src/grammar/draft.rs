//! What has been understood of a question so far.

use super::pattern::{self, Fit};
use super::units::Unit;
use crate::meaning::{Filter, Link, Meaning, Other, Reach, Subject};
use crate::names::Names;

/// The units of a question, and the meaning that grows from them.
pub(crate) struct Draft<'n> {
    pub units: Vec<Unit>,
    pub names: &'n dyn Names,
    pub meaning: Meaning,
    /// Filters with the unit of the kind that they speak of; `None` for what is asked for.
    pub attached: Vec<(Option<usize>, Filter)>,
    pub reach: Option<Reach>,
    pub across_files: bool,
    pub notes: Vec<String>,
    /// Something was guessed or left aside.
    pub is_unsure: bool,
    /// A relation was read over, since the question seemed to ask for something special.
    pub reads_over: bool,
}

impl<'n> Draft<'n> {
    pub(crate) fn new(units: Vec<Unit>, names: &'n dyn Names) -> Self {
        Self {
            units,
            names,
            meaning: Meaning::default(),
            attached: Vec::new(),
            reach: None,
            across_files: false,
            notes: Vec::new(),
            is_unsure: false,
            reads_over: false,
        }
    }

    /// Whether a question that names nothing was understood where one would expect a name: "who calls file".
    pub(crate) fn is_open(&self) -> bool {
        let meaning = &self.meaning;
        let is_single = |unit: &Unit| unit.is("kind") && unit.is_singular() == Some(true);
        let has_single = self.units.iter().any(is_single);
        let lacks_end = |link: &Link| match &link.other {
            Other::Anything => !link.negated,
            Other::Some(_, filters) => has_single && filters.is_empty(),
            Other::Named(_) | Other::Unknown(_) => false,
        };
        let is_listing = meaning.subject == Subject::Things && meaning.links.is_empty() && meaning.filters.is_empty();
        let asks_where = meaning.asks_where || self.units.iter().any(|unit| unit.is("verb.define"));
        let lacks_name = asks_where && is_listing && has_single;
        self.reads_over || lacks_name || meaning.links.iter().any(lacks_end)
    }

    /// Applies each pattern wherever it fits, as long as `make` makes something of it.
    pub(crate) fn apply(&mut self, patterns: &[&str], mut make: impl FnMut(&mut Self, &Fit) -> bool) {
        for pattern in patterns {
            let mut start = 0;
            while start < self.units.len() {
                let fit = pattern::fit_at(pattern, &self.units, start);
                start += 1;
                if let Some(fit) = fit
                    && make(self, &fit)
                {
                    fit.mark_used(&mut self.units);
                }
            }
        }
    }

    pub(crate) fn has(&self, prefix: &str) -> bool {
        self.units.iter().any(|unit| !unit.used && unit.is(prefix))
    }

    pub(crate) fn use_all(&mut self, prefix: &str) -> bool {
        let mut found = false;
        for unit in self.units.iter_mut().filter(|unit| !unit.used && unit.is(prefix)) {
            unit.used = true;
            found = true;
        }
        found
    }

    /// The unused unit after or before this one.
    pub(crate) fn next(&self, index: usize) -> Option<usize> {
        (index + 1..self.units.len()).find(|&at| !self.units[at].used)
    }

    pub(crate) fn previous(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|&at| !self.units[at].used)
    }

    pub(crate) fn next_is(&self, index: usize, prefix: &str) -> bool {
        self.next(index).is_some_and(|at| self.units[at].is(prefix))
    }

    pub(crate) fn previous_is(&self, index: usize, prefix: &str) -> bool {
        self.previous(index).is_some_and(|at| self.units[at].is(prefix))
    }

    /// Remembers a filter for the kind that the words at this place speak of: in Chinese the one behind them, else the
    /// nearest one before.
    pub(crate) fn attach(&mut self, fit: &Fit, filter: Filter) {
        let (Some(first), Some(last)) = (fit.first(), fit.last()) else { return };
        let behind = self.next(last).filter(|&at| self.units[at].is("de")).and_then(|at| self.next(at));
        let behind = behind.filter(|&at| self.units[at].is("kind"));
        let inside = fit.find(&self.units, "kind");
        let before = (0..first).rev().find(|&at| self.units[at].is("kind") && !self.units[at].used);
        self.attached.push((inside.or(behind).or(before), filter));
    }
}
