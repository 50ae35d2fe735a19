//! The questions, each with parameters sampled once and for all.
//!
//! The numbers in SQL are those of `graph`: 10 is a function, 5 a call.

use crate::generated::{self, Random, Size};

pub(crate) type Parameter = (&'static str, String);

#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) cypher: &'static str,
    /// The same in the peer's dialect, with labels where it needs them to be fast; nothing where it is not asked.
    pub(crate) peer: Option<&'static str>,
    /// The same as a statement for SQLite; nothing where it takes a program (see `by_hand`).
    pub(crate) sql: Option<&'static str>,
    pub(crate) parameters: Vec<Vec<Parameter>>,
    /// Parsed and planned, not run.
    pub(crate) plans_only: bool,
}

const PATH: &str = "MATCH (a:Function {qualified_name: $name}), (b:Function {qualified_name: $other}) \
     MATCH p = shortestPath((a)-[:CALLS*..4]->(b)) RETURN length(p)";
const PATH_OF_PEER: &str = "MATCH p = (a:Function {qualified_name: $name})-[:CALLS* SHORTEST 1..4]->\
     (b:Function {qualified_name: $other}) RETURN length(p)";
const LOOK_UP: &str = "MATCH (f:Function {qualified_name: $name}) RETURN f.name, f.line_start";
const LOOK_UP_WHERE: &str = "MATCH (f) WHERE f.qualified_name = $name RETURN f.name, f.line_start";
const LOOK_UP_WHERE_OF_PEER: &str = "MATCH (f:Function) WHERE f.qualified_name = $name RETURN f.name, f.line_start";
const LOOK_UP_SQL: &str = "SELECT name, start_line FROM node WHERE qualified_name = ?1 AND label = 10";
const CALLERS: &str = "MATCH (f:Function {qualified_name: $name})<-[:CALLS]-(c) RETURN c.name, c.line_start";
const CALLERS_SQL: &str = "SELECT c.name, c.start_line FROM node f JOIN edge e ON e.dst = f.id AND e.type = 5 \
     JOIN node c ON c.id = e.src WHERE f.qualified_name = ?1 AND f.label = 10";
const CONTAINS: &str = "MATCH (f:Function) WHERE f.name CONTAINS $word RETURN count(*)";
const CONTAINS_SQL: &str = "SELECT count(*) FROM node INDEXED BY node_name WHERE instr(name, ?1) > 0 AND label = 10";
const REACHED: &str = "MATCH (f:Function {qualified_name: $name})-[:CALLS*1..3]->(c) RETURN DISTINCT c.qualified_name";
const REACHED_SQL: &str = "WITH RECURSIVE reached (id, depth) AS (SELECT id, 0 FROM node WHERE qualified_name = ?1 AND label = 10 \
     UNION SELECT e.dst, depth + 1 FROM reached CROSS JOIN edge e ON e.src = reached.id AND e.type = 5 WHERE depth < 3) \
     SELECT DISTINCT c.qualified_name FROM reached CROSS JOIN node c USING (id) WHERE depth > 0";
const MOST_CALLED: &str =
    "MATCH (f)<-[:CALLS]-() WITH f, count(*) AS n ORDER BY n DESC LIMIT 20 RETURN f.qualified_name, n";
const MOST_CALLED_SQL: &str = "SELECT qualified_name, n FROM (SELECT dst, count(*) AS n FROM edge WHERE type = 5 \
     GROUP BY dst ORDER BY n DESC LIMIT 20) JOIN node ON id = dst";
/// Nodes of one name count together, so that the name of every node must be read.
const MOST_CALLED_NAMES: &str =
    "MATCH (f)<-[:CALLS]-() RETURN f.qualified_name, count(*) AS n ORDER BY n DESC LIMIT 20";
const MOST_CALLED_NAMES_SQL: &str = "SELECT qualified_name, sum(n) AS n FROM (SELECT dst, count(*) AS n FROM edge \
     WHERE type = 5 GROUP BY dst) JOIN node ON id = dst GROUP BY qualified_name ORDER BY n DESC LIMIT 20";

pub(crate) fn all(size: Size) -> Vec<Question> {
    let names = names(size, 1_000);
    let pairs = pairs(size, &names);
    let words = ["user_12", "session_17", "parse_p", "cache_3", "set_item", "der_9"].into_iter().cycle().take(24);
    let words = words.map(|word| vec![("word", word.to_owned())]).collect();
    let nothing = vec![Vec::new(); 10];
    let by_name = |name, cypher, peer, sql| Question::new(name, cypher, peer, Some(sql), names.clone());
    let whole = |name, cypher, sql| Question::new(name, cypher, cypher, Some(sql), nothing.clone());
    vec![
        Question { plans_only: true, peer: None, ..Question::new("parse and plan", PATH, PATH, None, pairs.clone()) },
        by_name("look-up", LOOK_UP, LOOK_UP, LOOK_UP_SQL),
        by_name("look-up as WHERE", LOOK_UP_WHERE, LOOK_UP_WHERE_OF_PEER, LOOK_UP_SQL),
        by_name("one hop", CALLERS, CALLERS, CALLERS_SQL),
        Question::new("name CONTAINS, counted", CONTAINS, CONTAINS, Some(CONTAINS_SQL), words),
        by_name("three hops, distinct", REACHED, REACHED, REACHED_SQL),
        Question::new("shortest path, at most 4 hops", PATH, PATH_OF_PEER, None, pairs),
        whole("20 most called", MOST_CALLED, MOST_CALLED_SQL),
        whole("20 most called names", MOST_CALLED_NAMES, MOST_CALLED_NAMES_SQL),
    ]
}

impl Question {
    fn new(
        name: &'static str,
        cypher: &'static str,
        peer: &'static str,
        sql: Option<&'static str>,
        parameters: Vec<Vec<Parameter>>,
    ) -> Self {
        Self { name, cypher, peer: Some(peer), sql, parameters, plans_only: false }
    }
}

/// Qualified names of functions.
fn names(size: Size, count: usize) -> Vec<Vec<Parameter>> {
    let mut random = Random::new(11);
    (0..count).map(|_| vec![("name", generated::callable_name(size, random.below(size.functions)))]).collect()
}

/// Every other pair ends in a function that many call, so that there is a path as often as not.
fn pairs(size: Size, names: &[Vec<Parameter>]) -> Vec<Vec<Parameter>> {
    let popular: Vec<usize> =
        (0..1_000).map(|rank| generated::popular(size, rank)).filter(|number| *number < size.functions).collect();
    let other = |turn: usize| match turn % 2 {
        0 => generated::callable_name(size, popular[turn % popular.len()]),
        _ => names[(turn + 1) % names.len()][0].1.clone(),
    };
    names.iter().enumerate().map(|(turn, name)| vec![name[0].clone(), ("other", other(turn))]).collect()
}
