//! Where the model is, and when it is read.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::UNIX_EPOCH;

use search::embed::{EmbedError, Embedder, Vector};

use crate::model::Model;

pub(crate) const TABLE: &str = "model.safetensors";
pub(crate) const TOKENIZER: &str = "tokenizer.json";
pub(crate) const CONFIG: &str = "config.json";

/// What makes vectors of texts changes with this.
const VERSION: u32 = 1;

/// Why a folder holds no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} has no {file} that can be read; a model2vec folder holds {TABLE} and {TOKENIZER}", folder.display())]
pub struct NoModel {
    pub folder: PathBuf,
    pub file: &'static str,
}

/// A model in a folder, read when it is needed.
#[derive(Debug)]
pub struct ModelFolder {
    folder: PathBuf,
    fingerprint: String,
    model: OnceLock<Result<Model, String>>,
}

impl ModelFolder {
    /// Looks whether the files are there, and reads none of them.
    pub fn new(folder: &Path) -> Result<Self, NoModel> {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let mut fingerprint = format!("model2vec {VERSION} {}", folder.display());
        for file in [TABLE, TOKENIZER] {
            let found = fs::metadata(folder.join(file)).ok().filter(fs::Metadata::is_file);
            let Some(found) = found else { return Err(NoModel { folder, file }) };
            let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            fingerprint += &format!(" {} {}", found.len(), changed.unwrap_or_default().as_nanos());
        }
        Ok(Self { folder, fingerprint, model: OnceLock::new() })
    }

    fn model(&self) -> Result<&Model, EmbedError> {
        let model = self.model.get_or_init(|| Model::read(&self.folder));
        model.as_ref().map_err(|reason| EmbedError::Failed { reason: format!("{}: {reason}", self.folder.display()) })
    }
}

impl Embedder for ModelFolder {
    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> Option<usize> {
        self.model().ok().map(Model::dimensions)
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let model = self.model()?;
        texts.iter().map(|text| model.vector(text).map_err(|reason| EmbedError::Failed { reason })).collect()
    }
}
