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
    /// The same figure of others; the name is empty where there is one of them only.
    peers: Vec<(&'static str, f64)>,
    machine: Option<(&'static str, f64)>,
    limit: Option<Limit>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Milliseconds,
    /// Of the processor, not on the clock.
    Seconds,
    Megabytes,
    Kilobytes,
    PerSecond,
    Ratio,
}

/// What a figure must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Limit {
    Milliseconds(f64),
    Seconds(f64),
    Megabytes(f64),
    AtLeast(f64),
    AtMost(f64),
}

impl Limit {
    fn is_held_by(self, value: f64) -> bool {
        match self {
            Self::Milliseconds(most) | Self::Seconds(most) | Self::Megabytes(most) | Self::AtMost(most) => {
                value <= most
            }
            Self::AtLeast(least) => value >= least,
        }
    }

    fn show(self, unit: Unit) -> String {
        match self {
            Self::Milliseconds(most) | Self::Seconds(most) | Self::Megabytes(most) | Self::AtMost(most) => {
                format!("≤ {}", unit.show(most))
            }
            Self::AtLeast(least) => format!("≥ {}", unit.show(least)),
        }
    }
}

impl Figure {
    pub(super) fn time(name: &'static str, value: Duration) -> Self {
        Self::new(name, milliseconds(value), Unit::Milliseconds)
    }

    /// Seconds of the processor, user and system.
    pub(super) fn seconds(name: &'static str, value: Duration) -> Self {
        Self::new(name, value.as_secs_f64(), Unit::Seconds)
    }

    pub(super) fn megabytes(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::Megabytes)
    }

    pub(super) fn kilobytes(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::Kilobytes)
    }

    pub(super) fn per_second(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::PerSecond)
    }

    pub(super) fn ratio(name: &'static str, value: f64) -> Self {
        Self::new(name, value, Unit::Ratio)
    }

    fn new(name: &'static str, value: f64, unit: Unit) -> Self {
        Self { name, under: String::new(), value, unit, peers: Vec::new(), machine: None, limit: None }
    }

    pub(super) fn under(mut self, conditions: &str) -> Self {
        self.under = conditions.to_owned();
        self
    }

    /// The same figure of the peer.
    pub(super) fn peer(mut self, value: impl PeerValue) -> Self {
        self.peers.push(("", value.figure()));
        self
    }

    /// The same figures of several others.
    pub(super) fn peers(mut self, values: impl IntoIterator<Item = (&'static str, f64)>) -> Self {
        self.peers.extend(values);
        self
    }

    /// What the machine allows at best.
    pub(super) fn machine(mut self, what: &'static str, value: Duration) -> Self {
        let value = if self.unit == Unit::Seconds { value.as_secs_f64() } else { milliseconds(value) };
        self.machine = Some((what, value));
        self
    }

    pub(super) fn held_to(mut self, limit: Option<Limit>) -> Self {
        self.limit = limit;
        self
    }

    fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| limit.is_held_by(self.value))
    }

    fn row(&self) -> String {
        let shown = |value: f64| self.unit.show(value);
        let peer = |(name, value): &(&str, f64)| {
            if name.is_empty() { shown(*value) } else { format!("{} ({name})", shown(*value)) }
        };
        let peers: Vec<String> = self.peers.iter().map(peer).collect();
        let peers = if peers.is_empty() { "–".to_owned() } else { peers.join(", ") };
        let machine = self.machine.map_or("–".to_owned(), |(what, value)| format!("{} ({what})", shown(value)));
        let limit = self.limit.map_or("–".to_owned(), |limit| limit.show(self.unit));
        let under = if self.under.is_empty() { String::new() } else { format!(" ({})", self.under) };
        let verdict = if self.holds() { "" } else { " **missed**" };
        format!("| {}{under} | {}{verdict} | {limit} | {peers} | {machine} |", self.name, shown(self.value))
    }

    fn json(&self) -> Value {
        json!({
            "figure": self.name,
            "under": self.under,
            "value": self.value,
            "unit": self.unit.word(),
            "peers": self.peers.iter().map(|(_, value)| *value).collect::<Vec<_>>(),
            "machine": self.machine.map(|(_, value)| value),
            "holds": self.holds(),
        })
    }
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Megabytes => "MB",
            Self::Kilobytes => "KB",
            Self::PerSecond => "calls/s",
            Self::Ratio => "×",
        }
    }

    fn show(self, value: f64) -> String {
        match self {
            Self::Milliseconds if value < 1.0 => format!("{value:.3} ms"),
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Seconds if value < 10.0 => format!("{value:.2} s"),
            Self::Seconds => format!("{value:.1} s"),
            Self::Megabytes => format!("{value:.1} MB"),
            Self::Kilobytes => format!("{value:.2} KB"),
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

    #[test]
    fn several_peers_are_named_and_what_the_machine_allows_has_the_unit_of_the_figure() {
        let figure =
            Figure::seconds("index", Duration::from_millis(500)).under("Flask").peers([("a", 0.75), ("b", 12.0)]);
        let figure = figure.machine("alone", Duration::from_millis(250)).held_to(Some(Limit::Seconds(0.3)));
        assert_eq!(
            figure.row(),
            "| index (Flask) | 0.50 s **missed** | ≤ 0.30 s | 0.75 s (a), 12.0 s (b) | 0.25 s (alone) |"
        );
    }
}
