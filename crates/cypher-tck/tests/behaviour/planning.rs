//! Which way a query is answered.

use cypher::parse;

use crate::checks::plan;

#[test]
fn the_known_end_comes_first() {
    let lines = plan("MATCH (f:Function)-[:CALLS]->(g {qualified_name: 'pkg.d'}) RETURN f.name");
    assert_eq!(lines[0], "NodeLookup (g) [qualified_name =] about 1 nodes");
    assert!(lines.contains(&"Expand -[:CALLS]-> backwards".to_owned()), "{lines:#?}");
}

#[test]
fn conditions_in_where_are_looked_up_too() {
    let lines = plan("MATCH (f) WHERE f.qualified_name = 'pkg.a' AND f.line_start > 3 RETURN f");
    assert_eq!(lines[0], "NodeLookup (f) [qualified_name =, line_start range] about 1 nodes");
    let lines = plan("MATCH (f:Function) WHERE toLower(f.name) CONTAINS 'x' RETURN f");
    assert_eq!(lines[0], "NodeLookup (f) [:Function, name CONTAINS] about 6 nodes");
    let lines = plan("MATCH (f) WHERE f.name = 'a' OR 'b' = f.name OR f.name IN ['c'] RETURN f");
    assert_eq!(lines[0], "NodeLookup (f) [name IN] about 9 nodes");
    let lines = plan("MATCH (f) WHERE f:Class OR f:File RETURN f");
    assert_eq!(lines[0], "NodeScan (f) [:Class|File] about 9 nodes");
    let lines = plan("MATCH (f) WHERE f.name = 'a' OR f.line_start = 1 RETURN f");
    assert_eq!(lines[0], "NodeScan (f) [] about 9 nodes");
    let lines = plan("UNWIND $names AS x MATCH (f {name: x}) RETURN f");
    assert_eq!(lines[1], "NodeLookup (f) [name from row] about 9 nodes");
}

#[test]
fn counting_does_not_expand() {
    let lines = plan("MATCH (f:Function)<-[:CALLS]-(c) RETURN f.name, count(c) AS n ORDER BY n DESC LIMIT 20");
    assert_eq!(lines[2], "CountByDegree <-[:CALLS]- backwards", "{lines:#?}");
    assert!(lines.contains(&"SortFirst".to_owned()));
    let lines = plan("MATCH (c:Function)-[:CALLS]->(f:Function) RETURN f.name, count(*) AS n");
    assert_eq!(lines[0], "NodeScan (f) [:Function] about 6 nodes");
    assert_eq!(lines[2], "CountExpand -[:CALLS]-> backwards");
    let lines = plan("MATCH (f:Function) OPTIONAL MATCH (f)<-[:CALLS]-(c) RETURN f.name, count(c) AS n");
    assert_eq!(lines[2], "CountByDegree <-[:CALLS]- backwards");
    assert_eq!(plan("MATCH ()-[r:CALLS]->() RETURN count(r)")[0], "CountRelationships");
    let aggregates = |query: &str| plan(query).iter().any(|line| line.starts_with("Aggregate"));
    assert!(!aggregates("MATCH (f:Function)<-[:CALLS]-(c) RETURN f, count(c) AS n ORDER BY n DESC LIMIT 20"));
    assert!(aggregates("MATCH (f:Function)<-[:CALLS]-(c) RETURN f.name, count(c) AS n ORDER BY n DESC LIMIT 20"));
    assert!(aggregates("UNWIND [1, 2] AS x MATCH (f)<-[:CALLS]-(c) RETURN f, count(c) AS n"));
}

#[test]
fn ends_alone_are_searched_in_breadth() {
    let distinct = plan("MATCH (f {name: 'a'})-[:CALLS*]->(g) RETURN DISTINCT g");
    assert!(distinct.contains(&"ReachableNodes -[:CALLS*]-> forwards 1 steps or more".to_owned()), "{distinct:#?}");
    let every = plan("MATCH (f {name: 'a'})-[:CALLS*]->(g) RETURN g");
    assert!(every.contains(&"EveryPath -[:CALLS*]-> forwards 1 steps or more".to_owned()), "{every:#?}");
}

#[test]
fn a_limit_can_be_set_and_is_printed() {
    let limited = |query: &str, rows| parse(query).unwrap().with_limit(rows).to_string();
    assert_eq!(limited("match (n) return n", 50), "MATCH (n) RETURN n LIMIT 50");
    assert_eq!(limited("MATCH (n) RETURN n LIMIT 10", 50), "MATCH (n) RETURN n LIMIT 10");
    assert_eq!(
        limited("MATCH (n) RETURN n ORDER BY n.name LIMIT 100", 50),
        "MATCH (n) RETURN n ORDER BY n.name LIMIT 50"
    );
    assert_eq!(
        limited("RETURN 1 AS x UNION RETURN 2 AS x", 1),
        "CALL { RETURN 1 AS x UNION RETURN 2 AS x } RETURN x LIMIT 1"
    );
}

#[test]
fn text_is_canonical() {
    let printed = |query: &str| parse(query).unwrap().to_string();
    assert_eq!(
        printed(
            "match (c:Class)\nwhere toLower(c.name) contains \"user\" return c.name as name, c.qualified_name as qualified_name limit 50"
        ),
        "MATCH (c:Class) WHERE toLower(c.name) CONTAINS 'user' RETURN c.name AS name, c.qualified_name AS qualified_name LIMIT 50"
    );
    assert_eq!(
        printed("MATCH (a)-[r:A|B*1..3 {x: 1}]->(b:X&!Y) RETURN *"),
        "MATCH (a)-[r:A|B*1..3 {x: 1}]->(b:X&!Y) RETURN *"
    );
    assert_eq!(
        printed("RETURN (1 + 2) * 3, 1 + (2 * 3), NOT (a OR b), -(-1)"),
        "RETURN (1 + 2) * 3, 1 + 2 * 3, NOT (a OR b), -(-1)"
    );
}
