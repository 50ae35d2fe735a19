//! The bytes of one file on disk, as much of them as is indexed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Of a larger file only the head is read.
pub(crate) const MAX_BYTES: u64 = 2_000_000;

#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) bytes: Vec<u8>,
    /// Whether there is more of it.
    pub(crate) is_cut: bool,
}

/// Reads a regular file. Whatever took its place since it was found is not read: a pipe would never end.
pub(crate) fn read(path: &Path) -> io::Result<Content> {
    let file = open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it is no longer a regular file"));
    }
    let expected = metadata.len().min(MAX_BYTES) + 1;
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    let is_cut = bytes.len() as u64 > MAX_BYTES;
    bytes.truncate(MAX_BYTES as usize);
    Ok(Content { bytes, is_cut })
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    use rustix::fs::OFlags;
    use rustix::io::Errno;

    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    opened.map_err(|error| match Errno::from_io_error(&error) {
        // It is a link or a socket now.
        Some(Errno::LOOP | Errno::NXIO) => io::Error::new(io::ErrorKind::NotFound, error),
        _ => error,
    })
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}
