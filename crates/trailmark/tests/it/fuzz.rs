//! What no client should send, in quantity: no panic, no hang, no answer too many or too few, no failure without a name.
//!
//! `TRAILMARK_FUZZ_SECONDS` says how long each test goes on, `TRAILMARK_FUZZ_SEED` where it starts. A failure names the
//! seed of its conversation; with that seed it is the first one.

mod arguments;
mod calls;
mod ledger;
mod lines;
mod random;
mod server;
mod values;

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use serde_json::json;

use self::ledger::{Ledger, shortened};
use self::random::Random;
use self::server::Server;

const BATCHES: usize = 12;
const LINES: usize = 25;

#[test]
fn fuzz_every_json_rpc_line_gets_the_answers_it_is_due() {
    let mut seen = [0, 0];
    conversations("lines", |random| {
        let ledger = talk(random)?;
        seen = [seen[0] + ledger.results, seen[1] + ledger.errors];
        Ok(())
    });
    assert!(seen.iter().all(|count| *count > 0), "the lines were answered by results and errors: {seen:?}");
}

#[test]
fn fuzz_every_tool_call_succeeds_or_says_why_not() {
    let mut seen = BTreeSet::new();
    conversations("arguments", |random| calls::converse(random, &mut seen));
    report(&format!("fuzz arguments: calls ended in {seen:?}"));
    assert!(seen.is_superset(&calls::CERTAIN.into()), "too few kinds of calls were made: {seen:?}");
}

/// One conversation after the other, each with a seed of its own, until the time is over.
fn conversations(what: &str, mut hold: impl FnMut(&mut Random) -> Result<(), String>) {
    let seconds = number_from("TRAILMARK_FUZZ_SECONDS").unwrap_or(3);
    let first = number_from("TRAILMARK_FUZZ_SEED").unwrap_or_else(|| RandomState::new().hash_one(what));
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seed = first;
    // Even a slow machine holds one conversation.
    while Instant::now() < end || seed == first {
        if let Err(problem) = hold(&mut Random::new(seed)) {
            panic!("{problem}\nagain with TRAILMARK_FUZZ_SEED={seed}");
        }
        seed = seed.wrapping_add(1);
    }
    report(&format!("fuzz {what}: {} conversations from seed {first}", seed.wrapping_sub(first)));
}

fn number_from(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} must be a whole number, but is `{text}`")))
}

#[expect(clippy::print_stderr, reason = "this is for the person who runs the tests")]
fn report(text: &str) {
    eprintln!("{text}");
}

/// Lines of all kinds, to a server that was introduced to or not.
fn talk(random: &mut Random) -> Result<Ledger, String> {
    let server = Server::start();
    let mut ledger = Ledger::default();
    if random.once_in(2) {
        let hello = [lines::initialize("hello"), json!({"jsonrpc": "2.0", "method": "notifications/initialized"})];
        exchange(&server, &mut ledger, hello.map(|message| message.to_string().into_bytes()).to_vec())?;
    }
    for batch in 0..BATCHES {
        let mut batch_lines: Vec<_> = (0..LINES).map(|line| lines::line(random, batch * LINES + line)).collect();
        let probe = json!({"jsonrpc": "2.0", "id": format!("probe-{batch}"), "method": "ping"});
        batch_lines.push(probe.to_string().into_bytes());
        exchange(&server, &mut ledger, batch_lines)?;
    }
    still_lists_its_tools(&server, &mut ledger)?;
    for message in server.stop()? {
        ledger.received(&message)?;
    }
    Ok(ledger)
}

/// Sends lines and waits for all that is due, which may come in any order.
fn exchange(server: &Server, ledger: &mut Ledger, batch: Vec<Vec<u8>>) -> Result<(), String> {
    for line in &batch {
        ledger.sent(line);
        server.send(line.clone());
    }
    let in_this_batch = |problem: String, ledger: &Ledger| {
        let lines: Vec<String> = batch.iter().map(|line| shortened(&String::from_utf8_lossy(line))).collect();
        format!("{problem}\nmissing: {:?}\nthe batch:\n{}", ledger.missing(), lines.join("\n"))
    };
    while !ledger.settled() {
        let received = server.receive().and_then(|message| ledger.received(&message));
        received.map_err(|problem| in_this_batch(problem, ledger))?;
    }
    Ok(())
}

/// Whatever was said before, a request that introduces itself is served.
fn still_lists_its_tools(server: &Server, ledger: &mut Ledger) -> Result<(), String> {
    let line = lines::introduced("last", "tools/list").to_string().into_bytes();
    ledger.sent(&line);
    server.send(line);
    loop {
        let message = server.receive()?;
        ledger.received(&message)?;
        if message["id"] == "last" {
            return calls::tools_in(&message).map(drop);
        }
    }
}
