//! Documents: the six `mongo_*` tools (S2 §1). The names come from the specification; the store behind them is whichever
//! one is configured.

mod delete;
mod find_all;
mod find_by_id;
mod find_by_topic;
mod save;
mod update;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use store::{Document, SourceKind};

use crate::registry::{Advice, Family};
use crate::styles::Style;
use crate::tool::{Erased, Tool};

/// How long a call to the document store may take.
const DEADLINE: Option<Duration> = Some(Duration::from_secs(5));
const LONGEST_TOPIC: u64 = 200;
const LONGEST_CONTENT: u64 = 20_000;
const LONGEST_TAG: u64 = 100;
const MOST_TAGS: u64 = 50;

pub(crate) const FAMILY: Family = Family {
    name: "documents",
    title: "Documents",
    purpose: "Short texts under a topic, kept for every client and found again in English and Chinese.",
    advice: &[
        Advice {
            needs: &["mongo_find_by_topic"],
            text: "Before you research something, call mongo_find_by_topic: another agent may have written it down already.",
        },
        Advice {
            needs: &["mongo_save_document", "mongo_update_document"],
            text: "When you have learned something that will matter again, keep it with mongo_update_document, or \
                   mongo_save_document for a new topic. Never store secrets.",
        },
    ],
    style: Style::Knowledge,
    tools: TOOLS,
};

const TOOLS: &[&dyn Tool] = &[
    &Erased::<save::SaveDocument>::new(),
    &Erased::<find_by_topic::FindByTopic>::new(),
    &Erased::<find_by_id::FindById>::new(),
    &Erased::<update::UpdateDocument>::new(),
    &Erased::<delete::DeleteDocument>::new(),
    &Erased::<find_all::FindAll>::new(),
];

/// Where a document came from.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Source {
    r#type: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2048))]
    url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    title: Option<String>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Web,
    User,
    System,
}

impl From<Source> for store::Source {
    fn from(source: Source) -> Self {
        let kind = match source.r#type {
            Kind::Web => SourceKind::Web,
            Kind::User => SourceKind::User,
            Kind::System => SourceKind::System,
        };
        Self { kind, url: source.url, title: source.title }
    }
}

impl From<store::Source> for Source {
    fn from(source: store::Source) -> Self {
        let kind = match source.kind {
            SourceKind::Web => Kind::Web,
            SourceKind::User => Kind::User,
            SourceKind::System => Kind::System,
        };
        Self { r#type: kind, url: source.url, title: source.title }
    }
}

/// A document in a list.
#[derive(Debug, Serialize, JsonSchema)]
struct Item {
    id: String,
    topic: String,
    content: String,
    tags: Vec<String>,
}

impl From<Document> for Item {
    fn from(document: Document) -> Self {
        let Document { id, topic, content, tags, .. } = document;
        Self { id: id.to_string(), topic, content, tags }
    }
}

/// A list of documents.
#[derive(Debug, Serialize, JsonSchema)]
struct Items {
    items: Vec<Item>,
}

impl From<Vec<Document>> for Items {
    fn from(documents: Vec<Document>) -> Self {
        Self { items: documents.into_iter().map(Item::from).collect() }
    }
}
