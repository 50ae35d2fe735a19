//! The nearest known name to one that was mistyped.

/// The candidate nearest to `name`, if one is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST_NAME: usize = 64;
    let length = name.chars().count();
    if length > LONGEST_NAME {
        return None;
    }
    let allowed = (length / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typing_error_finds_the_name_and_nonsense_finds_nothing() {
        let known = ["mongo_find_all", "mongo_find_by_id"];
        assert_eq!(nearest("mongo_findall", known), Some("mongo_find_all"));
        assert_eq!(nearest("mongo_find_by_di", known), Some("mongo_find_by_id"));
        assert_eq!(nearest("chart", known), None);
    }
}
