//! Which formats are there?

use std::io::{self, Write};

use crate::{Source, cypher, graphml, json};

/// One format. To add another, write its file and its row in [`FORMATS`].
#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub name: &'static str,
    /// What reads it, in a few words.
    pub purpose: &'static str,
    /// Writes the whole graph. The same graph gives the same bytes.
    pub write: fn(&dyn Source, &mut dyn Write) -> io::Result<()>,
}

pub const FORMATS: &[Format] = &[
    Format { name: "json", purpose: "one object, one line for each node and relationship", write: json::write },
    Format { name: "graphml", purpose: "networkx, Gephi, yEd", write: graphml::write },
    Format { name: "cypher", purpose: "a script for Neo4j, Memgraph and ArcadeDB", write: cypher::write },
];

impl Format {
    pub fn named(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.name == name)
    }
}
