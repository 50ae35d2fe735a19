//! Which changes cannot matter, such as those of a log file that is ignored.

use std::path::Path;

use notify::Event;
use rustc_hash::FxHashSet;

use super::eyes::{from_root, is_of_names};
use crate::report::Skipped;

/// What the last run left out because of its name.
#[derive(Debug, Default)]
pub(super) struct QuietPaths {
    files: FxHashSet<String>,
    folders: FxHashSet<String>,
}

impl QuietPaths {
    pub(super) fn new(skipped: &[Skipped]) -> Self {
        let mut quiet = Self::default();
        for skipped in skipped.iter().filter(|skipped| skipped.reason.follows_from_name()) {
            let paths = if skipped.is_folder { &mut quiet.folders } else { &mut quiet.files };
            paths.insert(skipped.path.clone());
        }
        quiet
    }

    /// Whether the event is about nothing but what was left out. What appears, goes or is renamed always matters: a folder may
    /// take the place of a file.
    pub(super) fn cover(&self, root: &Path, event: &Event) -> bool {
        let is_content = !is_of_names(event);
        let covers = |path: &Path| {
            let Some(path) = from_root(root, path) else { return false };
            let is_itself_quiet = is_content && (self.files.contains(&path) || self.folders.contains(&path));
            is_itself_quiet || ancestors(&path).any(|folder| self.folders.contains(folder))
        };
        !event.paths.is_empty() && event.paths.iter().all(|path| covers(path))
    }
}

fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| &path[..end])
}

#[cfg(test)]
mod tests {
    use notify::EventKind;
    use notify::event::{CreateKind, DataChange, ModifyKind};

    use super::*;
    use crate::report::SkipReason;

    fn check(kind: EventKind, path: &str, expected: bool) {
        let skipped = |path: &str, is_folder| Skipped { path: path.to_owned(), is_folder, reason: SkipReason::Hidden };
        let quiet = QuietPaths::new(&[skipped("server.log", false), skipped("out", true)]);
        let event = Event::new(kind).add_path(Path::new("/root").join(path));
        assert_eq!(quiet.cover(Path::new("/root"), &event), expected, "{kind:?} of {path}");
    }

    #[test]
    fn only_changes_of_what_was_left_out_are_quiet() {
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        let created = EventKind::Create(CreateKind::Any);
        check(written, "server.log", true);
        check(created, "server.log", false);
        check(created, "out/deep/a.js", true);
        check(created, "out", false);
        check(written, "main.py", false);
        check(written, "", false);
    }
}
