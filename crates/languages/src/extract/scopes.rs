//! Scopes of one file: which names are declared where.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Extractor, PendingAssignment, PendingName, index};
use crate::facts::{DefId, Name, Term, TermId, Variable, VariableId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ScopeId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Namespace,
    Type,
    Function,
    Block,
}

#[derive(Debug)]
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) def: DefId,
    pub(super) kind: ScopeKind,
    pub(super) variables: FxHashMap<Name, VariableId>,
    /// Names that `global` or `nonlocal` send outwards.
    pub(super) outer: FxHashSet<Name>,
}

impl Scope {
    pub(super) fn new(parent: Option<ScopeId>, def: DefId, kind: ScopeKind) -> Self {
        Self { parent, def, kind, variables: FxHashMap::default(), outer: FxHashSet::default() }
    }
}

impl Extractor<'_, '_> {
    pub(super) fn scope_of(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0 as usize]
    }

    /// Does this in a new scope.
    pub(super) fn within<T>(&mut self, kind: ScopeKind, def: DefId, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        self.scope = ScopeId(index(self.scopes.len()));
        self.scopes.push(Scope::new(Some(outer), def, kind));
        let value = work(self);
        self.scope = outer;
        value
    }

    /// The scope that holds what is declared here without being bound to a block.
    pub(super) fn declaring_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        while self.scope_of(scope).kind == ScopeKind::Block {
            match self.scope_of(scope).parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    pub(super) fn declare(&mut self, scope: ScopeId, name: Name) -> VariableId {
        if let Some(variable) = self.scope_of(scope).variables.get(&name) {
            return *variable;
        }
        let id = VariableId(index(self.facts.variables.len()));
        let Scope { def, kind, .. } = *self.scope_of(scope);
        let is_global = matches!(kind, ScopeKind::Module | ScopeKind::Namespace);
        self.facts.variables.push(Variable { name, owner: def, is_global, declared: None, values: Vec::new() });
        self.scope_mut(scope).variables.insert(name, id);
        id
    }

    /// Gives a name in this scope one more value.
    pub(super) fn give(&mut self, scope: ScopeId, name: Name, value: TermId) -> VariableId {
        let id = self.declare(scope, name);
        let values = &mut self.facts.variables[id.index()].values;
        if !values.contains(&value) {
            values.push(value);
        }
        id
    }

    /// Assigns to a name as the language does it: declaring it here, or wherever it was declared.
    pub(super) fn assign_name(&mut self, name: Name, value: TermId) {
        let scope = self.declaring_scope();
        let declares = self.language.settings().scopes.assignment_declares;
        if declares && !self.scope_of(scope).outer.contains(&name) {
            self.give(scope, name, value);
        } else {
            self.pending_assignments.push(PendingAssignment { scope: self.scope, name, value });
        }
    }

    pub(super) fn send_outwards(&mut self, name: Name) {
        let scope = self.declaring_scope();
        self.scope_mut(scope).outer.insert(name);
    }

    /// The term for a name used here.
    pub(super) fn name_term(&mut self, name: Name) -> TermId {
        if let Some(term) = self.name_terms.get(&(self.scope, name)) {
            return *term;
        }
        let term = self.add_unshared(Term::Free(name, self.def));
        self.name_terms.insert((self.scope, name), term);
        self.pending_names.push(PendingName { term, scope: self.scope, name, def: self.def });
        term
    }

    /// What a name is bound to, seen from a scope. The scope of a type is seen only from directly within it.
    pub(super) fn lookup(&self, from: ScopeId, name: Name) -> Option<VariableId> {
        let mut next = Some(from);
        let mut directly = true;
        let mut left_function = false;
        while let Some(id) = next {
            let scope = self.scope_of(id);
            let hidden = (scope.kind == ScopeKind::Type && !directly)
                || (left_function && matches!(scope.kind, ScopeKind::Function | ScopeKind::Block));
            let sent_outwards = scope.outer.contains(&name);
            if !hidden && !sent_outwards && let Some(variable) = scope.variables.get(&name) {
                return Some(*variable);
            }
            directly &= scope.kind == ScopeKind::Block;
            left_function |= scope.kind == ScopeKind::Function && self.language.settings().scopes.closed_functions;
            next = scope.parent;
        }
        None
    }
}
