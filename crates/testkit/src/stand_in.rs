//! An MCP server that behaves as badly as a test wants: slow, dying, lying, talking rubbish, not to be got rid of.
//!
//! It is a script for the shell, so that it needs no program that may be missing. It writes down every start and every
//! call, over all the processes it was started by.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::PATIENCE;

/// How it answers a call of one tool.
#[derive(Debug, Clone)]
pub enum Reply {
    /// With this as the result of the call.
    Result(Value),
    /// With an error of the protocol.
    Error { code: i32, message: String },
    /// With this line, as it is.
    Line(String),
    /// Not at all.
    Silence,
    /// By ending with this code, after last words on standard error.
    Dies { code: i32, last_words: String },
    /// So, but late.
    Late(Duration, Box<Reply>),
    /// So, after lines that are no messages, or none that it should send.
    AfterRubbish(Box<Reply>),
    /// So, after one line of so many bytes.
    AfterFlood(usize, Box<Reply>),
}

impl Reply {
    /// With a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Result(json!({"content": [{"type": "text", "text": text.into()}]}))
    }

    /// With a text that says what went wrong.
    pub fn failure(text: &str) -> Self {
        Self::Result(json!({"content": [{"type": "text", "text": text}], "isError": true}))
    }

    /// As CKB answers.
    pub fn envelope(data: &Value) -> Self {
        Self::text(json!({"schemaVersion": "1.0", "data": data, "meta": {}}).to_string())
    }

    /// As CKB fails.
    pub fn envelope_error(error: &str) -> Self {
        Self::text(json!({"schemaVersion": "1.0", "data": null, "error": error}).to_string())
    }

    /// As CKB says that it is well, with or without an index.
    pub fn status(has_index: bool) -> Self {
        let scip = json!({"id": "scip", "available": has_index, "healthy": has_index, "details": "Index not found."});
        Self::envelope(&json!({"status": "healthy", "healthy": true, "backends": [scip]}))
    }

    pub fn late(self, after: Duration) -> Self {
        Self::Late(after, Box::new(self))
    }

    pub fn after_rubbish(self) -> Self {
        Self::AfterRubbish(Box::new(self))
    }

    pub fn after_flood(self, bytes: usize) -> Self {
        Self::AfterFlood(bytes, Box::new(self))
    }
}

/// What it does beside answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Ends before it has said anything.
    EndsAtOnce,
    /// Does not answer the handshake.
    SaysNothing,
    /// Writes lines to standard output that are no messages before it begins.
    BeginsWithRubbish,
    /// Writes more to standard error than a pipe holds.
    Chatters,
    /// Does not end when it is asked to, nor when its input ends.
    NeverEnds,
    /// Starts another process, which holds its pipes and does not end either.
    HasChild,
}

/// The script and what it wrote down. Whatever of it still runs is killed at the end.
#[derive(Debug)]
pub struct StandIn {
    folder: TempDir,
}

impl StandIn {
    /// Replies to one tool are given in turn, over all starts; the last one is repeated.
    pub fn new(manners: &[Manner], replies: &[(&str, Reply)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let mut by_tool: BTreeMap<&str, Vec<&Reply>> = BTreeMap::new();
        for (tool, reply) in replies {
            by_tool.entry(tool).or_default().push(reply);
        }
        let script = script(folder.path(), manners, &by_tool);
        fs::write(folder.path().join("server.sh"), script).expect("a script can be written");
        Self { folder }
    }

    /// What is to be started: the shell.
    pub fn command(&self) -> &'static str {
        "sh"
    }

    /// What the shell is to be given before any other arguments.
    pub fn script(&self) -> PathBuf {
        self.folder.path().join("server.sh")
    }

    /// How often it was started.
    pub fn starts(&self) -> usize {
        self.lines("starts").len()
    }

    /// How often a tool was called.
    pub fn calls(&self, tool: &str) -> usize {
        self.lines("calls").iter().filter(|line| *line == tool).count()
    }

    /// Waits until nothing of it runs any more, and fails if that takes too long.
    pub fn expect_gone(&self) {
        let until = Instant::now() + PATIENCE;
        loop {
            let left: Vec<u32> = self.process_ids().into_iter().filter(|id| is_running(*id)).collect();
            if left.is_empty() {
                return;
            }
            assert!(Instant::now() < until, "still running: {left:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// How many processes of it run.
    pub fn running(&self) -> usize {
        self.process_ids().into_iter().filter(|id| is_running(*id)).count()
    }

    fn process_ids(&self) -> Vec<u32> {
        self.lines("processes").iter().filter_map(|line| line.parse().ok()).collect()
    }

    fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        for id in self.process_ids().into_iter().filter(|id| is_running(*id)) {
            let pid = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
            let _ = pid.map(|pid| rustix::process::kill_process(pid, rustix::process::Signal::KILL));
        }
    }
}

/// Whether it runs; one that has ended and was not collected does not.
fn is_running(id: u32) -> bool {
    let state = if cfg!(target_os = "linux") {
        let status = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        status.rsplit(") ").next().unwrap_or_default().to_owned()
    } else {
        let status = Command::new("ps").args(["-o", "stat=", "-p", &id.to_string()]).output();
        String::from_utf8_lossy(&status.expect("ps can be run").stdout).into_owned()
    };
    state.chars().next().is_some_and(|letter| letter != 'Z')
}

const HEAD: &str = r#"
echo start >> "$folder/starts"
echo $$ >> "$folder/processes"
rubbish() {
    echo 'Loading modules... done'
    printf '\377\376\000\001 not even text\n'
    echo '{"half": '
    echo '[1, 2, 3]'
    echo '{"jsonrpc": "2.0", "id": 987654, "result": {"content": []}}'
    echo '{"jsonrpc": "2.0", "method": "notifications/never_heard_of", "params": {"x": 1}}'
    echo
}
"#;

const LOOP: &str = r#"
while IFS= read -r line; do
    id=${line#*\"id\":}
    id=${id%%[,\}]*}
    case "$line" in
        *'"method":"initialize"'*) greet ;;
        *'"method":"tools/list"'*) offer ;;
        *'"method":"tools/call"'*) call ;;
    esac
done
"#;

fn script(folder: &Path, manners: &[Manner], replies: &BTreeMap<&str, Vec<&Reply>>) -> String {
    let has = |manner: Manner| manners.contains(&manner);
    let mut script = format!("folder='{}'\n{HEAD}", folder.display());
    let lines = [
        (has(Manner::EndsAtOnce), "echo 'I will not serve' >&2; exit 3\n"),
        (has(Manner::NeverEnds), "trap '' TERM HUP INT\n"),
        (
            has(Manner::HasChild),
            "(trap '' TERM HUP INT; while :; do sleep 60; done) & echo $! >> \"$folder/processes\"\n",
        ),
        (has(Manner::Chatters), "head -c 300000 /dev/zero | tr '\\0' 'e' >&2; echo >&2\n"),
        (has(Manner::BeginsWithRubbish), "rubbish\n"),
    ];
    lines.into_iter().filter(|(is_on, _)| *is_on).for_each(|(_, line)| script.push_str(line));
    let greeting = json!({
        "protocolVersion": "2024-11-05",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "stand-in", "version": "1"},
    });
    let greeting = if has(Manner::SaysNothing) { "    :\n".to_owned() } else { result(folder, "greeting", &greeting) };
    let input = json!({"type": "object", "properties": {"query": {"type": "string"}}});
    let tool = |name: &&&str| json!({"name": name, "description": "a tool", "inputSchema": input});
    let offer = json!({"tools": replies.keys().collect::<Vec<_>>().iter().map(tool).collect::<Vec<_>>()});
    let _ = write!(script, "greet() {{\n{greeting}}}\noffer() {{\n{}}}\n", result(folder, "offer", &offer));
    let _ = write!(script, "call() {{\n    case \"$line\" in\n");
    for (tool, replies) in replies {
        let _ = write!(script, "    *'\"name\":\"{tool}\"'*)\n{}    ;;\n", turns(folder, tool, replies));
    }
    script.push_str("    esac\n}\n");
    script.push_str(LOOP);
    if has(Manner::NeverEnds) {
        script.push_str("while :; do sleep 60; done\n");
    }
    script
}

/// The replies to one tool: which one comes is counted in what was written down.
fn turns(folder: &Path, tool: &str, replies: &[&Reply]) -> String {
    let mut turns = format!(
        "    echo '{tool}' >> \"$folder/calls\"\n    turn=$(grep -c -x '{tool}' \"$folder/calls\")\n    case $turn in\n"
    );
    for (index, reply) in replies.iter().enumerate() {
        let turn = if index + 1 == replies.len() { "*".to_owned() } else { (index + 1).to_string() };
        let _ = write!(turns, "    {turn})\n{}    ;;\n", actions(folder, &format!("{tool}-{index}"), reply));
    }
    turns + "    esac\n"
}

fn actions(folder: &Path, name: &str, reply: &Reply) -> String {
    match reply {
        Reply::Result(value) => result(folder, name, value),
        Reply::Error { code, message } => {
            let error = json!({"code": code, "message": message});
            message_with(folder, name, "error", &error)
        }
        Reply::Line(line) => {
            keep(folder, name, line);
            format!("    cat \"$folder/{name}\"; echo\n")
        }
        Reply::Silence => "    :\n".to_owned(),
        Reply::Dies { code, last_words } => {
            keep(folder, name, last_words);
            format!("    cat \"$folder/{name}\" >&2; exit {code}\n")
        }
        Reply::Late(after, reply) => format!("    sleep {}\n{}", after.as_secs_f64(), actions(folder, name, reply)),
        Reply::AfterRubbish(reply) => format!("    rubbish\n{}", actions(folder, name, reply)),
        Reply::AfterFlood(bytes, reply) => {
            format!("    head -c {bytes} /dev/zero | tr '\\0' 'x'; echo\n{}", actions(folder, name, reply))
        }
    }
}

fn result(folder: &Path, name: &str, value: &Value) -> String {
    message_with(folder, name, "result", value)
}

fn message_with(folder: &Path, name: &str, field: &str, value: &Value) -> String {
    keep(folder, name, &value.to_string());
    format!("    printf '{{\"jsonrpc\":\"2.0\",\"id\":%s,\"{field}\":' \"$id\"; cat \"$folder/{name}\"; echo '}}'\n")
}

fn keep(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).expect("a reply can be kept");
}
