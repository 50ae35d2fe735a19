//! Where servers differ: what each needs to find things quickly, said in every way that one of them understands.
//!
//! Statements for data are openCypher that all of them share. For each row below the first way that the server accepts is
//! taken; a server that accepts none works, only more slowly.

/// The label of every node that is ours.
pub(crate) const NODE: &str = "TrailmarkNode";
/// The label of the notes about which types of relationships there are.
pub(crate) const TYPE: &str = "TrailmarkType";
/// The full-text index over the words that stand for names and values.
pub(crate) const KEYS_INDEX: &str = "trailmark_keys";

/// One thing that should be there, and the ways to say so: Neo4j's (which ArcadeDB shares), then Memgraph's.
#[derive(Debug)]
pub(crate) struct Need {
    pub(crate) what: &'static str,
    pub(crate) ways: &'static [&'static str],
}

pub(crate) const NEEDS: &[Need] = &[
    Need {
        what: "ids of nodes are unique",
        ways: &[
            "CREATE CONSTRAINT trailmark_node_id IF NOT EXISTS FOR (n:TrailmarkNode) REQUIRE n._id IS UNIQUE",
            "CREATE CONSTRAINT ON (n:TrailmarkNode) ASSERT n._id IS UNIQUE",
        ],
    },
    Need {
        what: "nodes are found by id",
        ways: &[
            "CREATE INDEX trailmark_node_id_index IF NOT EXISTS FOR (n:TrailmarkNode) ON (n._id)",
            "CREATE INDEX ON :TrailmarkNode(_id)",
        ],
    },
    Need {
        what: "types of relationships are noted once",
        ways: &[
            "CREATE CONSTRAINT trailmark_type_name IF NOT EXISTS FOR (t:TrailmarkType) REQUIRE t._name IS UNIQUE",
            "CREATE CONSTRAINT ON (t:TrailmarkType) ASSERT t._name IS UNIQUE",
        ],
    },
    Need {
        what: "nodes are found by names and values",
        ways: &["CREATE FULLTEXT INDEX trailmark_keys IF NOT EXISTS FOR (n:TrailmarkNode) ON EACH [n._keys]"],
    },
];

/// Relationships of one type are found by id.
pub(crate) fn relationship_index(kind: &str) -> [String; 2] {
    [
        format!("CREATE INDEX trailmark_{kind}_id IF NOT EXISTS FOR ()-[r:`{kind}`]-() ON (r._id)"),
        format!("CREATE EDGE INDEX ON :`{kind}`(_id)"),
    ]
}

/// Whether the full-text index can be asked; some servers have one that was made in another way.
pub(crate) fn keys_probe() -> String {
    format!("CALL db.index.fulltext.queryNodes('{KEYS_INDEX}', 'none') YIELD node RETURN count(node) AS number")
}

/// What begins a search for names: all nodes, or those that the full-text index gives for `$text`.
pub(crate) fn nodes_with_keys(has_index: bool) -> String {
    if has_index {
        format!("CALL db.index.fulltext.queryNodes('{KEYS_INDEX}', $text) YIELD node AS n")
    } else {
        format!("MATCH (n:{NODE})")
    }
}
