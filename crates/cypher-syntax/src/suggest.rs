//! The known name nearest to a wrong one.

/// The candidate most like `wanted`, if any is like it at all; case does not count.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    let scored = candidates.into_iter().filter_map(|candidate| {
        let lower = candidate.to_lowercase();
        // Comparing texts of very different length is slow and never helps.
        if lower.len().abs_diff(wanted.len()) > 8 || length > 100 {
            return None;
        }
        let distance = strsim::damerau_levenshtein(&wanted, &lower);
        let is_part = length >= 3 && (lower.starts_with(&wanted) || wanted.starts_with(&lower) && lower.len() >= 3);
        let allowed = (length.max(3) / 3).min(3);
        (distance <= allowed || is_part).then_some((distance, candidate))
    });
    scored.min().map(|(_, candidate)| candidate)
}

pub fn did_you_mean(name: &str) -> String {
    format!("did you mean `{name}`?")
}

/// At most 40 characters of a text, for messages.
pub fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
