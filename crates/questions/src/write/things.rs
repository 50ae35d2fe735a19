//! Lists, counts and rankings of things, with filters and relations to others.

use graph::Label;

use super::conditions;
use super::query::Query;
use super::relations::{self, COUNTED, FURTHER, Hop, MAIN};
use super::schema::{DEFINITION_LABELS, END_LINE, NAME, PATH, START_LINE, TYPE_LABELS, labels, node, variable};
use crate::meaning::{Filter, Kind, Link, Meaning, Metric, NameTest, Other, Reach, Relation, Role, Subject};
use crate::names::Names;

const PLACES: &[Label] = &[Label::File, Label::Module, Label::Package, Label::Folder];
const IMPORTED: &[Label] = &[Label::Package, Label::Module, Label::ExternalPackage];

/// The query for a plain list, a count or a ranking.
pub(super) fn write(meaning: &Meaning, names: &dyn Names) -> Query {
    if let Some(query) = by_file(meaning) {
        return query;
    }
    let labels = target_labels(meaning, names);
    let target = variable(&labels);
    let (mut query, has_line) = base(meaning, target, &labels);
    // Over many steps a thing is met on many paths; it counts once.
    let is_deep = meaning.links.iter().any(|link| link.reach != Reach::Direct && !link.negated);
    if is_deep && (meaning.counts || meaning.rank.is_some() || !meaning.having.is_empty()) {
        query.push_with(&[&format!("DISTINCT {target}")], Vec::new());
    }
    let metric = metric(meaning, &mut query, target);
    // Counting leaves nothing but the thing and the number.
    let has_line = has_line && metric != Some("count");
    if meaning.counts && metric.is_none() {
        let sites = meaning.counts_sites && has_line;
        query.column(if sites { "count(r)".to_owned() } else { count_of(meaning, target, &labels) }, "count");
        return query;
    }
    if meaning.counts {
        query.column(format!("count({target})"), "count");
        return query;
    }
    if is_by_name(meaning) {
        query.column(format!("{target}.{NAME}"), "name");
        query.column(format!("{target}.qualified_name"), "qualified_name");
        return query;
    }
    query.thing(target, &labels);
    let is_importing =
        !labels.is_empty() && labels.iter().all(|label| IMPORTED.contains(label) || *label == Label::File);
    if has_line && is_importing {
        query.column("min(r.line)", "line");
    } else if has_line {
        query.column("r.line", "line");
        query.distinct = true;
    } else if !meaning.links.is_empty() && metric.is_none() {
        query.distinct = true;
    }
    order(meaning, &mut query, &labels, metric, has_line && !is_importing);
    query
}

/// The question that has a wording of its own: things of one kind by a part of their name.
fn is_by_name(meaning: &Meaning) -> bool {
    let is_contains =
        matches!(meaning.filters.as_slice(), [Filter::Name { test: NameTest::Contains, negated: false, .. }]);
    let is_bare = meaning.links.is_empty() && meaning.rank.is_none() && meaning.having.is_empty();
    let has_kind = !meaning.kinds.is_empty() && !meaning.kinds.iter().any(|kind| kind.is_place());
    is_contains && is_bare && has_kind && meaning.subject == Subject::Things
}

fn order(meaning: &Meaning, query: &mut Query, labels: &[Label], metric: Option<&'static str>, by_line: bool) {
    if let Some(name) = metric {
        let expression = if name == "lines" { lines(variable(labels)) } else { name.to_owned() };
        query.column(expression, name);
        let descending = meaning.rank.as_ref().is_none_or(|rank| rank.descending);
        query.order_by(name, descending);
    }
    query.order_by_name(labels);
    if by_line {
        query.order_by("line", false);
    }
}

fn lines(variable: &str) -> String {
    format!("{variable}.{END_LINE} - {variable}.{START_LINE} + 1")
}

/// A count of things.
fn count_of(meaning: &Meaning, target: &str, labels: &[Label]) -> String {
    let is_importing = meaning.links.iter().any(is_import) && labels == [Label::File];
    if is_importing {
        return format!("count(DISTINCT {target}.{PATH})");
    }
    if meaning.links.is_empty() { format!("count({target})") } else { format!("count(DISTINCT {target})") }
}

fn is_import(link: &Link) -> bool {
    matches!(link.relation, Relation::Import | Relation::Depend | Relation::Use | Relation::Affect)
}

/// The labels of what is asked for. Relations widen what "function" means, or say it where the question does not.
fn target_labels(meaning: &Meaning, names: &dyn Names) -> Vec<Label> {
    let link = meaning.links.first();
    if meaning.kinds.is_empty() {
        return link.map(implied_labels).unwrap_or_else(|| DEFINITION_LABELS.to_vec());
    }
    let mut found: Vec<Label> = meaning.kinds.iter().flat_map(|kind| labels(*kind)).copied().collect();
    let widened = widened(meaning, link, names);
    if meaning.kinds.contains(&Kind::Function) {
        found.retain(|label| *label != Label::Function);
        found.extend(widened.iter().copied());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What "functions" are in this question.
fn widened(meaning: &Meaning, link: Option<&Link>, names: &dyn Names) -> Vec<Label> {
    let both = vec![Label::Function, Label::Method];
    let ranks_calls =
        meaning.rank.iter().map(|rank| &rank.metric).chain(meaning.having.iter().map(|having| &having.metric)).any(
            |metric| {
                matches!(
                    metric,
                    Metric::Lines | Metric::Related { relation: Relation::Call | Relation::Use | Relation::Reach, .. }
                )
            },
        );
    let has_signature = meaning.filters.iter().any(|filter| {
        matches!(
            filter,
            Filter::Decorator { .. }
                | Filter::Parameter { .. }
                | Filter::NoParameters
                | Filter::Returns { .. }
                | Filter::Docstring { .. }
                | Filter::DocstringMentions(_)
                | Filter::Trait { .. }
        )
    });
    match link {
        Some(link) if link.relation == Relation::Contain => match &link.other {
            Other::Named(entity) if entity.is_any(TYPE_LABELS) => vec![Label::Method],
            Other::Named(_) | Other::Unknown(_) | Other::Some(..) | Other::Anything => vec![Label::Function],
        },
        Some(link) if link.role == Role::Patient && matches!(link.relation, Relation::Call | Relation::Reach) => {
            vec![Label::Class, Label::Function, Label::Method]
        }
        Some(_) => both,
        None if ranks_calls || has_signature || matches!(meaning.subject, Subject::About(_)) => both,
        None if names.sample(Label::Function, 1).is_empty() => both,
        None => vec![Label::Function],
    }
}

fn implied_labels(link: &Link) -> Vec<Label> {
    let other_is = |labels: &[Label]| matches!(&link.other, Other::Named(entity) if entity.is_any(labels));
    match (link.relation, link.role) {
        (Relation::Import, Role::Agent) => vec![Label::File],
        (Relation::Import, Role::Patient) => IMPORTED.to_vec(),
        (Relation::Depend | Relation::Use, Role::Patient) if other_is(PLACES) => IMPORTED.to_vec(),
        (Relation::Depend | Relation::Use | Relation::Affect, Role::Agent)
            if other_is(PLACES) || other_is(&[Label::ExternalPackage]) =>
        {
            vec![Label::File]
        }
        (Relation::Contain, Role::Agent) => vec![Label::Class, Label::Interface, Label::Enum, Label::Type],
        (Relation::Contain, Role::Patient) => DEFINITION_LABELS.to_vec(),
        _ => Vec::new(),
    }
}

/// The first relation is matched; further ones, and those that must not be, are conditions.
fn base(meaning: &Meaning, target: &str, target_labels: &[Label]) -> (Query, bool) {
    // Files import through their modules.
    let counts_imports = metrics(meaning)
        .any(|metric| matches!(metric, Metric::Related { relation: Relation::Import | Relation::Depend, .. }));
    let through_module = target_labels == [Label::File] && (counts_imports || meaning.links.iter().any(is_import));
    let pattern_labels: &[Label] = if through_module { &[Label::Module] } else { target_labels };
    let pattern = node(target, pattern_labels);
    let mut conditions = Vec::new();
    let mut main: Option<Hop> = None;
    for link in &meaning.links {
        let is_main = main.is_none() && !link.negated && !matches!(link.other, Other::Anything | Other::Some(..));
        let near = if is_main { pattern.clone() } else { format!("({target})") };
        let hop = relations::hop(link, &near, target, &meaning.kinds, if is_main { MAIN } else { FURTHER });
        if is_main {
            main = Some(hop);
        } else {
            conditions.push(existence(&hop, target, link.negated));
        }
    }
    let (pattern, mut all, has_line) = match main {
        Some(hop) => (hop.pattern, hop.conditions, hop.line),
        None => (pattern, Vec::new(), false),
    };
    all.extend(meaning.filters.iter().map(|filter| conditions::filter(target, filter)));
    all.extend(meaning.kinds.iter().filter_map(|kind| conditions::of_kind(target, *kind)).take(1));
    if lists_functions(meaning, target_labels) {
        all.push(conditions::is_named(target));
    }
    if let Subject::About(word) = &meaning.subject {
        all.push(conditions::about(target, word));
    }
    all.extend(conditions);
    all.extend(
        meaning
            .having
            .iter()
            .filter(|having| having.metric == Metric::Lines)
            .map(|having| format!("{} {} {}", lines(target), having.comparison, having.number)),
    );
    (Query::matching(pattern, all), has_line)
}

fn metrics(meaning: &Meaning) -> impl Iterator<Item = &Metric> {
    meaning.rank.iter().map(|rank| &rank.metric).chain(meaning.having.iter().map(|having| &having.metric))
}

/// Whether functions without a name would only be in the way.
fn lists_functions(meaning: &Meaning, labels: &[Label]) -> bool {
    let asks_for_them = meaning
        .filters
        .iter()
        .any(|filter| matches!(filter, Filter::Trait { name: crate::meaning::Trait::Anonymous, .. }));
    let is_related = meaning.links.iter().any(|link| link.relation != Relation::Contain && !link.negated);
    let by_name = meaning.filters.iter().any(|filter| matches!(filter, Filter::Name { .. }));
    let is_test = meaning.kinds == [Kind::Test];
    labels.contains(&Label::Function) && !asks_for_them && !is_related && !by_name && !is_test
}

fn existence(hop: &Hop, target: &str, negated: bool) -> String {
    let not = if negated { "NOT " } else { "" };
    if hop.pattern == format!("({target})") {
        let condition = super::query::all_of(&hop.conditions);
        return if negated { format!("NOT ({condition})") } else { condition };
    }
    if hop.conditions.is_empty() {
        return format!("{not}EXISTS {{ {} }}", hop.pattern.replace("[s:", "[:").replace("[r:", "[:"));
    }
    format!("{not}EXISTS {{ MATCH {} WHERE {} }}", hop.pattern, super::query::all_of(&hop.conditions))
}

/// Adds what counts or measures the target. Gives the name of the column with the number.
fn metric(meaning: &Meaning, query: &mut Query, target: &str) -> Option<&'static str> {
    let ranked = meaning.rank.as_ref().map(|rank| &rank.metric);
    let having = meaning.having.iter().find(|having| having.metric != Metric::Lines);
    let related = having.map(|having| &having.metric).or(ranked);
    let Some(Metric::Related { relation, role, kinds }) = related else {
        let measures = ranked.is_some() || meaning.having.iter().any(|having| having.metric == Metric::Lines);
        return measures.then_some("lines");
    };
    // Packages and files are used by being imported.
    let is_place = meaning.kinds.iter().any(|kind| kind.is_place() || *kind == Kind::External);
    let relation = if *relation == Relation::Use && is_place { &Relation::Import } else { relation };
    let other = if kinds.is_empty() { Other::Anything } else { Other::Some(kinds.clone(), Vec::new()) };
    let link =
        Link { relation: *relation, role: *role, other, negated: false, reach: Reach::Direct, across_files: false };
    let hop = relations::hop(&link, &format!("({target})"), target, &meaning.kinds, COUNTED);
    let (pattern, conditions) = (hop.pattern, hop.conditions);
    let may_be_none = having.is_some_and(|having| having.comparison.starts_with(['<', '=']))
        || meaning.rank.as_ref().is_some_and(|rank| !rank.descending);
    if may_be_none {
        query.push_optional(pattern, conditions);
    } else {
        query.push_match(pattern, conditions);
    }
    let kept = having.map(|having| format!("count {} {}", having.comparison, having.number)).into_iter().collect();
    query.push_with(&[target, "count(DISTINCT o) AS count"], kept);
    Some("count")
}

/// "Files with the most functions": definitions know their file, so they are counted by it.
fn by_file(meaning: &Meaning) -> Option<Query> {
    let is_file = matches!(meaning.kinds.as_slice(), [Kind::File | Kind::Module]);
    let metric = meaning
        .rank
        .as_ref()
        .map(|rank| &rank.metric)
        .or_else(|| meaning.having.first().map(|having| &having.metric))?;
    let Metric::Related { relation: Relation::Contain, kinds, .. } = metric else { return None };
    if !is_file || !meaning.links.is_empty() || kinds.iter().any(|kind| kind.is_place()) {
        return None;
    }
    let found: Vec<Label> = kinds.iter().flat_map(|kind| labels(*kind)).copied().collect();
    let target = variable(&found);
    let mut conditions: Vec<String> = meaning.filters.iter().map(|filter| conditions::filter(target, filter)).collect();
    if found.contains(&Label::Function) {
        conditions.push(conditions::is_named(target));
    }
    let mut query = Query::matching(node(target, &found), conditions);
    let kept = meaning.having.iter().map(|having| format!("count {} {}", having.comparison, having.number)).collect();
    query.push_with(&[&format!("{target}.{PATH} AS file_path"), &format!("count({target}) AS count")], kept);
    if meaning.counts {
        query.column("count(file_path)", "count");
        return Some(query);
    }
    query.column("file_path", "file_path");
    query.column("count", "count");
    query.order_by("count", meaning.rank.as_ref().is_none_or(|rank| rank.descending));
    query.order_by("file_path", false);
    Some(query)
}
