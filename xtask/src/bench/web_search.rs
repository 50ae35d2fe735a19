//! `cargo xtask bench web-search`: what a search costs beside the time of its provider, and what one from memory costs. The
//! provider is a server in this process that answers at once, so that its own time is known exactly.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::report::{Figure, Limit, Report};
use super::session::StdioSession;
use super::{Options, machine};
use crate::{release, workspace};

const SEARCHES: usize = 60;
const CACHED: usize = 2_000;
const RESULTS: usize = 40;
/// The pace at which one host is asked; a search that comes sooner waits, which is not what is measured.
const STEP: Duration = Duration::from_millis(520);
/// Searches that go out at once; they also warm everything up.
const BURST: usize = 10;

pub(super) fn run(root: &Path, options: Options) -> Result<bool> {
    let binary = release::binary(root)?;
    let folder = tempfile::tempdir()?;
    let provider = Provider::start()?;
    let mut command = Command::new(binary);
    workspace::remove_settings(&mut command);
    command.arg("serve").env("TRAILMARK_HOME", folder.path()).env("TRAILMARK_SEARXNG_URL", &provider.address);
    let mut session = StdioSession::start(&mut command)?;
    session.initialize()?;
    for number in 0..BURST {
        search(&mut session, &format!("warm {number}"))?;
    }
    let mut added = Vec::new();
    for number in 0..SEARCHES {
        thread::sleep(STEP);
        let took = search(&mut session, &format!("words {number}"))?;
        added.push(took.saturating_sub(provider.last()));
    }
    let cached = (0..CACHED).map(|_| search(&mut session, "words 0")).collect::<Result<Vec<_>>>()?;
    let pipe = machine::pipe_round_trip(CACHED)?;
    let what = format!("{RESULTS} results, {} KB, over stdio", provider.bytes / 1_000);
    let mut report = Report::default();
    let pipes = "one line through two pipes";
    report.add(
        Figure::time("added to the provider's time, p50", share(&added, 0.5))
            .under(&what)
            .machine(pipes, pipe)
            .held_to(Some(Limit::Milliseconds(2.0))),
    );
    report.add(Figure::time("added to the provider's time, p95", share(&added, 0.95)).under(&what));
    report.add(
        Figure::time("from memory, p50", share(&cached, 0.5))
            .under(&what)
            .machine(pipes, pipe)
            .held_to(Some(Limit::Milliseconds(1.0))),
    );
    report.add(Figure::time("from memory, p95", share(&cached, 0.95)).under(&what));
    report.print(options.json);
    Ok(report.holds())
}

fn search(session: &mut StdioSession, words: &str) -> Result<Duration> {
    let started = Instant::now();
    let result = session.call("web_search", json!({"query": words, "maxResults": 20}))?;
    let took = started.elapsed();
    let items = result["structuredContent"]["data"]["items"].as_array().map_or(0, Vec::len);
    ensure!(items == 20, "{items} items: {result}");
    Ok(took)
}

fn share(times: &[Duration], share: f64) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index below the length")]
    let at = (share * (sorted.len() - 1) as f64).round() as usize;
    sorted[at]
}

/// Answers every request of every connection with the same results, and keeps how long the last answer took it.
struct Provider {
    address: String,
    bytes: usize,
    last: Arc<Mutex<Duration>>,
}

impl Provider {
    fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = format!("http://{}", listener.local_addr()?);
        let body = answer().to_string();
        let (bytes, last) = (body.len(), Arc::new(Mutex::new(Duration::ZERO)));
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {bytes}\r\n\r\n");
        let (reply, times) = (Arc::new(format!("{head}{body}")), Arc::clone(&last));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (reply, times) = (Arc::clone(&reply), Arc::clone(&times));
                thread::spawn(move || serve(&stream, reply.as_bytes(), &times).ok());
            }
        });
        Ok(Self { address, bytes, last })
    }

    fn last(&self) -> Duration {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn serve(stream: &TcpStream, reply: &[u8], times: &Mutex<Duration>) -> Result<()> {
    stream.set_nodelay(true)?;
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let started = Instant::now();
        while !line.trim_end().is_empty() {
            line.clear();
            reader.read_line(&mut line)?;
        }
        writer.write_all(reply)?;
        *times.lock().unwrap_or_else(PoisonError::into_inner) = started.elapsed();
    }
}

/// In the form and of the length that SearXNG's answers have.
fn answer() -> Value {
    let row = |number: usize| {
        let url = format!("https://site-{number}.example/articles/{number}?utm_source=engine");
        let text =
            "A <b>snippet</b> of the page that an engine found &amp; shortened, as long as snippets are. ".repeat(4);
        json!({
            "url": url, "title": format!("Page {number} about the words"), "content": text, "engine": "engine", "engines": ["engine"],
            "template": "default.html", "parsed_url": ["https", format!("site-{number}.example"), "/articles", "", "", ""], "img_src": "",
            "thumbnail": "", "priority": "", "positions": [number], "score": 1.0, "category": "general", "publishedDate": null,
        })
    };
    let rows: Vec<Value> = (0..RESULTS).map(row).collect();
    json!({"query": "words", "results": rows, "answers": [], "corrections": [], "infoboxes": [], "suggestions": [], "unresponsive_engines": []})
}
