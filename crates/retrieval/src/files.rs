//! Which files have the words of a query?

use search::file_words::Weight;
use store::{FileClass, Result, WordRead};

use crate::query::{Query, Word};
use crate::weights::Weights;

/// A file with some of the words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scored {
    pub(crate) number: u32,
    pub(crate) class: FileClass,
    pub(crate) score: f32,
}

/// The files, and what each word of the query is worth.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Best first, without regard to what kind of file each is.
    pub(crate) files: Vec<Scored>,
    /// The weight of each word of the query with its rarity.
    pub(crate) worth: Vec<f32>,
    /// Of each number.
    pub(crate) classes: Vec<Option<FileClass>>,
    /// How long a file is in the mean.
    pub(crate) average: f32,
}

/// Okapi BM25 over files, where a word in a name or in the path counts as if it were there several times.
pub(crate) fn find(words: &dyn WordRead, query: &Query, weights: &Weights) -> Result<Found> {
    let classes = words.classes()?;
    let count = classes.iter().flatten().count();
    if count == 0 {
        return Ok(Found { worth: vec![0.0; query.words.len()], ..Found::default() });
    }
    let average = classes.iter().flatten().map(|class| class.length).sum::<f32>() / count as f32;
    let of_defined = if query.is_short { weights.defined } else { weights.defined_in_report };
    let mut scores = vec![0.0_f32; classes.len()];
    let mut worth = Vec::with_capacity(query.words.len());
    let mut list: Vec<(u32, Weight)> = Vec::new();
    for Word { word, weight, is_name } in &query.words {
        list.clear();
        words.files_with(word, &mut list)?;
        list.retain(|(number, _)| classes.get(*number as usize).is_some_and(Option::is_some));
        let value = weight * rarity(count, list.len());
        worth.push(value);
        for &(number, weight) in &list {
            let Some(class) = classes[number as usize] else { continue };
            let times = f32::from(weight.count())
                + if weight.is_in_name() { weights.file_name } else { 0.0 }
                + if weight.is_in_head() { weights.file_path } else { 0.0 };
            let norm = weights.file_k * (1.0 - weights.file_b + weights.file_b * class.length / average.max(1.0));
            let defined = if *is_name && weight.is_in_name() { value * of_defined } else { 0.0 };
            scores[number as usize] += value * times * (weights.file_k + 1.0) / (times + norm) + defined;
        }
    }
    let mut files: Vec<Scored> = (0_u32..)
        .zip(&classes)
        .zip(scores)
        .filter_map(|((number, class), score)| (score > 0.0).then_some(Scored { number, class: (*class)?, score }))
        .collect();
    files.sort_by(|left, right| right.score.total_cmp(&left.score));
    Ok(Found { files, worth, classes, average })
}

fn rarity(count: usize, with_word: usize) -> f32 {
    if with_word == 0 {
        return 0.0;
    }
    let (count, with_word) = (count as f32, with_word as f32);
    (1.0 + (count - with_word + 0.5) / (with_word + 0.5)).ln()
}
