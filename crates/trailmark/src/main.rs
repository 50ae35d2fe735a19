//! trailmark
fn main() {}
