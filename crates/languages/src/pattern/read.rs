//! Reads query text into patterns for one grammar.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thiserror::Error;

use super::{Capture, Condition, NodePattern, PartPattern, Pattern, Quantifier};
use crate::roles::{Part, Role};

/// Why a pattern file cannot be used.
#[derive(Debug, Error)]
#[error("line {line}: {reason}")]
pub(crate) struct PatternError {
    line: usize,
    reason: String,
}

pub(super) fn patterns(text: &str, grammar: &tree_sitter::Language) -> Result<Vec<Pattern>, PatternError> {
    let mut reader = Reader { text, at: 0, grammar, kinds: kinds_by_name(grammar), private: Vec::new() };
    let mut patterns = Vec::new();
    while reader.skip_blanks() {
        patterns.push(reader.pattern()?);
    }
    Ok(patterns)
}

/// The kinds of nodes by their names and whether these are names of rules, or of tokens.
type KindsByName<'a> = FxHashMap<(&'a str, bool), Vec<u16>>;

fn kinds_by_name(grammar: &tree_sitter::Language) -> KindsByName<'_> {
    let mut kinds = KindsByName::default();
    for id in 0..u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX) {
        if let Some(name) = grammar.node_kind_for_id(id) {
            kinds.entry((name, grammar.node_kind_is_named(id))).or_default().push(id);
        }
    }
    kinds
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    grammar: &'a tree_sitter::Language,
    kinds: KindsByName<'a>,
    /// Names that begin with `_` and that only conditions use.
    private: Vec<String>,
}

impl<'a> Reader<'a> {
    fn pattern(&mut self) -> Result<Pattern, PatternError> {
        self.private.clear();
        let begin = self.at;
        let mut conditions = Vec::new();
        // `((kind) @role (#eq? …))` groups a node with conditions on itself.
        let is_group = self.text[self.at..].starts_with("((");
        self.at += usize::from(is_group);
        let (root, role) = self.root(&mut conditions)?;
        while is_group && self.peek() != Some(')') {
            conditions.push(self.condition()?);
        }
        self.at += usize::from(is_group);
        let Some(role) = role else {
            self.at = begin;
            return Err(self.error("the outermost node needs a role: `… @call`"));
        };
        Ok(Pattern { role, root, conditions })
    }

    fn root(&mut self, conditions: &mut Vec<Condition>) -> Result<(NodePattern, Option<Role>), PatternError> {
        let mut node = self.node(conditions)?;
        let mut role = None;
        while self.peek() == Some('@') {
            self.at += 1;
            let name = self.word();
            match Role::from_name(name) {
                Some(found) => role = Some(found),
                None => node.captures.push(self.capture(name)?),
            }
        }
        Ok((node, role))
    }

    /// `(kind …)`, `(_ …)`, `_` (tokens as well), `"token"` or `[one other]`.
    fn node(&mut self, conditions: &mut Vec<Condition>) -> Result<NodePattern, PatternError> {
        let mut node = NodePattern {
            kinds: Vec::new(),
            captures: SmallVec::new(),
            parts: Vec::new(),
            absent: Vec::new(),
            is_any: false,
        };
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.peek();
                let kind = self.word();
                if kind != "_" {
                    node.kinds = self.kinds(kind, true)?;
                }
                self.parts(&mut node, conditions)?;
            }
            Some('_') => {
                self.at += 1;
                node.is_any = true;
            }
            Some('"') => {
                let token = self.string()?;
                node.kinds = self.kinds(&token, false)?;
            }
            Some('[') => {
                self.at += 1;
                while self.peek() != Some(']') {
                    let one = self.node(conditions)?;
                    if !one.parts.is_empty() {
                        return Err(self.error("alternatives may not have parts; write two patterns"));
                    }
                    node.kinds.extend(one.kinds);
                }
                self.at += 1;
                node.kinds.sort_unstable();
                node.kinds.dedup();
            }
            other => return Err(self.error(&format!("expected a node, found {other:?}"))),
        }
        Ok(node)
    }

    fn parts(&mut self, node: &mut NodePattern, conditions: &mut Vec<Condition>) -> Result<(), PatternError> {
        let mut is_next = false;
        loop {
            match self.peek() {
                Some(')') => {
                    self.at += 1;
                    if let Some(last) = node.parts.last_mut() {
                        last.is_last = is_next;
                    }
                    return Ok(());
                }
                Some('!') => {
                    self.at += 1;
                    let field = self.word();
                    node.absent.push(self.field(field)?);
                }
                Some('(') if self.text[self.at..].starts_with("(#") => conditions.push(self.condition()?),
                Some('.') => {
                    self.at += 1;
                    is_next = true;
                }
                Some(first) => {
                    let field = if first.is_alphabetic() || first == '_' { Some(self.field_name()?) } else { None };
                    let mut part = self.part(field, conditions)?;
                    part.is_next = std::mem::take(&mut is_next);
                    node.parts.push(part);
                }
                None => return Err(self.error("a bracket is not closed")),
            }
        }
    }

    fn part(&mut self, field: Option<u16>, conditions: &mut Vec<Condition>) -> Result<PartPattern, PatternError> {
        let mut node = self.node(conditions)?;
        let mut quantifier = Quantifier::One;
        loop {
            match self.peek() {
                Some('@') => {
                    self.at += 1;
                    let name = self.word();
                    let capture = self.capture(name)?;
                    node.captures.push(capture);
                    continue;
                }
                Some('?') => quantifier = Quantifier::Optional,
                Some('*') => quantifier = Quantifier::Any,
                Some('+') => quantifier = Quantifier::Some,
                _ => break,
            }
            self.at += 1;
        }
        Ok(PartPattern { field, quantifier, is_next: false, is_last: false, node })
    }

    fn condition(&mut self) -> Result<Condition, PatternError> {
        self.at += 2;
        let name = self.word();
        let holds_if_equal = !name.starts_with("not-");
        if !matches!(name, "eq?" | "not-eq?" | "any-of?" | "not-any-of?" | "lower?" | "not-lower?") {
            return Err(self
                .error(&format!("unknown condition `#{name}`; known are eq?, any-of?, lower? and their not- forms")));
        }
        if self.peek() != Some('@') {
            return Err(self.error("a condition begins with a capture"));
        }
        self.at += 1;
        let capture = self.word();
        let capture = self.capture(capture)?;
        let mut texts = Vec::new();
        let mut other = None;
        if self.peek() == Some('@') {
            self.at += 1;
            let name = self.word();
            other = Some(self.capture(name)?);
        }
        while self.peek() == Some('"') {
            texts.push(self.string()?);
        }
        if self.peek() != Some(')') {
            return Err(self.error("a condition holds texts in quotes"));
        }
        self.at += 1;
        Ok(Condition { capture, texts, other, holds_if_equal })
    }

    fn capture(&mut self, name: &str) -> Result<Capture, PatternError> {
        if name.starts_with('_') {
            let index = self.private.iter().position(|known| known == name).unwrap_or_else(|| {
                self.private.push(name.to_owned());
                self.private.len() - 1
            });
            return Ok(Capture::Private(u8::try_from(index).unwrap_or(u8::MAX)));
        }
        match Part::from_name(name) {
            Some(part) => Ok(Capture::Part(part)),
            None => Err(self.error(&format!("unknown part `@{name}`"))),
        }
    }

    fn field_name(&mut self) -> Result<u16, PatternError> {
        let field = self.word();
        if self.peek() != Some(':') {
            return Err(self.error(&format!("expected `:` after `{field}`")));
        }
        self.at += 1;
        self.field(field)
    }

    fn field(&self, name: &str) -> Result<u16, PatternError> {
        match self.grammar.field_id_for_name(name) {
            Some(id) => Ok(id.get()),
            None => Err(self.error(&format!("the grammar has no field `{name}`"))),
        }
    }

    /// A name can belong to several kinds, for aliases; supertypes stand for their members.
    fn kinds(&self, name: &str, named: bool) -> Result<Vec<u16>, PatternError> {
        let kinds = self.kinds.get(&(name, named)).cloned();
        kinds.ok_or_else(|| self.error(&format!("the grammar has no node `{name}`")))
    }

    fn string(&mut self) -> Result<String, PatternError> {
        let mut text = String::new();
        let mut characters = self.text[self.at + 1..].char_indices();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    self.at += offset + 2;
                    return Ok(text);
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                other => text.push(other),
            }
        }
        Err(self.error("a text is not closed"))
    }

    fn word(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '?');
        let mut length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        // `@part?` is a part with a quantifier; only conditions end in a question mark.
        if rest[..length].ends_with('?') && !self.text[..self.at].ends_with('#') {
            length -= 1;
        }
        self.at += length;
        &rest[..length]
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_blanks();
        self.text[self.at..].chars().next()
    }

    /// Whether anything is left.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len() - rest.trim_start().len();
            if !self.text[self.at..].starts_with(';') {
                return self.at < self.text.len();
            }
            let rest = &self.text[self.at..];
            self.at += rest.find('\n').unwrap_or(rest.len());
        }
    }

    fn error(&self, reason: &str) -> PatternError {
        PatternError { line: self.text[..self.at].lines().count().max(1), reason: reason.to_owned() }
    }
}
