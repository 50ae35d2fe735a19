//! Lines as the standard library has them, found many bytes at a time.

use memchr::{memchr, memchr_iter};

/// How many lines there are.
pub fn count(text: &str) -> u32 {
    let ends = memchr_iter(b'\n', text.as_bytes()).count();
    let has_rest = !text.is_empty() && !text.ends_with('\n');
    u32::try_from(ends + usize::from(has_rest)).unwrap_or(u32::MAX)
}

/// Each without its end.
pub fn each(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(end) = memchr(b'\n', rest.as_bytes()) else { return Some(std::mem::take(&mut rest)) };
        let line = &rest[..end];
        rest = &rest[end + 1..];
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_standard_library() {
        let texts = ["", "\n", "a", "a\n", "a\r\nb\r", "\r\n\n\r\r\n", "é\nü\n\n", "\n\na\r"];
        for text in texts {
            let expected: Vec<_> = text.lines().collect();
            assert_eq!(each(text).collect::<Vec<_>>(), expected, "{text:?}");
            assert_eq!(count(text) as usize, expected.len(), "{text:?}");
        }
    }
}
