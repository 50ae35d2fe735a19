//! What one session of an older client has asked for.
#![expect(deprecated, reason = "the suite still tests logging, which the newest revision deprecates")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::RoleServer;
use rmcp::model::LoggingLevel;
use rmcp::service::RequestContext;

/// Logs everything and watches nothing until the client says otherwise.
#[derive(Debug, Default)]
pub(super) struct Session {
    least_level: AtomicU8,
    watched: Mutex<BTreeSet<String>>,
}

impl Session {
    pub(super) fn log_from(&self, level: LoggingLevel) {
        self.least_level.store(level as u8, Ordering::Relaxed);
    }

    /// Stateless clients ask for a level with each request, and get no messages otherwise.
    pub(super) fn wants(&self, level: LoggingLevel, context: &RequestContext<RoleServer>) -> bool {
        if is_stateless(context) {
            context.meta.log_level().is_some_and(|least| level as u8 >= least as u8)
        } else {
            level as u8 >= self.least_level.load(Ordering::Relaxed)
        }
    }

    pub(super) fn watch(&self, uri: String) {
        self.watched().insert(uri);
    }

    pub(super) fn unwatch(&self, uri: &str) {
        self.watched().remove(uri);
    }

    pub(super) fn watches(&self, uri: &str) -> bool {
        self.watched().contains(uri)
    }

    fn watched(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the request is of a revision without sessions.
pub(super) fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    context.protocol_version().is_some_and(|version| !version.has_initialize())
}
