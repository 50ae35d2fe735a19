//! A server that goes on after the program that started it, and how another program ends it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::signals;

const END: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(50);

/// What is written down about it, one line each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    pub process: u32,
    /// When it began, so that no other process with its id is taken for it.
    pub began: String,
    pub folder: PathBuf,
    pub url: String,
}

impl Left {
    pub fn to_text(&self) -> String {
        format!("{}\n{}\n{}\n{}\n", self.process, self.began, self.folder.display(), self.url)
    }

    pub fn from_text(text: &str) -> Result<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let [process, began, folder, url] = lines[..] else { bail!("there should be four lines, not {}", lines.len()) };
        let process = process.parse().context("the first line is no process id")?;
        Ok(Self { process, began: began.to_owned(), folder: PathBuf::from(folder), url: url.to_owned() })
    }

    pub fn is_running(&self) -> bool {
        signals::began(self.process).is_some_and(|began| began == self.began)
    }

    /// Ends it and deletes its folder. Whether it was still running.
    pub fn end(&self) -> Result<bool> {
        let was_running = self.is_running();
        if was_running {
            signals::send("TERM", self.process);
            let until = Instant::now() + END;
            while self.is_running() {
                if Instant::now() > until {
                    signals::send_to_tree("KILL", self.process);
                    break;
                }
                std::thread::sleep(POLL);
            }
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).with_context(|| format!("cannot delete {}", self.folder.display()))?;
        }
        Ok(was_running)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_down_is_read_back() {
        let left = Left {
            process: 7,
            began: "Tue Nov 17 03:50:46 2026".to_owned(),
            folder: PathBuf::from("a b"),
            url: "bolt://127.0.0.1:1".to_owned(),
        };
        assert_eq!(Left::from_text(&left.to_text()).unwrap(), left);
        assert!(Left::from_text("7\n").is_err());
    }

    #[test]
    #[cfg(unix)]
    fn only_the_process_that_was_written_down_is_ended() {
        let mut process = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let folder = tempfile::tempdir().unwrap().keep();
        let began = signals::began(process.id()).unwrap();
        let left = Left { process: process.id(), began, folder: folder.clone(), url: String::new() };
        let other = Left { began: "Thu Jan  1 00:00:00 1970".to_owned(), folder: folder.join("none"), ..left.clone() };
        assert!(!other.end().unwrap());
        assert!(process.try_wait().unwrap().is_none());
        // A child that nobody waits for keeps its row: somebody waits.
        let waiter = std::thread::spawn(move || process.wait().unwrap());
        assert!(left.end().unwrap());
        assert!(!waiter.join().unwrap().success() && !folder.exists());
    }
}
