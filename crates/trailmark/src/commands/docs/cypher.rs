//! `docs/cypher.md`: what a query may say, what the graph has to ask for, and how much of the language holds.

use anyhow::Context;
use cypher::Limits;
use graph::{Label, Relation, Resolution};
use tools::Registry;

use crate::commands::ask::PATIENCE;

/// Clauses and other forms: what is written, an example, what it does.
const FORMS: &[(&str, &str, &str)] = &[
    ("`MATCH`", "MATCH (f:Function {name: 'main'}) RETURN f", "Rows for every way in which a pattern fits."),
    (
        "`OPTIONAL MATCH`",
        "MATCH (f:Function) OPTIONAL MATCH (f)<-[:CALLS]-(c) RETURN f, c",
        "The same, with one row of nulls where nothing fits.",
    ),
    (
        "`WHERE`",
        "MATCH (f:Function) WHERE f.name STARTS WITH 'get' RETURN f",
        "Keeps rows for which the condition is true; also inside a pattern.",
    ),
    (
        "`WITH`",
        "MATCH (f:Function) WITH f.file_path AS path, count(*) AS n WHERE n > 9 RETURN path",
        "Projects, groups and filters before the query goes on.",
    ),
    (
        "`RETURN`",
        "MATCH (f:Function) RETURN DISTINCT f.name AS name",
        "The columns; `DISTINCT` and `*` as usual. What is not aggregated is grouped by.",
    ),
    (
        "`ORDER BY`, `SKIP`, `LIMIT`",
        "MATCH (f:Function) RETURN f.name ORDER BY f.name DESC SKIP 5 LIMIT 10",
        "Order and section of the rows of `WITH` or `RETURN`.",
    ),
    ("`UNWIND`", "UNWIND ['a', 'b'] AS name MATCH (f {name: name}) RETURN f", "A row for each item of a list."),
    (
        "`UNION`, `UNION ALL`",
        "MATCH (c:Class) RETURN c.name AS n UNION MATCH (f:Function) RETURN f.name AS n",
        "The rows of several queries with the same columns.",
    ),
    (
        "`CALL { … }`",
        "MATCH (c:Class) CALL (c) { MATCH (c)-[:DEFINES_METHOD]->(m) RETURN count(m) AS n } RETURN c.name, n",
        "A query for each row.",
    ),
    (
        "`CALL name()`",
        "CALL db.labels() YIELD label RETURN label",
        "`db.labels`, `db.relationshipTypes` and `db.propertyKeys`.",
    ),
    ("`EXPLAIN`", "EXPLAIN MATCH (f:Function) RETURN f", "The plan, in place of rows."),
    (
        "several labels or types",
        "MATCH (n:Class|Interface)-[:INHERITS|IMPLEMENTS]->(m:!Enum) RETURN n, m",
        "`|`, `&`, `!` and `%`.",
    ),
    ("variable length", "MATCH p = (a:Function)-[:CALLS*1..3]->(b) RETURN p", "No relationship twice in a path."),
    (
        "shortest paths",
        "MATCH p = shortestPath((a {name: 'main'})-[:CALLS*]->(b {name: 'save'})) RETURN p",
        "Also `allShortestPaths`.",
    ),
    (
        "`EXISTS`, `COUNT`, `COLLECT`",
        "MATCH (f:Function) WHERE NOT EXISTS { (f)<-[:CALLS]-() } RETURN f",
        "Subqueries as values; a bare pattern is a condition too.",
    ),
    (
        "comprehensions",
        "MATCH (c:Class) RETURN [(c)-[:DEFINES_METHOD]->(m) WHERE m.name <> 'x' | m.name] AS methods",
        "Of lists and of patterns; `reduce` folds a list.",
    ),
    (
        "quantifiers",
        "MATCH (f:Function) WHERE any(d IN f.decorators WHERE d CONTAINS 'route') RETURN f",
        "`all`, `any`, `none`, `single`.",
    ),
    (
        "`CASE`",
        "MATCH (f:Function) RETURN CASE WHEN f.line_end > 99 THEN 'far' ELSE 'near' END AS distance",
        "With or without a subject.",
    ),
    ("map projections", "MATCH (f:Function) RETURN f {.name, .file_path}", "Some properties as a map."),
    (
        "operators",
        "RETURN 1 + 2 * 3 ^ 2 % 4 >= 5 AND 'ab' =~ 'a.*' OR 1 IN [1] XOR null IS NULL AS value",
        "Arithmetic, comparison (also in chains), logic with null, text, lists, regular expressions.",
    ),
];

/// What is refused, or not there: what is written, what is said about it.
const ABSENT: &[(&str, &str)] = &[
    (
        "`CREATE`, `MERGE`, `SET`, `REMOVE`, `DELETE`, `FOREACH`, `LOAD CSV`, indexes, users",
        "Refused while the query is read: queries change nothing.",
    ),
    ("`date`, `time`, `datetime`, `duration` and their functions", "A code graph has no dates."),
    ("procedures apart from the three above, functions of your own, APOC", "There is no way to add code."),
    ("`USE`, several graphs in one query", "A query is about one project."),
];

/// Properties as the store names them, those of nodes and those of relationships.
const OF_NODES: &[(&str, &str, &str)] = &[
    ("name", "text", "The last part of the name."),
    (
        "qualified_name",
        "text",
        "Unique among the nodes with this label. Files and folders have their path from the root here.",
    ),
    (
        "file_path",
        "text",
        "The file it is written in, from the root; a file or folder itself; null for what spans files. Also `path`.",
    ),
    ("line_start", "integer", "Its first line, decorators included, from 1. Also `start_line`."),
    ("line_end", "integer", "Its last line. Also `end_line`."),
    ("signature", "text", "The declaration without its body, on one line."),
    ("docstring", "text", "Its documentation."),
    ("decorators", "list of texts", "Decorators or annotations, as they are written."),
    (
        "modifiers",
        "list of texts",
        "Such as `async`, `static`, `abstract`, `public`, `exported`, `anonymous`, `assigned` (a function named after what it is given to), `declaration` (no body).",
    ),
];
const OF_RELATIONSHIPS: &[(&str, &str, &str)] = &[
    ("line", "integer", "The line of the call, use or import."),
    ("resolution", "text", "How the far end was found; see below."),
    ("confidence", "float", "How sure it is, between 0 and 1."),
];

/// What the conformance suite counted; its test fails where this is not so.
const CONFORMANCE: &str = include_str!("../../../../cypher/contract/conformance.md");

pub(super) fn page(registry: &Registry) -> anyhow::Result<String> {
    let mut page = format!(
        "# Cypher\n\n{}\n\nThe tool `query_code_graph` and the commands `trailmark ask` and `trailmark cypher` take queries in openCypher that \
         read. A label, type or property that does not exist is said, with the nearest one that does; an error says its line and \
         column.\n",
        super::pages::GENERATED
    );
    page += "\n## What a query may say\n\n| form | meaning | example |\n|---|---|---|\n";
    for (form, example, meaning) in FORMS {
        page += &format!("| {form} | {} | `{}` |\n", cell(meaning), cell(example));
    }
    page += "\n## What it may not\n\n| form | why |\n|---|---|\n";
    page.extend(ABSENT.iter().map(|(form, why)| format!("| {form} | {why} |\n")));
    page += &names();
    page += &functions();
    page += &limits(registry)?;
    page += &format!(
        "\n## Conformance\n\nScenarios of the openCypher conformance suite that pass, outlines expanded. `Core` are queries that read, \
         `Error` those that must fail (exact: with the very error that the suite names), `Writing` those that must be refused. \
         `Temporal` and `Procedures` (which the suite defines itself) are not supported. `cargo test -p cypher-tck --test tck` counts \
         them and fails when these figures are not true; `cargo run -p cypher-tck --example coverage` prints them.\n\n{CONFORMANCE}"
    );
    Ok(page)
}

fn names() -> String {
    let mut text = "\n## Labels\n\n| label | a node for |\n|---|---|\n".to_owned();
    text.extend(Label::ALL.into_iter().map(|label| format!("| `{label}` | {} |\n", label_meaning(label))));
    text += "\n## Relationships\n\n| type | meaning |\n|---|---|\n";
    text.extend(Relation::ALL.iter().map(|relation| format!("| `{relation}` | {} |\n", relation_meaning(*relation))));
    for (of, rows) in [("nodes", OF_NODES), ("relationships", OF_RELATIONSHIPS)] {
        text += &format!("\n## Properties of {of}\n\n| property | kind | meaning |\n|---|---|---|\n");
        text.extend(rows.iter().map(|(name, kind, meaning)| format!("| `{name}` | {kind} | {meaning} |\n")));
    }
    let resolutions: Vec<String> = Resolution::ALL.iter().map(|resolution| format!("`{resolution}`")).collect();
    text + &format!(
        "\nA node lacks what its source does not have: such a property is null. `resolution` is one of {}.\n",
        resolutions.join(", ")
    )
}

fn label_meaning(label: Label) -> &'static str {
    match label {
        Label::Project => "the indexed folder",
        Label::Package => "a package or namespace of the project",
        Label::Folder => "a folder",
        Label::File => "a file, of any kind",
        Label::Module => "the code of a file, as what can be imported",
        Label::Class => "a class, struct or record",
        Label::Interface => "an interface, trait or protocol",
        Label::Enum => "an enumeration",
        Label::Type => "a type alias or another type",
        Label::Function => "a function that belongs to no class, nested and anonymous ones included",
        Label::Method => "a function of a class, interface or enumeration",
        Label::ExternalPackage => "a package that is imported and is not part of the project",
    }
}

fn relation_meaning(relation: Relation) -> &'static str {
    match relation {
        Relation::Contains => "a project, folder or package holds this folder or file",
        Relation::Defines => "a file has this module, or a module or definition has this definition in it",
        Relation::DefinesMethod => "a class has this method",
        Relation::Imports => "a module imports another module or an external package",
        Relation::Calls => "a function, a method or the code of a class or module calls this function or method",
        Relation::Instantiates => "it makes an instance of a class",
        Relation::Inherits => "a class or interface has this base",
        Relation::Implements => "a class implements this interface",
        Relation::Overrides => "a method replaces this method of a base",
        Relation::References => "it names something without calling it",
        Relation::DependsOn => "the project needs this external package",
    }
}

fn functions() -> String {
    let mut text = "\n## Functions\n\n| function | group | meaning |\n|---|---|---|\n".to_owned();
    for function in cypher::functions() {
        text += &format!("| `{}` | {} | {} |\n", cell(function.signature), function.group, cell(function.doc));
    }
    text
}

fn limits(registry: &Registry) -> anyhow::Result<String> {
    let tool = registry.entries().iter().find(|entry| entry.info.name == "query_code_graph");
    let tool = tool.context("there is a tool that takes queries")?;
    let deadline = tool.info.deadline.context("a query has a deadline")?.as_secs();
    let rows = &tool.input_schema()["properties"]["limit"];
    let Limits { max_rows, max_memory_bytes, .. } = Limits::default();
    Ok(format!(
        "\n## Limits\n\n| | `query_code_graph` | `trailmark ask`, `trailmark cypher` |\n|---|---|---|\n\
         | time | {deadline} s for the whole answer | {} s |\n\
         | rows that are given | `limit`: {} unless said, at most {} | `--limit` |\n\
         | rows of a result before that | {max_rows} | {max_rows} |\n\
         | memory of a query | {} MB | {} MB |\n\n\
         A query that reaches a limit ends with an error that names it; `LIMIT` in the query never raises the rows that are given. \
         A query with very many parts, or nested very deeply, is refused.\n",
        PATIENCE.as_secs(),
        rows["default"],
        rows["maximum"],
        max_memory_bytes >> 20,
        max_memory_bytes >> 20,
    ))
}

/// A text within a table, where bars end cells.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use store::ProjectCatalog;
    use store_sqlite::SqliteProjects;

    use super::*;

    #[test]
    fn every_form_is_understood() {
        for (form, example, _) in FORMS {
            assert!(cypher::parse(example).is_ok(), "{form}: {:?}", cypher::parse(example));
        }
    }

    #[test]
    fn what_writes_is_refused() {
        let (writing, _) = ABSENT[0];
        for word in writing
            .split('`')
            .filter(|word| !word.is_empty() && word.chars().all(|letter| letter.is_uppercase() || letter == ' '))
        {
            let error = cypher::parse(&format!("MATCH (n) {word} (m)")).unwrap_err();
            assert_eq!(error.kind(), cypher::ErrorKind::WritingClause, "{word}: {error}");
        }
    }

    #[test]
    fn properties_are_those_of_the_store() {
        let home = tempfile::tempdir().unwrap();
        let projects = SqliteProjects::open(home.path());
        let graph = projects.create("sample", "/sample").unwrap();
        let reader = graph.reader().unwrap();
        let stored: Vec<String> = reader.property_names().into_iter().map(|(_, name)| name.to_string()).collect();
        let told: Vec<&str> = OF_NODES.iter().chain(OF_RELATIONSHIPS).map(|(name, ..)| *name).collect();
        assert_eq!(stored, told);
    }
}
