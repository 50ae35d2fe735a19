//! Which variables there are.

use std::sync::Arc;

use crate::kind::Kind;
use crate::plan::Slot;
use cypher_syntax::ErrorKind;

use super::Column;

#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    bindings: Vec<Binding>,
}

#[derive(Debug, Clone)]
pub(super) struct Binding {
    pub(super) name: Arc<str>,
    pub(super) slot: Slot,
    pub(super) kind: Kind,
    /// It exists, but using it here is this mistake.
    pub(super) blocked: Option<ErrorKind>,
}

impl Scope {
    pub(super) fn of(columns: &[Column]) -> Scope {
        let mut scope = Scope::default();
        columns.iter().for_each(|column| scope.bind(column.name.clone(), column.slot, column.kind.clone()));
        scope
    }

    /// A later binding of a name hides an earlier one.
    pub(super) fn bind(&mut self, name: Arc<str>, slot: Slot, kind: Kind) {
        self.bindings.retain(|binding| binding.name != name);
        self.bindings.push(Binding { name, slot, kind, blocked: None });
    }

    pub(super) fn with(&self, name: Arc<str>, slot: Slot, kind: Kind) -> Scope {
        let mut scope = self.clone();
        scope.bind(name, slot, kind);
        scope
    }

    pub(super) fn overlaid(&self, columns: &[Column]) -> Scope {
        let mut scope = self.clone();
        columns.iter().for_each(|column| scope.bind(column.name.clone(), column.slot, column.kind.clone()));
        scope
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|binding| &*binding.name == name)
    }

    pub(super) fn bindings(&self) -> &[Binding] {
        &self.bindings
    }

    /// Every variable that this does not except becomes a mistake to use.
    pub(super) fn block(&mut self, mistake: impl Fn(&Binding) -> Option<ErrorKind>) {
        for binding in &mut self.bindings {
            binding.blocked = mistake(binding);
        }
    }
}
