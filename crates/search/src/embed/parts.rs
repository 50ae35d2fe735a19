//! By which words are the parts of a file compared in meaning?

use crate::file_words::{AllWords, Weight};

/// What being the name of a definition is worth in occurrences, and being in its declaration or in the path.
const NAME: f32 = 3.0;
const HEAD: f32 = 1.0;

/// For each part its words, each once in rising order, with how often it counts. Those of the path count for every part.
pub fn words_of_parts(all: &AllWords) -> Vec<Vec<(u32, f32)>> {
    let path = all.words.iter().filter(|(_, part, weight)| *part == 0 && weight.is_in_head());
    let path: Vec<(u32, f32)> = path.map(|(word, _, _)| (*word, HEAD)).collect();
    let mut parts: Vec<Vec<(u32, f32)>> = vec![path; all.parts.len()];
    for (word, part, weight) in &all.words {
        if let Some(words) = parts.get_mut(*part as usize) {
            words.push((*word, times(*weight)));
        }
    }
    for words in &mut parts {
        words.sort_unstable_by(|left, right| left.0.cmp(&right.0).then(right.1.total_cmp(&left.1)));
        words.dedup_by_key(|(word, _)| *word);
    }
    parts
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
        let parts = words_of_parts(&AllWords::read(&collector.finish().parts).unwrap());
        let times = |part: usize, word: &str| {
            parts[part].iter().find(|(known, _)| *known == word_hash(crate::stem(word))).map(|(_, times)| *times)
        };
        assert_eq!((times(0, "shop"), times(0, "price")), (Some(1.0), None));
        assert_eq!((times(1, "shop"), times(1, "cart"), times(1, "price")), (Some(1.0), Some(3.0), Some(2.0)));
        assert_eq!(parts[1].len(), 3);
    }
}
