//! How what a file says is kept between runs.

use std::sync::Arc;

use languages::FileFacts;
use serde::{Deserialize, Serialize};

/// What the linker needs of one file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Knowledge {
    pub(crate) facts: Option<Arc<FileFacts>>,
    /// The text of a file that says how modules are laid out.
    pub(crate) manifest: Option<String>,
}

impl Knowledge {
    pub(crate) fn is_empty(&self) -> bool {
        self.facts.is_none() && self.manifest.is_none()
    }

    /// Nothing known is no bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        if self.is_empty() {
            return Vec::new();
        }
        postcard::to_stdvec(self).expect("facts are plain data, which always has a form in bytes")
    }

    /// `None` for bytes that this version did not write.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Arc<Self>> {
        if bytes.is_empty() {
            return Some(Arc::default());
        }
        postcard::from_bytes(bytes).ok().map(Arc::new)
    }
}
