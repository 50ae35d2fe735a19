//! The embedded store on real files, in real processes, on disks that fill up and in folders that cannot be written.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod audit;
mod child;
mod crash;
mod disk;
mod experience_meaning;
mod experiences;
mod graph_read;
mod knowledge;
mod model;
mod old_data;
mod opening;
mod project_crash;
mod project_model;
mod projects;
mod sample;
mod sharing;
mod words;
