//! What is read from the text itself: comments, signatures, constants.

use crate::tree::Node;

use super::Extractor;
use crate::facts::Name;
use crate::roles::{Part, Role};

/// Texts that are joined in the source and still read as one.
const MOST_JOINED: usize = 16;
const LONGEST_SIGNATURE: usize = 300;
const LONGEST_DOCUMENTATION: usize = 4_000;

impl<'t> Extractor<'_, 't> {
    /// A comment joined to the one directly above it.
    pub(super) fn joined_comment(
        &self,
        above: Option<(usize, usize, usize)>,
        node: Node<'t>,
    ) -> Option<(usize, usize, usize)> {
        // Some grammars take the line end into the comment.
        let text = self.text(node);
        let row = node.start_row() + text.trim_end().matches('\n').count();
        let range = node.byte_range();
        match above {
            Some((start, _, last)) if node.start_row() <= last + 1 => Some((start, range.end, row)),
            _ => Some((range.start, range.end, row)),
        }
    }

    /// The comment above the definition that begins now.
    pub(super) fn comment_above(&mut self) -> Option<String> {
        let (start, end, _) = self.comment.take()?;
        clean_comment(&self.source[start..end])
    }

    /// The text that a body begins with, where the language documents that way.
    pub(super) fn documentation_in(&self, body: Node<'t>) -> Option<String> {
        if let Some(text) = self.documentation_part(body) {
            return Some(limited(&dedented(text), LONGEST_DOCUMENTATION));
        }
        if !self.language.settings().documentation.in_body {
            return None;
        }
        let mut first = self.forest.named_in(body).find(|child| !child.is_extra())?;
        while let Some((inner, true)) = self.forest.first_named_in(first)
            && self.role_of(first).is_none()
        {
            first = inner;
        }
        let found = self.role_of(first)?;
        let text = unquoted(self.text(first));
        (found.role == Role::Text).then(|| limited(&dedented(text), LONGEST_DOCUMENTATION))
    }

    /// A text at the beginning of a body that says of itself that it documents it.
    fn documentation_part(&self, body: Node<'t>) -> Option<&str> {
        let first = self.forest.named_in(body).find(|child| !child.is_extra())?;
        let found = self.role_of(first).filter(|found| found.role == Role::Skip)?;
        found.one(Part::Documentation).map(|text| self.text(text).trim())
    }

    pub(super) fn module_documentation(&self, root: Node<'t>) -> Option<String> {
        if self.language.settings().documentation.in_body {
            return self.documentation_in(root);
        }
        let mut comment = None;
        for node in self.forest.named_in(root) {
            let (start, end, row) = match comment {
                Some((start, end, row)) if !node.is_extra() || node.start_row() > row + 1 => (start, end, row),
                _ if node.is_extra() => {
                    comment = self.joined_comment(comment, node);
                    continue;
                }
                _ => return None,
            };
            let text = &self.source[start..end];
            let is_alone = node.start_row() > row + 1 || text.starts_with("//!");
            let is_package = || self.role_of(node).is_some_and(|found| found.role == Role::Package);
            return if is_alone || is_package() { clean_comment(text) } else { None };
        }
        comment.and_then(|(start, end, _)| clean_comment(&self.source[start..end]))
    }

    /// The declaration up to its body, on one line.
    pub(super) fn signature(&self, node: Node<'t>, body: Option<Node<'t>>) -> String {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = &self.source[node.start_byte()..end.max(node.start_byte())];
        let mut signature = String::new();
        for word in text.split_whitespace() {
            if !signature.is_empty() {
                signature.push(' ');
            }
            signature.push_str(word);
            if signature.len() > LONGEST_SIGNATURE {
                break;
            }
        }
        let trimmed = signature.trim_end_matches(['{', ':', ';', ' ', '=']);
        let trimmed = trimmed.strip_suffix(" do").unwrap_or(trimmed).trim_end_matches(',').len();
        signature.truncate(trimmed);
        limited(&signature, LONGEST_SIGNATURE)
    }

    /// The text or number that a node is, if it is one.
    pub(super) fn constant(&mut self, node: Node<'t>) -> Option<Name> {
        self.constant_within(node, MOST_JOINED)
    }

    fn constant_within(&mut self, node: Node<'t>, joined_still: usize) -> Option<Name> {
        let found = self.role_of(node)?;
        let text = self.text(node);
        match found.role {
            Role::Text if found.has(Part::Value) => {
                let mut joined = String::new();
                for part in found.all(Part::Value) {
                    let part = self.constant_within(part, joined_still.checked_sub(1)?)?;
                    joined.push_str(self.facts.text(part));
                }
                Some(self.intern(&joined))
            }
            Role::Text => Some(self.intern(unquoted(text))),
            Role::Number => Some(self.intern(text)),
            _ => None,
        }
    }
}

/// A text without its quotes and prefix letters.
pub(super) fn unquoted(text: &str) -> &str {
    let Some(quote) = text.find(['"', '\'', '`']).filter(|at| *at <= 3) else {
        return text.trim_start_matches(':');
    };
    let mark = &text[quote..=quote];
    let inner = text[quote..].trim_start_matches(mark);
    let inner = inner.strip_suffix('#').unwrap_or(inner);
    inner.trim_end_matches(mark)
}

/// A comment without its marks.
fn clean_comment(comment: &str) -> Option<String> {
    let mut lines = Vec::new();
    for line in comment.lines() {
        let line = line.trim();
        if line.starts_with("{-#") {
            continue;
        }
        let line = line.trim_start_matches("/**").trim_start_matches("/*").trim_end_matches("*/");
        let line = line.trim_start_matches(['/', '!', '#', ';']);
        let line = line.trim_start_matches("{-").trim_end_matches("-}").trim_end_matches("]]");
        let line = line.strip_prefix('*').or_else(|| line.strip_prefix("--").map(without_dashes)).unwrap_or(line);
        lines.push(line.strip_prefix(' ').unwrap_or(line).trim_end());
    }
    let text = lines.join("\n");
    let text = text.trim();
    (!text.is_empty()).then(|| limited(text, LONGEST_DOCUMENTATION))
}

/// The rest of `--- text`, `--[[ text` and `-- | text`.
fn without_dashes(line: &str) -> &str {
    let line = line.trim_start_matches(['-', '[']);
    line.strip_prefix(" |").or_else(|| line.strip_prefix(" ^")).unwrap_or(line)
}

/// Lines without the blanks that all but the first have in common.
fn dedented(text: &str) -> String {
    let blanks = |line: &str| line.len() - line.trim_start().len();
    let common = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().trim().to_owned();
    for line in lines {
        out.push('\n');
        out.push_str(line.get(common..).unwrap_or("").trim_end());
    }
    out.trim().to_owned()
}

fn limited(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = (0..=longest).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}…", &text[..end])
}
