//! Queries made at random from pieces that both engines know.

use crate::random::Random;

/// What may follow the name of a variable.
const NODES: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "",
    ":Function",
    ":Class",
    ":File",
    ":Class",
    " {name: 'b'}",
    " {line: 10}",
    ":Function:Class",
];
const RELATIONSHIPS: &[&str] =
    &["-->", "<--", "--", "-[:CALLS]->", "<-[:CALLS]-", "-[:CALLS|DEFINES]-", "-[:CALLS {line: 1}]->"];
const LONG_RELATIONSHIPS: &[&str] =
    &["-[:CALLS*1..2]->", "<-[:CALLS*0..2]-", "-[*1..2]-", "-[:CALLS*2]-", "-[:DEFINES*0..1]->", "-[*..2]->"];
/// A clause that is sure not to meet the relationships of the clause before.
const CALLS: &[&str] = &["-[:CALLS]->", "<-[:CALLS]-", "-[:CALLS {line: 1}]->", "-[:CALLS*1..2]->", "<-[:CALLS*0..2]-"];
const DEFINES: &[&str] = &["-[:DEFINES]->", "<-[:DEFINES]-", "-[:DEFINES]-"];
const CONDITIONS: &[&str] = &[
    "a.name = 'a'",
    "b.name IN ['b', 'ab', null]",
    "c.line > 10",
    "toLower(b.name) CONTAINS 'b'",
    "a:Function",
    "(b)-->()",
    "NOT (b)-[:CALLS]->()",
    "a.name <> b.name",
    "c.name STARTS WITH 'b' OR c.name ENDS WITH 'b'",
    "a.line IS NULL",
    "b.line IS NOT NULL",
    "b.line <= a.line",
    "EXISTS { (c)-[:CALLS]->(a) }",
    "a = c",
    "a <> b",
    "true",
    "b.missing = 1",
    "NOT (a.public OR b.public)",
    "a.public XOR c.public",
    "a.name < b.name",
    "10 <= c.line < 40",
    "NOT a.line IN [0, 10, b.line]",
    "a.share >= a.line",
    "any(x IN [a.line, b.line] WHERE x > 10)",
    "none(x IN [a.line, c.line] WHERE x = 20)",
    "size(b.name) = 2",
];
const VALUES: &[&str] = &[
    "a",
    "b",
    "c",
    "a.name",
    "b.line",
    "c.id",
    "a.id",
    "b.id",
    "coalesce(b.name, a.name, '-')",
    "a.line + b.line * 2",
    "a.name + '/' + b.name",
    "CASE WHEN a.line > 10 THEN 'high' WHEN a.line IS NULL THEN 'none' ELSE 'low' END",
    "CASE b.name WHEN 'b' THEN 1 WHEN 'ab' THEN 2 ELSE 0 END",
    "toUpper(c.name)",
    "size(c.name)",
    "substring(a.name, 1)",
    "[x IN [a.line, b.line, 3] WHERE x > 5 | x + 1]",
    "a.line / 7",
    "a.line % 7",
    "a.share * 2",
    "b.line - a.share",
    "a.line = b.line",
    "a.public AND b.public",
    "a:Class",
    "[a.name, b.name][1]",
    "[1, 2, 3, 4][1..3]",
    "reverse(a.name)",
    "toString(b.line)",
    "toInteger('1' + toString(a.id))",
    "abs(a.line - 25)",
    "head([c.name, 1])",
    "replace(a.name, 'b', 'x')",
];
const TOTALS: &[&str] = &[
    "count(*)",
    "count(b)",
    "count(b.line)",
    "count(DISTINCT b)",
    "count(DISTINCT a.name)",
    "sum(b.line)",
    "sum(DISTINCT a.line)",
    "min(a.line)",
    "max(c.name)",
    "min(b.share)",
    "avg(a.line)",
    "size(collect(b.line))",
    "count(*) + 1",
];

pub(crate) fn query(random: &mut Random) -> String {
    match random.below(12) {
        0 => format!("{} UNION {}", part(random, &["a.name AS x"]), part(random, &["b.name AS x"])),
        1 => format!("{} UNION ALL {}", part(random, &["a.line AS x"]), part(random, &["c.line AS x"])),
        2 => unwind(random),
        _ => {
            let pattern = pattern(random);
            format!("{pattern} {}", ending(random))
        }
    }
}

fn part(random: &mut Random, returned: &[&str]) -> String {
    format!("{} RETURN {}", pattern(random), returned.join(", "))
}

fn unwind(random: &mut Random) -> String {
    let list = random.pick(&["[1, 2, 2, null]", "['b', 'ab']", "[]", "range(1, 3)", "[[1], [2, 3]]"]);
    let pattern = pattern(random);
    let ending = random.pick(&["x, a.id, b.id, c.id", "DISTINCT x", "x, count(*) AS y", "count(x) AS y, a.name AS z"]);
    format!("UNWIND {list} AS x {pattern} RETURN {ending}")
}

fn node(variable: &str, random: &mut Random) -> String {
    format!("({variable}{})", random.pick(NODES))
}

/// Binds a, b and c.
fn pattern(random: &mut Random) -> String {
    let first = if random.one_in(3) { random.pick(LONG_RELATIONSHIPS) } else { random.pick(RELATIONSHIPS) };
    let second = if random.one_in(30) { random.pick(LONG_RELATIONSHIPS) } else { random.pick(RELATIONSHIPS) };
    let [a, b, c] = ["a", "b", "c"].map(|variable| node(variable, random));
    let (calls, defines) = (random.pick(CALLS), random.pick(DEFINES));
    match random.below(20) {
        0..4 => format!("MATCH {a}{first}{b}, {c}{}", condition(random)),
        4..7 => format!("MATCH {a}{calls}{b}{} MATCH (b){defines}{c}", condition_of_two(random)),
        7 => format!("MATCH {a}{calls}{b} WITH a, b MATCH (b){defines}{c}{}", condition(random)),
        8..12 => format!("MATCH {a}{calls}{b}{} OPTIONAL MATCH (b){defines}{c}", condition_of_two(random)),
        12 => format!("MATCH {a}{first}{b}{} OPTIONAL MATCH (b){second}{c}", condition_of_two(random)),
        13 => format!("MATCH {a}{first}{b}, (b){second}{c}, (a)--(c){}", condition(random)),
        _ => format!("MATCH {a}{first}{b}{second}{c}{}", condition(random)),
    }
}

fn condition(random: &mut Random) -> String {
    chosen(CONDITIONS, random)
}

/// One that does not speak of c.
fn condition_of_two(random: &mut Random) -> String {
    let speaks_of_c =
        |condition: &&&str| condition.contains("c.") || condition.contains("(c)") || condition.contains("= c");
    let some: Vec<&str> = CONDITIONS.iter().filter(|condition| !speaks_of_c(condition)).copied().collect();
    chosen(&some, random)
}

fn chosen(conditions: &[&str], random: &mut Random) -> String {
    match random.below(5) {
        0 | 4 => String::new(),
        1 => format!(" WHERE {} AND {}", random.pick(conditions), random.pick(conditions)),
        2 => format!(" WHERE {} OR {}", random.pick(conditions), random.pick(conditions)),
        _ => format!(" WHERE {}", random.pick(conditions)),
    }
}

fn ending(random: &mut Random) -> String {
    match random.below(7) {
        0 => {
            let (value, total) = (random.pick(VALUES), random.pick(TOTALS));
            format!("RETURN {value} AS x, {total} AS y")
        }
        1 => format!("RETURN {} AS x, {} AS y", random.pick(TOTALS), random.pick(TOTALS)),
        2 => format!("RETURN DISTINCT {} AS x, {} AS y", random.pick(VALUES), random.pick(VALUES)),
        3 => {
            let (order, count) = (random.pick(&["", " DESC"]), 1 + random.below(6));
            format!(
                "RETURN {} AS x, a.id AS i, b.id AS j, c.id AS k ORDER BY x{order}, i, j DESC, k SKIP {} LIMIT {count}",
                random.pick(VALUES),
                random.below(3)
            )
        }
        4 => format!(
            "WITH a.name AS x, {} AS n WHERE n > 1 RETURN x, n ORDER BY n DESC, x LIMIT 3",
            random.pick(&["count(*)", "count(DISTINCT b)", "size(collect(c))"])
        ),
        5 => format!(
            "WITH DISTINCT a, {} AS x RETURN a.id, x, {} AS y",
            random.pick(VALUES),
            random.pick(&["a.line", "labels(a)", "size(labels(a))", "a.name IS NULL"])
        ),
        _ => format!("RETURN {} AS x, {} AS y, c.id", random.pick(VALUES), random.pick(VALUES)),
    }
}
