//! All that a store keeps, to fill one with and to compare two.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use store::knowledge::{List, Name, Properties, Value};
use store::{
    Document, DocumentId, DocumentStore, Experience, ExperienceId, Experiences, KnowledgeGraph as _, NewExperience,
    Node, NodeId, Relationship, RelationshipId, Source, SourceKind,
};
use store_sqlite::SqliteStore;

/// Everything, in the order of ids.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Content {
    pub(crate) documents: Vec<Document>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) relationships: Vec<Relationship>,
    pub(crate) experiences: Vec<Experience>,
}

impl Content {
    /// More than a page of each.
    pub(crate) fn sample(documents: usize, nodes: usize, experiences: usize) -> Self {
        let nodes: Vec<Node> = (0..nodes).map(node).collect();
        let relationships = (0..nodes.len() * 5 / 4).map(|number| relationship(number, &nodes)).collect();
        let documents = (0..documents).map(document).collect();
        let experiences = (0..experiences).map(experience).collect();
        let mut content = Self { documents, nodes, relationships, experiences };
        content.documents.sort_by_key(|document| document.id);
        content.nodes.sort_by_key(|node| node.id);
        content.relationships.sort_by_key(|relationship| relationship.id);
        content.experiences.sort_by_key(|experience| experience.id);
        content
    }

    /// What the embedded store in this folder keeps.
    pub(crate) fn of(folder: &Path) -> Self {
        let store = SqliteStore::open(folder);
        wait(async {
            let content = Self {
                documents: DocumentStore::in_order(&store, None, usize::MAX).await.unwrap(),
                nodes: store.nodes_in_order(None, usize::MAX).await.unwrap(),
                relationships: store.relationships_in_order(None, usize::MAX).await.unwrap(),
                experiences: Experiences::in_order(&store, None, usize::MAX).await.unwrap(),
            };
            assert_eq!(store.integrity_check().await.unwrap(), Vec::<String>::new());
            store.close().await;
            content
        })
    }

    /// Puts it into the embedded store in this folder.
    pub(crate) fn put(&self, folder: &Path) {
        let store = SqliteStore::open(folder);
        wait(async {
            DocumentStore::import(&store, self.documents.clone()).await.unwrap();
            store.import_nodes(self.nodes.clone()).await.unwrap();
            store.import_relationships(self.relationships.clone()).await.unwrap();
            Experiences::import(&store, self.experiences.clone()).await.unwrap();
            store.close().await;
        });
    }

    pub(crate) fn only_documents(&self) -> Self {
        Self { documents: self.documents.clone(), ..Self::default() }
    }

    pub(crate) fn only_knowledge(&self) -> Self {
        Self { nodes: self.nodes.clone(), relationships: self.relationships.clone(), ..Self::default() }
    }
}

pub(crate) fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Different for each number, to the microsecond.
fn time(number: usize) -> Timestamp {
    Timestamp::from_microsecond(1_600_000_000_123_456 + 1_000_007 * i64::try_from(number).unwrap()).unwrap()
}

fn document(number: usize) -> Document {
    let kinds = [SourceKind::Web, SourceKind::User, SourceKind::System];
    let title = (number.is_multiple_of(2)).then(|| "标题 🚀".to_owned());
    let source = Source { kind: kinds[number % 3], url: Some(format!("https://example.com/{number}?a='\"")), title };
    Document {
        id: DocumentId::generate(),
        topic: format!("topic {} 索引", number % 10),
        content: format!("what is known, {number}: café\u{301} \\ 'quotes' \r\n\t").repeat(1 + number % 40),
        tags: (0..number % 4).map(|tag| format!("tag {tag}")).collect(),
        source: (!number.is_multiple_of(5)).then_some(source),
        created_at: time(number),
        updated_at: time(number + number % 3),
    }
}

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn node(number: usize) -> Node {
    let values = [
        ("name", Value::Text(format!("thing {number} 北京"))),
        ("aliases", Value::List(List::Texts(vec!["别名".to_owned(), String::new()]))),
        ("whole", Value::Integer(i64::MAX - i64::try_from(number).unwrap())),
        ("part", Value::Float(0.1 * number as f64)),
        ("floats", Value::List(List::Floats(vec![1.0, -1e300, 5e-324]))),
        ("truths", Value::List(List::Booleans(vec![true, false]))),
        ("numbers", Value::List(List::Integers(vec![1, -2]))),
        ("none", Value::List(List::Texts(Vec::new()))),
    ];
    let taken = values.into_iter().take(number % 9);
    let values: BTreeMap<Name, Value> = taken.map(|(property, value)| (name(property), value)).collect();
    Node {
        id: NodeId::generate(),
        label: name(["Entity", "Document", "Person"][number % 3]),
        properties: Properties::new(values).unwrap(),
        created_at: time(number),
        updated_at: time(number + 1),
    }
}

/// Some lead from a node to itself, and some nodes have several between them.
fn relationship(number: usize, nodes: &[Node]) -> Relationship {
    let values = BTreeMap::from([(name("reason"), Value::Text(format!("because {number}")))]);
    Relationship {
        id: RelationshipId::generate(),
        from: nodes[number % nodes.len()].id,
        to: nodes[number * 7 % nodes.len()].id,
        kind: name(["RELATED_TO", "MENTIONS"][number % 2]),
        properties: if number.is_multiple_of(3) { Properties::default() } else { Properties::new(values).unwrap() },
        created_at: time(number),
        updated_at: time(number + 2),
    }
}

fn experience(number: usize) -> Experience {
    let content = NewExperience {
        title: format!("title {number} 缓存"),
        problem_description: format!("problem {} of {number}", number % 7),
        root_cause: (number.is_multiple_of(2)).then(|| "原因 cause".to_owned()),
        solution: "the solution ".repeat(1 + number % 5),
        context: (number.is_multiple_of(3)).then(|| "context".to_owned()),
        keywords: (0..number % 3).map(|keyword| format!("keyword {keyword}")).collect(),
    };
    Experience {
        id: ExperienceId::generate(),
        content,
        query_count: (number * number % 1_000) as u64,
        created_at: time(number),
        updated_at: time(number + 5),
        deleted_at: (number.is_multiple_of(11)).then(|| time(number + 6)),
    }
}
