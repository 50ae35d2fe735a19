//! Many texts in one block of memory, which can be searched as one.

use graph::TextRelation;
use memchr::memmem;

use super::bits::Bits;

/// Stands before, between and after the texts. It is in no UTF-8, so that what is found with it is found at the right place and
/// nothing is found across two texts.
const BORDER: u8 = 0xFF;

/// How many texts are put in lower case at a time.
const TEXTS_AT_ONCE: usize = 2_048;

/// Texts by number.
#[derive(Debug)]
pub(super) struct Texts {
    bytes: Vec<u8>,
    /// Where each text begins, and where the next one would.
    starts: Vec<u32>,
    /// Those with other characters than ASCII, ascending.
    not_ascii: Vec<u32>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { bytes: vec![BORDER], starts: vec![1], not_ascii: Vec::new() }
    }
}

impl Texts {
    /// Adds a text; its number is how many there were before. `None` when there is no room for more.
    pub(super) fn push(&mut self, text: &str) -> Option<u32> {
        let number = u32::try_from(self.len()).ok()?;
        let start = u32::try_from(self.bytes.len() + text.len() + 1).ok()?;
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(BORDER);
        self.starts.push(start);
        if !text.is_ascii() {
            self.not_ascii.push(number);
        }
        Some(number)
    }

    pub(super) fn get(&self, number: usize) -> &str {
        let text = &self.bytes[self.starts[number] as usize..self.starts[number + 1] as usize - 1];
        std::str::from_utf8(text).expect("only whole texts were put in")
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The numbers of the texts that fit. In lower case, texts that are not ASCII are all among them.
    pub(super) fn matching(&self, relation: TextRelation, wanted: &str, lower_case: bool) -> Bits {
        if wanted.is_empty() && relation != TextRelation::Is {
            return Bits::all(self.len());
        }
        let mut found = Bits::none(self.len());
        let mut needle = Vec::with_capacity(wanted.len() + 2);
        if matches!(relation, TextRelation::Is | TextRelation::StartsWith) {
            needle.push(BORDER);
        }
        needle.extend_from_slice(wanted.as_bytes());
        if matches!(relation, TextRelation::Is | TextRelation::EndsWith) {
            needle.push(BORDER);
        }
        let finder = memmem::Finder::new(&needle);
        if !lower_case {
            self.search(&finder, 0, &self.bytes, &mut found);
            return found;
        }
        let mut block = Vec::new();
        for first in (0..self.len()).step_by(TEXTS_AT_ONCE) {
            let last = (first + TEXTS_AT_ONCE).min(self.len());
            let bytes = &self.bytes[self.starts[first] as usize - 1..self.starts[last] as usize];
            block.clear();
            block.extend(bytes.iter().map(u8::to_ascii_lowercase));
            self.search(&finder, first, &block, &mut found);
        }
        self.not_ascii.iter().for_each(|number| found.set(*number as usize));
        found
    }

    /// Searches bytes that stand, or would stand, from the border before this text on.
    fn search(&self, finder: &memmem::Finder<'_>, first: usize, bytes: &[u8], found: &mut Bits) {
        let place = self.starts[first] as usize - 1;
        let (mut number, mut from) = (first, 0);
        while let Some(position) = finder.find(&bytes[from..]) {
            // A hit that begins with a border belongs to the text behind it.
            while self.starts[number + 1] as usize <= place + from + position + 1 {
                number += 1;
            }
            found.set(number);
            from = self.starts[number + 1] as usize - 1 - place;
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity() + 4 * (self.starts.capacity() + self.not_ascii.capacity())
    }

    pub(super) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.not_ascii.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 8] = ["", "user", "User", "a user", "users", "ser", "Üser", "user"];

    fn check(relation: TextRelation, wanted: &str, lower_case: bool, expected: &[usize]) {
        let mut texts = Texts::default();
        (0..).zip(TEXTS).for_each(|(number, text)| assert_eq!(texts.push(text), Some(number)));
        let found = texts.matching(relation, wanted, lower_case);
        let found: Vec<_> = (0..TEXTS.len()).filter(|number| found.contains(*number)).collect();
        assert_eq!(found, expected, "{relation:?} {wanted:?} {lower_case}");
    }

    #[test]
    fn texts_are_found_by_all_relations() {
        check(TextRelation::Contains, "ser", false, &[1, 2, 3, 4, 5, 6, 7]);
        check(TextRelation::Contains, "user", true, &[1, 2, 3, 4, 6, 7]);
        check(TextRelation::StartsWith, "user", false, &[1, 4, 7]);
        check(TextRelation::EndsWith, "user", false, &[1, 3, 7]);
        check(TextRelation::Is, "user", false, &[1, 7]);
        check(TextRelation::Is, "user", true, &[1, 2, 6, 7]);
        check(TextRelation::Is, "", false, &[0]);
        check(TextRelation::StartsWith, "", false, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(TextRelation::EndsWith, "", true, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(TextRelation::Contains, "ruser", false, &[]);
    }
}
