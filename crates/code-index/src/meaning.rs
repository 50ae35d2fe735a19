//! What makes the vectors by which parts of files are compared in meaning, and of which texts?

use std::sync::Arc;

use search::embed::{Cost, EmbedError, Embedder, Vector};
use search::file_words::{AllWords, Part, PartVector};
use store::{FileVectors, WordRead};

use crate::content;
use crate::decode::decode;
use crate::examine::{Change, ExaminedFile};
use crate::run::Run;

/// What is read of one part: models read no more.
const LONGEST_TEXT: usize = 2_000;

/// Texts that are in memory at once.
const TEXTS_AT_ONCE: usize = 1_024;

/// What vectors are made by.
#[derive(Debug, Clone, Default)]
pub enum Meaning {
    /// There are none.
    Nothing,
    /// A model that is learned from the project itself.
    #[default]
    Learned,
    Embedder(Arc<dyn Embedder>),
}

impl Meaning {
    pub(crate) fn kind(&self) -> store::Meaning {
        match self {
            Self::Nothing => store::Meaning::Nothing,
            Self::Learned => store::Meaning::Learned,
            Self::Embedder(embedder) => store::Meaning::Given(embedder.fingerprint().to_owned()),
        }
    }
}

/// The vector of a question about this project, where its vectors are of an embedder, or why there is none.
pub fn vector_of_question(
    meaning: &Meaning,
    words: &dyn WordRead,
    text: &str,
) -> store::Result<Result<Option<Vector>, EmbedError>> {
    let Meaning::Embedder(embedder) = meaning else { return Ok(Ok(None)) };
    let is_its_own = words.meaning()? == meaning.kind();
    Ok(if is_its_own { embedder.embed_question(text).map(Some) } else { Ok(None) })
}

/// Files whose words are stored and that have no vectors yet.
pub(crate) struct Stored<'a> {
    pub(crate) words: &'a dyn WordRead,
    pub(crate) numbers: &'a [u32],
}

/// The vectors of all files with new content, and of those that are stored without. An embedder that fails leaves the rest
/// without: they are asked for in the next run that looks at everything.
pub(crate) fn embed(
    run: &Run,
    embedder: &dyn Embedder,
    files: &[ExaminedFile],
    stored: &Stored<'_>,
) -> (Vec<FileVectors>, Result<(), EmbedError>) {
    let mut made = Vec::new();
    let agreed = if embedder.is_remote() { agree(run, embedder, files, stored) } else { Ok(()) };
    let outcome = agreed.and_then(|()| {
        each_group(run, files, stored, |group| {
            let texts: Vec<String> = group.iter().map(|text| text.text.clone()).collect();
            let vectors = embedder.embed(&texts)?;
            if vectors.len() != texts.len() {
                let reason = format!("{} vectors for {} texts", vectors.len(), texts.len());
                return Err(EmbedError::Refused { reason });
            }
            take(&mut made, group, vectors);
            Ok(())
        })
    });
    (made, outcome)
}

/// A file's parts are one after the other, and in one group.
fn take(made: &mut Vec<FileVectors>, group: &[PartText], vectors: Vec<Vector>) {
    for (text, vector) in group.iter().zip(vectors) {
        let Part { start_line, end_line, .. } = text.part;
        let part = PartVector { start_line, end_line, vector };
        match made.last_mut().filter(|file| *file.path == *text.path) {
            Some(file) => file.parts.push(part),
            None => made.push(FileVectors { path: text.path.to_string(), parts: vec![part] }),
        }
    }
}

/// Says what leaves this machine before anything does, and goes on only if that is allowed.
fn agree(run: &Run, embedder: &dyn Embedder, files: &[ExaminedFile], stored: &Stored<'_>) -> Result<(), EmbedError> {
    let mut all = Cost::default();
    each_group(run, files, stored, |group| {
        let texts: Vec<String> = group.iter().map(|text| text.text.clone()).collect();
        let Cost { texts, tokens, host } = embedder.cost(&texts)?;
        all = Cost { texts: all.texts + texts, tokens: all.tokens + tokens, host };
        Ok(())
    })?;
    if all.texts > 0 {
        let Cost { texts, tokens, host } = &all;
        run.observer.remark(&format!("{texts} texts, about {tokens} tokens, are to be sent to {host} for embedding"));
    }
    embedder.agree(&all)
}

/// The text of a part of a file.
struct PartText {
    path: Arc<str>,
    part: Part,
    text: String,
}

/// Calls back with the texts of some files at a time.
fn each_group(
    run: &Run,
    files: &[ExaminedFile],
    stored: &Stored<'_>,
    mut each: impl FnMut(&[PartText]) -> Result<(), EmbedError>,
) -> Result<(), EmbedError> {
    let mut group = Vec::new();
    let mut take = |path: &str, parts: &[u8]| {
        add_texts(run, path, parts, &mut group);
        if group.len() >= TEXTS_AT_ONCE {
            each(&group)?;
            group.clear();
        }
        Ok(())
    };
    for file in files {
        if let Change::Content { words: Some(words), .. } = &file.change {
            take(&file.record.path, &words.parts)?;
        }
        if run.observer.is_cancelled() {
            return Ok(());
        }
    }
    let known = |path: &str| files.binary_search_by(|file| file.record.path.as_str().cmp(path)).map(|at| &files[at]);
    for number in stored.numbers {
        let file = stored.words.file(*number).map_err(|error| EmbedError::Failed { reason: error.to_string() })?;
        let unchanged = file.filter(|file| known(&file.path).is_ok_and(|known| !known.has_new_content()));
        if let Some(file) = unchanged {
            take(&file.path, &file.parts)?;
        }
        if run.observer.is_cancelled() {
            return Ok(());
        }
    }
    if group.is_empty() { Ok(()) } else { each(&group) }
}

/// Nothing where the file cannot be read any more.
fn add_texts(run: &Run, path: &str, parts: &[u8], group: &mut Vec<PartText>) {
    let Some(parts) = AllWords::read(parts).map(|all| all.parts) else { return };
    let Ok(content) = content::read(&run.root.join(path)) else { return };
    let Some(text) = decode(&content.bytes, content.is_cut) else { return };
    let lines: Vec<&str> = text.lines().collect();
    let path: Arc<str> = path.into();
    group.extend(parts.into_iter().map(|part| {
        let text = text_of(&path, &lines, part);
        PartText { path: Arc::clone(&path), part, text }
    }));
}

/// Where it is and the beginning of what it says.
fn text_of(path: &str, lines: &[&str], part: Part) -> String {
    let first = (part.start_line as usize).saturating_sub(1).min(lines.len());
    let last = (part.end_line as usize).clamp(first, lines.len());
    let mut text = path.to_owned();
    for line in &lines[first..last] {
        text.push('\n');
        text.push_str(line.trim_end());
        if text.len() > LONGEST_TEXT {
            break;
        }
    }
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
    text
}
