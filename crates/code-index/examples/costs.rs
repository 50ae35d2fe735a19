//! What an index and edits of one file cost: `cargo run --release -p code-index --example costs -- FOLDER [FILE]`.
//!
//! FOLDER is indexed into a new store as a command does it, or, where FILE is given, as a server does it; then FILE is changed a few
//! times (and put back). Times are processor time of the whole process,
//! beside what each stage took on the clock.

#![expect(clippy::print_stdout, reason = "it is a command for people who work on the indexer")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use code_index::{IndexReport, IndexRequest, Indexer};
use rustix::time::{ClockId, clock_gettime};
use store::ProjectCatalog;
use store_sqlite::SqliteProjects;

type Problem = Box<dyn std::error::Error>;

const EDITS: usize = 5;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Problem> {
    let mut arguments = std::env::args().skip(1);
    let (Some(folder), file) = (arguments.next(), arguments.next()) else {
        return Err("usage: costs FOLDER [FILE]".into());
    };
    let data = tempfile::tempdir()?;
    let catalog = Arc::new(SqliteProjects::open(data.path())) as Arc<dyn ProjectCatalog>;
    let indexer = Indexer::new(catalog);
    let indexer = if file.is_some() { indexer.that_stays() } else { indexer };
    let index = || -> Result<(), Problem> {
        let before = processor_time();
        let request = IndexRequest { root: folder.clone().into(), project: None, force: false };
        let report = indexer.index(&request, &())?;
        print(&report, processor_time().saturating_sub(before));
        Ok(())
    };
    index()?;
    let Some(file) = file else { return Ok(()) };
    let path = Path::new(&folder).join(file);
    let text = std::fs::read_to_string(&path)?;
    for (kind, change) in CHANGES {
        println!("{kind}");
        for number in 0..EDITS {
            std::fs::write(&path, change(&text, number))?;
            index()?;
        }
    }
    std::fs::write(&path, text)?;
    Ok(())
}

/// What is done to a file, and how.
type Change = (&'static str, fn(&str, usize) -> String);

const CHANGES: &[Change] = &[
    ("a remark at the end of the last line", |text, number| format!("{}  # {number}\n", text.trim_end())),
    ("a new function at the end", |text, number| format!("{text}\n\ndef added_{number}():\n    return {number}\n")),
];

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn print(report: &IndexReport, processor: Duration) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let timings = &report.timings;
    println!(
        "{:.0} ms of processor time; scan {:.0}, read {:.0}, link {:.0}, write {:.0} on the clock; {} files read",
        milliseconds(processor),
        milliseconds(timings.scan),
        milliseconds(timings.read),
        milliseconds(timings.link),
        milliseconds(timings.write),
        report.parsed
    );
}
