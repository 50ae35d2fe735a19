//! `cargo bench -p web-search`: what a search costs beside its provider, which is a thread of this program that answers at once, and
//! what one from memory costs. Times on the clock, and of the processor with all threads, that of the provider included.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a program for people at a terminal")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use web_search::{Configuration, Limits, Query, WebSearch};

const SEARCHES: usize = 500;
const CACHED: usize = 20_000;
const RESULTS: usize = 40;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let body = answer().to_string();
    println!("{RESULTS} results, {} bytes", body.len());
    let limits = Limits { burst: u32::MAX, step: Duration::from_nanos(1), ..Limits::default() };
    let search = WebSearch::new(&Configuration::searxng(provider(body)), limits).unwrap();
    measure(&search, "warming up", 50, |number| format!("warm {number}")).await;
    measure(&search, "a search", SEARCHES, |number| format!("words {number}")).await;
    measure(&search, "from memory", CACHED, |_| format!("words {}", SEARCHES - 1)).await;
}

async fn measure(search: &WebSearch, what: &str, count: usize, words: impl Fn(usize) -> String) {
    let (processor, mut times) = (processor(), Vec::with_capacity(count));
    for number in 0..count {
        let query = Query { words: words(number), language: "en".to_owned(), recency_days: 30 };
        let began = Instant::now();
        let found = search.search(&query, 20).await.unwrap();
        times.push(began.elapsed());
        assert_eq!(found.items.len(), 20);
    }
    times.sort();
    let [p50, p95] = [count / 2, count * 95 / 100].map(|at| times[at].as_secs_f64() * 1e3);
    let spent = (self::processor() - processor) * 1e3 / count as f64;
    println!("{what}: p50 {p50:.3} ms, p95 {p95:.3} ms on the clock; {spent:.3} ms of the processor on average");
}

/// Seconds of the processor that this program has used.
fn processor() -> f64 {
    const TICKS: f64 = 100.0;
    let status = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = status.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) / TICKS
}

fn provider(body: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", body.len());
    thread::spawn(move || {
        let reply = head + &body;
        for stream in listener.incoming().flatten() {
            let _ = serve(&stream, reply.as_bytes());
        }
    });
    address
}

fn serve(stream: &TcpStream, reply: &[u8]) -> std::io::Result<()> {
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 0 {
        if line.trim_end().is_empty() {
            writer.write_all(reply)?;
        }
        line.clear();
    }
    Ok(())
}

/// In the form and of the length that SearXNG's answers have.
fn answer() -> Value {
    let row = |number: usize| {
        let text =
            "A <b>snippet</b> of the page that an engine found &amp; shortened, as long as snippets are. ".repeat(4);
        json!({
            "url": format!("https://site-{number}.example/articles/{number}?utm_source=engine"), "title": format!("Page {number}"),
            "content": text, "engine": "engine", "engines": ["engine"], "template": "default.html", "positions": [number], "score": 1.0,
            "parsed_url": ["https", format!("site-{number}.example"), "/articles", "", "", ""], "img_src": "", "thumbnail": "",
            "priority": "", "category": "general", "publishedDate": null,
        })
    };
    let rows: Vec<Value> = (0..RESULTS).map(row).collect();
    json!({"query": "words", "results": rows, "answers": [], "corrections": [], "suggestions": [], "unresponsive_engines": []})
}
