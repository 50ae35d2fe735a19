//! What a task finds, and in which order.

use std::fs;
use std::sync::Arc;

use code_index::{IndexRequest, Indexer, Meaning};
use retrieval::{Options, Query, Retrieved, Source, retrieve};
use search::embed::{EmbedError, Embedder, Vector};
use store::{ProjectCatalog, ProjectGraph};
use store_sqlite::SqliteProjects;
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "from shop.prices import total\n\nclass Cart:\n    \"\"\"What a customer wants to buy.\"\"\"\n\n    def add_item(self, item):\n        \
         self.items.append(item)\n\n    def checkout(self):\n        return total(self.items)\n",
    ),
    (
        "shop/prices.py",
        "def total(items):\n    return sum(discounted(item) for item in items)\n\n\ndef discounted(item):\n    if item.price < 0:\n        \
         raise ValueError('a price cannot be negative')\n    return item.price\n",
    ),
    (
        "shop/mail.py",
        "def send_receipt(address):\n    '''Sends a receipt by mail.'''\n    return deliver(address)\n\n\ndef deliver(address):\n    pass\n",
    ),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\ndef test_add_item():\n    cart = Cart()\n    cart.add_item(1)\n    cart.add_item(2)\n",
    ),
    ("docs/cart.md", "# Cart\n\nThe cart: add_item adds an item to the cart.\n"),
    ("web/搜索.py", "def build_index():\n    # 建立全文索引\n    pass\n"),
];

struct Project {
    _folders: (TempDir, TempDir),
    graph: Arc<dyn ProjectGraph>,
}

impl Project {
    fn new() -> Self {
        Self::with(Meaning::default())
    }

    fn with(meaning: Meaning) -> Self {
        Self::of(FILES, meaning)
    }

    fn of(files: &[(&str, &str)], meaning: Meaning) -> Self {
        let (root, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let catalog: Arc<dyn ProjectCatalog> = Arc::new(SqliteProjects::open(data.path()));
        let request = IndexRequest { root: root.path().to_owned(), project: Some("shop".to_owned()), force: false };
        Indexer::new(Arc::clone(&catalog)).with_meaning(meaning).index(&request, &()).unwrap();
        let graph = catalog.find("shop").unwrap().unwrap();
        Self { _folders: (root, data), graph }
    }

    fn ask(&self, text: &str, depth: u8) -> Retrieved {
        let words = self.graph.words().unwrap();
        retrieve(&*words, None, &Query::read(text), &Options { depth, ..Options::default() }).unwrap()
    }
}

#[test]
fn a_task_finds_its_file_and_its_definition() {
    let project = Project::new();
    let cases = [
        ("adding an item to it", "shop/cart.py", "Cart.add_item"),
        ("`Cart.checkout` is slow", "shop/cart.py", "Cart.checkout"),
        ("ValueError: a price cannot be negative", "shop/prices.py", "discounted"),
        ("receipts are not sent by mail", "shop/mail.py", "send_receipt"),
        ("它为什么不建立全文索引", "web/搜索.py", "build_index"),
        (
            "It fails\n\nTraceback (most recent call last):\n  File \"/lib/shop/mail.py\", line 7, in deliver\n    pass\n",
            "shop/mail.py",
            "deliver",
        ),
        ("crash in shop/prices.py:6", "shop/prices.py", "discounted"),
        ("send_receipt", "shop/mail.py", "send_receipt"),
    ];
    for (text, file, name) in cases {
        let found = project.ask(text, 1);
        assert_eq!(found.files.first().map(|file| file.path.as_str()), Some(file), "{text}: {found:#?}");
        assert_eq!(found.hits.first().map(|hit| hit.local_name.as_str()), Some(name), "{text}: {found:#?}");
    }
}

#[test]
fn a_test_comes_after_what_it_tests_unless_asked_for() {
    let project = Project::new();
    let found = project.ask("add_item of the cart", 0);
    let paths: Vec<_> = found.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths[0], "shop/cart.py");
    assert!(paths.contains(&"tests/test_cart.py") && paths.contains(&"docs/cart.md"), "{paths:?}");
    let found = project.ask("the test of add_item in tests/test_cart.py", 0);
    assert_eq!(found.files[0].path, "tests/test_cart.py");
}

#[test]
fn relationships_lead_to_neighbours_as_far_as_asked() {
    let project = Project::new();
    let at_depth = |depth: u8| project.ask("checkout", depth);
    let none = at_depth(0);
    assert!(none.hits.iter().all(|hit| hit.source != Source::Graph && hit.distance == 0));
    let one = at_depth(1);
    let total = one.hits.iter().find(|hit| hit.local_name == "total").unwrap();
    assert_eq!((total.source, total.distance), (Source::Graph, 1));
    assert!(!one.hits.iter().any(|hit| hit.local_name == "discounted"));
    let two = at_depth(2);
    let discounted = two.hits.iter().find(|hit| hit.local_name == "discounted").unwrap();
    assert_eq!((discounted.source, discounted.distance), (Source::Graph, 2));
    assert!(two.hits.windows(2).all(|pair| pair[0].relevance >= pair[1].relevance));
}

#[test]
fn what_the_best_use_comes_before_its_equal_and_after_them() {
    let entry = "from app.store import save_report\n\n\ndef export_report(data):\n    # The export of a report.\n    return save_report(data)\n";
    let files = [
        ("app/entry.py", entry),
        ("app/other.py", "def load_report(data):\n    return data\n"),
        ("app/store.py", "def save_report(data):\n    return data\n"),
    ];
    let project = Project::of(&files, Meaning::Nothing);
    for (depth, expected) in [(0, ["entry", "other", "store"]), (1, ["entry", "store", "other"])] {
        let found = project.ask("export a report", depth);
        let paths: Vec<_> = found.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, expected.map(|name| format!("app/{name}.py")), "{found:#?}");
        let definitions: Vec<_> = found.hits.iter().map(|hit| hit.file.as_str()).collect();
        assert_eq!(definitions, paths, "{found:#?}");
    }
}

#[test]
fn what_is_not_there_finds_nothing_and_strange_text_does_no_harm() {
    let project = Project::new();
    for text in ["", "   ", "zzzunknownzzz", "!!! ???", "\u{0}\u{1}"] {
        let found = project.ask(text, 5);
        assert!(found.hits.is_empty() && found.files.is_empty(), "{text:?}: {found:?}");
    }
    let long = "cart ".repeat(30_000);
    assert_eq!(project.ask(&long, 1).files[0].path, "shop/cart.py");
}

#[test]
fn the_same_question_has_the_same_answer() {
    let project = Project::new();
    let text = "cart item price mail";
    assert_eq!(project.ask(text, 3), project.ask(text, 3));
}

/// Puts everything it knows into one of two directions.
#[derive(Debug)]
struct Receipts;

impl Embedder for Receipts {
    fn fingerprint(&self) -> &str {
        "receipts 1"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(2)
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let direction = |text: &String| if text.contains("def deliver") { [1.0, 0.0] } else { [0.0, 1.0] };
        Ok(texts.iter().filter_map(|text| Vector::new(&direction(text))).collect())
    }
}

#[test]
fn what_is_near_in_meaning_joins_in() {
    let project = Project::with(Meaning::Embedder(Arc::new(Receipts)));
    let words = project.graph.words().unwrap();
    assert_eq!(words.meaning().unwrap(), store::Meaning::Given("receipts 1".to_owned()));
    let options = Options { depth: 0, ..Options::default() };
    let found = retrieve(&*words, Vector::new(&[1.0, 0.1]).as_ref(), &Query::read("checkout"), &options).unwrap();
    let hit = found.hits.iter().find(|hit| hit.local_name == "deliver").unwrap();
    assert_eq!((hit.source, found.by_meaning), (Source::Embedding, 1));
}

#[test]
fn what_was_learned_from_the_project_finds_what_shares_no_word() {
    let project = Project::new();
    let words = project.graph.words().unwrap();
    assert_eq!(words.meaning().unwrap(), store::Meaning::Learned);
    assert!(words.learned_vector(&[(search::stem("price"), 1.0)]).unwrap().is_some());
    assert!(words.learned_vector(&[("zzzunknownzzz", 1.0)]).unwrap().is_none());
    let silent = Project::with(Meaning::Nothing);
    assert!(silent.graph.words().unwrap().learned_vector(&[(search::stem("price"), 1.0)]).unwrap().is_none());
}
