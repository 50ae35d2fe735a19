//! Scopes of one file: which names are declared where.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Extractor, PendingAssignment, PendingName, index};
use crate::facts::{DefId, Name, Term, TermId, Variable, VariableId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ScopeId(pub(super) u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    Namespace,
    Type,
    Function,
    Block,
    /// What is below a declaration, in its block.
    Below,
}

impl ScopeKind {
    fn is_block(self) -> bool {
        matches!(self, Self::Block | Self::Below)
    }
}

#[derive(Debug)]
pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) def: DefId,
    pub(super) kind: ScopeKind,
    pub(super) variables: FxHashMap<Name, VariableId>,
    /// Names that `global` or `nonlocal` send outwards.
    pub(super) outer: FxHashSet<Name>,
    /// Of a block: where below its beginning names are declared, in their order.
    below: FxHashMap<Name, Vec<ScopeId>>,
    /// Of a function: whether it always sees what is around it.
    pub(super) is_lambda: bool,
}

impl Scope {
    pub(super) fn new(parent: Option<ScopeId>, def: DefId, kind: ScopeKind) -> Self {
        let (variables, outer, below) = (FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Self { parent, def, kind, variables, outer, below, is_lambda: false }
    }
}

impl Extractor<'_, '_> {
    pub(super) fn scope_of(&self, id: ScopeId) -> &Scope {
        &self.scopes[id.0 as usize]
    }

    pub(super) fn scope_mut(&mut self, id: ScopeId) -> &mut Scope {
        &mut self.scopes[id.0 as usize]
    }

    /// Does this in a new scope.
    pub(super) fn within<T>(&mut self, kind: ScopeKind, def: DefId, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        let manner = std::mem::take(&mut self.manner);
        let in_type = self.in_type;
        self.in_type &= kind == ScopeKind::Block;
        self.scope = ScopeId(index(self.scopes.len()));
        self.scopes.push(Scope::new(Some(outer), def, kind));
        let value = work(self);
        self.scope = outer;
        self.manner = manner;
        self.in_type = in_type;
        value
    }

    /// The scope that holds what is declared here without being bound to a block.
    pub(super) fn declaring_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        while self.scope_of(scope).kind.is_block() {
            match self.scope_of(scope).parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        scope
    }

    /// The scope of the block here, with all that is declared further down in it.
    pub(super) fn block_scope(&self) -> ScopeId {
        let scope = self.scope_of(self.scope);
        scope.parent.filter(|_| scope.kind == ScopeKind::Below).unwrap_or(self.scope)
    }

    /// The scope that a declaration of this name belongs to; what comes next is then in that scope.
    pub(super) fn begin_declaration(&mut self, name: Name) -> ScopeId {
        let settings = &self.language.settings().scopes;
        if !settings.blocks || self.manner.is_function_wide {
            return self.declaring_scope();
        }
        if !settings.in_order || !self.scope_of(self.scope).kind.is_block() {
            return self.scope;
        }
        if !settings.redeclares
            && let Some(known) = self.declared_in_block(name)
        {
            return known;
        }
        let (below, block) = (ScopeId(index(self.scopes.len())), self.block_scope());
        let def = self.scope_of(self.scope).def;
        self.scopes.push(Scope::new(Some(block), def, ScopeKind::Below));
        self.scope_mut(block).below.entry(name).or_default().push(below);
        self.scope = below;
        below
    }

    fn declared_in_block(&self, name: Name) -> Option<ScopeId> {
        let block = self.block_scope();
        let scope = self.scope_of(block);
        let in_head = Some(block).filter(|_| scope.variables.contains_key(&name));
        scope.below.get(&name).and_then(|below| below.last().copied()).or(in_head)
    }

    /// What a name is declared as in this scope and, below a declaration, in the block above it.
    fn declared_above<'s>(&'s self, id: ScopeId, name: Name) -> impl Iterator<Item = &'s VariableId> + 's {
        let scope = self.scope_of(id);
        let block = scope.parent.filter(|_| scope.kind == ScopeKind::Below);
        let below = block.and_then(|block| self.scope_of(block).below.get(&name)).map_or(&[][..], Vec::as_slice);
        let above = &below[..below.partition_point(|declared| *declared <= id)];
        let declared = above.iter().rev().filter_map(move |declared| self.scope_of(*declared).variables.get(&name));
        declared.chain(scope.variables.get(&name).filter(|_| block.is_none()))
    }

    pub(super) fn declare(&mut self, scope: ScopeId, name: Name) -> VariableId {
        if let Some((exporting, names)) = &mut self.exporting
            && *exporting == scope
            && !names.contains(&name)
        {
            names.push(name);
        }
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
            let scope = self.assigned_scope(scope, name);
            self.give(scope, name, value);
        } else {
            self.pending_assignments.push(PendingAssignment { scope: self.scope, name, value, def: self.def });
        }
    }

    /// A lambda assigns to what is declared around it.
    fn assigned_scope(&self, from: ScopeId, name: Name) -> ScopeId {
        let mut scope = from;
        loop {
            let found = self.scope_of(scope);
            match found.parent {
                _ if found.variables.contains_key(&name) => return scope,
                Some(parent) if found.is_lambda || found.kind.is_block() => scope = parent,
                _ => return from,
            }
        }
    }

    pub(super) fn send_outwards(&mut self, name: Name) {
        let scope = self.declaring_scope();
        self.scope_mut(scope).outer.insert(name);
    }

    /// The term for a name used here.
    pub(super) fn name_term(&mut self, name: Name) -> TermId {
        self.name_term_in(self.scope, name, false)
    }

    /// The term for a name that is called here.
    pub(super) fn called_name(&mut self, name: Name) -> TermId {
        self.name_term_in(self.scope, name, true)
    }

    pub(super) fn name_term_in(&mut self, scope: ScopeId, name: Name, is_called: bool) -> TermId {
        if let Some(term) = self.name_terms.get(&(scope, name, is_called)) {
            return *term;
        }
        let term = self.add_unshared(Term::Free(name, self.def));
        self.name_terms.insert((scope, name, is_called), term);
        self.pending_names.push(PendingName { term, scope, name, def: self.def, is_called });
        term
    }

    /// What a name is bound to, seen from a scope. The scope of a type is seen only from directly within it.
    pub(super) fn lookup(&self, from: ScopeId, name: Name) -> Option<VariableId> {
        self.lookup_where(from, name, |_| true)
    }

    pub(super) fn lookup_where(
        &self,
        from: ScopeId,
        name: Name,
        fits: impl Fn(VariableId) -> bool,
    ) -> Option<VariableId> {
        let mut next = Some(from);
        let mut directly = true;
        let mut left_function = false;
        let closed_types = self.language.settings().scopes.closed_types;
        let scopes = &self.language.settings().scopes;
        let (closed_functions, implicit_members) = (scopes.closed_functions, scopes.implicit_members);
        let is_lexical = scopes.lexical_constants && self.facts.text(name).starts_with(char::is_uppercase);
        while let Some(id) = next {
            let scope = self.scope_of(id);
            let hidden = (scope.kind == ScopeKind::Type && (!directly || closed_types) && !is_lexical)
                || (left_function && (scope.kind == ScopeKind::Function || scope.kind.is_block()));
            let sent_outwards = scope.outer.contains(&name);
            let is_seen = |found: &&VariableId| fits(**found) && (!hidden || self.type_parameters.contains(*found));
            if !sent_outwards && let Some(variable) = self.declared_above(id, name).find(is_seen) {
                return Some(*variable);
            }
            // A member of a type around comes before what is outside of that type.
            if hidden && implicit_members && scope.kind == ScopeKind::Type && scope.variables.contains_key(&name) {
                return None;
            }
            directly &= scope.kind.is_block();
            left_function |= scope.kind == ScopeKind::Function && !scope.is_lambda && closed_functions;
            next = scope.parent;
        }
        None
    }
}
