//! What the properties of nodes and relationships are called in queries, and where each is stored.

use graph::{PROPERTY_ALIASES, PropertyKey};

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

    pub(super) fn named(name: &str) -> Option<Self> {
        let meant = PROPERTY_ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, meant)| meant);
        Self::ALL.iter().copied().find(|property| property.name() == meant)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_the_names_that_all_code_graphs_use() {
        let names = |properties: &[Property]| properties.iter().map(|property| property.name()).collect::<Vec<_>>();
        assert_eq!(names(Property::of_nodes()), graph::NODE_PROPERTIES);
        assert_eq!(names(Property::of_edges()), graph::RELATIONSHIP_PROPERTIES);
        assert_eq!(Property::named("start_line"), Some(Property::LineStart));
    }
}
