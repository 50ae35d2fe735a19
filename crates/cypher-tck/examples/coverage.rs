//! Prints how much of the conformance suite passes: `cargo run -p cypher-tck --example coverage [WORD]` also prints the
//! failures whose name contains the word.

#![expect(clippy::print_stdout, reason = "an example that prints a table")]

use cypher_tck::{Group, Hints, InMemory, Report, bench_folder, group_of, read_scenarios, run_scenario};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = bench_folder().ok_or("the folder of benchmarks is absent; set TRAILMARK_BENCH")?;
    let word = std::env::args().nth(1);
    let mut report = Report::default();
    for scenario in read_scenarios(&folder)? {
        let group = group_of(&scenario);
        let outcome = run_scenario(&scenario, &InMemory(Hints::Honoured));
        if let (true, Some(word)) = (outcome != cypher_tck::Outcome::Passed, &word)
            && scenario.id().contains(word.as_str())
            && group <= Group::Error
        {
            println!("{}\n    {outcome:?}\n", scenario.id());
        }
        report.add(&scenario, group, &outcome);
    }
    println!("{report}");
    let text = std::fs::read_to_string(folder.join("cypher/text2cypher_syntax.jsonl"))?;
    let entries = text.lines().map(serde_json::from_str::<serde_json::Value>).collect::<Result<Vec<_>, _>>()?;
    let valid: Vec<_> = entries.iter().filter(|entry| entry["valid"] == true).collect();
    let parsed = valid.iter().filter(|entry| cypher::parse(entry["cypher"].as_str().unwrap_or_default()).is_ok());
    println!("queries of models that are valid: {} of {} parse", parsed.count(), valid.len());
    Ok(())
}
