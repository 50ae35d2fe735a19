//! Who does what to whom: which phrase is the agent of a verb, which the patient, and which of them is asked for?

use super::draft::Draft;
use super::phrases::{Part, Phrase};

/// A verb with the phrases around it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Clause {
    pub agent: Option<Phrase>,
    pub patient: Option<Phrase>,
    pub negated: bool,
    /// The verb is a participle that speaks of what is done to the patient.
    pub passive: bool,
}

/// The roles around the verb at this part.
pub(super) fn clause(draft: &Draft<'_>, parts: &[Part], verb: usize) -> Clause {
    let around = Around::new(draft, parts, verb);
    let passive = around.is_passive();
    let (agent, patient) = if passive { around.passive() } else { around.active() };
    let is_nobody = |phrase: &Option<Phrase>| {
        phrase.as_ref().is_some_and(|phrase| phrase.pronoun == Some(super::phrases::Pronoun::Nobody))
    };
    let negations = parts.iter().filter(|part| around.is(part, "not") || around.is(part, "without")).count();
    let negated = (negations + usize::from(is_nobody(&agent) || is_nobody(&patient))) > 0;
    Clause { agent, patient, negated, passive }
}

/// A participle with one of these speaks of what is done: "defined in", "called from".
const PREPOSITIONS: &[&str] = &["in", "inside", "within", "under", "from", "by"];

struct Around<'a, 'n> {
    draft: &'a Draft<'n>,
    parts: &'a [Part],
    verb: usize,
    atom: &'static str,
}

impl<'a, 'n> Around<'a, 'n> {
    fn new(draft: &'a Draft<'n>, parts: &'a [Part], verb: usize) -> Self {
        let atom = match parts[verb] {
            Part::Word(index) => draft.units[index].atom,
            Part::Phrase(_) => "",
        };
        Self { draft, parts, verb, atom }
    }

    fn is(&self, part: &Part, prefix: &str) -> bool {
        matches!(part, Part::Word(index) if self.draft.units[*index].is(prefix))
    }

    fn verb_text(&self) -> &str {
        match self.parts[self.verb] {
            Part::Word(index) => &self.draft.units[index].text,
            Part::Phrase(_) => "",
        }
    }

    fn position(&self, range: std::ops::Range<usize>, prefix: &str) -> Option<usize> {
        range.into_iter().find(|&at| self.is(&self.parts[at], prefix))
    }

    fn phrases(&self, range: std::ops::Range<usize>) -> Vec<&'a Phrase> {
        let phrase = |part: &'a Part| match part {
            Part::Phrase(phrase) => Some(phrase),
            Part::Word(_) => None,
        };
        self.parts[range].iter().filter_map(phrase).collect()
    }

    fn left(&self) -> Vec<&'a Phrase> {
        self.phrases(0..self.verb)
    }

    fn right(&self) -> Vec<&'a Phrase> {
        self.phrases(self.verb + 1..self.parts.len())
    }

    fn is_passive(&self) -> bool {
        if self.position(0..self.verb, "bei").is_some() {
            return true;
        }
        if !self.atom.ends_with(".ed") {
            return false;
        }
        if self.verb_text().split(' ').next_back().is_some_and(|word| PREPOSITIONS.contains(&word)) {
            return true;
        }
        let next = self.parts.get(self.verb + 1);
        let takes_object = matches!(next, Some(Part::Phrase(phrase)) if phrase.is_named());
        let previous = self.verb.checked_sub(1).map(|at| &self.parts[at]);
        let follows_be = self.position(0..self.verb, "be").is_some();
        let follows_subject =
            matches!(previous, Some(Part::Phrase(_))) || previous.is_some_and(|part| self.is(part, "that"));
        // "Which functions called x" is active; "the function x called by y" is not.
        !(takes_object && follows_subject && !follows_be)
    }

    fn active(&self) -> (Option<Phrase>, Option<Phrase>) {
        let (left, right) = (self.left(), self.right());
        if let Some(roles) = self.relative(&left, &right) {
            return roles;
        }
        if let Some(aux) = self.position(0..self.verb, "do") {
            let subject = self.phrases(aux + 1..self.verb).first().copied().cloned();
            let before = self.phrases(0..aux).first().copied().cloned();
            if subject.is_some() {
                return (subject, right.first().copied().cloned().or(before));
            }
        }
        match (left.as_slice(), right.first()) {
            ([.., agent], Some(patient)) => (Some((*agent).clone()), Some((*patient).clone())),
            ([patient, .., agent], None) => (Some((*agent).clone()), Some((*patient).clone())),
            // X 在哪里调用: where it is called.
            ([patient], None) if self.draft.meaning.asks_where => (None, Some((*patient).clone())),
            ([agent], None) => self.lonely(agent),
            ([], patient) => (None, patient.copied().cloned()),
        }
    }

    /// A phrase that holds both a kind and a name of something else: "which methods Session calls".
    fn lonely(&self, agent: &Phrase) -> (Option<Phrase>, Option<Phrase>) {
        if agent.is_named() && agent.asks && !agent.kinds.is_empty() {
            let patient = Phrase { values: Vec::new(), ..agent.clone() };
            let agent = Phrase { asks: false, kinds: Vec::new(), ..agent.clone() };
            return (Some(agent), Some(patient));
        }
        (Some(agent.clone()), None)
    }

    /// 调用 X 的函数, X 调用的函数.
    fn relative(&self, left: &[&Phrase], right: &[&Phrase]) -> Option<(Option<Phrase>, Option<Phrase>)> {
        let de = self.position(self.verb + 1..self.parts.len(), "de")?;
        let head = self.phrases(de + 1..self.parts.len()).first().copied().cloned();
        if de == self.verb + 1 {
            return Some((left.last().copied().cloned(), head.or_else(|| Some(Phrase::default()))));
        }
        let object = right.first().copied().cloned();
        Some((head.or_else(|| left.first().copied().cloned()), object))
    }

    fn passive(&self) -> (Option<Phrase>, Option<Phrase>) {
        let (left, right) = (self.left(), self.right());
        if let Some(bei) = self.position(0..self.verb, "bei") {
            let agent = self.phrases(bei + 1..self.verb).first().copied().cloned();
            let patient = self.phrases(0..bei).first().copied().cloned();
            let patient = patient.or_else(|| right.first().copied().cloned());
            return (agent, patient);
        }
        let by = self.position(self.verb + 1..self.parts.len(), "by");
        let agent = match by {
            Some(by) => self.phrases(by + 1..self.parts.len()).first().copied().cloned(),
            None => right.first().copied().cloned(),
        };
        // "Which file is x defined in": the preposition has lost its phrase.
        if agent.is_none()
            && let [first, .., last] = left.as_slice()
        {
            return (Some((*first).clone()), Some((*last).clone()));
        }
        (agent, left.last().copied().cloned())
    }
}
