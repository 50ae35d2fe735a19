//! Questions that have a shape of their own.

use graph::Label;

use super::conditions;
use super::query::{Clause, Query, any_of};
use super::schema::{CONSTRUCTORS, NAME, PATH, labels, node, variable};
use crate::meaning::{Filter, Kind, Meaning};
use crate::names::{Entity, Names};
use crate::quote;

/// Where a thing is defined.
pub(super) fn definition(meaning: &Meaning, entity: &Entity) -> Query {
    let found = entity.labels();
    let target = variable(&found);
    let mut conditions = vec![conditions::is_entity(target, entity)];
    conditions.extend(filters(meaning, target));
    let mut query = Query::matching(node(target, &found), conditions);
    if meaning.counts {
        query.column(format!("count({target})"), "count");
        return query;
    }
    query.thing(target, &found);
    query.order_by_name(&found);
    query
}

/// The shortest chain of calls, one row for each step.
pub(super) fn path(from: &Entity, to: &Entity) -> Query {
    let ends = format!("{}, {}", node("a", &from.labels()), node("b", &to.labels()));
    let end = |variable: &str, entity: &Entity| {
        if entity.is_any(&[Label::File, Label::Module, Label::Folder, Label::Package]) {
            conditions::location(variable, entity)
        } else {
            conditions::is_entity(variable, entity)
        }
    };
    let mut query = Query::matching(ends, vec![end("a", from), end("b", to)]);
    query.push_match("p = shortestPath((a)-[:CALLS|INSTANTIATES*1..15]->(b))", Vec::new());
    query.push_with(&["p ORDER BY length(p), a.qualified_name, b.qualified_name LIMIT 1"], Vec::new());
    query.clauses.push(Clause::Unwind { list: "range(0, length(p))".to_owned(), name: "step" });
    query.push_with(&["step", "nodes(p)[step] AS n"], Vec::new());
    query.column("step", "step");
    query.thing("n", &[]);
    query.order_by("step", false);
    query
}

/// Functions and methods that nothing calls, refers to or overrides.
pub(super) fn unused(meaning: &Meaning, names: &dyn Names, notes: &mut Vec<String>) -> Query {
    let mut found: Vec<Label> = meaning.kinds.iter().flat_map(|kind| labels(*kind)).copied().collect();
    let is_code = found.is_empty() || meaning.kinds.contains(&Kind::Definition);
    if is_code || (found == [Label::Function] && names.sample(Label::Function, 1).is_empty()) {
        found = vec![Label::Function, Label::Method];
    }
    let target = variable(&found);
    let mut conditions = vec![format!(
        "NOT EXISTS {{ ({target})<-[:CALLS|REFERENCES|INSTANTIATES|INHERITS|IMPLEMENTS|OVERRIDES|IMPORTS]-() }}"
    )];
    let has_functions = found.contains(&Label::Function) || found.contains(&Label::Method);
    if has_functions {
        conditions.push(format!("NOT EXISTS {{ ({target})-[:OVERRIDES]->() }}"));
        conditions.push(conditions::is_named(target));
        conditions.push(format!("{target}.decorators IS NULL"));
        conditions.push(format!("NOT {target}.{NAME} STARTS WITH '__'"));
        conditions.push(format!(
            "NOT {target}.{NAME} IN {}",
            quote::list(CONSTRUCTORS.iter().copied().filter(|name| !name.starts_with("__")).chain(["main"]))
        ));
        conditions.push(format!("NOT 'declaration' IN coalesce({target}.modifiers, [])"));
    }
    let speaks_of_tests =
        meaning.filters.iter().any(|filter| matches!(filter, Filter::InTests { .. } | Filter::Location { .. }));
    if !speaks_of_tests {
        conditions.push(format!("NOT ({})", conditions::in_tests(target)));
    }
    notes.push(
        "left out: tests, entry points, constructors and special methods, decorated, overriding and declared-only ones"
            .to_owned(),
    );
    conditions.extend(filters(meaning, target));
    listing(meaning, Query::matching(node(target, &found), conditions), target, &found)
}

pub(super) fn recursive(meaning: &Meaning) -> Query {
    let found = callable_labels(meaning);
    let target = variable(&found);
    let pattern = format!("{}-[r:CALLS]->({target})", node(target, &found));
    let mut query = listing(meaning, Query::matching(pattern, filters(meaning, target)), target, &found);
    if !meaning.counts {
        query.distinct = true;
    }
    query
}

/// Rings of calls. Each row is one function of a ring and the next one in it.
pub(super) fn call_cycles(meaning: &Meaning) -> Query {
    let pattern = "(n:Function|Method)-[:CALLS]->(next:Function|Method)".to_owned();
    let mut conditions = vec!["n <> next".to_owned(), "EXISTS { (next)-[:CALLS*1..5]->(n) }".to_owned()];
    conditions.extend(filters(meaning, "n"));
    ring(meaning, Query::matching(pattern, conditions))
}

pub(super) fn import_cycles(meaning: &Meaning) -> Query {
    let pattern = "(n:Module)-[:IMPORTS]->(next:Module)".to_owned();
    let mut conditions = vec!["n <> next".to_owned(), "EXISTS { (next)-[:IMPORTS*1..5]->(n) }".to_owned()];
    conditions.extend(filters(meaning, "n"));
    ring(meaning, Query::matching(pattern, conditions))
}

fn ring(meaning: &Meaning, mut query: Query) -> Query {
    if meaning.counts {
        query.column("count(DISTINCT n)", "count");
        return query;
    }
    query.distinct = true;
    query.thing("n", &[]);
    query.column("next.qualified_name", "next");
    query.order_by("qualified_name", false);
    query.order_by("next", false);
    query
}

/// Where a program begins: functions called main, and modules that run code of their own from a file named for it.
pub(super) fn entry_points(meaning: &Meaning, notes: &mut Vec<String>) -> Query {
    let found = [Label::Function, Label::Method, Label::Module];
    let main = format!("(n:Function OR n:Method) AND n.{NAME} IN ['main', 'Main', '_main', '__main__']");
    let file = format!(
        "n:Module AND n.{PATH} =~ {}",
        quote::text(r"(.*/)?(__main__\.py|main\.\w+|manage\.py|wsgi\.py|asgi\.py)")
    );
    let mut conditions = vec![any_of(&[main, file])];
    conditions.extend(filters(meaning, "n"));
    if !meaning.filters.iter().any(|filter| matches!(filter, Filter::InTests { .. })) {
        conditions.push(format!("NOT ({})", conditions::in_tests("n")));
    }
    notes.push(
        "entry points are functions named main and modules in files named for starting a program, outside tests"
            .to_owned(),
    );
    listing(meaning, Query::matching(node("n", &found), conditions), "n", &found)
}

/// External packages with how many files import them.
pub(super) fn externals(meaning: &Meaning) -> Query {
    let mut query = Query::default();
    let on_package: Vec<String> = meaning
        .filters
        .iter()
        .filter(|filter| matches!(filter, Filter::Name { .. }))
        .map(|filter| conditions::filter("p", filter))
        .collect();
    let on_file: Vec<String> = meaning
        .filters
        .iter()
        .filter(|filter| !matches!(filter, Filter::Name { .. }))
        .map(|filter| conditions::filter("m", filter))
        .collect();
    let conditions: Vec<String> = on_package.into_iter().chain(on_file).collect();
    query.push_match("(m:Module)-[:IMPORTS]->(p:ExternalPackage)", conditions);
    if meaning.counts {
        query.column("count(DISTINCT p)", "count");
        return query;
    }
    if meaning.asks_where {
        query.distinct = true;
        query.column(format!("p.{NAME}"), "name");
        query.column(format!("m.{PATH}"), "file_path");
        query.order_by("name", false);
        query.order_by("file_path", false);
        return query;
    }
    query.column(format!("p.{NAME}"), "name");
    query.column("p.qualified_name", "qualified_name");
    query.column(format!("count(DISTINCT m.{PATH})"), "files");
    let by_use = meaning.rank.as_ref();
    if let Some(rank) = by_use {
        query.order_by("files", rank.descending);
    }
    query.order_by("qualified_name", false);
    query
}

fn callable_labels(meaning: &Meaning) -> Vec<Label> {
    if meaning.kinds == [Kind::Method] { vec![Label::Method] } else { vec![Label::Function, Label::Method] }
}

fn filters(meaning: &Meaning, variable: &str) -> Vec<String> {
    meaning.filters.iter().map(|filter| conditions::filter(variable, filter)).collect()
}

fn listing(meaning: &Meaning, mut query: Query, target: &str, found: &[Label]) -> Query {
    if meaning.counts {
        query.column(format!("count(DISTINCT {target})"), "count");
        return query;
    }
    query.thing(target, found);
    query.order_by_name(found);
    query
}
