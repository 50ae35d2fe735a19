//! Patterns → nodes, relationships and conditions, before anything is said about the order in which they are looked for.

use std::sync::Arc;

use graph::Direction;

use crate::kind::Kind;
use crate::plan::{Relations, Slot, Term};
use cypher_syntax::ast::{Compare, Expr, ExprKind, Logic, Name, NodePattern, PatternPart, RelationshipPattern, Search};
use cypher_syntax::{Error, ErrorKind, Result, Span};

use super::Compiler;
use super::scope::Scope;
use super::terms::undefined;

pub(super) struct PatternGraph {
    pub(super) nodes: Vec<PatternNode>,
    pub(super) edges: Vec<PatternEdge>,
    pub(super) paths: Vec<PatternPath>,
    pub(super) predicates: Vec<Predicate>,
    /// Slots that the pattern fills.
    pub(super) new_slots: Vec<Slot>,
    pub(super) at: Span,
}

pub(super) struct PatternNode {
    pub(super) slot: Slot,
    pub(super) name: Arc<str>,
    /// Bound before this pattern.
    pub(super) known: bool,
}

pub(super) struct PatternEdge {
    pub(super) slot: Slot,
    /// Somebody wants to know the relationship, not only where it leads.
    pub(super) is_used: bool,
    pub(super) known: bool,
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) direction: Direction,
    pub(super) relations: Relations,
    /// Least and greatest number of steps.
    pub(super) length: Option<(u32, u32)>,
    pub(super) condition: Option<(Slot, Term)>,
    pub(super) search: Search,
    pub(super) label: Arc<str>,
}

pub(super) struct PatternPath {
    pub(super) slot: Slot,
    pub(super) start: usize,
    pub(super) edges: Vec<usize>,
}

pub(super) struct Predicate {
    pub(super) term: Term,
    /// Slots of the pattern that it reads.
    pub(super) needs: Vec<Slot>,
}

/// Whether a pattern may name variables that do not exist yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    New,
    KnownOnly,
}

/// A condition still to be compiled, once all variables of the pattern are known.
enum Pending<'p> {
    Labels(usize, &'p NodePattern),
    NodeProperties(usize, &'p Expr),
    EdgeProperties(usize, &'p Expr),
    EdgeFilter(usize, &'p RelationshipPattern, &'p Expr),
    Filter(&'p Expr),
}

struct Collector<'c, 'a, 'p> {
    compiler: &'c mut Compiler<'a>,
    scope: &'c mut Scope,
    before: Scope,
    naming: Naming,
    graph: PatternGraph,
    pending: Vec<Pending<'p>>,
}

impl Compiler<'_> {
    /// Reads patterns and their condition; the variables they name are added to the scope.
    pub(super) fn pattern_graph(
        &mut self,
        scope: &mut Scope,
        parts: &[PatternPart],
        filter: Option<&Expr>,
        naming: Naming,
    ) -> Result<PatternGraph> {
        let at = parts.first().map(|part| part.at).unwrap_or_default();
        let graph = PatternGraph {
            nodes: Vec::new(),
            edges: Vec::new(),
            paths: Vec::new(),
            predicates: Vec::new(),
            new_slots: Vec::new(),
            at,
        };
        let before = scope.clone();
        let mut collector = Collector { compiler: self, scope, before, naming, graph, pending: Vec::new() };
        for part in parts {
            collector.part(part)?;
        }
        collector.pending.extend(filter.map(Pending::Filter));
        collector.predicates()
    }
}

impl<'p> Collector<'_, '_, 'p> {
    fn part(&mut self, part: &'p PatternPart) -> Result<()> {
        let path = part.variable.as_ref().map(|name| self.path_variable(name)).transpose()?;
        let start = self.node(&part.start)?;
        let mut near = start;
        let mut edges = Vec::new();
        for (relationship, node) in &part.steps {
            // The variable of the relationship is bound before that of the node after it.
            let edge = self.edge(relationship, part.search, path.is_some())?;
            let far = self.node(node)?;
            self.graph.edges[edge].from = near;
            self.graph.edges[edge].to = far;
            edges.push(edge);
            near = far;
        }
        if let Some(slot) = path {
            self.graph.paths.push(PatternPath { slot, start, edges });
        }
        Ok(())
    }

    fn path_variable(&mut self, name: &Name) -> Result<Slot> {
        if self.scope.find(&name.text).is_some() {
            let message = format!("the variable `{}` is bound already and cannot name a path", name.text);
            return Err(Error::compile(ErrorKind::VariableAlreadyBound, name.at, message));
        }
        Ok(self.new_variable(&name.text, Kind::Path))
    }

    fn new_variable(&mut self, name: &Arc<str>, kind: Kind) -> Slot {
        let slot = self.new_slot();
        self.scope.bind(name.clone(), slot, kind);
        slot
    }

    fn new_slot(&mut self) -> Slot {
        let slot = self.compiler.new_slot();
        self.graph.new_slots.push(slot);
        slot
    }

    fn node(&mut self, pattern: &'p NodePattern) -> Result<usize> {
        let index = match &pattern.variable {
            Some(name) => self.named_node(name)?,
            None => {
                let slot = self.new_slot();
                self.add_node(slot, "".into(), false)
            }
        };
        if pattern.labels.is_some() {
            self.pending.push(Pending::Labels(index, pattern));
        }
        self.pending.extend(pattern.properties.as_ref().map(|map| Pending::NodeProperties(index, map)));
        self.pending.extend(pattern.filter.as_ref().map(Pending::Filter));
        Ok(index)
    }

    fn add_node(&mut self, slot: Slot, name: Arc<str>, known: bool) -> usize {
        self.graph.nodes.push(PatternNode { slot, name, known });
        self.graph.nodes.len() - 1
    }

    fn named_node(&mut self, name: &Name) -> Result<usize> {
        let Some(binding) = self.scope.find(&name.text).cloned() else {
            self.refuse_new(name)?;
            let slot = self.new_variable(&name.text, Kind::Node);
            return Ok(self.add_node(slot, name.text.clone(), false));
        };
        if !matches!(binding.kind, Kind::Node | Kind::Any) {
            // A path that names itself inside its own pattern has not been bound before.
            let is_own_path = binding.kind == Kind::Path && self.before.find(&name.text).is_none();
            let own = self.graph.new_slots.contains(&binding.slot) && is_own_path && self.is_open_path(binding.slot);
            return Err(conflict(name, &binding.kind, "a node", own));
        }
        if let Some(kind) = binding.blocked {
            return Err(Error::compile(kind, name.at, format!("`{}` cannot be used here", name.text)));
        }
        if let Some(index) = self.graph.nodes.iter().position(|node| node.slot == binding.slot) {
            return Ok(index);
        }
        self.compiler.referenced.push(binding.slot);
        Ok(self.add_node(binding.slot, name.text.clone(), true))
    }

    /// Whether the path of this slot is the one being read at the moment.
    fn is_open_path(&self, slot: Slot) -> bool {
        self.graph.paths.iter().all(|path| path.slot != slot)
    }

    fn refuse_new(&self, name: &Name) -> Result<()> {
        match self.naming {
            Naming::New => Ok(()),
            Naming::KnownOnly => Err(undefined(self.scope, &name.text, name.at)
                .hint("a pattern used as a condition cannot name new variables; EXISTS { … } can")),
        }
    }

    fn edge(&mut self, pattern: &'p RelationshipPattern, search: Search, in_path: bool) -> Result<usize> {
        let length = self.length(pattern, search)?;
        let variable = pattern.variable.as_ref();
        let (slot, known) = match variable {
            Some(name) => self.named_edge(name, length.is_some())?,
            None => (self.new_slot(), false),
        };
        let relations = match &pattern.kinds {
            Some(kinds) => self.compiler.relations(kinds)?,
            None => Relations::Any,
        };
        let index = self.graph.edges.len();
        self.graph.edges.push(PatternEdge {
            slot,
            is_used: variable.is_some() || in_path || pattern.properties.is_some() || pattern.filter.is_some(),
            known,
            from: 0,
            to: 0,
            direction: pattern.direction,
            relations,
            length,
            condition: None,
            search,
            label: self.compiler.text(pattern.at),
        });
        self.pending.extend(pattern.properties.as_ref().map(|map| Pending::EdgeProperties(index, map)));
        self.pending.extend(pattern.filter.as_ref().map(|filter| Pending::EdgeFilter(index, pattern, filter)));
        Ok(index)
    }

    fn length(&self, pattern: &RelationshipPattern, search: Search) -> Result<Option<(u32, u32)>> {
        let Some(length) = pattern.length else {
            return Ok(if search == Search::Every { None } else { Some((1, 1)) });
        };
        let clamp = |bound: u64| u32::try_from(bound).unwrap_or(u32::MAX);
        let min = length.min.map_or(1, clamp);
        Ok(Some((min, length.max.map_or(u32::MAX, clamp))))
    }

    fn named_edge(&mut self, name: &Name, is_list: bool) -> Result<(Slot, bool)> {
        let Some(binding) = self.scope.find(&name.text).cloned() else {
            self.refuse_new(name)?;
            let kind = if is_list { Kind::List(Box::new(Kind::Relationship)) } else { Kind::Relationship };
            return Ok((self.new_variable(&name.text, kind), false));
        };
        let element = binding.kind.element();
        let fits = match &binding.kind {
            Kind::Any => true,
            Kind::Relationship => !is_list,
            Kind::List(_) => is_list && matches!(element, Kind::Any | Kind::Relationship),
            _ => false,
        };
        if !fits {
            let own =
                binding.kind == Kind::Path && self.before.find(&name.text).is_none() && self.is_open_path(binding.slot);
            return Err(conflict(name, &binding.kind, "a relationship", own));
        }
        if self.graph.edges.iter().any(|edge| edge.slot == binding.slot) {
            let message = format!("the relationship `{}` cannot be used twice in one pattern", name.text);
            return Err(Error::compile(ErrorKind::RelationshipUniquenessViolation, name.at, message));
        }
        self.compiler.referenced.push(binding.slot);
        Ok((binding.slot, true))
    }

    /// Compiles all conditions, now that every variable is known.
    fn predicates(mut self) -> Result<PatternGraph> {
        for pending in std::mem::take(&mut self.pending) {
            match pending {
                Pending::Labels(index, pattern) => self.labels(index, pattern)?,
                Pending::NodeProperties(index, map) => {
                    let slot = self.graph.nodes[index].slot;
                    self.properties(slot, &Kind::Node, map)?;
                }
                Pending::EdgeProperties(index, map) if self.graph.edges[index].length.is_some() => {
                    self.edge_condition(index, None, map)?;
                }
                Pending::EdgeProperties(index, map) => {
                    let slot = self.graph.edges[index].slot;
                    self.properties(slot, &Kind::Relationship, map)?;
                }
                Pending::EdgeFilter(index, pattern, filter) if self.graph.edges[index].length.is_some() => {
                    self.edge_condition(index, pattern.variable.as_ref(), filter)?;
                }
                Pending::EdgeFilter(_, _, filter) | Pending::Filter(filter) => self.filter(filter)?,
            }
        }
        Ok(self.graph)
    }

    fn labels(&mut self, index: usize, pattern: &NodePattern) -> Result<()> {
        let Some(labels) = &pattern.labels else { return Ok(()) };
        let tests = self.compiler.label_tests(labels, &Kind::Node)?;
        let slot = self.graph.nodes[index].slot;
        let term = Term::HasLabels(Box::new(Term::Slot(slot)), tests, pattern.at);
        self.graph.predicates.push(Predicate { term, needs: vec![slot] });
        Ok(())
    }

    fn properties(&mut self, slot: Slot, kind: &Kind, map: &Expr) -> Result<()> {
        let ExprKind::Map(entries) = &map.kind else { return Ok(()) };
        for (name, value) in entries {
            let before = self.compiler.referenced.len();
            let term = self.property_equals(slot, kind, (name, value))?;
            let mut needs = self.needs_since(before);
            needs.push(slot);
            self.graph.predicates.push(Predicate { term, needs });
        }
        Ok(())
    }

    fn property_equals(&mut self, slot: Slot, kind: &Kind, (name, value): (&Name, &Expr)) -> Result<Term> {
        let property = self.compiler.property_name(name, kind)?;
        let value = self.compiler.term(self.scope, value)?.term;
        let property = Term::Property(Box::new(Term::Slot(slot)), property, name.at);
        Ok(Term::Compare(Compare::Equal, Box::new(property), Box::new(value)))
    }

    /// What every relationship of a variable length must meet.
    fn edge_condition(&mut self, index: usize, variable: Option<&Name>, condition: &Expr) -> Result<()> {
        let slot = match &self.graph.edges[index].condition {
            Some((slot, _)) => *slot,
            None => self.compiler.new_slot(),
        };
        let mut terms = Vec::new();
        if let Some((_, before)) = self.graph.edges[index].condition.take() {
            terms.push(before);
        }
        match &condition.kind {
            ExprKind::Map(entries) if variable.is_none() => {
                for (name, value) in entries {
                    terms.push(self.property_equals(slot, &Kind::Relationship, (name, value))?);
                }
            }
            _ => {
                let scope = match variable {
                    Some(name) => self.scope.with(name.text.clone(), slot, Kind::Relationship),
                    None => self.scope.clone(),
                };
                terms.push(self.compiler.condition(&scope, condition)?);
            }
        }
        self.graph.edges[index].condition = Some((slot, Term::Logical(Logic::And, terms, condition.at)));
        Ok(())
    }

    /// Splits a condition into parts that can be checked as soon as what they need is there.
    fn filter(&mut self, filter: &Expr) -> Result<()> {
        if let ExprKind::Logical(Logic::And, operands) = &filter.kind {
            return operands.iter().try_for_each(|operand| self.filter(operand));
        }
        let before = self.compiler.referenced.len();
        let term = self.compiler.condition(self.scope, filter)?;
        let needs = self.needs_since(before);
        self.graph.predicates.push(Predicate { term, needs });
        Ok(())
    }

    fn needs_since(&self, before: usize) -> Vec<Slot> {
        let used = self.compiler.referenced[before..].iter().copied();
        used.filter(|slot| self.graph.new_slots.contains(slot)).collect()
    }
}

fn conflict(name: &Name, found: &Kind, wanted: &str, is_own_path: bool) -> Error {
    let kind = if is_own_path { ErrorKind::VariableAlreadyBound } else { ErrorKind::VariableTypeConflict };
    let message = format!("`{}` is {} and cannot be {wanted} too", name.text, found.name());
    Error::compile(kind, name.at, message)
}

impl Compiler<'_> {
    /// The text of the query there.
    pub(super) fn text(&self, at: Span) -> Arc<str> {
        self.source.get(at.start as usize..at.end as usize).unwrap_or_default().into()
    }
}
