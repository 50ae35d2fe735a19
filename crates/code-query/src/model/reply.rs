//! Finding the query in what a model replies: bare, in a fence, in JSON, or in the middle of prose.

use serde_json::Value;

/// How much of a reply is looked at, in bytes.
const LONGEST: usize = 20_000;

/// How many places may be the beginning of a query, and how many its end.
const MOST_BEGINNINGS: usize = 16;
const MOST_ENDS: usize = 100;

const FENCES: [&str; 2] = ["```", "~~~"];

/// Where in an object a query is put.
const FIELDS: [&str; 4] = ["query", "cypher", "statement", "cypher_query"];

/// Where a model's thoughts end, if it does not keep them to itself.
const THOUGHTS_END: &str = "</think>";

/// The words that can begin a query. Those that write count too: they are refused later, with a better message.
const FIRST_WORDS: &[&str] = &[
    "MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL", "EXPLAIN", "PROFILE", "CREATE", "MERGE", "DETACH",
    "FOREACH", "LOAD",
];

/// The words that may stand before the first bracket of a query.
const WORDS_BEFORE_BRACKET: &[&str] = &[
    "MATCH",
    "OPTIONAL",
    "CALL",
    "EXPLAIN",
    "PROFILE",
    "CREATE",
    "MERGE",
    "FOREACH",
    "SHORTESTPATH",
    "ALLSHORTESTPATHS",
];

/// The first query in a reply: one that can be read if there is such a one, else what was meant as one.
pub fn cypher_in(reply: &str) -> Option<String> {
    let reply = beginning(without_thoughts(reply));
    if cypher::parse(tidy(reply)).is_ok() {
        return Some(tidy(reply).to_owned());
    }
    let mut pieces: Vec<String> = in_object(reply).into_iter().collect();
    for fenced in fenced(reply) {
        pieces.extend(in_object(fenced));
        pieces.push(fenced.to_owned());
    }
    pieces.push(reply.to_owned());
    let mut meant = None;
    for piece in &pieces {
        match query_in(piece) {
            Found::Query(query) => return Some(query.to_owned()),
            Found::Meant(query) => meant = meant.or(Some(query.to_owned())),
            Found::Nothing => {}
        }
    }
    meant
}

pub(super) fn without_thoughts(reply: &str) -> &str {
    reply.rsplit_once(THOUGHTS_END).map_or(reply, |(_, rest)| rest)
}

fn beginning(reply: &str) -> &str {
    let end = (0..=LONGEST.min(reply.len())).rev().find(|end| reply.is_char_boundary(*end));
    &reply[..end.unwrap_or_default()]
}

/// The query in a JSON object, which may have words around it.
fn in_object(text: &str) -> Option<String> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    let object: Value = serde_json::from_str(text.get(start..=end)?).ok()?;
    FIELDS.iter().find_map(|field| object.get(field)?.as_str().map(str::to_owned))
}

/// What stands between fences; the last one need not be closed.
fn fenced(text: &str) -> Vec<&str> {
    let Some(fence) = FENCES.into_iter().filter(|fence| text.contains(fence)).min_by_key(|fence| text.find(fence))
    else {
        return Vec::new();
    };
    text.split(fence).skip(1).step_by(2).collect()
}

enum Found<'a> {
    Query(&'a str),
    /// It looks like a query, and cannot be read as one.
    Meant(&'a str),
    Nothing,
}

fn query_in(text: &str) -> Found<'_> {
    let (mut meant, mut skip_to) = (None, 0);
    for start in beginnings(text) {
        let rest = &text[start..];
        if start < skip_to {
            continue;
        }
        if let Some(query) = longest_query(rest) {
            return Found::Query(query);
        }
        if opens_pattern(rest) {
            let paragraph = rest.split("\n\n").next().unwrap_or(rest);
            skip_to = start + paragraph.len();
            meant = meant.or(Some(tidy(paragraph)));
        }
    }
    meant.map_or(Found::Nothing, Found::Meant)
}

/// Where a line begins with one of the words, or where one of them stands in capitals.
fn beginnings(text: &str) -> impl Iterator<Item = usize> {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let words = text
        .char_indices()
        .filter(move |(at, character)| is_word(*character) && !text[..*at].chars().next_back().is_some_and(is_word));
    let fits = move |at: usize| {
        let word = text[at..].split(|character| !is_word(character)).next().unwrap_or_default();
        let line = text[..at].rsplit('\n').next().unwrap_or_default();
        let is_line_start = line.chars().all(|character| !character.is_alphanumeric());
        FIRST_WORDS.iter().any(|first| word == *first || (is_line_start && word.eq_ignore_ascii_case(first)))
    };
    words.map(|(at, _)| at).filter(move |at| fits(*at)).take(MOST_BEGINNINGS)
}

/// As much of a text, from its beginning, as is a query.
fn longest_query(text: &str) -> Option<&str> {
    let ends = text.match_indices(['\n', ';', '`', '.']).map(|(at, _)| at).take(MOST_ENDS);
    let mut ends: Vec<usize> = ends.chain([text.len()]).collect();
    ends.reverse();
    let candidates = ends.into_iter().map(|end| tidy(&text[..end]));
    candidates.filter(|text| !text.is_empty()).find(|text| cypher::parse(text).is_ok())
}

fn tidy(text: &str) -> &str {
    text.trim().trim_end_matches([';', '`']).trim_end()
}

/// Whether nothing but words of the language, and perhaps the name of a path, stands before the first bracket.
fn opens_pattern(text: &str) -> bool {
    let Some((head, _)) = text.split_once(['(', '{']) else { return false };
    let is_known = |word: &&str| WORDS_BEFORE_BRACKET.iter().any(|known| word.eq_ignore_ascii_case(known));
    let names = head.split([' ', '\t', '\r', '\n', '=']).filter(|word| !word.is_empty() && !is_known(word)).count();
    names == 0 || (names == 1 && head.contains('='))
}

#[cfg(test)]
mod tests {
    use super::cypher_in;

    const QUERY: &str = "MATCH (f:Function) RETURN f.name";

    #[track_caller]
    fn check(reply: &str, expected: &str) {
        assert_eq!(cypher_in(reply).as_deref(), Some(expected), "{reply}");
    }

    #[test]
    fn a_bare_query_is_itself() {
        for reply in [QUERY.to_owned(), format!("  {QUERY};\n"), format!("{QUERY} ;"), format!("`{QUERY}`")] {
            check(&reply, QUERY);
        }
        check("match (n)\n\nreturn n.name\nlimit 5", "match (n)\n\nreturn n.name\nlimit 5");
        check("MATCH (n) WHERE n.name = 'a;b. ```c' RETURN n", "MATCH (n) WHERE n.name = 'a;b. ```c' RETURN n");
        check("MATCH p = (a)-[*1..2]->(b) RETURN p", "MATCH p = (a)-[*1..2]->(b) RETURN p");
    }

    #[test]
    fn fences_are_taken_away_whatever_they_are_called() {
        for fence in ["```cypher\n", "```\n", "```sql\n", "``` Cypher\n", "```", "~~~cypher\n"] {
            let close = &fence[..3];
            check(&format!("{fence}{QUERY};\n{close}"), QUERY);
            check(&format!("Here it is:\n\n{fence}{QUERY}\n{close}\n\nIt lists all functions."), QUERY);
        }
        check(&format!("```cypher\n{QUERY}"), QUERY);
        check(&format!("First some Python:\n```python\nprint(1)\n```\nthen\n```cypher\n{QUERY}\n```"), QUERY);
    }

    #[test]
    fn prose_before_and_after_is_left_out() {
        check(&format!("Sure! The query is: {QUERY}"), QUERY);
        check(&format!("I would MATCH functions WITH names like so: {QUERY}. It should RETURN them all."), QUERY);
        check(&format!("{QUERY}\nThis returns the name of every function."), QUERY);
        check(&format!("Cypher:\n{QUERY}\n\nExplanation: MATCH finds, RETURN gives."), QUERY);
        check(&format!("<think>MATCH (x) RETURN x? no</think>{QUERY}"), QUERY);
        check(&format!("查询如下：{QUERY}"), QUERY);
    }

    #[test]
    fn objects_are_opened() {
        check(&serde_json::json!({"query": QUERY}).to_string(), QUERY);
        check(&format!("```json\n{}\n```", serde_json::json!({"reason": "x", "cypher": QUERY})), QUERY);
        check(&format!("Result: {} done", serde_json::json!({"statement": format!("{QUERY};")})), QUERY);
    }

    #[test]
    fn the_first_of_several_statements_counts() {
        check(&format!("{QUERY}; MATCH (c:Class) RETURN c.name;"), QUERY);
        check(&format!("{QUERY};\n\nMATCH (c:Class) RETURN c.name"), QUERY);
        check(&format!("```\n{QUERY}\n```\nor\n```\nMATCH (c:Class) RETURN c.name\n```"), QUERY);
    }

    #[test]
    fn what_was_meant_as_a_query_is_given_as_it_is() {
        check("MATCH (f:Function RETURN f.name", "MATCH (f:Function RETURN f.name");
        check("Try this:\n\nMATCH (n) DETACH DELETE n\n\nGood luck", "MATCH (n) DETACH DELETE n");
        check("```\nCREATE (n:Class)\n```", "CREATE (n:Class)");
        check("match p = shortestPath((a)-[*]-(b) return p", "match p = shortestPath((a)-[*]-(b) return p");
    }

    #[test]
    fn what_holds_no_query_gives_none() {
        let long = "MATCH the day. ".repeat(20_000);
        for reply in ["", "I cannot answer that.", "{}", "[1, 2]", "```\n```", "{\"query\": 7}", "\u{0}\u{fffd}", &long]
        {
            assert_eq!(cypher_in(reply), None, "{reply:.40}");
        }
    }
}
