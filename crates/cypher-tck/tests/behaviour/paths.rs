//! Paths: variable length, shortest, named.

use crate::checks::{check, check_error};

#[test]
fn variable_length_gives_every_way_once() {
    check("MATCH (a {name: 'a'})-[:CALLS*1..2]->(x) RETURN x.name ORDER BY x.name", "b\nc\nd\nd");
    check("MATCH (a {name: 'a'})-[:CALLS*1..2]->(x) RETURN DISTINCT x.name ORDER BY x.name", "b\nc\nd");
    check("MATCH (a {name: 'a'})-[:CALLS*0..1]->(x) RETURN x.name ORDER BY x.name", "a\nb\nc");
    check("MATCH (a {name: 'a'})-[:CALLS]->{1,2}(x) RETURN count(*)", "4");
    check("MATCH (a {name: 'a'})-[:CALLS]->+(x) RETURN count(DISTINCT x)", "5");
    check("MATCH (a {name: 'e'})<-[:CALLS*2]-(x) RETURN x.name ORDER BY x.name", "b\nc");
    check(
        "MATCH (a {name: 'a'})-[r:CALLS*2]->(x) RETURN r, x.name ORDER BY r[0].line",
        "[a->b, b->d] | d\n[a->c, c->d] | d",
    );
    check("MATCH (x)<-[r:CALLS*2]-(a {name: 'a'}) RETURN r ORDER BY r[0].line", "[b->d, a->b]\n[c->d, a->c]");
    check("MATCH (a {name: 'a'})-[:CALLS*..3 {line: 11}]->(x) RETURN x.name", "b");
}

#[test]
fn a_cycle_leads_back_to_its_start() {
    check("MATCH (a {name: 'a'})-[:CALLS*]->(a) RETURN count(*)", "2");
    check("MATCH (a {name: 'a'})-[:CALLS*]->(x) WHERE x = a RETURN DISTINCT x.name", "a");
    check("MATCH (a {name: 'a'})-[:CALLS*1..3]->(x) WHERE x = a RETURN DISTINCT x.name", "");
    check("MATCH (f:Function) WHERE (f)-[:CALLS*]->(f) RETURN count(f)", "5");
}

#[test]
fn undirected_ways_do_not_use_a_relationship_twice() {
    check("MATCH (a {name: 'Box'})-[*1..4]-(x) RETURN DISTINCT x.name", "Base");
    check("MATCH (a {name: 'a'})-[:CALLS*1..4]-(x) WHERE x = a RETURN DISTINCT x.name", "a");
    check("MATCH (a {name: 'a'})-[:CALLS*1..3]-(x) WHERE x = a RETURN DISTINCT x.name", "");
    check("MATCH (a {name: 'a'})-[:CALLS*1..2]-(x) RETURN DISTINCT x.name ORDER BY x.name", "b\nc\nd\ne");
}

#[test]
fn shortest_paths() {
    check("MATCH p = shortestPath((a {name: 'a'})-[:CALLS*]->(e {name: 'e'})) RETURN length(p)", "3");
    check("MATCH p = allShortestPaths((a {name: 'a'})-[:CALLS*]->(e {name: 'e'})) RETURN p", "a-b-d-e\na-c-d-e");
    check("MATCH p = shortestPath((a {name: 'a'})-[:CALLS*]-(e {name: 'e'})) RETURN p", "a-e");
    check("MATCH p = shortestPath((a {name: 'a'})-[:CALLS*..2]->(e {name: 'e'})) RETURN p", "");
    check("MATCH p = shortestPath((a {name: 'a'})-[*]-(f {name: 'f'})) RETURN p", "");
    check(
        "MATCH (a {name: 'a'}), (d {name: 'd'}) MATCH p = shortestPath((d)<-[:CALLS*]-(a)) RETURN nodes(p)[0] AS first, length(p)",
        "(d) | 2",
    );
    check("MATCH (a {name: 'a'}), (d {name: 'd'}) RETURN length(shortestPath((a)-[:CALLS*]->(d))) AS l", "2");
    check(
        "MATCH p = shortestPath((a {name: 'a'})-[:CALLS*]->(d {name: 'd'})) WHERE any(n IN nodes(p) WHERE n.name = 'c') RETURN p",
        "a-c-d",
    );
    check(
        "MATCH p = shortestPath((a {name: 'a'})-[:CALLS*]->(b {name: 'b'})) WHERE length(p) > 1 RETURN p",
        "a-c-d-e-a-b",
    );
    check_error(
        "MATCH p = shortestPath((a)-->(b)-->(c)) RETURN p",
        "line 1, column 24: a shortest path needs a pattern of two nodes and one relationship",
    );
}

#[test]
fn named_paths() {
    check(
        "MATCH p = (a {name: 'a'})-[:CALLS]->()-[:CALLS]->(d) RETURN [n IN nodes(p) | n.name] AS names ORDER BY names",
        "[a, b, d]\n[a, c, d]",
    );
    check("MATCH p = (a {name: 'a'}) RETURN length(p), p", "0 | a");
    check(
        "MATCH p = (a)-[:INHERITS]->(b) RETURN [r IN relationships(p) | type(r)] AS t, startNode(relationships(p)[0]) AS s",
        "[INHERITS] | (Box)",
    );
}

#[test]
fn relationships_of_one_clause_differ() {
    check("MATCH (a)-[:CALLS]->(d {name: 'd'})<-[:CALLS]-(b) RETURN a.name, b.name ORDER BY a.name", "b | c\nc | b");
    check("MATCH (a)-[:CALLS]->(d {name: 'd'}) MATCH (d)<-[:CALLS]-(b) RETURN count(*)", "4");
    check(
        "MATCH (f:File)-[:DEFINES]->(a)-[:CALLS]->(b)<-[:DEFINES]-(f) RETURN a.name, b.name ORDER BY b.name",
        "a | b\na | c",
    );
}
