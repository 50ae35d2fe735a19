//! Looking again at what changed finds what a new walk finds.

use std::fs;
use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Changes, Walk};

const FOLDERS: &[&str] = &["a", "a/b", "a/b/c", "d", "d/node_modules", "a/target", "e.py"];
const NAMES: &[&str] = &["x.py", "y.ts", "Cargo.toml", "pyvenv.cfg", ".hidden"];

#[derive(Debug, Clone)]
enum Step {
    Write(String),
    Remove(String),
    Rename(String, String),
    Refresh,
}

fn path() -> impl Strategy<Value = String> {
    let file = (select(FOLDERS), select(NAMES)).prop_map(|(folder, name)| format!("{folder}/{name}"));
    prop_oneof![4 => file, 1 => select(NAMES).prop_map(str::to_owned), 2 => select(FOLDERS).prop_map(str::to_owned)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => path().prop_map(Step::Write),
        2 => path().prop_map(Step::Remove),
        3 => (path(), path()).prop_map(|(from, to)| Step::Rename(from, to)),
        3 => Just(Step::Refresh),
    ]
}

impl Changes {
    /// As the system reports it: of a folder that appears, nothing that is in it.
    fn report(&mut self, path: &str, is_of_names: bool) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.folders.insert(folder.to_owned());
        if is_of_names {
            self.replaced.insert(path.to_owned());
        }
    }

    fn write(&mut self, root: &Path, path: &str) {
        let place = root.join(path);
        let ends = path.match_indices('/').map(|(end, _)| end);
        let missing = ends.map(|end| &path[..end]).find(|folder| !root.join(folder).exists());
        let is_new = !place.exists();
        let _ = fs::create_dir_all(place.parent().unwrap());
        if fs::write(&place, path).is_ok() || missing.is_some() {
            self.report(missing.unwrap_or(path), is_new);
        }
    }

    fn remove(&mut self, root: &Path, path: &str) {
        let place = root.join(path);
        if fs::remove_file(&place).is_ok() || fs::remove_dir_all(&place).is_ok() {
            self.report(path, true);
        }
    }

    fn rename(&mut self, root: &Path, from: &str, to: &str) {
        if fs::rename(root.join(from), root.join(to)).is_ok() {
            self.report(from, true);
            self.report(to, true);
        }
    }
}

fn check(walk: &Walk, root: &Path) {
    let clean = Walk::of(root, &()).unwrap();
    let sorted = |walk: &Walk| {
        let (mut folders, mut skipped) = (walk.folders().map(str::to_owned).collect::<Vec<_>>(), walk.skipped());
        folders.sort();
        skipped.sort();
        (walk.files(), folders, skipped)
    };
    assert_eq!(sorted(walk), sorted(&clean));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refreshing_a_walk_finds_what_a_new_one_finds(steps in vec(step(), 1..30)) {
        let root = tempfile::tempdir().unwrap();
        let mut walk = Walk::of(root.path(), &()).unwrap();
        let mut changes = Changes::default();
        for step in steps.iter().chain([&Step::Refresh]) {
            match step {
                Step::Write(path) => changes.write(root.path(), path),
                Step::Remove(path) => changes.remove(root.path(), path),
                Step::Rename(from, to) => changes.rename(root.path(), from, to),
                Step::Refresh => {
                    walk.refresh(root.path(), &std::mem::take(&mut changes), &()).unwrap();
                    check(&walk, root.path());
                }
            }
        }
    }
}
