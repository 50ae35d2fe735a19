//! This test binary as another process.
//!
//! [`start`] runs the binary again with a role; the new process comes to [`entry`], which the test harness calls, and plays
//! that role on a folder with source code and a folder for the store. What it reports are lines on its standard output.

use std::env;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use code_index::Indexer;
use store_sqlite::SqliteProjects;

use crate::sharing;
use crate::workbench::request;

const ROLE: &str = "TRAILMARK_TEST_ROLE";
const ROOT: &str = "TRAILMARK_TEST_ROOT";
const DATA: &str = "TRAILMARK_TEST_DATA";

/// What another process can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Index once and report what was read.
    IndexOnce,
    /// Edit and index until killed, reporting each step.
    EditForEver,
}

const ROLES: [(&str, Role); 2] = [("index-once", Role::IndexOnce), ("edit-for-ever", Role::EditForEver)];

/// Starts a process in this role.
pub(crate) fn start(role: Role, root: &Path, data: &Path) -> Child {
    let name = ROLES.iter().find(|(_, known)| *known == role).map(|(name, _)| name).unwrap();
    Command::new(env::current_exe().unwrap())
        .args(["child::entry", "--exact", "--nocapture", "--test-threads=1"])
        .env(ROLE, name)
        .env(ROOT, root)
        .env(DATA, data)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Where a child process begins. In the process that runs the tests there is no role to play.
#[test]
fn entry() {
    let Ok(name) = env::var(ROLE) else { return };
    let role = ROLES.iter().find(|(known, _)| *known == name).map(|(_, role)| *role).unwrap();
    let path = |variable| PathBuf::from(env::var_os(variable).unwrap());
    let (root, data) = (path(ROOT), path(DATA));
    let indexer = Indexer::new(Arc::new(SqliteProjects::open(data))).that_stays();
    report("");
    match role {
        Role::IndexOnce => {
            let indexed = indexer.index(&request(&root), &()).unwrap();
            report(&format!("parsed {}", indexed.parsed));
        }
        Role::EditForEver => sharing::edit_for_ever(&indexer, &root),
    }
}

/// One write: the parent may kill this process at any moment, but sees no half line as a whole one.
pub(crate) fn report(line: &str) {
    std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).unwrap();
}
