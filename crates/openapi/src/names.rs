//! Names of tools and arguments: only letters, digits, `_` and `-`, short, unique, and the same whatever the order of the document.

use std::collections::HashMap;

/// Clients put their own prefix before a name, and 64 characters must hold both.
pub(crate) const LONGEST: usize = 48;
/// What makes a name that was cut, or that two operations have, unique.
const MARK: usize = 6;
const LONGEST_API_NAME: usize = 16;
const LONGEST_ARGUMENT: usize = 64;

/// Words that say nothing about an API.
const EMPTY_WORDS: &[&str] = &[
    "the",
    "api",
    "apis",
    "rest",
    "restful",
    "openapi",
    "swagger",
    "http",
    "web",
    "service",
    "services",
    "public",
    "official",
    "spec",
    "specification",
    "documentation",
    "v1",
    "v2",
    "v3",
];

/// The name of an API: what its document calls itself, without words that every document uses.
pub(crate) fn of_api(title: &str) -> String {
    let cleaned = cleaned(&title.replace("'s", "").replace("’s", "")).to_lowercase();
    let mut name = String::new();
    for word in cleaned.split('_').filter(|word| !word.is_empty() && !EMPTY_WORDS.contains(word)) {
        let longer = if name.is_empty() { word.to_owned() } else { format!("{name}_{word}") };
        if longer.len() > LONGEST_API_NAME {
            break;
        }
        name = longer;
    }
    if name.is_empty() { cleaned.chars().take(LONGEST_API_NAME).collect() } else { name }
}

/// An API name as it was given, if it can be part of a tool's name.
pub(crate) fn is_api_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.len() <= LONGEST_API_NAME && name.chars().all(fits)
}

/// What a tool is made of: the name it should have, and what it is.
pub(crate) struct Wanted {
    pub(crate) name: String,
    /// Unique within the document, such as `GET /pets`.
    pub(crate) identity: String,
}

/// One name for each, in the same order. Those that would share a name all get a mark made of what they are, so that no name
/// depends on which comes first.
pub(crate) fn of_tools(api: &str, wanted: &[Wanted]) -> Vec<String> {
    let plain: Vec<String> = wanted
        .iter()
        .map(|wanted| {
            let name = cleaned(&wanted.name);
            if api.is_empty() { name } else { format!("{api}_{name}") }
        })
        .collect();
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in &plain {
        *counts.entry(name.to_lowercase()).or_default() += 1;
    }
    let named = plain.iter().zip(wanted).map(|(name, wanted)| {
        let is_shared = counts[&name.to_lowercase()] > 1;
        if name.len() <= LONGEST && !is_shared && !name.is_empty() {
            name.clone()
        } else {
            marked(name, &wanted.identity)
        }
    });
    named.collect()
}

fn marked(name: &str, identity: &str) -> String {
    let hash = blake3::hash(identity.as_bytes()).to_hex();
    let kept = name.chars().take(LONGEST - MARK - 1).collect::<String>();
    format!("{}_{}", kept.trim_end_matches(['_', '-']), &hash[..MARK])
}

/// Only letters, digits, `_` and `-`, with one `_` in place of everything else.
fn cleaned(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii_alphanumeric() || character == '-' {
            name.push(character);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name.trim_matches(['_', '-']).to_owned()
}

/// The name of an argument: as the document has it where clients accept that, else its letters.
pub(crate) fn of_argument(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if !name.is_empty() && name.len() <= LONGEST_ARGUMENT && name.chars().all(fits) {
        return name.to_owned();
    }
    let short: String = cleaned(name).chars().take(LONGEST_ARGUMENT - MARK - 1).collect();
    if short.is_empty() { marked("argument", name) } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(api: &str, wanted: &[(&str, &str)]) -> Vec<String> {
        let wanted: Vec<Wanted> = wanted
            .iter()
            .map(|(name, identity)| Wanted { name: (*name).into(), identity: (*identity).into() })
            .collect();
        of_tools(api, &wanted)
    }

    #[test]
    fn names_keep_what_clients_accept() {
        assert_eq!(named("github", &[("repos/get", "GET /repos")]), ["github_repos_get"]);
        assert_eq!(named("p", &[("get /pets/{id}", "GET /pets/{id}")]), ["p_get_pets_id"]);
        assert_eq!(named("p", &[("列表 pets", "GET /pets")]), ["p_pets"]);
        assert_eq!(named("p", &[("列表", "GET /pets")]).len(), 1);
    }

    #[test]
    fn long_and_shared_names_get_a_mark_that_does_not_depend_on_the_order() {
        let long = "a".repeat(80);
        let forward = named("p", &[("same", "GET /a"), ("Same", "GET /b"), (&long, "GET /c"), ("other", "GET /d")]);
        let mut backward =
            named("p", &[("other", "GET /d"), (&long, "GET /c"), ("Same", "GET /b"), ("same", "GET /a")]);
        backward.reverse();
        assert_eq!(forward, backward);
        assert_eq!(forward[3], "p_other");
        for name in &forward {
            assert!(name.len() <= LONGEST, "{name}");
            assert_eq!(forward.iter().filter(|other| other.eq_ignore_ascii_case(name)).count(), 1, "{name}");
        }
    }

    #[test]
    fn an_api_is_named_after_its_title() {
        let expected = [
            ("Swagger Petstore", "petstore"),
            ("GitHub v3 REST API", "github"),
            ("Acme's official API", "acme"),
            ("API", "api"),
            ("Azure SQL Database", "azure_sql"),
        ];
        for (title, name) in expected {
            assert_eq!(of_api(title), name);
        }
        assert!(is_api_name("pet-store_2") && !is_api_name("a b") && !is_api_name(""));
    }

    #[test]
    fn an_argument_keeps_its_name_where_clients_accept_it() {
        let expected =
            [("per_page", "per_page"), ("filter[name]", "filter_name"), ("$top", "top"), ("X-Trace-Id", "X-Trace-Id")];
        for (name, argument) in expected {
            assert_eq!(of_argument(name), argument);
        }
        assert!(of_argument("[]").starts_with("argument_"));
    }
}
