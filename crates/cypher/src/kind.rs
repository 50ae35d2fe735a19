//! What is known of a value before the query runs.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing is known.
    Any,
    Bool,
    Int,
    Float,
    /// An integer or a float.
    Number,
    Text,
    List(Box<Kind>),
    Map,
    Node,
    Relationship,
    Path,
}

impl Kind {
    pub(crate) fn list() -> Kind {
        Kind::List(Box::new(Kind::Any))
    }

    /// What is true of both.
    pub(crate) fn join(&self, other: &Kind) -> Kind {
        if self == other { self.clone() } else { Kind::Any }
    }

    pub(crate) fn element(&self) -> Kind {
        match self {
            Kind::List(element) => (**element).clone(),
            _ => Kind::Any,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Kind::Any => "a value",
            Kind::Bool => "a boolean",
            Kind::Int => "an integer",
            Kind::Float => "a float",
            Kind::Number => "a number",
            Kind::Text => "a text",
            Kind::List(_) => "a list",
            Kind::Map => "a map",
            Kind::Node => "a node",
            Kind::Relationship => "a relationship",
            Kind::Path => "a path",
        }
    }

    pub(crate) fn may_be_number(&self) -> bool {
        matches!(self, Kind::Any | Kind::Int | Kind::Float | Kind::Number)
    }

    pub(crate) fn may_be_bool(&self) -> bool {
        matches!(self, Kind::Any | Kind::Bool)
    }

    pub(crate) fn may_be_list(&self) -> bool {
        matches!(self, Kind::Any | Kind::List(_))
    }

    pub(crate) fn may_have_properties(&self) -> bool {
        matches!(self, Kind::Any | Kind::Node | Kind::Relationship | Kind::Map)
    }

    pub(crate) fn is_entity(&self) -> bool {
        matches!(self, Kind::Node | Kind::Relationship)
    }
}

/// What a function expects of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expects {
    Anything,
    Number,
    Text,
    List,
    Node,
    Relationship,
    Path,
    /// A node, a relationship or a map.
    Properties,
    Entity,
    ListOrText,
}

impl Expects {
    pub(crate) fn allows(self, kind: &Kind) -> bool {
        if *kind == Kind::Any {
            return true;
        }
        match self {
            Expects::Anything => true,
            Expects::Number => kind.may_be_number(),
            Expects::Text => *kind == Kind::Text,
            Expects::List => kind.may_be_list(),
            Expects::Node => *kind == Kind::Node,
            Expects::Relationship => *kind == Kind::Relationship,
            Expects::Path => *kind == Kind::Path,
            Expects::Properties => kind.may_have_properties(),
            Expects::Entity => kind.is_entity(),
            Expects::ListOrText => matches!(kind, Kind::List(_) | Kind::Text),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Expects::Anything => "a value",
            Expects::Number => "a number",
            Expects::Text => "a text",
            Expects::List => "a list",
            Expects::Node => "a node",
            Expects::Relationship => "a relationship",
            Expects::Path => "a path",
            Expects::Properties => "a node, a relationship or a map",
            Expects::Entity => "a node or a relationship",
            Expects::ListOrText => "a list or a text",
        }
    }
}

/// What a function gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gives {
    Anything,
    Bool,
    Int,
    Float,
    Number,
    Text,
    List,
    TextList,
    NodeList,
    RelationshipList,
    Node,
    Map,
    /// The same kind as its first argument.
    Same,
    /// An element of its first argument.
    Element,
    /// A list of what its first argument is.
    ListOf,
}

impl Gives {
    pub(crate) fn kind(self, first: Option<&Kind>) -> Kind {
        let list_of = |kind: Kind| Kind::List(Box::new(kind));
        match self {
            Gives::Anything => Kind::Any,
            Gives::Bool => Kind::Bool,
            Gives::Int => Kind::Int,
            Gives::Float => Kind::Float,
            Gives::Number => Kind::Number,
            Gives::Text => Kind::Text,
            Gives::List => Kind::list(),
            Gives::TextList => list_of(Kind::Text),
            Gives::NodeList => list_of(Kind::Node),
            Gives::RelationshipList => list_of(Kind::Relationship),
            Gives::Node => Kind::Node,
            Gives::Map => Kind::Map,
            Gives::Same => first.cloned().unwrap_or(Kind::Any),
            Gives::Element => first.map_or(Kind::Any, Kind::element),
            Gives::ListOf => list_of(first.cloned().unwrap_or(Kind::Any)),
        }
    }
}
