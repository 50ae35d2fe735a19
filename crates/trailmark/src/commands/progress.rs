//! How far a long command is: a bar on a terminal, a line now and then elsewhere, nothing for a program.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::console::Console;

/// Between two remarks where there is no terminal.
const REMARKS: Duration = Duration::from_secs(5);

const TEMPLATE: &str = "{spinner} {msg:<20} {wide_bar} {pos}/{len} {elapsed}";

pub(super) struct Display {
    bar: Option<ProgressBar>,
    console: Console,
    phase: Option<&'static str>,
    last: Instant,
}

impl Display {
    pub(super) fn new(console: &Console) -> Self {
        let is_terminal = std::io::stderr().is_terminal() && !console.json;
        let bar = is_terminal.then(|| ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()));
        if let Some((bar, style)) = bar.as_ref().zip(ProgressStyle::with_template(TEMPLATE).ok()) {
            bar.set_style(style);
        }
        Self { bar, console: *console, phase: None, last: Instant::now() }
    }

    /// So many of all in this phase are done.
    pub(super) fn show(&mut self, phase: &'static str, done: u64, total: u64) {
        match &self.bar {
            Some(bar) => {
                bar.set_message(phase);
                bar.set_length(total);
                bar.set_position(done);
            }
            None if !self.console.json && (self.phase != Some(phase) || self.last.elapsed() >= REMARKS) => {
                self.console.remark(&format!("{phase}: {done} of {total}"));
                self.last = Instant::now();
            }
            None => {}
        }
        self.phase = Some(phase);
    }

    pub(super) fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
