//! What makes the vectors by which parts of files are compared in meaning, and of which texts?

use std::sync::Arc;

use search::FileWords;
use search::embed::{Cost, EmbedError, Embedder, Vector};
use search::file_words::{AllWords, Part, PartVector};
use store::WordRead;

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

/// Puts vectors to the words of all files with new content. An embedder that fails leaves the rest without.
pub(crate) fn embed(run: &Run, embedder: &dyn Embedder, files: &mut [ExaminedFile]) -> Result<(), EmbedError> {
    if embedder.is_remote() {
        agree(run, embedder, files)?;
    }
    each_group(run, files, |files, group| {
        let texts: Vec<String> = group.iter().map(|text| text.text.clone()).collect();
        let made = embedder.embed(&texts)?;
        if made.len() != texts.len() {
            let reason = format!("{} vectors for {} texts", made.len(), texts.len());
            return Err(EmbedError::Refused { reason });
        }
        for (text, vector) in group.iter().zip(made) {
            if let Some(words) = new_words(&mut files[text.file]) {
                let Part { start_line, end_line, .. } = text.part;
                words.vectors.push(PartVector { start_line, end_line, vector });
            }
        }
        Ok(())
    })
}

/// Says what leaves this machine before anything does, and goes on only if that is allowed.
fn agree(run: &Run, embedder: &dyn Embedder, files: &mut [ExaminedFile]) -> Result<(), EmbedError> {
    let mut all = Cost::default();
    each_group(run, files, |_, group| {
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
    /// Its place among the files.
    file: usize,
    part: Part,
    text: String,
}

/// Calls back with the texts of some files at a time.
fn each_group(
    run: &Run,
    files: &mut [ExaminedFile],
    mut each: impl FnMut(&mut [ExaminedFile], &[PartText]) -> Result<(), EmbedError>,
) -> Result<(), EmbedError> {
    let mut group = Vec::new();
    for file in 0..files.len() {
        let path = run.root.join(&files[file].record.path);
        let path_text = files[file].record.path.clone();
        let Some(words) = new_words(&mut files[file]) else { continue };
        let Some(parts) = AllWords::read(&words.parts).map(|all| all.parts) else { continue };
        let Some(text) = content::read(&path)
            .ok()
            .and_then(|content| decode(&content.bytes, content.is_cut).map(std::borrow::Cow::into_owned))
        else {
            continue;
        };
        let lines: Vec<&str> = text.lines().collect();
        group.extend(parts.into_iter().map(|part| PartText { file, part, text: text_of(&path_text, &lines, part) }));
        if group.len() >= TEXTS_AT_ONCE {
            each(files, &group)?;
            group.clear();
        }
        if run.observer.is_cancelled() {
            return Ok(());
        }
    }
    if group.is_empty() { Ok(()) } else { each(files, &group) }
}

fn new_words(file: &mut ExaminedFile) -> Option<&mut FileWords> {
    match &mut file.change {
        Change::Content { words, .. } => words.as_mut(),
        Change::Nothing | Change::Record => None,
    }
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
