//! By which words are the parts of a file compared in meaning?

use crate::file_words::{AllWords, Weight};

/// What being the name of a definition is worth in occurrences, and being in its declaration or in the path.
const NAME: f32 = 3.0;
const HEAD: f32 = 1.0;

/// The words of each part of a file.
#[derive(Debug)]
pub struct WordsOfParts {
    words: Vec<(u32, f32)>,
    /// Where those of each part begin and end.
    ranges: Vec<(usize, usize)>,
}

impl WordsOfParts {
    /// Words of the path count for every part.
    pub fn of(all: &AllWords) -> Self {
        let in_path = all.words.iter().filter(|(_, part, weight)| *part == 0 && weight.is_in_head());
        let mut path: Vec<u32> = in_path.map(|(word, _, _)| *word).collect();
        path.dedup();
        let mut parts = Self::with_room(all, path.len());
        let mut path = path.into_iter().peekable();
        for (word, part, weight) in &all.words {
            while let Some(of_path) = path.next_if(|of_path| of_path <= word) {
                parts.add_to_all(of_path);
            }
            parts.add(*part as usize, *word, times(*weight));
        }
        parts
    }

    fn with_room(all: &AllWords, in_each: usize) -> Self {
        let mut counts = vec![in_each; all.parts.len()];
        for (_, part, _) in &all.words {
            if let Some(count) = counts.get_mut(*part as usize) {
                *count += 1;
            }
        }
        let mut next = 0;
        let starts = counts.iter().map(|count| {
            next += count;
            (next - count, next - count)
        });
        let ranges = starts.collect();
        Self { words: vec![(0, 0.0); next], ranges }
    }

    fn add_to_all(&mut self, word: u32) {
        (0..self.ranges.len()).for_each(|part| self.add(part, word, HEAD));
    }

    /// Words come in rising order; of one that comes twice, the larger number counts.
    fn add(&mut self, part: usize, word: u32, times: f32) {
        let Some((start, end)) = self.ranges.get_mut(part) else { return };
        match self.words[*start..*end].last_mut() {
            Some((last, known)) if *last == word => *known = known.max(times),
            _ => {
                self.words[*end] = (word, times);
                *end += 1;
            }
        }
    }

    /// For each part its words, each once in rising order, with how often it counts.
    pub fn iter(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        self.ranges.iter().map(|(start, end)| &self.words[*start..*end])
    }
}

fn times(weight: Weight) -> f32 {
    let flag = |is_set: bool, worth: f32| if is_set { worth } else { 0.0 };
    f32::from(weight.count()) + flag(weight.is_in_name(), NAME) + flag(weight.is_in_head(), HEAD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileKind;
    use crate::file_words::{Collector, Field, Part, word_hash};

    #[test]
    fn a_part_has_its_own_words_and_those_of_the_path() {
        let part = |start_line, end_line| Part { start_line, end_line, ..Part::default() };
        let mut collector = Collector::new(FileKind::Source, vec![part(0, 9), part(2, 5)]);
        collector.add(0, Field::Head, "shop/cart");
        collector.add(1, Field::Name, "cart");
        collector.add(1, Field::Body, "price price");
        let parts = WordsOfParts::of(&AllWords::read(&collector.finish().parts).unwrap());
        let parts: Vec<_> = parts.iter().collect();
        let times = |part: usize, word: &str| {
            parts[part].iter().find(|(known, _)| *known == word_hash(crate::stem(word))).map(|(_, times)| *times)
        };
        assert_eq!((times(0, "shop"), times(0, "price")), (Some(1.0), None));
        assert_eq!((times(1, "shop"), times(1, "cart"), times(1, "price")), (Some(1.0), Some(3.0), Some(2.0)));
        assert_eq!(parts[1].len(), 3);
        assert!(parts.iter().all(|part| part.is_sorted_by_key(|(word, _)| word)));
    }
}
