//! `cargo xtask bench index`: what a code graph costs to make, to keep fresh and to ask, at three sizes, beside tree-sitter alone
//! and beside peers, in one run.

mod live;
mod peers;
mod subject;

use std::path::Path;

use anyhow::Result;

use super::Options;
use super::report::{Figure, Limit, Report};
use super::usage::Usage;
use crate::sources::{self, Tree};
use crate::{cache, release};
use peers::Peers;
use subject::{Alone, Costs, Subject};

/// From small to large: the cost should grow as the lines do.
const SIZES: &[Size] = &[
    Size {
        tree: &sources::FLASK,
        edited: "src/flask/app.py",
        runs: 7,
        limits: Limits { seconds: Some(0.3), megabytes: Some(60.0), ratio: Some(2.0) },
    },
    Size {
        tree: &sources::DJANGO,
        edited: "django/db/models/query.py",
        runs: 3,
        limits: Limits { seconds: Some(6.0), megabytes: Some(300.0), ratio: Some(2.0) },
    },
    Size {
        tree: &sources::LARGE,
        edited: "sympy/sympy/core/basic.py",
        runs: 1,
        limits: Limits { seconds: None, megabytes: Some(1024.0), ratio: None },
    },
];
/// The one that a live server is measured on.
const LIVE: usize = 1;

/// One of the trees.
#[derive(Debug)]
struct Size {
    tree: &'static Tree,
    /// The file that is changed.
    edited: &'static str,
    /// How often it is indexed from nothing.
    runs: usize,
    limits: Limits,
}

#[derive(Debug)]
struct Limits {
    seconds: Option<f64>,
    megabytes: Option<f64>,
    /// Our processor time to that of tree-sitter alone.
    ratio: Option<f64>,
}

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let subject = Subject::new(release::binary(root)?, release::example(root, "code-index", "parse_only")?)?;
    let cache = cache::test_cache_dir()?;
    let peers = if options.no_peers { Peers::none() } else { Peers::install(&cache)? };
    let mut report = Report::default();
    for (number, size) in SIZES.iter().enumerate() {
        let tree = sources::unpacked(&cache, size.tree)?;
        let project = subject.project(number, &tree)?;
        remark(size, "ours");
        let ours = subject.costs(&project, size)?;
        let alone = subject.parse_alone(&project)?;
        let theirs = peers.costs(subject.folder(), size, &tree, |peer| remark(size, peer))?;
        add(size, &ours, &alone, &theirs, &mut report);
        if number == LIVE {
            remark(size, "a live server");
            live::measure(&subject, &project, size, &mut report)?;
        }
    }
    report.print(options.json);
    Ok(report.holds())
}

/// A sign of life: a run takes minutes.
fn remark(size: &Size, what: &str) {
    eprintln!("{}: {what}", size.tree.name);
}

fn add(size: &Size, ours: &Costs, alone: &Alone, theirs: &[(&'static str, Costs)], report: &mut Report) {
    let Limits { seconds, megabytes, ratio } = size.limits;
    let what = format!("{}, {} lines in {} files", size.tree.name, alone.lines, alone.files);
    let peers = |figure: fn(&Costs) -> f64| theirs.iter().map(move |(name, costs)| (*name, figure(costs)));
    let seconds_of = |usage: &Usage| usage.processor.as_secs_f64();
    report.add(
        Figure::seconds("index from nothing, processor time", ours.cold.processor)
            .under(&what)
            .peers(peers(|costs| costs.cold.processor.as_secs_f64()))
            .machine("tree-sitter alone", alone.processor)
            .held_to(seconds.map(Limit::Seconds)),
    );
    report.add(
        Figure::seconds("index from nothing, on the clock", ours.cold.clock)
            .under(&what)
            .peers(peers(|costs| costs.cold.clock.as_secs_f64())),
    );
    report.add(
        Figure::megabytes("index from nothing, peak memory", ours.cold.megabytes)
            .under(&what)
            .peers(peers(|costs| costs.cold.megabytes))
            .held_to(megabytes.map(Limit::Megabytes)),
    );
    let times_alone = seconds_of(&ours.cold) / alone.processor.as_secs_f64();
    report.add(
        Figure::ratio("processor time, ours ÷ tree-sitter alone", times_alone)
            .under(&what)
            .held_to(ratio.map(Limit::AtMost)),
    );
    let thousands = alone.lines as f64 / 1000.0;
    report.add(
        Figure::time("processor time for 1,000 lines", ours.cold.processor.div_f64(thousands)).under(&what).peers(
            peers(|costs| costs.cold.processor.as_secs_f64()).map(|(name, cost)| (name, cost * 1000.0 / thousands)),
        ),
    );
    report.add(
        Figure::seconds("index again, nothing changed, processor time", ours.unchanged.processor)
            .under(&what)
            .peers(peers(|costs| costs.unchanged.processor.as_secs_f64())),
    );
    report.add(
        Figure::seconds("index again, one file changed, processor time", ours.edited.processor)
            .under(&what)
            .peers(peers(|costs| costs.edited.processor.as_secs_f64())),
    );
}
