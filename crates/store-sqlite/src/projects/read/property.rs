//! What the properties of nodes and relationships are called in queries, and where each is stored.

use graph::PropertyKey;

/// A property of a node or of a relationship; its number is its place in [`Property::ALL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Property {
    Name,
    QualifiedName,
    FilePath,
    LineStart,
    LineEnd,
    Signature,
    Docstring,
    Decorators,
    Modifiers,
    Line,
    Resolution,
    Confidence,
}

impl Property {
    pub(super) const ALL: &[Self] = &[
        Self::Name,
        Self::QualifiedName,
        Self::FilePath,
        Self::LineStart,
        Self::LineEnd,
        Self::Signature,
        Self::Docstring,
        Self::Decorators,
        Self::Modifiers,
        Self::Line,
        Self::Resolution,
        Self::Confidence,
    ];

    /// How many of them nodes have; the others are those of relationships.
    const OF_NODES: usize = 9;

    pub(super) fn of_nodes() -> &'static [Self] {
        &Self::ALL[..Self::OF_NODES]
    }

    pub(super) fn of_edges() -> &'static [Self] {
        &Self::ALL[Self::OF_NODES..]
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::QualifiedName => "qualified_name",
            Self::FilePath => "file_path",
            Self::LineStart => "line_start",
            Self::LineEnd => "line_end",
            Self::Signature => "signature",
            Self::Docstring => "docstring",
            Self::Decorators => "decorators",
            Self::Modifiers => "modifiers",
            Self::Line => "line",
            Self::Resolution => "resolution",
            Self::Confidence => "confidence",
        }
    }

    /// The name that exported graphs use, where it is another one: a query written for those works here too.
    const fn other_name(self) -> Option<&'static str> {
        match self {
            Self::FilePath => Some("path"),
            Self::LineStart => Some("start_line"),
            Self::LineEnd => Some("end_line"),
            Self::Name
            | Self::QualifiedName
            | Self::Signature
            | Self::Docstring
            | Self::Decorators
            | Self::Modifiers
            | Self::Line
            | Self::Resolution
            | Self::Confidence => None,
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|property| property.name() == name || property.other_name() == Some(name))
    }

    pub(super) fn of_key(key: PropertyKey) -> Option<Self> {
        Self::ALL.get(usize::try_from(key.0).ok()?).copied()
    }

    pub(super) const fn key(self) -> PropertyKey {
        PropertyKey(self as u32)
    }

    pub(super) fn is_of_node(self) -> bool {
        Self::of_nodes().contains(&self)
    }
}
