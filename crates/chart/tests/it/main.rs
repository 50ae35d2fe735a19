//! Every case of the chart suite, as an option and as a picture that ECharts draws inside of this program.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "../cases/mod.rs"]
mod cases;
mod limits;
mod pictures;
mod suite;
