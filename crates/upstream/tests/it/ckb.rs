//! A server in the place of CKB: every reason for doing without it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use store_sqlite::SqliteStore;
use tempfile::TempDir;
use testkit::{Manner, Reply, StandIn};
use upstream::ckb::{Fallback, FallbackReason, Outcome, Symbol};
use upstream::{Ckb, CkbSettings};

/// A project that CKB is set up in, and a store.
pub(crate) struct Scene {
    folder: TempDir,
    pub(crate) server: StandIn,
}

impl Scene {
    pub(crate) fn new(manners: &[Manner], replies: &[(&str, Reply)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("project/.ckb")).unwrap();
        Self { folder, server: StandIn::new(manners, replies) }
    }

    pub(crate) fn root(&self) -> std::path::PathBuf {
        self.folder.path().join("project")
    }

    pub(crate) fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn settings(&self) -> CkbSettings {
        CkbSettings {
            command: self.server.command().into(),
            arguments: vec![self.server.script().into()],
            timeout: Duration::from_secs(30),
            ..CkbSettings::default()
        }
    }

    fn ckb(&self, settings: CkbSettings) -> Ckb {
        Ckb::new(settings, Arc::new(SqliteStore::open(self.data())))
    }
}

fn symbols() -> Reply {
    let location = json!({"fileId": "src/a.ts", "startLine": 3, "endLine": 9});
    let symbol = json!({"stableId": "scip-typescript npm p 1 src/`a.ts`/run().", "name": "run", "kind": "function", "score": 140, "location": location});
    let parameter = json!({"stableId": "scip-typescript npm p 1 src/`a.ts`/run().(x)", "name": "run().(x)", "kind": "function", "score": 90, "location": location});
    Reply::envelope(&json!({"symbols": [parameter, symbol], "totalCount": 2}))
}

async fn search(ckb: &Ckb, root: &Path) -> Outcome<Vec<Symbol>> {
    ckb.symbols(root, "run", 10).await
}

fn fallback<T: std::fmt::Debug>(outcome: Outcome<T>) -> Fallback {
    match outcome {
        Outcome::Fallback(fallback) => fallback,
        Outcome::Available(answer) => panic!("answered {answer:?}"),
    }
}

#[track_caller]
fn assert_fallback(outcome: Outcome<Vec<Symbol>>, reason: FallbackReason, last_error: &str) {
    let found = fallback(outcome);
    assert_eq!((found.reason, found.last_error.as_deref()), (reason, Some(last_error)), "{found:?}");
    assert_eq!(found.cooldown_remaining, None);
}

#[tokio::test]
async fn a_healthy_server_is_asked_and_its_symbols_come_without_parameters() {
    let scene = Scene::new(&[], &[("getStatus", Reply::status(true)), ("searchSymbols", symbols())]);
    let ckb = scene.ckb(scene.settings());
    for _ in 0..2 {
        let Outcome::Available(symbols) = search(&ckb, &scene.root()).await else { panic!("not available") };
        assert_eq!(symbols.len(), 1);
        assert_eq!((symbols[0].qualified_name.as_str(), symbols[0].file.as_str()), ("run", "src/a.ts"));
        assert_eq!((symbols[0].line, symbols[0].end_line), (Some(3), Some(9)));
    }
    assert_eq!(
        (scene.server.starts(), scene.server.calls("getStatus"), scene.server.calls("searchSymbols")),
        (1, 1, 2)
    );
    ckb.close().await;
    scene.server.expect_gone();
}

/// The reason of the first call, and that the second one within the cooldown does not reach the server.
async fn check(manners: &[Manner], replies: &[(&str, Reply)], reason: FallbackReason, last_error: &str) {
    let scene = Scene::new(manners, replies);
    // What fails by itself has all the time that a busy machine may need for it.
    let seconds = if reason == FallbackReason::ConnectionTimeout { 2 } else { 30 };
    let settings = CkbSettings { timeout: Duration::from_secs(seconds), ..scene.settings() };
    assert_fallback(search(&scene.ckb(settings.clone()), &scene.root()).await, reason, last_error);
    let starts = scene.server.starts();
    let second = fallback(search(&scene.ckb(settings), &scene.root()).await);
    assert_eq!((second.reason, second.last_error.as_deref()), (FallbackReason::Cooldown, Some(last_error)));
    assert!((50..=60).contains(&second.cooldown_remaining.unwrap()), "{second:?}");
    assert_eq!(scene.server.starts(), starts);
    scene.server.expect_gone();
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_a_connection_timeout() {
    let last_error = "Connection timeout after 2000ms";
    let silent = [("getStatus", Reply::Silence)];
    check(&[Manner::NeverEnds, Manner::HasChild], &silent, FallbackReason::ConnectionTimeout, last_error).await;
    check(&[Manner::SaysNothing], &[], FallbackReason::ConnectionTimeout, last_error).await;
    let slow = [("getStatus", Reply::status(true)), ("searchSymbols", symbols().late(Duration::from_secs(9)))];
    check(&[], &slow, FallbackReason::ConnectionTimeout, last_error).await;
}

#[tokio::test]
async fn a_call_that_fails_is_an_mcp_error() {
    let reason = FallbackReason::McpError;
    let failing: [(Reply, &str); 6] = [
        (Reply::envelope_error("[OPERATION_FAILED] it broke"), "searchSymbols: [OPERATION_FAILED] it broke"),
        (Reply::failure("it broke"), "`searchSymbols` failed: it broke"),
        (
            Reply::Error { code: -32603, message: "tool not found".to_owned() },
            "`sh` refused the call: tool not found (-32603)",
        ),
        (
            Reply::Dies { code: 2, last_words: "panic: nil".to_owned() },
            "`sh` ended (exit code 2); its last words: panic: nil",
        ),
        (Reply::text("hello"), "searchSymbols: not an answer of CKB (expected value at line 1 column 1): hello"),
        (
            Reply::envelope(&json!({"symbols": {}})),
            "searchSymbols: not an answer of CKB (invalid type: map, expected a sequence): {\"schemaVersion\":\"1.0\",\"data\":{\"symbols\":{}},\"meta\":{}}",
        ),
    ];
    for (reply, last_error) in failing {
        check(&[], &[("getStatus", Reply::status(true)), ("searchSymbols", reply)], reason, last_error).await;
    }
}

#[tokio::test]
async fn a_server_that_is_not_well_fails_the_health_check() {
    let reason = FallbackReason::HealthCheckFailed;
    let no_index = "CKB has no index of this project: Index not found.";
    check(&[], &[("getStatus", Reply::status(false))], reason, no_index).await;
    let ill = Reply::envelope(&json!({"healthy": false, "backends": []}));
    check(&[], &[("getStatus", ill)], reason, "CKB says that it is not healthy").await;
    let broken = Reply::envelope_error("[INTERNAL] no database");
    check(&[], &[("getStatus", broken)], reason, "getStatus: [INTERNAL] no database").await;
    let dead = "`sh` ended (exit code 3); its last words: I will not serve";
    check(&[Manner::EndsAtOnce], &[], reason, dead).await;
}

#[tokio::test]
async fn a_wrong_program_and_a_project_without_ckb_fail_the_health_check() {
    let scene = Scene::new(&[], &[("getStatus", Reply::status(true)), ("searchSymbols", symbols())]);
    let wrong = CkbSettings { command: "no-such-ckb".into(), ..CkbSettings::default() };
    let last_error = "cannot start `no-such-ckb`: there is no such program";
    assert_fallback(search(&scene.ckb(wrong), &scene.root()).await, FallbackReason::HealthCheckFailed, last_error);
    let bare = scene.data();
    std::fs::create_dir_all(&bare).unwrap();
    let last_error = format!("CKB is not set up in {}: run `ckb init` and `ckb index` there", bare.display());
    assert_fallback(search(&scene.ckb(scene.settings()), &bare).await, FallbackReason::HealthCheckFailed, &last_error);
    assert_eq!(scene.server.starts(), 0);
    // Neither keeps the right program from being asked where it is set up.
    assert!(matches!(search(&scene.ckb(scene.settings()), &scene.root()).await, Outcome::Available(_)));
}

#[tokio::test]
async fn disabled_starts_nothing_and_no_cooldown() {
    let scene = Scene::new(&[], &[("getStatus", Reply::status(true)), ("searchSymbols", symbols())]);
    let disabled = CkbSettings { enabled: false, ..scene.settings() };
    let found = fallback(search(&scene.ckb(disabled), &scene.root()).await);
    assert_eq!(found, Fallback { reason: FallbackReason::Disabled, last_error: None, cooldown_remaining: None });
    assert_eq!(scene.server.starts(), 0);
    assert!(!scene.data().exists());
    assert!(matches!(search(&scene.ckb(scene.settings()), &scene.root()).await, Outcome::Available(_)));
}

#[tokio::test]
async fn a_simulated_delay_times_out_also_where_there_is_no_ckb() {
    let scene = Scene::new(&[], &[]);
    let timeout = Duration::from_millis(300);
    let missing = CkbSettings { command: "no-such-ckb".into(), timeout, ..CkbSettings::default() };
    let slow = CkbSettings { mock_delay: Some(Duration::from_millis(400)), ..missing.clone() };
    let found = fallback(search(&scene.ckb(missing), &scene.root()).await);
    assert_eq!(found.reason, FallbackReason::HealthCheckFailed);
    let last_error = "Connection timeout after 300ms";
    assert_fallback(search(&scene.ckb(slow), &scene.root()).await, FallbackReason::ConnectionTimeout, last_error);
}

#[tokio::test]
async fn after_the_cooldown_the_server_is_tried_again() {
    let replies =
        [("getStatus", Reply::status(false)), ("getStatus", Reply::status(true)), ("searchSymbols", symbols())];
    let scene = Scene::new(&[], &replies);
    let settings = CkbSettings { cooldown: Duration::from_millis(500), ..scene.settings() };
    let ckb = scene.ckb(settings);
    assert_eq!(fallback(search(&ckb, &scene.root()).await).reason, FallbackReason::HealthCheckFailed);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert!(matches!(search(&ckb, &scene.root()).await, Outcome::Available(_)));
}

#[tokio::test]
async fn a_store_that_cannot_be_written_holds_nobody_up() {
    let scene = Scene::new(&[], &[("getStatus", Reply::status(true)), ("searchSymbols", symbols())]);
    std::fs::write(scene.data(), "a file where a folder should be").unwrap();
    assert!(matches!(search(&scene.ckb(scene.settings()), &scene.root()).await, Outcome::Available(_)));
    let wrong = scene.ckb(CkbSettings { command: "no-such-ckb".into(), ..CkbSettings::default() });
    for reason in [FallbackReason::HealthCheckFailed, FallbackReason::Cooldown] {
        assert_eq!(fallback(search(&wrong, &scene.root()).await).reason, reason);
    }
}
