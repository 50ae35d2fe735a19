//! What becomes of vectors when what makes them fails, comes back, or is another?

use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use code_index::{IndexReport, Indexer, Meaning};
use search::embed::{EmbedError, Embedder, Vector};
use store::ProjectCatalog;

use crate::workbench::Workbench;

/// Makes so many vectors and then fails.
#[derive(Debug, Default)]
struct Fragile {
    left: AtomicUsize,
    asked: Mutex<Vec<String>>,
}

impl Fragile {
    fn allow(&self, vectors: usize) {
        self.left.store(vectors, Ordering::Relaxed);
        self.asked.lock().unwrap().clear();
    }

    /// The beginnings of what it was asked for.
    fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|text| text.lines().next().unwrap().to_owned()).collect()
    }
}

impl Embedder for Fragile {
    fn fingerprint(&self) -> &str {
        "fragile 1"
    }

    fn dimensions(&self) -> Option<usize> {
        Some(2)
    }

    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let left = self.left.load(Ordering::Relaxed);
        if left < texts.len() {
            return Err(EmbedError::Failed { reason: "nobody there".to_owned() });
        }
        self.left.store(left - texts.len(), Ordering::Relaxed);
        self.asked.lock().unwrap().extend(texts.iter().cloned());
        Ok(texts.iter().filter_map(|_| Vector::new(&[1.0, 0.5])).collect())
    }
}

struct Embedding {
    bench: Workbench,
    embedder: Arc<Fragile>,
}

impl Embedding {
    fn of(files: &[(&str, &str)]) -> Self {
        Self { bench: Workbench::new(files), embedder: Arc::default() }
    }

    /// As a new process with this embedder, or with what is learned.
    fn index(&self, is_embedded: bool) -> IndexReport {
        let meaning = if is_embedded {
            Meaning::Embedder(Arc::clone(&self.embedder) as Arc<dyn Embedder>)
        } else {
            Meaning::Learned
        };
        let catalog = Arc::clone(&self.bench.catalog) as Arc<dyn ProjectCatalog>;
        Indexer::new(catalog).with_meaning(meaning).index(&self.bench.request(), &()).unwrap()
    }

    fn kind(&self) -> store::Meaning {
        self.bench.project().meaning().unwrap()
    }

    /// How many files have no vectors of the embedder.
    fn missing(&self) -> usize {
        let project = self.bench.project();
        let words = project.words().unwrap();
        words.without_vectors(&given()).unwrap().len()
    }
}

fn given() -> store::Meaning {
    store::Meaning::Given("fragile 1".to_owned())
}

const FILES: &[(&str, &str)] = &[("a.py", "def load():\n    pass\n"), ("b.py", "def find():\n    pass\n")];

#[test]
fn an_embedder_that_fails_costs_no_second_reading_of_the_project() {
    let embedding = Embedding::of(FILES);
    let report = embedding.index(true);
    assert!(report.without_meaning.unwrap().contains("nobody there"));
    assert_eq!((report.parsed, embedding.kind(), embedding.missing()), (2, store::Meaning::Nothing, 2));
    let before = embedding.bench.graph();
    // Still nobody there.
    let report = embedding.index(true);
    assert_eq!((report.parsed, report.is_changed, report.without_meaning.is_some()), (0, false, true));
    embedding.embedder.allow(100);
    let report = embedding.index(true);
    assert_eq!((report.parsed, report.is_changed, report.without_meaning), (0, true, None));
    assert_eq!((embedding.kind(), embedding.missing()), (given(), 0));
    assert_eq!(embedding.embedder.asked(), ["a.py", "a.py", "b.py", "b.py"]);
    assert_eq!(embedding.bench.graph(), before);
}

#[test]
fn what_was_made_before_a_failure_is_kept_and_only_the_rest_is_asked_for() {
    let many = (0..1_100).fold(String::new(), |mut text, number| {
        let _ = write!(text, "def function_{number}():\n    pass\n\n");
        text
    });
    let embedding = Embedding::of(&[("a.py", &many), ("b.py", "def find():\n    pass\n")]);
    embedding.embedder.allow(1_101);
    let report = embedding.index(true);
    assert!(report.without_meaning.is_some());
    assert_eq!((embedding.kind(), embedding.missing()), (given(), 1));
    embedding.embedder.allow(100);
    assert_eq!(embedding.index(true).without_meaning, None);
    assert_eq!((embedding.embedder.asked(), embedding.missing()), (vec!["b.py".to_owned(); 2], 0));
}

#[test]
fn a_change_while_nobody_is_there_leaves_the_vectors_of_other_files() {
    let embedding = Embedding::of(FILES);
    embedding.embedder.allow(100);
    embedding.index(true);
    embedding.embedder.allow(0);
    embedding.bench.write("b.py", "def find_again():\n    pass\n");
    assert!(embedding.index(true).without_meaning.is_some());
    assert_eq!((embedding.kind(), embedding.missing()), (given(), 1));
    embedding.embedder.allow(100);
    embedding.index(true);
    assert_eq!((embedding.embedder.asked(), embedding.missing()), (vec!["b.py".to_owned(); 2], 0));
}

#[test]
fn another_embedder_takes_over_without_reading_the_code_again() {
    let embedding = Embedding::of(FILES);
    embedding.index(false);
    assert_eq!(embedding.kind(), store::Meaning::Learned);
    // Until it has made something, what was learned stays.
    embedding.index(true);
    assert_eq!(embedding.kind(), store::Meaning::Learned);
    embedding.embedder.allow(100);
    let report = embedding.index(true);
    assert_eq!((report.parsed, embedding.kind(), embedding.missing()), (0, given(), 0));
    assert_eq!((embedding.index(false).parsed, embedding.kind()), (0, store::Meaning::Learned));
}
