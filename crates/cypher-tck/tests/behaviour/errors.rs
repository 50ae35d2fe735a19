//! What is said when something is wrong.

use cypher::{ErrorKind, parse, run};
use cypher_tck::Hints;

use crate::checks::{answer, check_error, graph, parameters};

#[test]
fn syntax_errors_say_where_and_what() {
    check_error("", "line 1, column 1: the query is empty; write for example `MATCH (n) RETURN n LIMIT 10`");
    check_error("MATCH (n RETURN n", "line 1, column 10: expected `)` at the end of the node, found `RETURN`");
    check_error(
        "MATCH (n)\nRETRUN n",
        "line 2, column 1: expected a clause such as `MATCH`, `WITH` or `RETURN`, found `RETRUN`; did you mean `RETURN`?",
    );
    check_error(
        "MATCH (n)",
        "line 1, column 10: expected `RETURN` at the end, found the end of the query; a query that reads must say what it returns",
    );
    check_error("RETURN 'abc", "line 1, column 8: the text is not closed with '");
    check_error("RETURN 1 +", "line 1, column 11: expected an expression, found the end of the query");
    check_error("MATCH (a)-[:CALLS]>(b) RETURN a", "line 1, column 19: expected `-` after the relationship, found `>`");
}

#[test]
fn writing_is_refused() {
    for query in [
        "CREATE (n)",
        "MATCH (n) SET n.x = 1",
        "MATCH (n) DETACH DELETE n",
        "MERGE (n:X) RETURN n",
        "MATCH (n) REMOVE n.x",
        "LOAD CSV FROM 'x' AS row RETURN row",
        "DROP INDEX x",
        "MATCH (n) RETURN n UNION CREATE (m) RETURN m",
        "MATCH (n) CALL { WITH n CREATE (m) RETURN m } RETURN m",
        "FOREACH (x IN [1] | CREATE (n))",
    ] {
        let error = parse(query).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WritingClause, "{query}: {error}");
        assert!(error.position().is_some());
    }
    check_error(
        "MATCH (n) DELETE n",
        "line 1, column 11: `DELETE` changes the graph or its settings; only queries that read are allowed",
    );
}

#[test]
fn the_nearest_name_is_suggested() {
    check_error(
        "MATCH (node) RETURN nod.name",
        "line 1, column 21: the variable `nod` is not defined; did you mean `node`?",
    );
    check_error("RETURN toLowr('x')", "line 1, column 8: there is no function `toLowr`; did you mean `toLower`?");
    check_error("RETURN $nam", "line 1, column 8: the parameter `$nam` was not given; did you mean `$name`?");
    check_error("CALL db.label()", "line 1, column 6: there is no procedure `db.label`; did you mean `db.labels`?");
    check_error(
        "RETURN left('x')",
        "line 1, column 8: left() was given 1 arguments; it is called as left(text, length) → text",
    );
}

#[test]
fn unknown_names_are_warnings_unless_strict() {
    let query = "MATCH (n:Funktion)-[:CALS]->(m) WHERE m.nme = 1 RETURN n";
    let rows = answer(query).unwrap();
    assert!(rows.rows.is_empty());
    let warnings: Vec<String> = rows.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "the graph has no relationship type `CALS`; did you mean `CALLS`?",
            "the graph has no label `Funktion`; did you mean `Function`?",
            "the graph has no property `nme`; did you mean `name`?",
        ]
    );
    assert_eq!(rows.warnings[1].position.column, 10);
    let strict = parse("MATCH (n:Funktion) RETURN n").unwrap().strict();
    let error = run(&strict, &*graph(Hints::Honoured), &parameters(), &cypher::Limits::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownName);
    assert_eq!(error.to_string(), "line 1, column 10: the graph has no label `Funktion`; did you mean `Function`?");
}

#[test]
fn mistakes_in_values_say_which() {
    check_error(
        "RETURN 1 / 0",
        "line 1, column 8: 1 cannot be divided by zero; use a float, as in `1.0`, to get infinity",
    );
    check_error("RETURN 'a' * 2", "line 1, column 8: expected numbers on both sides of the operator, found a text");
    check_error("MATCH (n) RETURN n.name - 1", "line 1, column 18: cannot subtract a text and an integer");
    check_error("RETURN 9223372036854775807 + 1", "line 1, column 8: the result does not fit into a 64-bit integer");
    let error = answer("MATCH (n) WHERE n.name =~ '(?=x)' RETURN n").unwrap_err();
    assert!(error.to_string().contains("look-around"), "{error}");
}
