//! Which places in files does a text name?

/// A file that a text names, perhaps with a line in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// `/` between parts, as far as the text gives them.
    pub(crate) path: String,
    pub(crate) line: Option<u32>,
}

const ENDINGS: &[&str] = &[
    "py", "pyx", "pyi", "js", "jsx", "mjs", "cjs", "ts", "tsx", "vue", "java", "go", "rs", "c", "h", "cc", "cpp",
    "hpp", "cxx", "hh", "rb", "php", "kt", "scala", "swift", "cs", "lua", "dart", "ex", "exs", "hs", "zig", "sh",
    "toml", "yaml", "yml", "json", "md", "rst", "txt", "cfg", "ini", "html", "css", "scss", "sql", "proto",
];

/// The places a line names, in order: `a/b.py`, `b.py:12`, `File "a/b.py", line 12`, `(Cart.java:12)`, links to lines of a file.
pub(crate) fn places(line: &str) -> Vec<Place> {
    let is_part = |character: char| character.is_alphanumeric() || "_-./\\@+~#:%".contains(character);
    let mut places = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_part) {
        let word_end = rest[start..].find(|character| !is_part(character)).map_or(rest.len(), |end| start + end);
        let word = &rest[start..word_end];
        rest = &rest[word_end..];
        if let Some(mut place) = place(word) {
            place.line = place.line.or_else(|| line_after(rest));
            places.push(place);
        }
    }
    places
}

fn place(word: &str) -> Option<Place> {
    let (word, anchor) = word.split_once('#').unwrap_or((word, ""));
    let word = word.trim_matches(['.', ':', '/', '\\', '-']);
    let mut pieces = word.splitn(3, ':');
    let first = pieces.next()?;
    // An address, of which only a file in a repository is of use.
    let (path, line) = if matches!(first, "http" | "https") {
        let path = word.split_once("/blob/")?.1.split_once('/')?.1;
        (path, anchor.trim_start_matches('L').split('-').next().and_then(|line| line.parse().ok()))
    } else if first.len() == 1 && word.contains('\\') {
        (pieces.next()?, None)
    } else {
        (first, pieces.next().and_then(|line| line.parse().ok()))
    };
    let path = path.replace('\\', "/");
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let is_file = !stem.is_empty() && ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
    is_file.then_some(Place { path, line })
}

/// `", line 12` after a path.
fn line_after(rest: &str) -> Option<u32> {
    let digits = rest
        .strip_prefix("\", line ")
        .or_else(|| rest.strip_prefix("`, line "))
        .or_else(|| rest.strip_prefix(" line "))?;
    let end = digits.find(|character: char| !character.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Names like `django.db.models.Query` in a line, as paths.
pub(crate) fn dotted(line: &str) -> Vec<String> {
    let is_part = |character: char| character.is_alphanumeric() || "_.:".contains(character);
    line.split(|character| !is_part(character))
        .map(|word| word.trim_matches(['.', ':']).replace("::", ".").replace(':', "."))
        .filter(|word| word.split('.').count() >= 2 && word.split('.').all(is_name))
        .map(|word| word.replace('.', "/"))
        .collect()
}

fn is_name(part: &str) -> bool {
    part.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &[(&str, Option<u32>)]) {
        let found = places(line);
        let found: Vec<_> = found.iter().map(|place| (place.path.as_str(), place.line)).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn places_are_read_in_the_ways_that_programs_write_them() {
        check("  File \"/usr/lib/shop/cart.py\", line 12, in add", &[("usr/lib/shop/cart.py", Some(12))]);
        check("at shop.Cart.add(Cart.java:7)", &[("Cart.java", Some(7))]);
        check("at load (src/app.ts:3:9)", &[("src/app.ts", Some(3))]);
        check("see src/cart.rs:41 and README.md.", &[("src/cart.rs", Some(41)), ("README.md", None)]);
        check("https://github.com/a/b/blob/0a1b/src/x.go#L5-L9", &[("src/x.go", Some(5))]);
        check(r"C:\srv\shop\cart.py", &[("/srv/shop/cart.py", None)]);
        check("e.g. this and 3.5 of https://example.com/a.html", &[]);
    }

    #[test]
    fn dotted_names_are_paths() {
        assert_eq!(dotted("use django.db.models.Query now"), ["django/db/models/Query"]);
        assert_eq!(dotted("std::vec::Vec, 1.5 e.g."), ["std/vec/Vec", "e/g"]);
    }
}
