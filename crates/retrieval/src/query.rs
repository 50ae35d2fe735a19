//! What does a task in words ask for?

use rustc_hash::FxHashMap;
use search::file_words::{exact, is_kept};
use search::{index_text, stem};

use crate::abbreviations::other_forms;
use crate::frames::{Place, dotted, places};
use crate::stop_words::{is_code_word, is_issue_word, is_stop_word};
use crate::weights::Weights;
use crate::zones::{Zone, zones};

/// More words than this make a search slower but not better.
const MAX_WORDS: usize = 200;

/// A longer text is a report, with words that all reports have.
const SHORT_BYTES: usize = 300;

/// What is read of a text.
const MAX_BYTES: usize = 100_000;

/// A task, read.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Each word once, as it is indexed, the weightiest first.
    pub(crate) words: Vec<Word>,
    /// Files named outright.
    pub(crate) places: Vec<Place>,
    /// Files in a stack trace, the deepest call last.
    pub(crate) frames: Vec<Place>,
    /// Names with dots, as paths.
    pub(crate) modules: Vec<String>,
    /// A question rather than a report.
    pub(crate) is_short: bool,
    pub(crate) asks_for_tests: bool,
    pub(crate) asks_for_documents: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Word {
    pub(crate) word: String,
    pub(crate) weight: f32,
    /// Whether it stands for the whole of what looks like a name.
    pub(crate) is_name: bool,
}

impl Query {
    /// Recognises paths, identifiers, errors, stack traces, code and plain words, in any script.
    pub fn read(text: &str) -> Self {
        Self::read_with(text, &Weights::default())
    }

    /// The same with other weights.
    pub fn read_with(text: &str, weights: &Weights) -> Self {
        let text = head(text);
        let mut reader = Reader {
            weights,
            words: FxHashMap::default(),
            query: Self::default(),
            order: 0,
            is_short: text.len() < SHORT_BYTES,
        };
        zones(text, |zone, piece| reader.take(zone, piece));
        reader.query.is_short = reader.is_short;
        reader.finish()
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.places.is_empty() && self.frames.is_empty()
    }
}

fn head(text: &str) -> &str {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    best: f32,
    times: f32,
    is_name: bool,
    order: u32,
}

struct Reader<'a> {
    weights: &'a Weights,
    words: FxHashMap<String, Seen>,
    query: Query,
    order: u32,
    is_short: bool,
}

impl Reader<'_> {
    fn take(&mut self, zone: Zone, piece: &str) {
        let named = places(piece);
        if zone == Zone::Trace {
            self.query.frames.extend(named.into_iter().filter(|place| place.line.is_some()));
        } else {
            self.query.places.extend(named);
        }
        self.query.modules.extend(dotted(piece));
        let weight = self.weight_of(zone);
        for word in piece.split_whitespace().filter(|word| !is_address(word)) {
            let runs = word.split(|character: char| !(character.is_alphanumeric() || character == '_'));
            runs.filter(|run| !run.is_empty()).for_each(|run| self.take_run(zone, weight, run));
            self.take_compound(weight, word);
        }
    }

    fn weight_of(&self, zone: Zone) -> f32 {
        match zone {
            Zone::Title => self.weights.title,
            Zone::Prose => self.weights.prose,
            Zone::Quoted | Zone::Error => self.weights.quoted,
            Zone::Code => self.weights.code,
            Zone::Trace => self.weights.trace,
        }
    }

    fn take_run(&mut self, zone: Zone, weight: f32, run: &str) {
        let tokens = index_text(run);
        let mut tokens = tokens.split(' ').filter(|token| is_kept(token));
        let Some(whole) = tokens.next() else { return };
        let parts: Vec<&str> = tokens.collect();
        if !run.is_ascii() {
            self.add(whole, weight);
            parts.into_iter().for_each(|part| self.add(part, weight));
        } else if parts.is_empty() {
            let is_name = run.starts_with(|first: char| first.is_ascii_uppercase()) || zone == Zone::Quoted;
            let is_noise = !(is_name && self.is_short) && self.is_noise(zone, whole);
            if !is_noise {
                self.add(whole, weight);
                self.add_other_forms(whole, weight);
                let share = if is_name { self.weights.exact } else { self.weights.exact_word };
                self.add_exact(run, weight * share, is_name);
            }
        } else {
            self.add(whole, weight * self.weights.identifier);
            self.add_exact(run, weight * self.weights.exact, true);
            self.add_joined(whole, &parts, weight);
            for part in parts {
                if !is_stop_word(part) {
                    self.add(part, weight * self.weights.identifier_part);
                }
            }
        }
    }

    /// A report has words enough of its own.
    fn add_other_forms(&mut self, word: &str, weight: f32) {
        let forms = self.is_short.then(|| other_forms(stem(word))).into_iter().flatten();
        forms.for_each(|form| self.put(form.to_owned(), weight * self.weights.abbreviated));
    }

    /// `import-mode` may be `import_mode` or `ImportMode` in code.
    fn take_compound(&mut self, weight: f32, word: &str) {
        let word = word.trim_matches(|character: char| !character.is_ascii_alphanumeric());
        let parts: Vec<String> = word.split('-').map(str::to_ascii_lowercase).collect();
        let is_compound = (2..=4).contains(&parts.len())
            && parts.iter().all(|part| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_lowercase()));
        if is_compound {
            let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
            self.add_joined("", &parts, weight);
        }
    }

    /// The other ways to write an identifier of these parts.
    fn add_joined(&mut self, whole: &str, parts: &[&str], weight: f32) {
        for form in [parts.join("_"), parts.concat()] {
            if form != whole && is_kept(&form) {
                self.add(&form, weight * self.weights.joined);
            }
        }
    }

    fn is_noise(&self, zone: Zone, word: &str) -> bool {
        is_stop_word(word) || !self.is_short && is_issue_word(word) || zone == Zone::Code && is_code_word(word)
    }

    fn add_exact(&mut self, run: &str, weight: f32, is_name: bool) {
        self.put(exact(run), weight);
        if let Some(seen) = self.words.get_mut(&exact(run)) {
            seen.is_name |= is_name;
        }
    }

    fn add(&mut self, word: &str, weight: f32) {
        self.put(stem(word).to_owned(), weight);
    }

    fn put(&mut self, word: String, weight: f32) {
        self.order += 1;
        let order = self.order;
        let seen = self.words.entry(word).or_insert(Seen { best: 0.0, times: 0.0, is_name: false, order });
        seen.best = seen.best.max(weight);
        seen.times += 1.0;
    }

    fn finish(self) -> Query {
        let Self { weights, words, mut query, .. } = self;
        let asks_for =
            |names: &[&str]| names.iter().any(|name| words.get(*name).is_some_and(|seen| seen.best >= weights.title));
        query.asks_for_tests = asks_for(&["test", "unittest", "testcas"]);
        query.asks_for_documents = asks_for(&["doc", "document", "documentat", "readm", "changelog", "tutorial"]);
        let mut words: Vec<_> = words.into_iter().collect();
        let weight = |seen: &Seen| seen.best * (1.0 + weights.repeat * seen.times.ln());
        words
            .sort_by(|(_, left), (_, right)| weight(right).total_cmp(&weight(left)).then(left.order.cmp(&right.order)));
        words.truncate(MAX_WORDS);
        query.words = words
            .iter()
            .map(|(word, seen)| Word { word: word.clone(), weight: weight(seen), is_name: seen.is_name })
            .collect();
        query
    }
}

/// Of an address only a file in a repository is of use, and that is read as a place.
fn is_address(word: &str) -> bool {
    word.contains("://")
}
