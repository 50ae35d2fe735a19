//! Between a program and the server that it uses: lets a number of bytes through, then the connection is lost, or nothing comes any more.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

const LONGEST: Duration = Duration::from_secs(180);

/// What happens once the bytes are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The connection ends, and so does every later one, at once.
    Lost,
    /// The connection ends; the next one is let through.
    LostOnce,
    /// Nothing comes through any more, and nobody is told before the program ends.
    Silence,
}

/// A listener on loopback in front of another one.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    used_up: Receiver<()>,
}

impl Proxy {
    /// Lets this many bytes through to the server at this port.
    pub fn start(server: u16, bytes: i64, then: Then) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let port = listener.local_addr().expect("a listener has an address").port();
        let (sender, used_up) = mpsc::channel();
        let left = Arc::new(AtomicI64::new(bytes));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (left, sender) = (left.clone(), sender.clone());
                thread::spawn(move || connect(client, server, &left, then, &sender));
            }
        });
        Self { port, used_up }
    }

    /// Where it listens on loopback.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Until the bytes are used up.
    pub fn wait(&self) {
        self.used_up.recv_timeout(LONGEST).expect("the bytes are used up in time");
    }
}

fn connect(client: TcpStream, server: u16, left: &AtomicI64, then: Then, used_up: &Sender<()>) {
    if left.load(Ordering::SeqCst) <= 0 && then == Then::Lost {
        return;
    }
    let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { return };
    let (Ok(mut from_server), Ok(mut to_client)) = (server.try_clone(), client.try_clone()) else { return };
    thread::spawn(move || std::io::copy(&mut from_server, &mut to_client));
    let is_limited = left.load(Ordering::SeqCst) > 0;
    forward(&client, &server, is_limited.then_some(left));
    if is_limited && left.load(Ordering::SeqCst) <= 0 {
        let _ = used_up.send(());
        if then == Then::Silence {
            until_the_end_of(&client);
        }
    }
    let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
}

/// What the system does for a program that is killed: its end of the connection is closed, and the server is told.
fn until_the_end_of(mut client: &TcpStream) {
    let mut lost = [0; 1024];
    while matches!(client.read(&mut lost), Ok(1..)) {}
}

/// Until one side ends or the bytes are used up.
fn forward(mut client: &TcpStream, mut server: &TcpStream, left: Option<&AtomicI64>) {
    let mut piece = [0; 1024];
    while let Ok(length @ 1..) = client.read(&mut piece) {
        if server.write_all(&piece[..length]).is_err() {
            return;
        }
        let is_used_up = |left: &AtomicI64| left.fetch_sub(length as i64, Ordering::SeqCst) <= length as i64;
        if left.is_some_and(is_used_up) {
            return;
        }
    }
}
