//! Words with their lists of files, in order, many to a row: a row for each word would cost more than what is in it.

use search::file_words::{number, put};
use store::StoreError;

use crate::error;
use crate::job::Outcome;

/// Rows of no more bytes than this stay within a page of the tree.
const BYTES: usize = 1_600;

/// Calls back with the first word and the bytes of each row. The words come in rising order.
pub(super) fn each_row<'w>(
    words: impl Iterator<Item = (&'w str, &'w [u8])>,
    mut each: impl FnMut(&str, &[u8]) -> Outcome<()>,
) -> Outcome<()> {
    let (mut first, mut bytes) = ("", Vec::new());
    for (word, list) in words {
        if !bytes.is_empty() && bytes.len() + word.len() + list.len() > BYTES {
            each(first, &bytes)?;
            bytes.clear();
        }
        if bytes.is_empty() {
            first = word;
        }
        for part in [word.as_bytes(), list] {
            put(&mut bytes, part.len() as u32);
            bytes.extend_from_slice(part);
        }
    }
    if bytes.is_empty() { Ok(()) } else { each(first, &bytes) }
}

/// The words of a row with their lists.
pub(super) fn words(row: &[u8]) -> impl Iterator<Item = Result<(&str, &[u8]), StoreError>> {
    let mut rest = row;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let next = next(&mut rest);
        if next.is_none() {
            rest = &[];
        }
        Some(next.ok_or_else(|| error::unreadable("words", "they end early")))
    })
}

/// The list of a word, if it is in this row.
pub(super) fn list_of<'r>(word: &str, row: &'r [u8]) -> Result<Option<&'r [u8]>, StoreError> {
    for found in words(row) {
        let (known, list) = found?;
        if known >= word {
            return Ok((known == word).then_some(list));
        }
    }
    Ok(None)
}

fn next<'r>(rest: &mut &'r [u8]) -> Option<(&'r str, &'r [u8])> {
    let word = std::str::from_utf8(part(rest)?).ok()?;
    Some((word, part(rest)?))
}

fn part<'r>(rest: &mut &'r [u8]) -> Option<&'r [u8]> {
    let length = number(rest)? as usize;
    let (part, after) = rest.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_the_rows_they_were_put_in() {
        let long = vec![7; 3 * BYTES];
        let given: Vec<(String, &[u8])> =
            (0..900).map(|at| (format!("word{at:04}"), if at == 500 { &long[..] } else { &long[..at % 50] })).collect();
        let mut rows = Vec::new();
        each_row(given.iter().map(|(word, list)| (word.as_str(), *list)), |first, bytes| {
            rows.push((first.to_owned(), bytes.to_vec()));
            Ok(())
        })
        .expect("nothing fails here");
        assert!(rows.len() > 10 && rows.is_sorted(), "{} rows", rows.len());
        assert!(rows.iter().all(|(first, bytes)| bytes.len() < BYTES + 20 || first == "word0500"));
        let read = rows.iter().flat_map(|(_, bytes)| words(bytes)).map(|word| word.expect("it was just written"));
        assert!(read.eq(given.iter().map(|(word, list)| (word.as_str(), *list))));
        let (_, row) = rows.last().expect("there are some");
        assert_eq!(list_of("word0899", row).expect("it is whole"), Some(given[899].1));
        assert_eq!(list_of("word0898a", row).expect("it is whole"), None);
    }

    #[test]
    fn a_row_that_ends_early_is_refused() {
        let refused = |row: &[u8]| words(row).any(|word| word.is_err());
        assert!(refused(&[3, b'a', b'b']) && refused(&[1, b'a', 2, 0]) && refused(&[1, 0xff, 0]));
        assert!(!refused(&[1, b'a', 1, 0]) && !refused(&[]));
    }
}
