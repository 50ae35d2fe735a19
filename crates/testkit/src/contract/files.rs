//! The files of a case: written before its calls, compared with what is there after them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Files, links and empty directories by their path from the folder that holds the root.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Files(BTreeMap<String, Entry>);

#[derive(Debug, Clone, PartialEq)]
struct Entry {
    content: Content,
    /// Permission bits, where they matter.
    mode: Option<u32>,
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    File(Vec<u8>),
    Link(String),
    Directory,
}

impl Files {
    /// Reads a block in which `//- /path WORDS` begins each file.
    pub(super) fn parse(block: &str) -> Result<Self, String> {
        let mut files = Self::default();
        let mut lines = block.lines().peekable();
        while let Some(line) = lines.next() {
            let header = line.strip_prefix("//- ").ok_or_else(|| format!("`{line}` belongs to no file"))?;
            let mut text = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("//- ")) {
                text += line;
                text.push('\n');
            }
            let (path, words) = header.split_once(' ').unwrap_or((header, ""));
            let entry = Entry::parse(path, words, text).map_err(|problem| format!("`{header}`: {problem}"))?;
            if files.0.insert(place(path)?, entry).is_some() {
                return Err(format!("`{path}` is there twice"));
            }
        }
        Ok(files)
    }

    /// Makes the files in a folder.
    pub(super) fn write(&self, folder: &Path) {
        for (path, entry) in &self.0 {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
            match &entry.content {
                Content::File(bytes) => fs::write(&path, bytes).expect("a file can be written"),
                Content::Link(target) => link(target, &path),
                Content::Directory => fs::create_dir_all(&path).expect("a folder can be made"),
            }
            if let Some(mode) = entry.mode {
                set_mode(&path, mode);
            }
        }
    }

    /// How what is in the folder differs from these files, if it does.
    pub(super) fn difference(&self, folder: &Path) -> Option<String> {
        let found = Self::read(folder);
        let paths: BTreeSet<&String> = self.0.keys().chain(found.0.keys()).collect();
        paths.into_iter().find_map(|path| match (self.0.get(path), found.0.get(path)) {
            (Some(expected), Some(entry)) => entry.difference(expected).map(|what| format!("the file {path} {what}")),
            (Some(_), None) => Some(format!("the file {path} is missing")),
            (None, _) => Some(format!("the file {path} should not be there")),
        })
    }

    fn read(folder: &Path) -> Self {
        let mut files = Self::default();
        read_into(&mut files, folder, "");
        files.0.remove("root");
        files
    }
}

/// `/path` is below the root, `../path` beside it.
fn place(path: &str) -> Result<String, String> {
    let place = match (path.strip_prefix('/'), path.strip_prefix("../")) {
        (Some(inside), _) => format!("root/{inside}"),
        (None, Some(beside)) => beside.to_owned(),
        (None, None) => return Err(format!("`{path}` begins neither with `/` nor with `../`")),
    };
    Ok(place.trim_end_matches('/').to_owned())
}

fn read_into(files: &mut Files, folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).expect("a folder can be listed");
    for entry in entries.map(|entry| entry.expect("a folder can be listed")) {
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().expect("a file has a type");
        let content = if kind.is_dir() {
            read_into(files, &entry.path(), &format!("{path}/"));
            let is_empty = fs::read_dir(entry.path()).expect("a folder can be listed").next().is_none();
            if !is_empty {
                continue;
            }
            Content::Directory
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path()).expect("a link can be read");
            Content::Link(target.to_string_lossy().into_owned())
        } else {
            Content::File(fs::read(entry.path()).expect("a file can be read"))
        };
        files.0.insert(path, Entry { content, mode: mode(&entry.path()) });
    }
}

impl Entry {
    fn parse(path: &str, words: &str, text: String) -> Result<Self, String> {
        if path.ends_with('/') {
            return Ok(Self { content: Content::Directory, mode: None });
        }
        if let Some(target) = words.strip_prefix("-> ") {
            return Ok(Self { content: Content::Link(target.to_owned()), mode: None });
        }
        let mut entry = Self { content: Content::File(Vec::new()), mode: None };
        let (mut text, mut encode): (String, fn(&str) -> Vec<u8>) = (text, |text| text.as_bytes().to_vec());
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "crlf" => text = text.replace('\n', "\r\n"),
                "no-newline" => text.truncate(text.trim_end().len()),
                "×" => text = text.repeat(number(words.next(), 10)? as usize),
                "mode" => entry.mode = Some(number(words.next(), 8)?),
                "hex" => encode = from_hex,
                "latin-1" => encode = |text| text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect(),
                "utf-8-mark" => encode = |text| [b"\xef\xbb\xbf", text.as_bytes()].concat(),
                "utf-16le" => encode = |text| utf16(text, u16::to_le_bytes),
                "utf-16be" => encode = |text| utf16(text, u16::to_be_bytes),
                other => return Err(format!("`{other}` says nothing about a file")),
            }
        }
        entry.content = Content::File(encode(&text));
        Ok(entry)
    }

    fn difference(&self, expected: &Self) -> Option<String> {
        if self.content != expected.content {
            return Some(format!("must be {}, but is {}", expected.content.shown(), self.content.shown()));
        }
        let expected = expected.mode?;
        (self.mode != Some(expected))
            .then(|| format!("must have mode {expected:o}, but has {:o}", self.mode.unwrap_or(0)))
    }
}

impl Content {
    fn shown(&self) -> String {
        match self {
            Self::File(bytes) => format!("\"{}\"", bytes.escape_ascii()),
            Self::Link(target) => format!("a link to {target}"),
            Self::Directory => "an empty directory".to_owned(),
        }
    }
}

fn number(word: Option<&str>, radix: u32) -> Result<u32, String> {
    word.and_then(|word| u32::from_str_radix(word, radix).ok()).ok_or_else(|| "a number is missing".to_owned())
}

fn from_hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect()
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(to_bytes).collect()
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).expect("a link can be made");
}

#[cfg(not(unix))]
fn link(_: &str, path: &Path) {
    panic!("{}: links are for Unix", path.display());
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode can be set");
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {}

#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    fs::symlink_metadata(path).ok().map(|metadata| metadata.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn written(block: &str) -> (tempfile::TempDir, Files) {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::parse(block).unwrap();
        files.write(folder.path());
        (folder, files)
    }

    #[test]
    fn files_are_written_as_their_words_say() {
        let (folder, files) = written(
            "//- /a.txt\none\ntwo\n//- /src/b.txt crlf no-newline\none\ntwo\n//- /c utf-16le\na\n//- /d latin-1\né\n\
             //- /e hex\n00 ff\n//- /f × 3\nab\n//- /g utf-8-mark mode 755\na\n//- /link -> a.txt\n//- /empty/\n\
             //- ../beside.txt\nx",
        );
        let read = |path: &str| fs::read(folder.path().join(path)).unwrap();
        for (path, bytes) in [
            ("root/a.txt", &b"one\ntwo\n"[..]),
            ("root/src/b.txt", b"one\r\ntwo"),
            ("root/c", b"\xff\xfea\0\n\0"),
            ("root/d", b"\xe9\n"),
            ("root/e", b"\0\xff"),
            ("root/f", b"ab\nab\nab\n"),
            ("root/g", b"\xef\xbb\xbfa\n"),
            ("root/link", b"one\ntwo\n"),
            ("beside.txt", b"x\n"),
        ] {
            assert_eq!(read(path), bytes, "{path}");
        }
        assert_eq!(files.difference(folder.path()), None);
    }

    #[test]
    fn a_difference_names_the_file() {
        let (folder, files) = written("//- /a.txt mode 644\none\n//- /empty/");
        let check = |expected: &str| assert_eq!(files.difference(folder.path()).as_deref(), Some(expected));
        set_mode(&folder.path().join("root/a.txt"), 0o600);
        check("the file root/a.txt must have mode 644, but has 600");
        fs::write(folder.path().join("root/a.txt"), "two\n").unwrap();
        check("the file root/a.txt must be \"one\\n\", but is \"two\\n\"");
        fs::remove_file(folder.path().join("root/a.txt")).unwrap();
        check("the file root/a.txt is missing");
        fs::write(folder.path().join("new"), "").unwrap();
        check("the file new should not be there");
    }

    #[test]
    fn a_block_that_would_say_something_else_than_it_seems_to_is_refused() {
        for (block, problem) in [
            ("text", "`text` belongs to no file"),
            ("//- a.txt\n", "`a.txt` begins neither with `/` nor with `../`"),
            ("//- /a.txt clrf\n", "`/a.txt clrf`: `clrf` says nothing about a file"),
            ("//- /a.txt × many\n", "`/a.txt × many`: a number is missing"),
            ("//- /a.txt\n//- /a.txt\n", "`/a.txt` is there twice"),
        ] {
            assert_eq!(Files::parse(block), Err(problem.to_owned()));
        }
    }
}
