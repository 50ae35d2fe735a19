//! What can be reached: the table of addresses, names that change their mind, redirects and limits.

use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use url::Url;

use super::connection::permitted;
use super::*;
use crate::error::CallError;
use crate::operation::Method;

/// Answers each question with the next of its lists, and with the last one from then on.
#[derive(Debug)]
struct Scripted {
    lists: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Scripted {
    fn new(lists: &[&[&str]]) -> Arc<Self> {
        let lists = lists.iter().map(|list| list.iter().map(|address| address.parse().unwrap()).collect()).collect();
        Arc::new(Self { lists, asked: AtomicUsize::new(0) })
    }
}

impl Lookup for Scripted {
    fn addresses(&self, _: String) -> Pin<Box<dyn Future<Output = std::io::Result<Vec<IpAddr>>> + Send>> {
        let at = self.asked.fetch_add(1, Ordering::Relaxed).min(self.lists.len() - 1);
        let found = self.lists[at].clone();
        Box::pin(async move { Ok(found) })
    }
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn every_address_of_the_table_is_reached_or_refused_as_it_says() {
    let rows = include_str!("addresses.txt").lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let mut checked = 0;
    for row in rows {
        let mut words = row.split_whitespace();
        let (host, resolves, may) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
        let addresses: Vec<&str> = if resolves == "-" { Vec::new() } else { resolves.split(',').collect() };
        let lookup = Scripted::new(&[&addresses]);
        let connection = Connection::new(Reach::Public, false, lookup.clone());
        let url = Url::parse(&format!("http://{host}/")).unwrap_or_else(|error| panic!("{host}: {error}"));
        let dialled: Option<Vec<String>> = match connection.check(&url) {
            Err(CallError::Refused { .. }) => None,
            Err(other) => panic!("{host}: {other}"),
            Ok(()) if addresses.is_empty() => Some(vec![host.to_owned()]),
            Ok(()) => run(permitted(Reach::Public, &*lookup, host.to_owned()))
                .ok()
                .map(|allowed| allowed.iter().map(ToString::to_string).collect()),
        };
        let expected = match may {
            "yes" if addresses.is_empty() => Some(vec![host.to_owned()]),
            "yes" => Some(addresses.iter().map(|address| (*address).to_owned()).collect()),
            "only" => Some(vec![words.next().unwrap().to_owned()]),
            _ => None,
        };
        assert_eq!(dialled, expected, "{host}");
        assert!(Connection::new(Reach::Private, false, lookup).check(&url).is_ok(), "the operator may name {host}");
        checked += 1;
    }
    assert!(checked > 70, "{checked} rows");
}

/// A server that gives each connection the next of these answers, and remembers what it was asked.
fn server(answers: Vec<String>) -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = asked.clone();
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let mut bytes = vec![0; 16 * 1024];
            let length = stream.read(&mut bytes).unwrap_or(0);
            heard.lock().unwrap().push(String::from_utf8_lossy(&bytes[..length]).into_owned());
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (port, asked)
}

fn get(url: &str) -> Outgoing {
    let headers = vec![("authorization".to_owned(), "Bearer secret-token".to_owned())];
    Outgoing { method: Method::Get, url: Url::parse(url).unwrap(), headers, body: None }
}

const LIMITS: Limits = Limits { total: Duration::from_secs(10), answer_bytes: 1000 };

fn closing(head: &str, body: &str) -> String {
    format!("HTTP/1.1 {head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn a_name_that_turns_private_after_the_check_is_not_dialled() {
    let (port, asked) = server(vec![closing("200 OK", "inside")]);
    let lookup = Scripted::new(&[&["127.0.0.1"]]);
    let connection = Connection::new(Reach::Public, false, lookup.clone());
    let ended = run(send(&connection, get(&format!("http://rebind.example:{port}/")), LIMITS));
    assert!(matches!(&ended, Err(CallError::Refused { problem }) if problem.contains("rebind.example")), "{ended:?}");
    assert_eq!(lookup.asked.load(Ordering::Relaxed), 1, "the only lookup is the one whose addresses are dialled");
    assert!(asked.lock().unwrap().is_empty());
}

#[test]
fn an_operator_s_own_host_may_be_private() {
    let (port, _) = server(vec![closing("200 OK", "inside")]);
    let connection = Connection::new(Reach::Private, false, Scripted::new(&[&["127.0.0.1"]]));
    let answer = run(send(&connection, get(&format!("http://own.example:{port}/")), LIMITS)).unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (200, b"inside".as_slice()));
}

#[test]
fn a_redirect_stays_on_its_origin() {
    let (other, other_asked) = server(vec![closing("200 OK", "elsewhere")]);
    for target in [
        format!("http://127.0.0.1:{other}/x"),
        "http://169.254.169.254/latest/meta-data".to_owned(),
        "//example.com/".to_owned(),
        "https://own.example/".to_owned(),
        "file:///etc/passwd".to_owned(),
    ] {
        let (port, _) = server(vec![closing(&format!("302 Found\r\nlocation: {target}"), "")]);
        let connection = Connection::new(Reach::Private, false, Arc::new(SystemLookup));
        let ended = run(send(&connection, get(&format!("http://127.0.0.1:{port}/")), LIMITS));
        assert!(
            matches!(&ended, Err(CallError::Refused { problem }) if problem.contains("redirects")),
            "{target}: {ended:?}"
        );
    }
    assert!(other_asked.lock().unwrap().is_empty(), "credentials went to another host");
    let (port, asked) = server(vec![closing("303 See Other\r\nlocation: /there", ""), closing("200 OK", "there")]);
    let connection = Connection::new(Reach::Private, false, Arc::new(SystemLookup));
    let answer = run(send(&connection, get(&format!("http://127.0.0.1:{port}/here")), LIMITS)).unwrap();
    assert_eq!(answer.body, b"there");
    assert!(asked.lock().unwrap()[1].starts_with("GET /there HTTP/1.1\r\n"));
}

#[test]
fn size_and_time_are_bounded() {
    let (port, _) = server(vec![closing("200 OK", &"x".repeat(5000))]);
    let connection = Connection::new(Reach::Private, false, Arc::new(SystemLookup));
    let answer = run(send(&connection, get(&format!("http://127.0.0.1:{port}/")), LIMITS)).unwrap();
    assert_eq!((answer.body.len(), answer.is_cut), (1000, true));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://127.0.0.1:{}/", silent.local_addr().unwrap().port());
    let limits = Limits { total: Duration::from_millis(200), ..LIMITS };
    let ended = run(send(&connection, get(&url), limits));
    assert!(matches!(ended, Err(CallError::Timeout { .. })), "{ended:?}");
}
