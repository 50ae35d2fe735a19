//! What the properties of a code graph are called, in queries, in exports and on graph servers alike.

/// Those of nodes.
pub const NODE_PROPERTIES: &[&str] = &[
    "name",
    "qualified_name",
    "file_path",
    "line_start",
    "line_end",
    "signature",
    "docstring",
    "decorators",
    "modifiers",
];

/// Those of relationships.
pub const RELATIONSHIP_PROPERTIES: &[&str] = &["line", "resolution", "confidence"];

/// Other names that queries may use, because people and models write them, and the names that are meant.
pub const PROPERTY_ALIASES: &[(&str, &str)] =
    &[("path", "file_path"), ("start_line", "line_start"), ("end_line", "line_end")];
