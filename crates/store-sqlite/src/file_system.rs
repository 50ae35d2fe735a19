//! What the file system under the data folder can do.

use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Which file a path names right now, to notice that it was deleted or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    device: u64,
    number: u64,
}

/// The identity of the file at this path; `None` when there is none. The file is not opened: closing any handle on a
/// database would drop this process's locks on it.
#[cfg(unix)]
pub(crate) fn identity(file: &Path) -> Option<FileIdentity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::metadata(file).ok()?;
    Some(FileIdentity { device: metadata.dev(), number: metadata.ino() })
}

/// Elsewhere a file that is open cannot be deleted.
#[cfg(not(unix))]
pub(crate) fn identity(_file: &Path) -> Option<FileIdentity> {
    Some(FileIdentity { device: 0, number: 0 })
}

/// Makes the folder and its parents, readable by their owner alone; a folder that exists is left as it is.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a file readable by its owner alone.
#[cfg(unix)]
pub(crate) fn make_private(file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
pub(crate) fn make_private(_file: &Path) -> io::Result<()> {
    Ok(())
}

/// The size of the file in bytes, 0 when there is none.
pub(crate) fn size(file: &Path) -> u64 {
    fs::metadata(file).as_ref().map_or(0, Metadata::len)
}

/// Whether a file can be made in this folder now.
pub(crate) fn is_writable(folder: &Path) -> bool {
    let probe = folder.join(format!(".trailmark-probe-{}", std::process::id()));
    let created = OpenOptions::new().write(true).create_new(true).open(&probe).is_ok();
    created && fs::remove_file(&probe).is_ok()
}

/// Whether no byte more fits on the disk that holds this folder.
#[cfg(unix)]
pub(crate) fn is_full(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|disk| disk.f_bavail == 0)
}

#[cfg(not(unix))]
pub(crate) fn is_full(_folder: &Path) -> bool {
    false
}

/// Whether the folder is on a network file system, where the shared memory of a write-ahead log is not shared.
#[cfg(target_os = "linux")]
pub(crate) fn is_remote(folder: &Path) -> bool {
    /// NFS, SMB, CIFS, SMB2, 9P, AFS, Coda: the magic numbers in `statfs(2)`.
    const REMOTE: [u32; 7] = [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x7375_7245];
    rustix::fs::statfs(folder)
        .is_ok_and(|disk| REMOTE.iter().any(|magic| i128::from(*magic) == i128::from(disk.f_type)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_remote(_folder: &Path) -> bool {
    false
}
