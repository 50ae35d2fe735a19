//! Forms that people and models write.

use crate::checks::check;

#[test]
fn conditions_on_names() {
    check("MATCH (f:Function) WHERE f.name =~ '[ab]' RETURN f.name", "a\nb");
    check("MATCH (f) WHERE f.qualified_name =~ 'pkg' RETURN f", "");
    check("MATCH (f) WHERE f.name =~ '(?i)BOX' RETURN f", "(Box)");
    check("MATCH (c) WHERE toLower(c.name) CONTAINS 'bO' RETURN c", "");
    check("MATCH (c) WHERE toLower(c.name) CONTAINS 'bo' RETURN c", "(Box)");
    check("MATCH (c) WHERE toLower(c.name) = 'box' RETURN c", "(Box)");
    check("MATCH (c) WHERE c.name STARTS WITH 'B' RETURN c.name", "Box\nBase");
    check("MATCH (c) WHERE c.name ENDS WITH '.py' RETURN c.name", "x.py");
    check("MATCH (f) WHERE f.name IN $names RETURN f.name", "a\nb");
    check("MATCH (f) WHERE f.name = 'a' OR 'b' = f.name OR f.name IN ['c', 'zz'] RETURN f.name", "a\nb\nc");
    check("MATCH (f) WHERE f.name = 'a' OR f.line_start = 20 OR f.missing = 1 RETURN f.name", "a\nb");
    check("MATCH (n) WHERE n:File OR n:Interface RETURN n.name", "x.py\nBase");
    check("MATCH (n) WHERE n:File OR n.name = 'a' RETURN n.name", "a\nx.py");
    check("MATCH (f {name: $name}) RETURN f.name", "d");
    check("MATCH (f) WHERE $name = f.name RETURN f.name", "d");
    check("MATCH (f) WHERE 30 < f.line_start <= 50 RETURN f.name", "d\ne");
    check("MATCH (f) WHERE f.line_start = 10.0 RETURN f.name", "a");
    check("MATCH (f) WHERE f.missing IS NULL AND f.name = 'a' RETURN f.missing", "null");
    check("MATCH (f) WHERE f.name = null RETURN f", "");
    check("UNWIND ['c', 'zz', 'a'] AS wanted MATCH (f {name: wanted}) RETURN wanted, f", "c | (c)\na | (a)");
    check("MATCH (f {name: 'a'}) MATCH (g) WHERE g.qualified_name = 'pkg.' + f.name RETURN g", "(a)");
}

#[test]
fn label_expressions() {
    check("MATCH (n:Class|File) RETURN n.name", "x.py\nBox\nBase");
    check("MATCH (n:Class&!Interface) RETURN n.name", "Box");
    check("MATCH (n:(Class|File)&!Interface) RETURN n.name", "x.py\nBox");
    check("MATCH (n:!Function) RETURN count(n)", "3");
    check("MATCH (n:%) RETURN count(n)", "9");
    check("MATCH (n) WHERE n:Class:Interface RETURN n", "(Base)");
    check("MATCH (n) WHERE n:Class|File RETURN count(*)", "3");
    check("MATCH (a)-[r:CALLS|INHERITS]->(b) RETURN count(r)", "7");
    check("MATCH (a)-[r:!CALLS&!DEFINES]->(b) RETURN a, b", "(Box) | (Base)");
    check("MATCH (a)-[r]->(b) WHERE r:INHERITS RETURN type(r)", "INHERITS");
    check("MATCH (n IS Class) RETURN count(*)", "2");
    check("MATCH (n:Function WHERE n.line_start > 40) RETURN n.name", "e\nf");
    check("MATCH (a)-[r:CALLS WHERE r.line > 40]->(b) RETURN b.name", "e\na");
}

#[test]
fn subqueries_in_expressions() {
    check("MATCH (f:Function) WHERE NOT EXISTS { (f)<-[:CALLS]-() } RETURN f.name", "f");
    check("MATCH (f:Function) WHERE NOT (f)<-[:CALLS]-() RETURN f.name", "f");
    check("MATCH (f:Function) WHERE EXISTS { MATCH (f)-[:CALLS]->(g) WHERE g.name = 'd' } RETURN f.name", "b\nc");
    check("MATCH (f:Function) WHERE COUNT { (f)<-[:CALLS]-() } > 1 RETURN f.name", "d");
    check(
        "MATCH (f:Function) RETURN f.name, COUNT { (f)-[:CALLS]->(:Function) } AS n ORDER BY n DESC, f.name LIMIT 2",
        "a | 2\nb | 1",
    );
    check(
        "MATCH (f {name: 'a'}) RETURN COLLECT { MATCH (f)-[:CALLS]->(g) RETURN g.name ORDER BY g.name DESC } AS l",
        "[c, b]",
    );
    check("MATCH (f {name: 'a'}) RETURN [(f)-[:CALLS]->(g) WHERE g.name > 'b' | g.name] AS l", "[c]");
    check("MATCH (f {name: 'a'}) RETURN size([(f)--() | 1]) AS n, exists((f)-[:CALLS]->()) AS e", "4 | true");
    check("MATCH (f {name: 'f'}) RETURN exists(f.name) AS a, exists(f.other) AS b", "true | false");
    check(
        "MATCH (f:Function) CALL { WITH f MATCH (f)-[:CALLS]->(g) RETURN count(g) AS n } RETURN f.name, n ORDER BY n, f.name LIMIT 3",
        "f | 0\nb | 1\nc | 1",
    );
    check("CALL { RETURN 1 AS x UNION RETURN 2 AS x } RETURN sum(x) AS s", "3");
    check("MATCH (f {name: 'a'}) CALL (f) { MATCH (f)-[:CALLS]->(g) RETURN g } RETURN g.name", "b\nc");
    check("CALL db.labels() YIELD label RETURN label ORDER BY label", "Class\nFile\nFunction\nInterface");
    check("CALL db.relationshipTypes()", "CALLS\nDEFINES\nINHERITS");
}

#[test]
fn values_and_functions() {
    check(
        "MATCH (c {name: 'Box'}) RETURN c {.name, .missing, kind: labels(c)[0]} AS m",
        "{name: Box, missing: null, kind: Class}",
    );
    check("MATCH (c {name: 'Box'}) RETURN c {.*, extra: 1}.extra AS m", "1");
    check(
        "RETURN reduce(s = 0, x IN range(1, 10) | s + x) AS sum, 0x1F AS h, 0o17 AS o, 1e3 AS f",
        "55 | 31 | 15 | 1000.0",
    );
    check(
        "RETURN split('a.b.c', '.') AS a, substring('hello', 1, 3) AS b, replace('aaa', 'a', 'bb') AS c",
        "[a, b, c] | ell | bbbbbb",
    );
    check("RETURN left('hello', 2) + right('hello', 2) AS a, reverse('abc') AS b, trim('  x ') AS c", "helo | cba | x");
    check(
        "RETURN round(2.5) AS a, round(3.14159, 2) AS b, sign(-3) AS c, abs(-2) AS d, floor(-1.5) AS e",
        "3.0 | 3.14 | -1 | 2 | -2.0",
    );
    check(
        "RETURN CASE WHEN 1 > 2 THEN 'x' ELSE 'y' END AS a, CASE 3 WHEN 1, 2 THEN 'low' WHEN 3 THEN 'three' END AS b",
        "y | three",
    );
    check("RETURN [1, 2, 3, 4][1..3] AS a, [1, 2, 3][-1] AS b, {a: {b: 2}}.a.b AS c", "[2, 3] | 3 | 2");
    check(
        "RETURN any(x IN [1, 2] WHERE x > 1) AS a, none(x IN [] WHERE x) AS b, coalesce(null, 3) AS c",
        "true | true | 3",
    );
    check("RETURN 'a' || 'b' AS a, 7 / 2 AS b, 7 % 3 AS c, 2 ^ 3 AS d, -7 / 2 AS e", "ab | 3 | 1 | 8.0 | -3");
    check(
        "RETURN toInteger('12') AS a, toFloat('1.5') AS b, toString(1.0) AS c, toBoolean('TRUE') AS d",
        "12 | 1.5 | 1.0 | true",
    );
    check(
        "UNWIND [1, 2, 3, 4] AS x RETURN stDev(x) AS a, percentileCont(x, 0.5) AS b, percentileDisc(x, 0.5) AS c",
        "1.2909944487358056 | 2.5 | 2",
    );
    check("RETURN 'it\\'s' AS a, \"q\" AS b, '\\u0041' AS c /* comment */ // end", "it's | q | A");
    check("MATCH (`my node`:Class {name: 'Box'}) RETURN `my node`.name AS `the name`", "Box");
    check("MATCH (f {name: 'a'}) RETURN toInteger(elementId(f)) = id(f) AS same", "true");
}

#[test]
fn words_that_write_are_only_names_elsewhere() {
    check("WITH 'create' AS delete RETURN delete AS set", "create");
    check("MATCH (n {name: 'a'}) WITH n AS merge RETURN merge.name AS remove", "a");
    check("MATCH (n) WHERE n.name = 'drop table; DELETE n' RETURN n", "");
}

#[test]
fn rows_are_sorted_cut_and_made_distinct() {
    check("MATCH (f:Function) RETURN f.name AS n ORDER BY n DESC SKIP 1 LIMIT 2", "e\nd");
    check("MATCH (f:Function)-[:CALLS]->(g) RETURN DISTINCT g.name AS n ORDER BY n", "a\nb\nc\nd\ne");
    check("MATCH (f:Function) RETURN f.name ORDER BY f.line_start DESC LIMIT 2", "f\ne");
    check("MATCH (n) RETURN labels(n)[0] AS l, count(*) AS c ORDER BY c DESC, l", "Function | 6\nClass | 2\nFile | 1");
    check("RETURN 1 AS x UNION RETURN 1 AS x UNION RETURN 2 AS x", "1\n2");
    check("RETURN 1 AS x UNION ALL RETURN 1 AS x", "1\n1");
    check("MATCH (f:Function) WITH f ORDER BY f.name DESC LIMIT 3 RETURN collect(f.name) AS l", "[f, e, d]");
}
