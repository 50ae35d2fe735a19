//! Which operations of a document become tools: by method, tag, path and operation id.

use crate::operation::Method;

/// What is wanted. An empty list asks for everything; what is excluded goes, whatever else is said. `*` stands for anything, and
/// upper and lower case are the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    pub methods: Vec<String>,
    pub tags: Vec<String>,
    pub paths: Vec<String>,
    pub operations: Vec<String>,
    pub exclude_tags: Vec<String>,
    pub exclude_paths: Vec<String>,
    pub exclude_operations: Vec<String>,
    /// Leaves out what may change something.
    pub read_only: bool,
}

impl Filter {
    pub(crate) fn keeps(&self, method: Method, path: &str, tags: &[String], id: &str) -> bool {
        let any_tag = |patterns: &[String]| tags.iter().any(|tag| any(patterns, tag));
        (self.methods.is_empty() || any(&self.methods, method.as_str()))
            && (self.tags.is_empty() || any_tag(&self.tags))
            && (self.paths.is_empty() || any(&self.paths, path))
            && (self.operations.is_empty() || any(&self.operations, id))
            && !any_tag(&self.exclude_tags)
            && !any(&self.exclude_paths, path)
            && !any(&self.exclude_operations, id)
            && (method.is_read() || !self.read_only)
    }
}

fn any(patterns: &[String], text: &str) -> bool {
    patterns.iter().any(|pattern| matches(&pattern.to_lowercase(), &text.to_lowercase()))
}

/// Whether the text fits a pattern in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, fits) in [
            ("list*", "listpets", true),
            ("*pets", "listpets", true),
            ("/a/*/c", "/a/b/c", true),
            ("/a/*/c", "/a/b/d", false),
            ("pets", "pets", true),
            ("pets", "petsy", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn exclusion_wins_over_inclusion() {
        let list = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
        let filter = Filter {
            methods: list(&["get", "post"]),
            tags: list(&["Pet*"]),
            exclude_paths: list(&["/admin/*"]),
            ..Filter::default()
        };
        assert!(filter.keeps(Method::Get, "/pets", &list(&["pets"]), "x"));
        assert!(!filter.keeps(Method::Delete, "/pets", &list(&["pets"]), "x"));
        assert!(!filter.keeps(Method::Get, "/pets", &list(&["users"]), "x"));
        assert!(!filter.keeps(Method::Get, "/admin/pets", &list(&["pets"]), "x"));
        let reads = Filter { read_only: true, ..Filter::default() };
        assert!(reads.keeps(Method::Head, "/", &[], "") && !reads.keeps(Method::Post, "/", &[], ""));
    }
}
