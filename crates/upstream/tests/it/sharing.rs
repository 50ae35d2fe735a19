//! Six processes that start together and share a store.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use store_sqlite::SqliteStore;
use testkit::{Manner, Reply};
use upstream::ckb::Outcome;
use upstream::{Ckb, CkbSettings};

use crate::ckb::Scene;

const PROCESSES: usize = 6;
const SCRIPT: &str = "UPSTREAM_TEST_SCRIPT";
const ROOT: &str = "UPSTREAM_TEST_ROOT";
const DATA: &str = "UPSTREAM_TEST_DATA";
const TIMEOUT: &str = "UPSTREAM_TEST_TIMEOUT_MS";
/// What a child's line of interest begins with.
const OUTCOME: &str = "outcome: ";

/// Where a child process begins. In the process that runs the tests there is nothing to do.
#[test]
fn entry() {
    let Some(script) = env::var_os(SCRIPT) else { return };
    let settings = CkbSettings {
        command: "sh".into(),
        arguments: vec![script],
        timeout: Duration::from_millis(env::var(TIMEOUT).unwrap().parse().unwrap()),
        ..CkbSettings::default()
    };
    let folder = |name: &str| PathBuf::from(env::var_os(name).unwrap());
    let ckb = Ckb::new(settings, Arc::new(SqliteStore::open(folder(DATA))));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let outcome = match runtime.block_on(ckb.symbols(&folder(ROOT), "run", 3)) {
        Outcome::Available(_) => "available",
        Outcome::Fallback(fallback) => fallback.reason.as_str(),
    };
    // The runtime and the client are dropped in the order of a program that simply ends.
    std::io::Write::write_all(&mut std::io::stdout(), format!("\n{OUTCOME}{outcome}\n").as_bytes()).unwrap();
}

fn start(script: &Path, scene: &Scene, timeout: Duration) -> std::process::Child {
    Command::new(env::current_exe().unwrap())
        .args(["sharing::entry", "--exact", "--nocapture", "--test-threads=1"])
        .env(SCRIPT, script)
        .env(ROOT, scene.root())
        .env(DATA, scene.data())
        .env(TIMEOUT, timeout.as_millis().to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What each of the processes got, sorted.
fn outcomes(scene: &Scene, timeout: Duration) -> Vec<String> {
    let script = scene.server.script();
    let children: Vec<_> = (0..PROCESSES).map(|_| start(&script, scene, timeout)).collect();
    let outputs = children.into_iter().map(|child| child.wait_with_output().unwrap());
    let line = |output: std::process::Output| {
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().find_map(|line| line.strip_prefix(OUTCOME)).expect("a child says what it got").to_owned()
    };
    let mut outcomes: Vec<String> = outputs.map(line).collect();
    outcomes.sort();
    outcomes
}

#[test]
fn a_broken_server_is_reached_once() {
    let broken = [
        (&[Manner::NeverEnds, Manner::HasChild][..], "connection_timeout"),
        (&[Manner::EndsAtOnce][..], "health_check_failed"),
    ];
    for (manners, reason) in broken {
        let scene = Scene::new(manners, &[("getStatus", Reply::Silence)]);
        let mut expected = vec!["cooldown"; PROCESSES - 1];
        expected.push(reason);
        expected.sort_unstable();
        assert_eq!(outcomes(&scene, Duration::from_secs(4)), expected);
        assert_eq!(scene.server.starts(), 1);
        assert_eq!(outcomes(&scene, Duration::from_secs(4)), ["cooldown"; PROCESSES]);
        assert_eq!(scene.server.starts(), 1);
        scene.server.expect_gone();
    }
}

#[test]
fn a_healthy_server_serves_them_all_and_nothing_is_left() {
    let found = Reply::envelope(&json!({"symbols": []}));
    let replies = [("getStatus", Reply::status(true)), ("searchSymbols", found)];
    let scene = Scene::new(&[Manner::NeverEnds, Manner::HasChild], &replies);
    assert_eq!(outcomes(&scene, Duration::from_secs(60)), ["available"; PROCESSES]);
    assert_eq!(scene.server.starts(), PROCESSES);
    scene.server.expect_gone();
}
