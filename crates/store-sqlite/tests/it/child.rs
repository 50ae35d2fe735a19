//! This test binary as another process.
//!
//! [`start`] runs the binary again with a role; the new process comes to [`entry`], which the test harness calls, and plays
//! that role on a folder. What it reports are lines on its standard output.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use store::{DocumentStore as _, NewDocument};
use store_sqlite::SqliteStore;

use crate::sample::document;
use crate::{experiences, knowledge, project_crash};

const ROLE: &str = "TRAILMARK_TEST_ROLE";
const FOLDER: &str = "TRAILMARK_TEST_FOLDER";

/// What another process can do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    /// Open the store and list what is there.
    Open,
    /// Save this many documents at once, one after the other finished.
    SaveMany,
    /// Save and delete until killed, reporting each step.
    ChangeForEver,
    /// Count its own storage threads while a store is unused, used and dropped.
    CountThreads,
    /// Make, change and delete a project until killed, reporting each step.
    IndexForEver,
    /// Submit experiences until killed, reporting each.
    SubmitForEver,
    /// Relate this many nodes to one, all at once.
    RelateMany,
    /// Make, relate and delete nodes until killed, reporting each step.
    RelateForEver,
}

pub(crate) const SAVE_MANY: usize = 150;

const ROLES: [(&str, Role); 8] = [
    ("open", Role::Open),
    ("save-many", Role::SaveMany),
    ("change-for-ever", Role::ChangeForEver),
    ("count-threads", Role::CountThreads),
    ("index-for-ever", Role::IndexForEver),
    ("submit-for-ever", Role::SubmitForEver),
    ("relate-many", Role::RelateMany),
    ("relate-for-ever", Role::RelateForEver),
];

/// Starts a process in this role.
pub(crate) fn start(role: Role, folder: &Path) -> Child {
    let name = ROLES.iter().find(|(_, known)| *known as u8 == role as u8).map(|(name, _)| name).unwrap();
    Command::new(env::current_exe().unwrap())
        .args(["child::entry", "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, name)
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Where a child process begins. In the process that runs the tests there is no role to play.
#[test]
fn entry() {
    let Ok(name) = env::var(ROLE) else { return };
    let role = ROLES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role).unwrap();
    let folder = PathBuf::from(env::var_os(FOLDER).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().unwrap();
    report("");
    runtime.block_on(play(role, folder));
}

async fn play(role: Role, folder: PathBuf) {
    match role {
        Role::Open => {
            SqliteStore::open(folder).newest(1, None).await.unwrap();
        }
        Role::SaveMany => save_many(&SqliteStore::open(folder)).await,
        Role::ChangeForEver => change_for_ever(SqliteStore::open(folder)).await,
        Role::CountThreads => count_threads(folder).await,
        Role::IndexForEver => project_crash::index_for_ever(&folder),
        Role::SubmitForEver => experiences::submit_for_ever(SqliteStore::open(folder)).await,
        Role::RelateMany => knowledge::relate_many(&SqliteStore::open(folder)).await,
        Role::RelateForEver => knowledge::relate_for_ever(SqliteStore::open(folder)).await,
    }
}

/// One write: the parent may kill this process at any moment, but sees no half line as a whole one.
pub(crate) fn report(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}

pub(crate) async fn save_many(store: &SqliteStore) {
    let saves = (0..SAVE_MANY).map(|number| store.save(document(&format!("number {number}"))));
    for result in futures::future::join_all(saves).await {
        result.unwrap();
    }
}

async fn change_for_ever(store: SqliteStore) {
    let store = Arc::new(store);
    let tasks: Vec<_> = (0..4).map(|_| tokio::spawn(change_one_after_another(Arc::clone(&store)))).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn change_one_after_another(store: Arc<SqliteStore>) {
    for number in 0_u64.. {
        let content = "some 中文 content ".repeat(100);
        let id = store.save(NewDocument { content, ..document("crash") }).await.unwrap();
        report(&format!("saved {id}"));
        if number.is_multiple_of(4) {
            report(&format!("deleting {id}"));
            store.delete(id).await.unwrap();
            report(&format!("deleted {id}"));
        }
    }
}

async fn count_threads(folder: PathBuf) {
    let store = SqliteStore::open(&folder);
    report(&format!("unused {} {}", storage_threads(), folder.exists()));
    store.newest(1, None).await.unwrap();
    report(&format!("read {}", threads_soon(1).await));
    save_many(&store).await;
    report(&format!("written {}", threads_soon(2).await));
    for _ in 0..20 {
        futures::future::join_all((0..50).map(|_| store.find_by_topic("中文", 100))).await;
    }
    report(&format!("busy {}", threads_soon(3).await));
    store.close().await;
    report(&format!("closed {}", threads_soon(0).await));
    store.newest(1, None).await.unwrap();
    drop(store);
    report(&format!("dropped {}", threads_soon(0).await));
}

/// How many threads there are once there are this many, or after a while: a thread takes and gives up its name by itself.
async fn threads_soon(expected: usize) -> usize {
    for _ in 0..500 {
        if storage_threads() == expected {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    storage_threads()
}

/// The threads of this process that carry our name.
fn storage_threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| name.starts_with("trailmark-")).count()
}
