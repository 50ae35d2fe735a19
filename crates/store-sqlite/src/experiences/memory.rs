//! What a store remembers between searches.

use std::sync::{Arc, Mutex, PoisonError};

use super::index::Known;
use super::vectors::Vectors;

/// As many as there are threads that read.
const BUFFERS: usize = 2;

/// Belongs to one store.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    known: Mutex<Arc<Known>>,
    /// Room for scores, so that a search does not ask the system for it.
    buffers: Mutex<Vec<Vec<f32>>>,
    vectors: Vectors,
}

impl Memory {
    /// The state that was remembered last.
    pub(super) fn known(&self) -> Arc<Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn remember(&self, known: Arc<Known>) {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    pub(super) fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    pub(super) fn take_buffer(&self) -> Vec<f32> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, buffer: Vec<f32>) {
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        if buffers.len() < BUFFERS {
            buffers.push(buffer);
        }
    }

    /// Gives all of it up.
    pub(crate) fn forget(&self) {
        self.remember(Arc::default());
        self.vectors.forget();
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
