//! What compares code in meaning?

use std::path::PathBuf;

use language_model::Endpoint;

use super::{EMBEDDER_KEY_VARIABLE, Given, SettingsError, secret};

const FOLDER: &str = "model2vec:";

/// What vectors are made by.
#[derive(Debug, Clone)]
pub(crate) enum EmbedderChoice {
    Nothing,
    Builtin,
    /// A model in this folder.
    Folder(PathBuf),
    /// A service, and how many tokens a run may send to it.
    Service {
        endpoint: Endpoint,
        most_tokens: u64,
    },
}

pub(super) fn resolve(given: &Given) -> Result<EmbedderChoice, SettingsError> {
    let which = given.embedder.as_deref().map(str::trim).filter(|which| !which.is_empty()).unwrap_or("builtin");
    if let Some(folder) = which.strip_prefix(FOLDER) {
        let folder = PathBuf::from(folder);
        return if folder.is_dir() {
            Ok(EmbedderChoice::Folder(folder))
        } else {
            Err(SettingsError::NoModelFolder { folder })
        };
    }
    match which {
        "builtin" => Ok(EmbedderChoice::Builtin),
        "none" => Ok(EmbedderChoice::Nothing),
        address if address.starts_with("https://") || address.starts_with("http://") => {
            let model = given.embedder_model.as_deref().filter(|model| !model.trim().is_empty());
            let model = model.ok_or(SettingsError::NoEmbedderModel)?;
            let endpoint = Endpoint::for_embeddings(address, model, secret(EMBEDDER_KEY_VARIABLE).as_deref());
            let endpoint = endpoint.map_err(SettingsError::Embedder)?;
            Ok(EmbedderChoice::Service { endpoint, most_tokens: given.embedder_max_tokens.unwrap_or(0) })
        }
        // It may be an address with a password in it.
        _ => Err(SettingsError::UnknownEmbedder),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(embedder: &str, model: Option<&str>) -> Result<EmbedderChoice, SettingsError> {
        let given = Given {
            embedder: Some(embedder.to_owned()),
            embedder_model: model.map(str::to_owned),
            embedder_max_tokens: Some(7),
            ..Given::default()
        };
        resolve(&given)
    }

    #[test]
    fn each_kind_of_embedder_is_told_by_its_form() {
        assert!(matches!(resolve(&Given::default()), Ok(EmbedderChoice::Builtin)));
        assert!(matches!(resolved(" ", None), Ok(EmbedderChoice::Builtin)));
        assert!(matches!(resolved("none", None), Ok(EmbedderChoice::Nothing)));
        let folder = tempfile::tempdir().unwrap();
        let named = format!("model2vec:{}", folder.path().display());
        assert!(matches!(resolved(&named, None), Ok(EmbedderChoice::Folder(found)) if found == folder.path()));
        let service = resolved("https://api.example/v1", Some("small"));
        assert!(matches!(service, Ok(EmbedderChoice::Service { most_tokens: 7, .. })), "{service:?}");
    }

    #[test]
    fn what_cannot_be_one_is_refused_without_repeating_it() {
        assert!(matches!(resolved("model2vec:/not/there", None), Err(SettingsError::NoModelFolder { .. })));
        assert!(matches!(resolved("https://api.example/v1", None), Err(SettingsError::NoEmbedderModel)));
        for wrong in ["magic", "ftp://me:secret@host", "https://me:secret@host/v1"] {
            let error = resolved(wrong, Some("m")).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
