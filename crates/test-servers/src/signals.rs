//! Signals to a process and to all that it started, by process id.

use std::process::{Command, Stdio};

/// `STOP`, `CONT`, `KILL` … to one process; whether it was there.
pub(crate) fn send(signal: &str, process: u32) -> bool {
    let mut kill = Command::new("kill");
    kill.args([format!("-{signal}"), process.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
    kill.status().is_ok_and(|status| status.success())
}

/// To a process and everything below it, parents first.
pub(crate) fn send_to_tree(signal: &str, ancestor: u32) {
    for process in tree(ancestor) {
        send(signal, process);
    }
}

/// When a process began, as `ps` writes it: another process with the same id began at another time.
pub(crate) fn began(process: u32) -> Option<String> {
    let output = Command::new("ps").args(["-o", "lstart=", "-p", &process.to_string()]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|began| !began.is_empty())
}

fn tree(ancestor: u32) -> Vec<u32> {
    let output = Command::new("ps").args(["-A", "-o", "pid=,ppid="]).output();
    let listed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let row = |line: &str| -> Option<(u32, u32)> {
        let mut fields = line.split_whitespace();
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    let table: Vec<(u32, u32)> = listed.lines().filter_map(row).collect();
    let mut found = vec![ancestor];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(table.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        next += 1;
    }
    found
}
