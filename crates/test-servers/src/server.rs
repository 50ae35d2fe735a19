//! One running server: started in a temporary folder, hurt on request, ended when dropped.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::left::Left;
use crate::program::{Place, Program};
use crate::signals;

const OUTPUT: &str = "output.txt";
const START: Duration = Duration::from_secs(90);
const END: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(30);
/// What a killed server left may still be in use for a moment.
const ATTEMPTS: usize = 5;

#[derive(Debug)]
pub struct Server {
    program: &'static dyn Program,
    place: Place,
    process: Option<Child>,
    folder: Option<TempDir>,
}

impl Server {
    /// A new one, from the environment that the program's variable names.
    pub fn start(program: &'static dyn Program) -> Result<Self> {
        let variable = program.variable();
        let installed = std::env::var_os(&variable).map(PathBuf::from);
        let installed = installed.with_context(|| format!("{variable} is not set: `cargo xtask test` sets it"))?;
        Self::start_from(program, installed)
    }

    /// A new one, from the Python environment that holds it.
    pub fn start_from(program: &'static dyn Program, installed: PathBuf) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("trailmark-{}-", program.name())).tempdir()?;
        let place = Place { installed, folder: folder.path().canonicalize()?, ports: free_ports(program.ports())? };
        program.prepare(&place)?;
        let mut server = Self { program, place, process: None, folder: Some(folder) };
        server.launch(true)?;
        Ok(server)
    }

    /// The address of it, with user and password.
    pub fn url(&self) -> String {
        self.program.url(&self.place)
    }

    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Starts it again after [`Server::kill`], on the same ports and with what it had kept.
    pub fn restart(&mut self) -> Result<()> {
        self.kill();
        self.launch(false)
    }

    /// Ends it and all it started without a warning, as a power cut would.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            signals::send_to_tree("KILL", process.id());
            let _ = process.kill();
            let _ = process.wait();
        }
    }

    /// From now on it takes connections and answers nothing.
    pub fn pause(&self) {
        self.signal("STOP");
    }

    /// It goes on where it was paused.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    /// What is left when this program ends and the server goes on.
    pub fn leave(mut self) -> Result<Left> {
        let process = self.process.take().context("the server does not run")?;
        let began = signals::began(process.id()).context("the server has ended")?;
        let folder = self.folder.take().context("the server has no folder")?.keep();
        Ok(Left { process: process.id(), began, folder, url: self.url() })
    }

    fn signal(&self, signal: &str) {
        if let Some(process) = &self.process {
            signals::send_to_tree(signal, process.id());
        }
    }

    fn launch(&mut self, is_first: bool) -> Result<()> {
        let mut attempt = 1;
        while let Err(error) = self.launch_once() {
            if attempt == ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
            std::thread::sleep(POLL * 10);
        }
        self.program.settle(&self.place, is_first)
    }

    fn launch_once(&mut self) -> Result<()> {
        let log = File::create(self.place.folder.join(OUTPUT))?;
        let mut command = self.program.command(&self.place)?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).current_dir(&self.place.folder);
        // Whoever ends a test with a key does not end a server that was meant to stay.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn().with_context(|| format!("cannot start {}", self.program.name()))?;
        let until = Instant::now() + START;
        loop {
            let output = String::from_utf8_lossy(&fs::read(self.place.folder.join(OUTPUT))?).into_owned();
            if self.program.is_ready(&self.place, &output) {
                self.process = Some(process);
                return Ok(());
            }
            let ended = process.try_wait()?;
            if ended.is_some() || Instant::now() > until {
                signals::send_to_tree("KILL", process.id());
                let _ = process.wait();
                bail!("{} did not start ({ended:?}): {output}", self.program.name());
            }
            std::thread::sleep(POLL);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(process) = &mut self.process else { return };
        // A paused process takes no other signal.
        signals::send_to_tree("CONT", process.id());
        signals::send(self.program.stop_signal(), process.id());
        let until = Instant::now() + END;
        while matches!(process.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(POLL);
        }
        self.kill();
    }
}

/// All held until all are known, so that they differ.
fn free_ports(count: usize) -> Result<Vec<u16>> {
    let listeners = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<std::io::Result<Vec<_>>>()?;
    listeners.iter().map(|listener| Ok(listener.local_addr()?.port())).collect()
}
