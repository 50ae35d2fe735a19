//! Does every relative link in a Markdown file lead to a file, and its anchor to a heading?

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::Violation;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let texts: BTreeMap<&str, String> =
        tree.files_ending(".md").map(|path| (path, tree.text(path).unwrap_or_default())).collect();
    let anchors: BTreeMap<&str, BTreeSet<String>> = texts.iter().map(|(path, text)| (*path, anchors(text))).collect();
    let mut violations = Vec::new();
    for (path, text) in &texts {
        for link in links(text) {
            if let Some((problem, fix)) = broken(tree, &anchors, path, &link.target) {
                violations.push(Violation::new(*path, link.line, problem, fix));
            }
        }
    }
    violations
}

#[derive(Debug)]
struct Link {
    line: usize,
    target: String,
}

fn links(text: &str) -> Vec<Link> {
    // A reference that is never defined is not a link to Markdown, but it is one that its author meant.
    let mut undefined = Vec::new();
    let callback = |link: pulldown_cmark::BrokenLink<'_>| {
        if matches!(link.link_type, pulldown_cmark::LinkType::Reference | pulldown_cmark::LinkType::Collapsed) {
            undefined.push(Link { line: line_at(text, link.span.start), target: format!("[{}]", link.reference) });
        }
        None
    };
    let parser = Parser::new_with_broken_link_callback(text, Options::ENABLE_TABLES, Some(callback));
    let mut found = Vec::new();
    for (event, range) in parser.into_offset_iter() {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            found.push(Link { line: line_at(text, range.start), target: dest_url.into_string() });
        }
    }
    found.append(&mut undefined);
    found
}

fn line_at(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The problem with a link and how to fix it; nothing if it is good or leads outside.
fn broken(
    tree: &Tree,
    anchors: &BTreeMap<&str, BTreeSet<String>>,
    from: &str,
    target: &str,
) -> Option<(String, String)> {
    if target.starts_with('[') {
        return Some((format!("the reference {target} is not defined"), format!("add `{target}: path` to the file")));
    }
    if has_scheme(target) {
        return None;
    }
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    let file = if path.is_empty() { Some(from.to_owned()) } else { resolve(from, &percent_decode(path)) };
    let missing = || {
        let fix = "correct the path; it is relative to the file that holds the link".to_owned();
        Some((format!("the link `{target}` leads nowhere"), fix))
    };
    let Some(file) = file.filter(|file| tree.has_file(file) || tree.has_folder(file)) else { return missing() };
    let anchor = anchor?;
    match anchors.get(file.as_str()) {
        Some(known) if !known.contains(&percent_decode(anchor).to_lowercase()) => {
            let fix = format!("link to a heading that {file} has");
            Some((format!("the link `{target}` names the heading `#{anchor}`, which {file} does not have"), fix))
        }
        // Anchors in other kinds of files, such as `#L10` in a source file, are the viewer's business.
        Some(_) | None => None,
    }
}

/// `https:`, `mailto:`, `//host` and the like are not ours to check.
fn has_scheme(target: &str) -> bool {
    let scheme = target.split(':').next().filter(|scheme| scheme.len() < target.len());
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|character| character.is_ascii_alphanumeric() || "+-.".contains(character))
    };
    target.starts_with("//") || scheme.is_some_and(is_scheme)
}

/// `None` when the path leaves the repository. A leading `/` means its root.
fn resolve(from: &str, path: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let decoded = (*first == b'%')
            .then(|| std::str::from_utf8(tail.get(..2)?).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok()))
            .flatten();
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The anchors GitHub gives to a file's headings, and those its HTML sets itself.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        if let Event::Start(Tag::Heading { .. }) = event {
            heading = Some(String::new());
        } else if let Event::End(TagEnd::Heading(_)) = event {
            let slug = slug(&heading.take().unwrap_or_default());
            let numbered = (1..).map(|number| format!("{slug}-{number}"));
            let free = std::iter::once(slug.clone()).chain(numbered).find(|anchor| !anchors.contains(anchor));
            anchors.extend(free);
        } else if let Event::Html(html) | Event::InlineHtml(html) = event {
            anchors.extend(html_anchors(&html));
        } else if let (Event::Text(part) | Event::Code(part), Some(heading)) = (event, &mut heading) {
            heading.push_str(&part);
        }
    }
    anchors
}

fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn html_anchors(html: &str) -> Vec<String> {
    let values = |attribute: &str| -> Vec<String> {
        html.split(attribute).skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_lowercase())).collect()
    };
    [values(" id=\""), values(" name=\"")].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    const OTHER: (&str, &str) =
        ("docs/other.md", "# Two words, one `code`\n\n## Again\n\n## Again\n\n<a id=\"Here\"></a>\n");

    fn check_text(text: &str, expected: &[&str]) {
        fixture::check(check, &[("README.md", text), OTHER, ("src/a b.rs", "")], expected);
    }

    #[test]
    fn links_to_files_folders_headings_and_the_web_pass() {
        check_text(
            "# Top\n[a](docs/other.md) [b](./docs/other.md#two-words-one-code) [c](#top) [d](docs/) ![e](src/a%20b.rs)\n\
             [f](https://example.org/none) [g](docs/other.md#again-1 \"title\") [h][ref] [i](docs/other.md#here)\n\
             [j](trailmark://documents/1) [not a link] `[code](none.md)`\n\n```\n[k](none.md)\n```\n\n[ref]: docs/other.md\n",
            &[],
        );
    }

    #[test]
    fn a_link_to_a_missing_file_fails() {
        check_text("x\n\n[a](docs/none.md)\n", &["README.md:3: the link `docs/none.md` leads nowhere"]);
        check_text("[a]\n\n[a]: none.md\n", &["README.md:1: the link `none.md` leads nowhere"]);
        check_text("![a](none.png)\n", &["README.md:1: the link `none.png` leads nowhere"]);
        check_text("[a](../outside.md)\n", &["README.md:1: the link `../outside.md` leads nowhere"]);
        check_text("| t |\n|---|\n| [a](none.md) |\n", &["README.md:3: the link `none.md` leads nowhere"]);
    }

    #[test]
    fn a_link_to_a_missing_heading_fails() {
        check_text(
            "[a](docs/other.md#again-2)\n[b](#none)\n",
            &[
                "README.md:1: the link `docs/other.md#again-2` names the heading `#again-2`, which docs/other.md does not have",
                "README.md:2: the link `#none` names the heading `#none`, which README.md does not have",
            ],
        );
    }

    #[test]
    fn a_reference_that_is_not_defined_fails() {
        check_text("[a][none]\n", &["README.md:1: the reference [none] is not defined"]);
    }

    #[test]
    fn paths_are_relative_to_the_file_that_holds_the_link() {
        let files = [
            ("docs/a.md", "[up](../README.md) [side](b.md) [root](/README.md)\n"),
            ("docs/b.md", ""),
            ("README.md", ""),
        ];
        fixture::check(check, &files, &[]);
    }
}
