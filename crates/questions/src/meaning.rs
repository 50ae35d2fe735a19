//! What a question means, apart from the words it was asked in.

use crate::names::Entity;

/// Rows of what is asked for, with all that is said about it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Meaning {
    /// Empty where the question does not say: whatever fits the relations.
    pub kinds: Vec<Kind>,
    /// The question asks for one thing.
    pub is_singular: bool,
    pub filters: Vec<Filter>,
    pub links: Vec<Link>,
    pub subject: Subject,
    pub rank: Option<Rank>,
    pub having: Vec<Having>,
    pub counts: bool,
    /// It is places that are counted: "how many times".
    pub counts_sites: bool,
    pub limit: Option<u32>,
    /// The question asks for places.
    pub asks_where: bool,
}

/// What the rows are about, where a relation alone does not say it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Subject {
    #[default]
    Things,
    /// Where one thing is defined.
    Definition(Entity),
    /// The calls that lead from one thing to another.
    Path(Entity, Entity),
    /// What nothing refers to.
    Unused,
    Recursive,
    /// Functions that call each other in a ring, or modules that import each other.
    CallCycles,
    ImportCycles,
    EntryPoints,
    /// External packages, with the files that use them.
    Externals,
    /// Things whose names or descriptions mention a word.
    About(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Class,
    Function,
    Method,
    Interface,
    Enum,
    Type,
    Module,
    File,
    Folder,
    Package,
    External,
    Test,
    Constructor,
    Definition,
}

/// A relation that a verb of a question speaks of, from its agent to its patient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Relation {
    Call,
    Use,
    Import,
    Depend,
    Inherit,
    Implement,
    Override,
    Contain,
    Create,
    /// Calls over any number of steps.
    Reach,
    /// As `Reach`, from tests.
    Cover,
    /// Whatever depends on the patient, over any number of steps.
    Affect,
}

/// The part that what is asked for plays in a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Agent,
    Patient,
}

/// Something said about what is asked for: its relation to another thing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub relation: Relation,
    /// Of what is asked for.
    pub role: Role,
    pub other: Other,
    pub negated: bool,
    pub reach: Reach,
    pub across_files: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Other {
    Named(Entity),
    /// A name that the index does not know, as an external base class.
    Unknown(String),
    /// Anything of these kinds.
    Some(Vec<Kind>, Vec<Filter>),
    Anything,
}

/// How many steps a relation is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Reach {
    #[default]
    Direct,
    Any,
    Within(u32),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filter {
    Name {
        test: NameTest,
        value: String,
        negated: bool,
    },
    Docstring {
        present: bool,
    },
    DocstringMentions(String),
    /// `None`: any decorator.
    Decorator {
        name: Option<String>,
        negated: bool,
    },
    Parameter {
        name: String,
        negated: bool,
    },
    NoParameters,
    Returns {
        name: String,
        negated: bool,
    },
    Trait {
        name: Trait,
        negated: bool,
    },
    Location {
        place: Entity,
        negated: bool,
    },
    InTests {
        negated: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameTest {
    Contains,
    StartsWith,
    EndsWith,
    Is,
    /// With `*` for anything.
    Glob,
    Regex,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    Async,
    Static,
    Abstract,
    Public,
    Private,
    Protected,
    Exported,
    Property,
    ClassMethod,
    Anonymous,
    Nested,
    TopLevel,
    Dunder,
    Final,
    Const,
}

/// Something that can be counted or measured about a thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Metric {
    Lines,
    /// How many things stand in this relation to it, where it plays this role.
    Related {
        relation: Relation,
        role: Role,
        kinds: Vec<Kind>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rank {
    pub metric: Metric,
    pub descending: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Having {
    pub metric: Metric,
    pub comparison: &'static str,
    pub number: u32,
}

impl Kind {
    pub(crate) fn of(atom: &str) -> Option<Self> {
        Some(match atom.strip_prefix("kind.")? {
            "class" => Self::Class,
            "function" => Self::Function,
            "method" => Self::Method,
            "interface" => Self::Interface,
            "enum" => Self::Enum,
            "type" => Self::Type,
            "module" => Self::Module,
            "file" => Self::File,
            "folder" => Self::Folder,
            "package" => Self::Package,
            "external" => Self::External,
            "test" => Self::Test,
            "constructor" => Self::Constructor,
            "definition" => Self::Definition,
            _ => return None,
        })
    }

    /// Whether definitions are found in one.
    pub(crate) fn is_place(self) -> bool {
        matches!(self, Self::Module | Self::File | Self::Folder | Self::Package)
    }

    pub(crate) fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Test)
    }
}

impl Relation {
    pub(crate) fn of(atom: &str) -> Option<Self> {
        let word = atom.strip_prefix("verb.").or_else(|| atom.strip_prefix("noun."))?;
        Some(match word.split('.').next()? {
            "call" => Self::Call,
            "use" => Self::Use,
            "import" => Self::Import,
            "depend" => Self::Depend,
            "inherit" => Self::Inherit,
            "implement" => Self::Implement,
            "override" => Self::Override,
            "contain" | "define" => Self::Contain,
            "create" => Self::Create,
            "reach" => Self::Reach,
            "cover" => Self::Cover,
            "affect" => Self::Affect,
            _ => return None,
        })
    }
}

impl Role {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Agent => Self::Patient,
            Self::Patient => Self::Agent,
        }
    }
}

impl Trait {
    pub(crate) fn of(atom: &str) -> Option<Self> {
        Some(match atom.strip_prefix("trait.")? {
            "async" => Self::Async,
            "static" => Self::Static,
            "abstract" => Self::Abstract,
            "public" => Self::Public,
            "private" => Self::Private,
            "protected" => Self::Protected,
            "exported" => Self::Exported,
            "property" => Self::Property,
            "classmethod" => Self::ClassMethod,
            "anonymous" => Self::Anonymous,
            "nested" => Self::Nested,
            "toplevel" => Self::TopLevel,
            "dunder" => Self::Dunder,
            "final" => Self::Final,
            "const" => Self::Const,
            _ => return None,
        })
    }
}
