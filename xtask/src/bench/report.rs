//! Figures with their limits, as a table or as JSON.

use std::time::Duration;

use serde_json::{Value, json};

/// All figures of a run.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Figure>);

/// One measured figure.
#[derive(Debug)]
pub(super) struct Figure {
    name: &'static str,
    /// The conditions it was measured under.
    under: String,
    value: f64,
    unit: Unit,
    peer: Option<f64>,
    machine: Option<(&'static str, f64)>,
    limit: Option<Limit>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Milliseconds,
    Megabytes,
    PerSecond,
    Ratio,
}

/// What a figure must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limit {
    Milliseconds(f64),
    Megabytes(f64),
    AtLeast(f64),
}

impl Figure {
    pub(super) fn time(name: &'static str, value: Duration) -> Self {
        Self::new(name, milliseconds(value), Unit::Milliseconds)
    }

    pub(super) fn megabytes(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::Megabytes)
    }

    pub(super) fn per_second(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::PerSecond)
    }

    pub(super) fn ratio(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::Ratio)
    }

    fn new(name: &'static str, value: f64, unit: Unit) -> Self {
        Self { name, under: String::new(), value, unit, peer: None, machine: None, limit: None }
    }

    pub(super) fn under(mut self, conditions: &str) -> Self {
        self.under = conditions.to_owned();
        self
    }

    /// The same figure of the peer.
    pub(super) fn peer(mut self, value: impl PeerValue) -> Self {
        self.peer = Some(value.figure());
        self
    }

    /// What the machine allows at best.
    pub(super) fn machine(mut self, what: &'static str, value: Duration) -> Self {
        self.machine = Some((what, milliseconds(value)));
        self
    }

    pub(super) fn held_to(mut self, limit: Option<Limit>) -> Self {
        self.limit = limit;
        self
    }

    fn holds(&self) -> bool {
        match self.limit {
            None => true,
            Some(Limit::Milliseconds(most) | Limit::Megabytes(most)) => self.value <= most,
            Some(Limit::AtLeast(least)) => self.value >= least,
        }
    }

    fn row(&self) -> String {
        let shown = |value: f64| self.unit.show(value);
        let peer = self.peer.map_or("–".to_owned(), shown);
        let machine = self.machine.map_or("–".to_owned(), |(what, value)| format!("{} ({what})", shown(value)));
        let limit = match self.limit {
            None => "–".to_owned(),
            Some(Limit::Milliseconds(most) | Limit::Megabytes(most)) => format!("≤ {}", shown(most)),
            Some(Limit::AtLeast(least)) => format!("≥ {}", shown(least)),
        };
        let under = if self.under.is_empty() { String::new() } else { format!(" ({})", self.under) };
        let verdict = if self.holds() { "" } else { " **missed**" };
        format!("| {}{under} | {}{verdict} | {limit} | {peer} | {machine} |", self.name, shown(self.value))
    }

    fn json(&self) -> Value {
        json!({
            "figure": self.name,
            "under": self.under,
            "value": self.value,
            "unit": self.unit.word(),
            "peer": self.peer,
            "machine": self.machine.map(|(_, value)| value),
            "holds": self.holds(),
        })
    }
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Megabytes => "MB",
            Self::PerSecond => "calls/s",
            Self::Ratio => "×",
        }
    }

    fn show(self, value: f64) -> String {
        match self {
            Self::Milliseconds if value < 1.0 => format!("{value:.3} ms"),
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Megabytes => format!("{value:.1} MB"),
            Self::PerSecond => format!("{value:.0} calls/s"),
            Self::Ratio => format!("{value:.1} ×"),
        }
    }
}

/// A peer's figure, in the unit of ours.
pub(super) trait PeerValue {
    fn figure(self) -> f64;
}

impl PeerValue for f64 {
    fn figure(self) -> f64 {
        self
    }
}

impl PeerValue for Duration {
    fn figure(self) -> f64 {
        milliseconds(self)
    }
}

impl Report {
    pub(super) fn add(&mut self, figure: Figure) {
        self.0.push(figure);
    }

    pub(super) fn holds(&self) -> bool {
        self.0.iter().all(Figure::holds)
    }

    pub(super) fn print(&self, json: bool) {
        if json {
            println!("{}", Value::Array(self.0.iter().map(Figure::json).collect()));
            return;
        }
        println!("| figure | ours | limit | peer | the machine |\n|---|---|---|---|---|");
        self.0.iter().for_each(|figure| println!("{}", figure.row()));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_limit_is_marked_and_fails_the_run() {
        let mut report = Report::default();
        report.add(Figure::time("start", Duration::from_millis(4)).held_to(Some(Limit::Milliseconds(10.0))));
        assert!(report.holds());
        report.add(Figure::ratio("times the peer", 4.0).held_to(Some(Limit::AtLeast(10.0))));
        assert!(!report.holds());
        assert_eq!(report.0[1].row(), "| times the peer | 4.0 × **missed** | ≥ 10.0 × | – | – |");
    }
}
