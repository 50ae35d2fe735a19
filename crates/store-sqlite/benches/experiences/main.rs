//! What finding and keeping experiences costs, and how well they are found: `cargo xtask bench experiences` and
//! `cargo xtask eval experiences`.
//!
//! `cargo bench -p store-sqlite --bench experiences -- speed 1000000 FOLDER` makes so many records in the folder, asks them beside
//! FTS5 with the same texts, and prints the figures as JSON; `alone` leaves FTS5 out, and a folder that was filled before is asked again. `… -- cmrc FOLDER` and `… -- locomo FOLDER` find the paragraphs
//! and turns that hold the answers to questions. Times are processor time of the whole process in milliseconds, unless
//! they say otherwise.

#![expect(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "the figures")]

mod generated;
mod quality;
mod speed;

use std::path::Path;
use std::time::Duration;

use speed::Peer;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let figures = match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["speed", count, folder] => {
            runtime.block_on(speed::measure(count.parse().unwrap(), Path::new(folder), Peer::Fts5))
        }
        ["alone", count, folder] => {
            runtime.block_on(speed::measure(count.parse().unwrap(), Path::new(folder), Peer::Nobody))
        }
        ["cmrc", folder] => runtime.block_on(quality::paragraphs(Path::new(folder))),
        ["locomo", folder] => runtime.block_on(quality::turns(Path::new(folder))),
        _ => panic!("arguments: speed|alone COUNT FOLDER, cmrc FOLDER or locomo FOLDER"),
    };
    println!("{figures}");
}

/// Processor time of this process.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}
