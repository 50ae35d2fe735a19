//! The nearest known name to one that was mistyped.

/// The candidate nearest to `name`, if one is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_few(name, candidates, 1).pop()
}

/// Up to `most` candidates that are near enough to be what was meant, the nearest first.
pub(crate) fn nearest_few<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    const LONGEST_NAME: usize = 64;
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return Vec::new();
    }
    let allowed = (length / 3).max(1);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .collect();
    near.sort_unstable();
    near.into_iter().take(most).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_few};

    #[test]
    fn a_typing_error_finds_the_name_and_nonsense_finds_nothing() {
        let known = ["mongo_find_all", "mongo_find_by_id"];
        assert_eq!(nearest("mongo_findall", known), Some("mongo_find_all"));
        assert_eq!(nearest("mongo_find_by_di", known), Some("mongo_find_by_id"));
        assert_eq!(nearest("chart", known), None);
    }

    #[test]
    fn several_near_names_come_nearest_first() {
        assert_eq!(
            nearest_few("main.rs", ["mail.rs", "lib.rs", "mian.rs", "Main.rs"], 3),
            ["Main.rs", "mail.rs", "mian.rs"]
        );
        assert_eq!(nearest_few("main.rs", ["mail.rs", "main.py"], 1), ["mail.rs"]);
    }
}
