//! A server under test: which setting names it, what a client writes to it, and how what it keeps is read.

use std::path::Path;

use serde_json::{Value, json};
use test_servers::{ArcadeDb, MongoDb, PASSWORD, Postgres, Program};

use crate::content::Content;

/// One kind of server behind one family of tools.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject {
    pub(crate) program: &'static dyn Program,
    pub(crate) setting: &'static str,
    pub(crate) family: Family,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Documents,
    Knowledge,
}

pub(crate) const MONGODB: Subject =
    Subject { program: &MongoDb, setting: "TRAILMARK_DOCUMENTS", family: Family::Documents };
pub(crate) const BOLT: Subject =
    Subject { program: &ArcadeDb, setting: "TRAILMARK_KNOWLEDGE", family: Family::Knowledge };
pub(crate) const POSTGRES: Subject =
    Subject { program: &Postgres, setting: "TRAILMARK_DOCUMENTS", family: Family::Documents };

impl Subject {
    /// A call that keeps something with this name, and gives its id.
    pub(crate) fn write(&self, name: &str) -> (&'static str, Value) {
        match self.family {
            Family::Documents => ("mongo_save_document", json!({"topic": name, "content": "what is known"})),
            Family::Knowledge => ("neo4j_create_node", json!({"label": "Entity", "properties": {"name": name}})),
        }
    }

    /// A call that reads what has this id.
    pub(crate) fn read(&self, id: &str) -> (&'static str, Value) {
        match self.family {
            Family::Documents => ("mongo_find_by_id", json!({"id": id})),
            Family::Knowledge => ("neo4j_find_node", json!({"id": id})),
        }
    }

    /// Ids and names of all that is in an embedded store.
    pub(crate) fn all_in(&self, folder: &Path) -> Vec<(String, String)> {
        let Content { documents, nodes, .. } = Content::of(folder);
        let name = |node: &store::Node| node.properties.names().next().unwrap_or_default().to_owned();
        match self.family {
            Family::Documents => {
                documents.into_iter().map(|document| (document.id.to_string(), document.topic)).collect()
            }
            Family::Knowledge => nodes.iter().map(|node| (node.id.to_string(), name(node))).collect(),
        }
    }
}

/// No text that anybody can read holds a password.
#[track_caller]
pub(crate) fn assert_no_password(text: &str) {
    for secret in [PASSWORD, WRONG] {
        let at = text.find(secret);
        assert_eq!(at, None, "{}", &text[at.unwrap_or(0).saturating_sub(300)..]);
    }
}

/// A password that no server has.
pub(crate) const WRONG: &str = "wrongword";
