//! Which definition, module or package a name means: the one that is called so, or the only one whose name ends so.

use graph::{Label, Node};
use store::{FoundNode, ProjectGraph};
use tokio_util::sync::CancellationToken;

use super::file_errors::quoted;
use super::projects::IndexedProject;
use crate::error::ToolError;
use crate::suggest::nearest_few;

/// What stands between the parts of a qualified name, in one language or another.
const SEPARATORS: [char; 5] = ['.', ':', '#', '/', '\\'];

/// Ends of a name that are looked up; longer ones than these parts have are no last parts of a name.
const MOST_ENDS: usize = 8;

/// Nodes with one last part that are compared with a name.
const MOST_NAMESAKES: usize = 100_000;

/// Names looked through for one that was meant.
const MOST_LOOKED_AT: usize = 200_000;

const MOST_SUGGESTIONS: usize = 3;

/// Candidates that an answer names.
const MOST_CANDIDATES: usize = 20;

/// What is called so exactly; if nothing is, everything whose name ends so, by name.
pub(crate) fn find(graph: &dyn ProjectGraph, name: &str) -> Result<Vec<FoundNode>, ToolError> {
    let exact = graph.find_qualified(name)?;
    if !exact.is_empty() {
        return foremost(graph, exact);
    }
    let name = name.trim_start_matches(SEPARATORS);
    let mut found: Vec<FoundNode> = Vec::new();
    for end in ends(name) {
        let named = graph.find_named(end, MOST_NAMESAKES)?;
        found.extend(named.into_iter().filter(|found| has_end(&found.node.qualified_name, name)));
    }
    found.sort_by(|left, right| {
        let key = |found: &FoundNode| (found.node.qualified_name.clone(), rank(found.node.label), found.node.id);
        key(left).cmp(&key(right))
    });
    foremost(graph, found)
}

/// Of things with the same name, a definition is meant before a module and that before a package, unless the package has
/// several files of that name.
fn foremost(graph: &dyn ProjectGraph, mut found: Vec<FoundNode>) -> Result<Vec<FoundNode>, ToolError> {
    let ranks: Vec<(String, u8)> =
        found.iter().map(|found| (found.node.qualified_name.clone(), rank(found.node.label))).collect();
    let has_better = |node: &Node| {
        let rank = rank(node.label);
        ranks.iter().any(|(name, better)| *better < rank && *name == node.qualified_name)
    };
    let packages: Vec<FoundNode> = found.extract_if(.., |found| has_better(&found.node)).collect();
    if let ([module], [package]) = (found.as_slice(), packages.as_slice())
        && module.node.label == Label::Module
        && has_several_files(graph, &module.node.qualified_name)?
    {
        return Ok(vec![package.clone()]);
    }
    Ok(found)
}

/// Whether the module of that name is only the first of those that share it, as the files of a package do in some languages;
/// in others, a package is one of its files. What has a name that is taken already is told apart by its place.
fn has_several_files(graph: &dyn ProjectGraph, name: &str) -> Result<bool, ToolError> {
    let is_one_more = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('@'));
    let mut has_several = false;
    graph.nodes(&mut |node| {
        has_several = node.label == Label::Module && is_one_more(&node.qualified_name);
        !has_several
    })?;
    Ok(has_several)
}

fn rank(label: Label) -> u8 {
    match label {
        Label::Class | Label::Interface | Label::Enum | Label::Type | Label::Function | Label::Method => 0,
        Label::Module => 1,
        Label::Package => 2,
        Label::Project | Label::Folder | Label::File | Label::ExternalPackage => 3,
    }
}

/// What the last part of the name may be: file names have separators in them.
fn ends(name: &str) -> impl Iterator<Item = &str> {
    let inner = name.rmatch_indices(SEPARATORS).map(|(at, separator)| &name[at + separator.len()..]);
    let inner = inner.filter(|end| !end.is_empty() && !end.starts_with(SEPARATORS)).take(MOST_ENDS);
    inner.chain(std::iter::once(name)).filter(|end| !end.is_empty())
}

fn has_end(qualified_name: &str, end: &str) -> bool {
    qualified_name.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with(SEPARATORS))
}

/// What to answer to a name that several have.
pub(crate) fn ambiguous(name: &str, candidates: &[FoundNode]) -> String {
    let lines: Vec<String> = candidates.iter().take(MOST_CANDIDATES).map(candidate).collect();
    let more = candidates.len().saturating_sub(MOST_CANDIDATES);
    let more = if more > 0 { format!("\n… and {more} more") } else { String::new() };
    let (count, name) = (candidates.len(), quoted(name));
    format!("{name} is the name of {count}; give more of it:\n{}{more}", lines.join("\n"))
}

fn candidate(found: &FoundNode) -> String {
    let node = &found.node;
    let place = match (&found.path, node.label) {
        (None, _) => String::new(),
        (Some(path), Label::Module) => format!(" in {path}"),
        (Some(path), _) => format!(" in {path}, line {}", node.own_line),
    };
    format!("- {} ({}{place})", node.qualified_name, node.label)
}

/// What to answer to a name that nothing has.
pub(crate) fn unknown(project: &IndexedProject, name: &str, cancel: &CancellationToken) -> Result<String, ToolError> {
    let near: Vec<String> = near(&*project.graph, name, cancel)?.iter().map(|name| quoted(name)).collect();
    let meant = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    Ok(format!("nothing in project {} is named {}{meant}", project.info.name, quoted(name)))
}

/// Qualified names that look like what was meant, nearest first.
fn near(graph: &dyn ProjectGraph, name: &str, cancel: &CancellationToken) -> Result<Vec<String>, ToolError> {
    let wanted = ends(name).next().unwrap_or(name);
    let lengths = (wanted.len() - wanted.len() / 3).saturating_sub(1)..=wanted.len() * 4 / 3 + 1;
    let mut candidates: Vec<(String, String)> = Vec::new();
    let mut looked_at = 0;
    graph.nodes(&mut |node| {
        looked_at += 1;
        if rank(node.label) < 3 && lengths.contains(&node.name.len()) && !is_anonymous(node) {
            candidates.push((node.name.clone(), node.qualified_name.clone()));
        }
        looked_at < MOST_LOOKED_AT && !cancel.is_cancelled()
    })?;
    candidates.sort();
    candidates.dedup_by(|left, right| left.0 == right.0);
    let near = nearest_few(wanted, candidates.iter().map(|(name, _)| name.as_str()), MOST_SUGGESTIONS);
    let qualified =
        |name: &&str| candidates.iter().find(|(own, _)| own == name).map(|(_, qualified)| qualified.clone());
    Ok(near.iter().filter_map(qualified).collect())
}

/// The modules of a package and of those in it, by name.
pub(super) fn modules_of(
    graph: &dyn ProjectGraph,
    package: &str,
    cancel: &CancellationToken,
) -> Result<Vec<String>, ToolError> {
    let is_own = |name: &str| {
        let rest = name.strip_prefix(package);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('@') || rest.starts_with(SEPARATORS))
    };
    let mut modules = Vec::new();
    graph.nodes(&mut |node| {
        if node.label == Label::Module && is_own(&node.qualified_name) {
            modules.push(node.qualified_name.clone());
        }
        !cancel.is_cancelled()
    })?;
    modules.sort();
    Ok(modules)
}

fn is_anonymous(node: &Node) -> bool {
    node.modifiers.iter().any(|modifier| modifier == "anonymous")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(qualified_name: &str, end: &str, expected: bool) {
        assert_eq!(has_end(qualified_name, end), expected, "{end} in {qualified_name}");
    }

    #[test]
    fn a_name_ends_at_a_separator_of_any_language() {
        check("app.users.UserService.create", "UserService.create", true);
        check("app.users.UserService.create", "Service.create", false);
        check("crate::store::Store::open", "Store::open", true);
        check("src/user.ts#User.save", "User.save", true);
        check("src/user.ts#User.save", "user.ts#User.save", true);
        check("App\\Models\\User::save", "User::save", true);
        check("main", "main", true);
        check("app.main", "ain", false);
    }

    #[test]
    fn the_last_part_of_a_name_may_have_separators_in_it() {
        let of = |name| ends(name).collect::<Vec<_>>();
        assert_eq!(of("src/user.ts"), ["ts", "user.ts", "src/user.ts"]);
        assert_eq!(of("a::b"), ["b", "a::b"]);
        assert_eq!(of("main"), ["main"]);
        assert_eq!(of(""), [""; 0]);
    }
}
