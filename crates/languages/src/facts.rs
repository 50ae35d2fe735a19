//! What one file says, before anything outside of it is looked at.
//!
//! Expressions that may matter to a call become *terms*: `self.repo.load(x)` is the result of calling the member `load` of the
//! member `repo` of the receiver. Names are bound to variables of the file where possible; what is left is `Free` or comes from
//! an import, and is for the linker to find.

use serde::{Deserialize, Serialize};

/// An interned text of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(pub u32);

macro_rules! indexes {
    ($($(#[$doc:meta])* $name:ident)+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+ };
}

indexes! {
    /// A definition of the file; 0 is the file itself as a module.
    DefId
    TermId
    VariableId
    ImportId
    LiteralId
}

impl DefId {
    pub const MODULE: Self = Self(0);
}

/// Everything that one file says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    pub names: Vec<String>,
    pub defs: Vec<Def>,
    pub terms: Vec<Term>,
    /// The lists that terms point into.
    pub lists: Vec<Vec<TermId>>,
    pub variables: Vec<Variable>,
    pub literals: Vec<Literal>,
    pub imports: Vec<Import>,
    pub exports: Vec<Export>,
    pub calls: Vec<Call>,
    pub uses: Vec<Use>,
    pub writes: Vec<Write>,
    pub implementations: Vec<Implementation>,
    /// The package or namespace that the file itself declares.
    pub package: Option<Name>,
    pub lines: u32,
    /// Whether the parser met text that it could not read.
    pub has_errors: bool,
}

impl FileFacts {
    pub fn text(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    pub fn term(&self, id: TermId) -> Term {
        self.terms[id.index()]
    }

    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.index()]
    }

    /// Gives back the room that lists kept for more: the facts of all files are in memory at once.
    pub(crate) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.names.iter_mut().for_each(String::shrink_to_fit);
        self.defs.iter_mut().for_each(Def::shrink);
        self.defs.shrink_to_fit();
        self.terms.shrink_to_fit();
        self.variables.iter_mut().for_each(|variable| variable.values.shrink_to_fit());
        self.variables.shrink_to_fit();
        self.literals.iter_mut().for_each(|literal| literal.items.shrink_to_fit());
        self.literals.shrink_to_fit();
        self.calls.iter_mut().for_each(|call| call.arguments.shrink_to_fit());
        self.calls.shrink_to_fit();
        self.uses.shrink_to_fit();
        self.writes.shrink_to_fit();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DefKind {
    /// The file.
    Module,
    /// A named part of a module or package: `namespace`, `mod`, `module`.
    Namespace,
    Class,
    Interface,
    Enum,
    /// An alias or any other named type.
    Type,
    Function,
    Method,
    /// A function without a name of its own.
    Lambda,
}

impl DefKind {
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Lambda)
    }

    pub fn is_type(self) -> bool {
        matches!(self, Self::Class | Self::Interface | Self::Enum | Self::Type)
    }
}

/// The modifier of a function that gives a generator whether or not it yields: `function* f() {}`.
pub const GENERATOR: &str = "generator";

/// The modifier of a signature that another definition of the same name stands for.
pub const OVERLOAD: &str = "overload";

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Def {
    pub kind: DefKind,
    pub name: Name,
    pub parent: DefId,
    /// Lines counted from 1, decorators and attributes included.
    pub start_line: u32,
    pub end_line: u32,
    /// Where the definition itself begins, below its decorators.
    pub own_line: u32,
    /// Where the source is, in bytes.
    pub start_byte: u32,
    pub end_byte: u32,
    /// The declaration on one line.
    pub signature: String,
    pub docstring: Option<String>,
    pub modifiers: Vec<String>,
    pub decorators: Vec<Decorator>,
    /// Of a type: what it extends.
    pub bases: Vec<TermId>,
    /// Of a type: what it implements. Of a method in `impl Trait for Type`: that trait.
    pub interfaces: Vec<TermId>,
    /// Of a type: what its instances have, by name. Of a function: what `this.x = …` in it writes.
    pub members: Vec<Member>,
    /// Of a callable. A receiver that the language passes first is not among them.
    pub parameters: Vec<Parameter>,
    pub returns: Vec<TermId>,
    pub yields: Vec<TermId>,
    /// The declared type of the result, or of what an alias stands for.
    pub declared: Option<TermId>,
    /// Of a function that is a value: the type that it has to be of where it stands.
    pub expected: Option<TermId>,
    /// Of a method that stands outside of its type, or of a function in an object: the value of its receiver.
    pub receiver: Option<TermId>,
}

impl Def {
    pub(crate) fn new(kind: DefKind, name: Name, parent: DefId) -> Self {
        Self {
            kind,
            name,
            parent,
            start_line: 0,
            end_line: 0,
            own_line: 0,
            start_byte: 0,
            end_byte: 0,
            signature: String::new(),
            docstring: None,
            modifiers: Vec::new(),
            decorators: Vec::new(),
            bases: Vec::new(),
            interfaces: Vec::new(),
            members: Vec::new(),
            parameters: Vec::new(),
            returns: Vec::new(),
            yields: Vec::new(),
            declared: None,
            expected: None,
            receiver: None,
        }
    }

    fn shrink(&mut self) {
        self.signature.shrink_to_fit();
        self.members.shrink_to_fit();
        self.parameters.shrink_to_fit();
        self.returns.shrink_to_fit();
        self.modifiers.shrink_to_fit();
    }

    /// Whether it is a type of functions rather than a function.
    pub fn is_signature(&self) -> bool {
        self.kind == DefKind::Lambda && self.has_modifier(OVERLOAD)
    }

    pub fn has_modifier(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|known| known == modifier)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decorator {
    pub text: String,
    pub term: TermId,
}

/// A named thing that belongs to a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    pub name: Name,
    pub value: TermId,
    /// Whether it belongs to the type itself rather than to its instances.
    pub is_static: bool,
    /// Whether `value` is a declared type, so that the member holds an instance of it.
    pub is_type: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: Name,
    pub declared: Option<TermId>,
    pub default: Option<TermId>,
    pub kind: ParameterKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ParameterKind {
    One,
    /// Takes all further positional arguments.
    Rest,
    /// Takes all further named arguments.
    Keywords,
}

/// A value as it is written. What each stands for is decided by the linker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Term {
    Unknown,
    /// A number, a text, a boolean: something built in.
    BuiltIn,
    Def(DefId),
    Variable(VariableId),
    /// A name that no scope of the file binds, used in this definition.
    Free(Name, DefId),
    Import(ImportId),
    Parameter(DefId, u32),
    /// `self` or `this` in this definition.
    Receiver(DefId),
    /// `super` in this definition.
    Super(DefId),
    Member(TermId, Name),
    /// What calling the first gives, with the arguments of that call.
    Result(TermId),
    /// What `new` gives.
    New(TermId),
    /// A value of the type that the term names.
    Instance(TermId),
    /// Any element of a collection.
    Element(TermId),
    /// The element under a constant key.
    Item(TermId, Name),
    /// A list, tuple, map or object that is written out here.
    Literal(LiteralId),
    /// One of these: `lists[n]`.
    Union(u32),
    /// A type with arguments: `lists[n]`.
    Generic(TermId, u32),
    /// The definition as its last so many decorators leave it.
    Decorated(DefId, u32),
    /// What a generator or an awaited value gives.
    Awaited(TermId),
    /// What calling the first takes at this position.
    Taken(TermId, u32),
}

/// A name in a scope, with everything that is assigned to it anywhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    pub name: Name,
    /// The definition whose scope holds it.
    pub owner: DefId,
    /// Whether it is directly in the scope of the module (or namespace), where other files see it.
    pub is_global: bool,
    pub declared: Option<TermId>,
    pub values: Vec<TermId>,
}

/// A collection that is written out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Literal {
    pub items: Vec<Item>,
    /// Collections whose items are copied into this one.
    pub spreads: Vec<TermId>,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// `None` when the key is not a constant.
    pub key: Option<Name>,
    pub value: TermId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportKind {
    /// The module itself.
    Module,
    /// A symbol of the module, or a module below it.
    Symbol(Name),
    /// What the module exports as its default.
    Default,
    /// Every name that the module exports.
    Wildcard,
}

/// One name that comes from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// As written: `..core`, `./x.js`, `com.example.Thing`, `crate::a::b`, `<stdio.h>`.
    pub module: Name,
    pub kind: ImportKind,
    pub line: u32,
    /// The definition that it is written in.
    pub within: DefId,
    /// Whether others see it through this file too (`pub use`, `export … from`).
    pub is_public: bool,
}

/// What the file hands out under a name of its choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// `None` is the default export, or the whole of what the module is.
    pub name: Option<Name>,
    pub value: TermId,
}

/// A call, where it is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub caller: DefId,
    pub callee: TermId,
    pub line: u32,
    pub kind: CallKind,
    pub arguments: Vec<Argument>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallKind {
    Call,
    New,
    /// A decorator that is applied.
    Decorator,
    /// A property that is read: only a getter is called.
    Get,
    /// A property that is written: only a setter is called.
    Set,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Argument {
    /// For named arguments.
    pub name: Option<Name>,
    pub value: TermId,
    /// Whether the value is a collection of arguments.
    pub is_spread: bool,
}

/// A value that is handed on rather than called: it may be a callable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Use {
    pub user: DefId,
    pub value: TermId,
    pub line: u32,
}

/// `impl Trait for Type`: said outside of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Implementation {
    pub of: TermId,
    pub interface: TermId,
}

/// `object.name = value`, where the object is not the receiver of the enclosing method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Write {
    pub object: TermId,
    /// `None` when the key is not a constant.
    pub name: Option<Name>,
    pub value: TermId,
}
