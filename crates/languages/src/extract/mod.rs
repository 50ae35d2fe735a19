//! From the syntax tree of one file to its facts, in one walk.

mod binding;
mod calls;
mod cases;
mod clauses;
mod declarators;
mod definitions;
mod expected;
mod finish;
mod handed;
mod implicit;
mod imports;
mod keys;
mod lists;
mod macros;
mod members;
mod overloads;
mod parameters;
mod parse;
mod scopes;
mod second_reading;
mod text;
mod unread;
mod values;

use std::borrow::Cow;

use crate::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::facts::{Def, DefId, DefKind, FileFacts, Name, Term, TermId, Use, VariableId};
use crate::language::Language;
use crate::lines;
use crate::pattern::{Match, Search};
use crate::roles::Role;
use crate::tree::Forest;
use scopes::{Scope, ScopeId, ScopeKind};

/// Deeper nesting than people write; beyond it nothing more is read.
const DEEPEST: u32 = 1_000;

/// Why nothing can be said about a text.
#[derive(Debug, Error)]
pub enum ExtractError {
    #[error("the parser gave up after {seconds} seconds")]
    TooSlow { seconds: u64 },
}

pub(crate) fn extract(language: &Language, source: &str) -> Result<FileFacts, ExtractError> {
    let source = &*with_last_line_ended(source);
    match language.own_tree(source) {
        Some(forest) => Ok(read(Extractor::new(language, source, &forest))),
        None => extract_by_grammar(language, source),
    }
}

pub(crate) fn extract_by_grammar(language: &Language, source: &str) -> Result<FileFacts, ExtractError> {
    let source = &*with_last_line_ended(source);
    let tree = parse::parse(language, source)?;
    let unread = unread::Unread::parse(language, source, &tree);
    let mut forest = Forest::default();
    forest.add(&tree);
    unread.trees().for_each(|tree| forest.add(tree));
    let mut extractor = Extractor::new(language, source, &forest);
    extractor.unread = unread.nodes(language, source, &forest);
    extractor.facts.has_errors = tree.root_node().has_error();
    Ok(read(extractor))
}

fn read(mut extractor: Extractor<'_, '_>) -> FileFacts {
    let root = extractor.forest.root(0);
    extractor.begin_module(root);
    extractor.children(root);
    extractor.finish()
}

/// The scanner of Kotlin looks for the end of the line after an annotation and never comes back if there is none.
fn with_last_line_ended(source: &str) -> Cow<'_, str> {
    if source.is_empty() || source.ends_with('\n') { Cow::Borrowed(source) } else { Cow::Owned(format!("{source}\n")) }
}

struct Extractor<'a, 't> {
    language: &'a Language,
    source: &'a str,
    forest: &'t Forest,
    facts: FileFacts,
    names: FxHashMap<Box<str>, Name>,
    terms: FxHashMap<Term, TermId>,
    lists: FxHashMap<Vec<TermId>, u32>,
    scopes: Vec<Scope>,
    scope: ScopeId,
    /// The definition that the walk is in.
    def: DefId,
    /// The definition whose receiver `self` or `this` means here.
    self_def: DefId,
    /// One term for each name used in a scope; bound at the end, when all declarations are known.
    name_terms: FxHashMap<(ScopeId, Name, bool), TermId>,
    /// Names of types that are known everywhere in the type that declares them.
    type_parameters: FxHashSet<VariableId>,
    pending_names: Vec<PendingName>,
    pending_assignments: Vec<PendingAssignment>,
    /// Names that may be calls without brackets, and one term for each in a scope.
    bare_names: Vec<implicit::BareName>,
    bare_terms: FxHashMap<(ScopeId, Name), TermId>,
    /// Variables that are the names of functions.
    functions: FxHashSet<VariableId>,
    /// Whether what is defined here belongs to the type itself.
    is_static_part: bool,
    /// In an `impl` or `extension`: the value of its receivers.
    extension: Option<TermId>,
    /// What stands before the name of the definition that begins now: `Type::name`.
    named_in: Option<TermId>,
    /// In an `impl`: the interfaces that it implements.
    implemented: Vec<TermId>,
    depth: u32,
    in_type: bool,
    /// The comment directly above the node that comes next, in bytes, and its last line.
    comment: Option<(usize, usize, usize)>,
    /// A comment that the nodes walked last end with.
    trailing_comment: Option<(usize, usize, usize)>,
    decorated: Option<Node<'t>>,
    decorators: Vec<Node<'t>>,
    /// The type that a value here is declared with.
    expected: Option<TermId>,
    /// The name that an unnamed function or class would take.
    hint: Option<Hint>,
    /// What stands in place of nodes of mere tokens, by the byte at which these begin.
    unread: FxHashMap<usize, Vec<Node<'t>>>,
    /// What the cases here look at.
    subject: Option<cases::Subject>,
    /// Callables that have no body.
    signatures: FxHashSet<DefId>,
    /// Values that are a text or a number.
    constants: FxHashMap<TermId, Name>,
    pending_keys: Vec<keys::PendingKey>,
    /// What the call around hands to the lambda that comes next.
    handed: Handed,
    /// How the names that are being bound are declared.
    manner: Manner,
    /// While a declaration is exported: the scope it stands in, and the names it declares there.
    exporting: Option<(ScopeId, Vec<Name>)>,
}

/// What a function among the arguments of a call is called with.
#[derive(Debug, Clone, Copy, Default)]
struct Handed {
    receiver: Option<TermId>,
    /// Its first parameter.
    given: Option<TermId>,
}

/// What modifiers say about the names of a declaration.
#[derive(Debug, Clone, Copy, Default)]
struct Manner {
    /// Whether they belong to the function rather than to the block.
    is_function_wide: bool,
    is_static: bool,
}

/// A name for a definition that has none of its own.
#[derive(Debug, Clone, Copy)]
struct Hint {
    name: Name,
    is_method: bool,
    /// The object that the definition becomes a member of.
    receiver: Option<TermId>,
    /// Whether the name is declared here, and not only given a value.
    declares: bool,
}

struct PendingName {
    term: TermId,
    scope: ScopeId,
    name: Name,
    def: DefId,
    /// Whether it is called by its bare name.
    is_called: bool,
}

struct PendingAssignment {
    scope: ScopeId,
    name: Name,
    value: TermId,
    def: DefId,
}

impl<'a, 't> Extractor<'a, 't> {
    fn new(language: &'a Language, source: &'a str, forest: &'t Forest) -> Self {
        Self {
            language,
            source,
            forest,
            facts: FileFacts::default(),
            names: FxHashMap::default(),
            terms: FxHashMap::default(),
            lists: FxHashMap::default(),
            scopes: Vec::new(),
            scope: ScopeId(0),
            def: DefId::MODULE,
            self_def: DefId::MODULE,
            name_terms: FxHashMap::default(),
            type_parameters: FxHashSet::default(),
            pending_names: Vec::new(),
            pending_assignments: Vec::new(),
            bare_names: Vec::new(),
            bare_terms: FxHashMap::default(),
            functions: FxHashSet::default(),
            is_static_part: false,
            extension: None,
            named_in: None,
            implemented: Vec::new(),
            depth: 0,
            in_type: false,
            comment: None,
            trailing_comment: None,
            decorated: None,
            decorators: Vec::new(),
            expected: None,
            hint: None,
            unread: FxHashMap::default(),
            subject: None,
            signatures: FxHashSet::default(),
            constants: FxHashMap::default(),
            pending_keys: Vec::new(),
            handed: Handed::default(),
            manner: Manner::default(),
            exporting: None,
        }
    }

    fn begin_module(&mut self, root: Node<'t>) {
        let name = self.intern("");
        let lines = lines::count(self.source);
        self.facts.lines = lines;
        let mut module = Def::new(DefKind::Module, name, DefId::MODULE);
        module.end_line = lines;
        module.end_byte = byte(root.end_byte());
        module.docstring = self.module_documentation(root);
        self.facts.defs.push(module);
        self.scopes.push(Scope::new(None, DefId::MODULE, ScopeKind::Module));
    }

    /// What this node stands for as a value. Everything in it is seen exactly once.
    fn term(&mut self, node: Node<'t>) -> TermId {
        if self.depth >= DEEPEST {
            return self.unknown();
        }
        self.depth += 1;
        let term = match self.role_of(node) {
            Some(found) => self.by_role(node, &found),
            None => {
                self.hint = None;
                self.children(node);
                self.unknown()
            }
        };
        self.depth -= 1;
        term
    }

    fn role_of(&self, node: Node<'t>) -> Option<Match<'t>> {
        self.language.patterns().role(node, self.forest, self.source.as_bytes(), self.in_type)
    }

    /// What this node names as a type.
    fn type_term(&mut self, node: Node<'t>) -> TermId {
        let before = std::mem::replace(&mut self.in_type, true);
        let term = self.term(node);
        self.in_type = before;
        term
    }

    fn value_term(&mut self, node: Node<'t>) -> TermId {
        let before = std::mem::replace(&mut self.in_type, false);
        let term = self.term(node);
        self.in_type = before;
        term
    }

    /// Walks the children one after the other; the value is that of the last.
    fn children(&mut self, node: Node<'t>) -> Option<TermId> {
        self.sequence(self.forest.named_in(node))
    }

    fn sequence(&mut self, nodes: impl IntoIterator<Item = Node<'t>>) -> Option<TermId> {
        let mut last = None;
        let mut comment: Option<(usize, usize, usize)> = self.comment.take();
        for node in nodes {
            // Text that cannot be read may hold much that can.
            if node.is_extra() && !node.is_error() {
                match self.role_of(node) {
                    Some(found) if found.role == Role::Text => drop(self.term(node)),
                    _ => comment = self.joined_comment(comment, node),
                }
                continue;
            }
            let above = comment.take().filter(|(_, _, row)| node.start_row() <= row + 1);
            self.comment = above.or(self.comment.take().filter(|_| self.decorated.is_some()));
            let term = self.term(node);
            last = Some(last.filter(|_| self.is_handler(node, term)).unwrap_or(term));
            let is_decorator = |found: Match<'t>| found.role == Role::Decorator;
            if self.decorated.is_none() || !self.role_of(node).is_some_and(is_decorator) {
                self.comment = None;
                self.decorated = None;
                self.decorators.clear();
            }
            // Some grammars put the comment above a node at the end of the one before.
            comment = self.trailing_comment.take();
        }
        self.trailing_comment = comment;
        last
    }

    /// Whether a node at the end of a body leaves the value of the body as it is.
    fn is_handler(&self, node: Node<'t>, term: TermId) -> bool {
        self.language.settings().scopes.implicit_results
            && self.facts.term(term) == Term::Unknown
            && self.role_of(node).is_some_and(|found| matches!(found.role, Role::Catch | Role::Skip))
    }

    /// Walks what a role did not name as a part.
    fn rest(&mut self, node: Node<'t>, found: &Match<'t>) -> Option<TermId> {
        let mut rest = Vec::new();
        uncovered(self.forest, node, &found.search(), &mut rest);
        self.sequence(rest)
    }

    fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return *name;
        }
        let name = Name(index(self.facts.names.len()));
        self.facts.names.push(text.to_owned());
        self.names.insert(text.into(), name);
        name
    }

    fn text(&self, node: Node<'t>) -> &'a str {
        &self.source[node.byte_range()]
    }

    /// Whether it is this token.
    fn is_sign(&self, node: Node<'t>, sign: &str) -> bool {
        !node.is_named() && self.text(node) == sign
    }

    /// The last line that has something of it.
    fn end_line(&self, node: Node<'t>) -> u32 {
        let ends_with_line = self.source.as_bytes()[..node.end_byte()].last().is_none_or(|byte| *byte == b'\n');
        index(node.end_row() + usize::from(!ends_with_line))
    }

    fn name_of(&mut self, node: Node<'t>) -> Name {
        let text = self.text(node);
        self.intern(text)
    }

    fn add(&mut self, term: Term) -> TermId {
        if let Some(id) = self.terms.get(&term) {
            return *id;
        }
        let id = self.add_unshared(term);
        self.terms.insert(term, id);
        id
    }

    fn add_unshared(&mut self, term: Term) -> TermId {
        let id = TermId(index(self.facts.terms.len()));
        self.facts.terms.push(term);
        id
    }

    fn unknown(&mut self) -> TermId {
        self.add(Term::Unknown)
    }

    fn list(&mut self, terms: Vec<TermId>) -> u32 {
        if let Some(id) = self.lists.get(&terms) {
            return *id;
        }
        let id = index(self.facts.lists.len());
        self.facts.lists.push(terms.clone());
        self.lists.insert(terms, id);
        id
    }

    fn union(&mut self, mut terms: Vec<TermId>) -> TermId {
        terms.dedup();
        match terms.as_slice() {
            [] => self.unknown(),
            [one] => *one,
            _ => {
                let list = self.list(terms);
                self.add(Term::Union(list))
            }
        }
    }

    fn instance_of(&mut self, declared: TermId) -> TermId {
        match self.facts.term(declared) {
            Term::Unknown | Term::BuiltIn => declared,
            _ => self.add(Term::Instance(declared)),
        }
    }

    /// Remembers a value that may be a callable and is handed on here.
    fn note_use(&mut self, node: Node<'t>, value: TermId) {
        if matches!(self.facts.term(value), Term::Free(..) | Term::Member(..) | Term::Import(_)) {
            self.facts.uses.push(Use { user: self.def, value, line: line(node) });
        }
    }
}

/// The outermost nodes below this one that are no part and hold none.
fn uncovered<'t>(forest: &'t Forest, node: Node<'t>, found: &Search<'_, 't>, rest: &mut Vec<Node<'t>>) {
    for child in forest.nodes_in(node) {
        if !child.is_named() || found.is_part(child) {
            continue;
        }
        if found.covers(child) {
            uncovered(forest, child, found, rest);
        } else {
            rest.push(child);
        }
    }
}

fn line(node: Node<'_>) -> u32 {
    index(node.start_row()) + 1
}

fn byte(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("a file is cut long before it has four billion of anything")
}
