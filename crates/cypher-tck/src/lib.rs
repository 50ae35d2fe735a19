//! Test support: runs the scenarios of the openCypher conformance suite against the engine, over any graph that a backend
//! makes. The feature files are not in this repository; they are read from the folder of benchmarks.

mod backend;
mod expected;
mod gherkin;
mod known_gaps;
mod memory_graph;
mod report;
mod scenario;
mod set_up;
mod sources;

pub use backend::{Backend, InMemory, NodeData, RelationshipData};
pub use gherkin::{Scenario, Step, read_feature};
pub use known_gaps::KnownGaps;
pub use memory_graph::{Hints, MemoryGraph};
pub use report::{Report, Tally};
pub use scenario::{Group, Outcome, group_of, run_scenario};
pub use sources::{bench_folder, bench_folder_for_test, read_scenarios};
