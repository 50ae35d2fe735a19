//! How many slips of the pen are between two words?

/// Longer words are not taken for misspellings of each other.
const LONGEST: usize = 64;

/// No word may have more.
pub(super) const MOST_SLIPS: usize = 2;

/// How many slips a word of this many characters may have. A number has none: 2024 is not 2025.
pub(super) fn allowed(word: &[char]) -> usize {
    if word.len() > LONGEST || word.iter().all(char::is_ascii_digit) {
        return 0;
    }
    match word.len() {
        0..=2 => 0,
        3..=7 => 1,
        _ => MOST_SLIPS,
    }
}

/// The number of letters that are left out, added, changed, or exchanged with their neighbour (none of them touched twice), if
/// both words may have as many.
pub(super) fn slips(left: &[char], right: &[char]) -> Option<usize> {
    let most = allowed(left).min(allowed(right));
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    if most == 0 {
        return (left == right).then_some(0);
    }
    let mut before_last: [usize; LONGEST + 1] = [0; LONGEST + 1];
    let mut last: [usize; LONGEST + 1] = std::array::from_fn(|column| column);
    for row in 1..=left.len() {
        let mut current = [0; LONGEST + 1];
        current[0] = row;
        let mut lowest = row;
        for column in 1..=right.len() {
            let (here, there) = (left[row - 1], right[column - 1]);
            let mut cost =
                (last[column - 1] + usize::from(here != there)).min(last[column] + 1).min(current[column - 1] + 1);
            if row > 1 && column > 1 && here == right[column - 2] && left[row - 2] == there {
                cost = cost.min(before_last[column - 2] + 1);
            }
            current[column] = cost;
            lowest = lowest.min(cost);
        }
        // An exchange of neighbours can still lower what the row before has by one less than this row.
        if lowest > most + 1 {
            return None;
        }
        before_last = last;
        last = current;
    }
    Some(last[right.len()]).filter(|slips| *slips <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted_as_far_as_the_words_allow() {
        let cases = [
            ("kubernetes", "kuberntes", Some(1)),
            ("postgres", "postgers", Some(1)),
            ("elasticsearch", "elastcsaerch", Some(2)),
            ("elasticsearch", "elastcsaercx", None),
            ("john", "jon", Some(1)),
            ("john", "jo", None),
            ("cat", "dog", None),
            ("go", "do", None),
            ("2024", "2025", None),
            ("same", "same", Some(0)),
            ("kubernetes", "kube", None),
        ];
        for (left, right, expected) in cases {
            let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
            assert_eq!(slips(&left, &right), expected, "{left:?} {right:?}");
            assert_eq!(slips(&right, &left), expected, "{right:?} {left:?}");
        }
    }
}
