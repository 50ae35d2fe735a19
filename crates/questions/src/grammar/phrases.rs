//! Noun phrases: which words of a question belong together and speak of one thing?

use super::draft::Draft;
use crate::meaning::Kind;

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Phrase(Phrase),
    /// A unit that relates phrases: a verb, a noun such as "callers", a preposition.
    Word(usize),
}

/// Words that speak of one thing or one kind of things.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Phrase {
    /// Its first and last unit.
    pub first: usize,
    pub last: usize,
    /// It contains a question word.
    pub asks: bool,
    pub kinds: Vec<(Kind, usize)>,
    /// The name, as one or more words.
    pub values: Vec<usize>,
    /// In what the thing is: "get of Session", "methods in Session".
    pub within: Option<Box<Phrase>>,
    pub pronoun: Option<Pronoun>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pronoun {
    Itself,
    Anybody,
    Nobody,
}

impl Phrase {
    pub(super) fn is_named(&self) -> bool {
        !self.values.is_empty()
    }

    pub(super) fn text(&self, draft: &Draft<'_>) -> String {
        let words: Vec<&str> = self.values.iter().map(|&index| draft.units[index].text.as_str()).collect();
        words.join(" ")
    }

    pub(super) fn kind_list(&self) -> Vec<Kind> {
        self.kinds.iter().map(|(kind, _)| *kind).collect()
    }
}

/// The parts of what is left of a question, in order.
pub(super) fn parts(draft: &Draft<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while at < draft.units.len() {
        if draft.units[at].used {
            at += 1;
            continue;
        }
        if let Some(phrase) = phrase(draft, at) {
            at = phrase.last + 1;
            parts.push(Part::Phrase(phrase));
        } else {
            parts.push(Part::Word(at));
            at += 1;
        }
    }
    join_owners(draft, parts)
}

fn phrase(draft: &Draft<'_>, start: usize) -> Option<Phrase> {
    let unit = &draft.units[start];
    let pronoun = [("self", Pronoun::Itself), ("anybody", Pronoun::Anybody), ("nobody", Pronoun::Nobody)]
        .into_iter()
        .find(|(atom, _)| unit.is(atom));
    if let Some((_, pronoun)) = pronoun {
        return Some(Phrase { first: start, last: start, pronoun: Some(pronoun), ..Phrase::default() });
    }
    let mut phrase = Phrase { first: start, last: start, ..Phrase::default() };
    let mut next = Some(start);
    while let Some(at) = next {
        let unit = &draft.units[at];
        if unit.is("ask.which") || unit.is("ask.who") || unit.is("ask.what") {
            if !phrase.kinds.is_empty() || phrase.is_named() || phrase.asks {
                break;
            }
            phrase.asks = true;
        } else if unit.is("kind") {
            // After a name, at most one kind belongs to it: "the Session class".
            let is_full = phrase.is_named()
                && phrase.kinds.len()
                    > usize::from(phrase.kinds.first().is_some_and(|first| first.1 > phrase.values[0]));
            let Some(kind) = Kind::of(unit.atom).filter(|_| !is_full) else { break };
            phrase.kinds.push((kind, at));
        } else if unit.is("value") {
            let follows = phrase.values.last().is_none_or(|&last| joins(draft, last, at));
            if !follows {
                break;
            }
            phrase.values.push(at);
        } else if binds(draft, &phrase, at) {
            next = draft.next(at);
            continue;
        } else {
            break;
        }
        phrase.last = at;
        next = draft.next(at);
    }
    let is_something = phrase.asks || !phrase.kinds.is_empty() || phrase.is_named();
    is_something.then_some(phrase)
}

/// Plain words beside each other may be one name; anything that looks like code is a name by itself.
fn joins(draft: &Draft<'_>, last: usize, at: usize) -> bool {
    last + 1 == at && draft.units[last].atom == "value.word" && draft.units[at].atom == "value.word"
}

/// "All" before a phrase, "and" between two kinds.
fn binds(draft: &Draft<'_>, phrase: &Phrase, at: usize) -> bool {
    let unit = &draft.units[at];
    let is_empty = !phrase.asks && phrase.kinds.is_empty() && !phrase.is_named();
    let joins_kinds = unit.is("and") || unit.is("or") || unit.is("comma");
    (unit.is("all") && is_empty) || (joins_kinds && continues_kinds(draft, phrase, at))
}

fn continues_kinds(draft: &Draft<'_>, phrase: &Phrase, at: usize) -> bool {
    !phrase.kinds.is_empty() && !phrase.is_named() && draft.next_is(at, "kind")
}

/// "Session's get", "get of Session", "Session 的 get 方法": one phrase within another.
fn join_owners(draft: &Draft<'_>, parts: Vec<Part>) -> Vec<Part> {
    let mut joined: Vec<Part> = Vec::new();
    for part in parts {
        joined.push(part);
        loop {
            let count = joined.len();
            if count < 3 {
                break;
            }
            let Some(phrase) = owned(draft, &joined[count - 3..]) else { break };
            joined.truncate(count - 3);
            joined.push(Part::Phrase(phrase));
        }
    }
    joined
}

fn owned(draft: &Draft<'_>, parts: &[Part]) -> Option<Phrase> {
    let [Part::Phrase(left), Part::Word(word), Part::Phrase(right)] = parts else { return None };
    let unit = &draft.units[*word];
    let (owner, thing) = if unit.is("possessive") || unit.is("de") {
        (left, right)
    } else if unit.is("of") || (unit.is("in") && unit.text != "for") {
        (right, left)
    } else {
        return None;
    };
    let has_verb_before = draft.units[..left.first].iter().any(|unit| unit.is("verb") && !unit.used);
    // 调用 X 的函数 are the functions that call X, not functions in X.
    let is_relative = unit.is("de") && has_verb_before && !right.is_named() && !right.asks;
    let is_plain = owner.is_named() && owner.pronoun.is_none() && thing.within.is_none() && !is_relative;
    let is_thing = thing.is_named() || !thing.kinds.is_empty() || (thing.asks && unit.is("in"));
    (is_plain && is_thing).then(|| Phrase {
        first: left.first,
        last: right.last,
        within: Some(Box::new(owner.clone())),
        ..thing.clone()
    })
}
