//! The projects that CKB was asked about: a client and a gate for each of the last few.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use store::UpstreamState;
use tokio::time::Instant;

use super::settings::CkbSettings;
use crate::client::Client;
use crate::gate::Gate;

/// How many CKB may run at the same time.
const MOST: usize = 4;

#[derive(Debug)]
pub(super) struct Places {
    settings: CkbSettings,
    state: Arc<dyn UpstreamState>,
    /// The one used last comes last.
    known: Mutex<Vec<Arc<Place>>>,
}

/// One project.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) root: PathBuf,
    pub(super) client: Client,
    pub(super) gate: Gate,
    /// When CKB last said that it is well.
    pub(super) checked: Mutex<Option<Instant>>,
}

impl Places {
    pub(super) fn new(settings: &CkbSettings, state: Arc<dyn UpstreamState>) -> Self {
        Self { settings: settings.clone(), state, known: Mutex::new(Vec::new()) }
    }

    /// The project at this root; the one that was not used for longest makes room for it.
    pub(super) fn at(&self, root: &Path) -> Arc<Place> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().position(|place| place.root == root);
        let place = found.map(|index| known.remove(index)).unwrap_or_else(|| Arc::new(self.make(root)));
        known.push(Arc::clone(&place));
        if known.len() > MOST {
            known.remove(0);
        }
        place
    }

    pub(super) async fn close(&self) {
        let known = std::mem::take(&mut *self.known.lock().unwrap_or_else(PoisonError::into_inner));
        futures::future::join_all(known.iter().map(|place| place.client.close())).await;
    }

    fn make(&self, root: &Path) -> Place {
        let gate = Gate::new(Arc::clone(&self.state), self.settings.gate_name(root), self.settings.gate_rules());
        Place {
            root: root.to_path_buf(),
            client: Client::new(self.settings.target(root)),
            gate,
            checked: Mutex::new(None),
        }
    }
}
