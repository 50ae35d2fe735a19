//! The audit log stays young and small.

use std::fs;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use store::{AuditEntry, AuditLog as _, ErrorKind};
use store_sqlite::{AuditLimits, SqliteAuditLog};

use crate::sample::{EVERY_ENTRY, entry};

const DAY: Duration = Duration::from_secs(24 * 3600);

fn aged(hours: i64) -> AuditEntry {
    AuditEntry { time: Timestamp::now() - SignedDuration::from_hours(hours), ..entry("old") }
}

#[tokio::test]
async fn entries_that_are_too_old_go_at_the_first_append() {
    let folder = tempfile::tempdir().unwrap();
    let for_ever = AuditLimits { max_age: 10_000 * DAY, max_bytes: 1 << 30 };
    let log = SqliteAuditLog::open(folder.path(), for_ever);
    log.append(vec![aged(100), aged(25), aged(23)]).await.unwrap();
    assert_eq!(log.list(EVERY_ENTRY).await.unwrap().len(), 3);
    drop(log);

    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: 1 << 30 });
    let new = entry("new");
    log.append(vec![new.clone()]).await.unwrap();
    let kept = log.list(EVERY_ENTRY).await.unwrap();
    assert_eq!(kept.len(), 2);
    assert_eq!(kept[0].trace_id, new.trace_id);
}

#[tokio::test]
async fn entries_go_out_of_date_while_the_log_is_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: 1 << 30 });
    log.append(vec![entry("first")]).await.unwrap();
    let old = aged(30);
    log.append(vec![old.clone()]).await.unwrap();
    for _ in 0..26 {
        log.append((0..10).map(|_| entry("more")).collect()).await.unwrap();
    }
    assert_eq!(log.get(old.trace_id).await.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn the_file_stays_below_its_limit_and_the_oldest_go_first() {
    const MAX_BYTES: u64 = 2 << 20;
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: MAX_BYTES });
    let answer = "answer ".repeat(1_500);
    let mut appended = Vec::new();
    for _ in 0..100 {
        let entries: Vec<_> = (0..10).map(|_| entry(&answer)).collect();
        appended.extend(entries.iter().map(|entry| entry.trace_id));
        log.append(entries).await.unwrap();
    }
    let kept: Vec<_> = log.list(EVERY_ENTRY).await.unwrap().iter().rev().map(|entry| entry.trace_id).collect();
    assert!(kept.len() > 100, "only {} entries are left", kept.len());
    assert_eq!(kept, appended[appended.len() - kept.len()..]);
    log.close().await;
    let size = fs::metadata(log.path()).unwrap().len();
    assert!(size <= MAX_BYTES, "{size} bytes");
    assert!(size > MAX_BYTES / 2, "{size} bytes");
}

#[tokio::test]
async fn a_smaller_limit_shrinks_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: 1 << 30 });
    log.append((0..500).map(|_| entry(&"answer ".repeat(1_500))).collect()).await.unwrap();
    log.close().await;
    assert!(fs::metadata(log.path()).unwrap().len() > 4 << 20);

    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: 1 << 20 });
    log.append(vec![entry("new")]).await.unwrap();
    log.close().await;
    assert!(fs::metadata(log.path()).unwrap().len() <= 1 << 20);
}

#[tokio::test]
async fn one_entry_larger_than_the_limit_does_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let log = SqliteAuditLog::open(folder.path(), AuditLimits { max_age: DAY, max_bytes: 64 << 10 });
    log.append(vec![entry(&"answer ".repeat(100_000))]).await.unwrap();
    let small = entry("small");
    log.append(vec![small.clone()]).await.unwrap();
    assert_eq!(log.list(EVERY_ENTRY).await.unwrap().len(), 1);
    log.get(small.trace_id).await.unwrap();
}
