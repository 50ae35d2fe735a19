//! A disk of its own for a test, small enough to fill and free to be made read-only: a file system in memory.
//!
//! Mounting needs privileges. Without them the tests that need a disk fail, unless `TRAILMARK_ALLOW_SKIPS=1` says that this
//! is known.

use std::env;
use std::ffi::CString;
use std::io::Write as _;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_remount, unmount};
use tempfile::TempDir;

/// A file system in memory that is gone when dropped.
#[derive(Debug)]
pub struct Disk(TempDir);

impl Disk {
    /// A disk of this size, such as `1m`; `None` when mounting is not permitted and that is accepted.
    pub fn mount(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder to mount on");
        let options = CString::new(format!("size={size}")).expect("a size has no NUL");
        match mount("tmpfs", folder.path(), "tmpfs", MountFlags::empty(), options.as_c_str()) {
            Ok(()) => Some(Self(folder)),
            Err(error) if env::var_os("TRAILMARK_ALLOW_SKIPS").is_some_and(|value| value == "1") => {
                let _ = writeln!(std::io::stderr(), "skipped: cannot mount a file system: {error}");
                None
            }
            Err(error) => panic!("cannot mount a file system: {error}; TRAILMARK_ALLOW_SKIPS=1 skips this test"),
        }
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn make_read_only(&self) {
        self.remount(MountFlags::RDONLY);
    }

    pub fn make_writable(&self) {
        self.remount(MountFlags::empty());
    }

    /// A child of another test may hold a file open for the moment between its fork and its exec.
    fn remount(&self, flags: MountFlags) {
        for _ in 0..100 {
            match mount_remount(self.path(), flags, "") {
                Err(Errno::BUSY) => thread::sleep(Duration::from_millis(20)),
                remounted => return remounted.expect("a disk that was mounted can be mounted again"),
            }
        }
        panic!("the disk stays busy");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        unmount(self.path(), UnmountFlags::DETACH).expect("a disk that was mounted can be unmounted");
    }
}
