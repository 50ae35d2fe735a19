//! Is it a query or a plain question?

/// The words that a query can begin with; those that write are refused later, with a better message.
const FIRST_WORDS: &[&str] = &[
    "MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL", "EXPLAIN", "PROFILE", "CREATE", "MERGE", "SET", "DELETE",
    "DETACH", "REMOVE", "FOREACH", "LOAD", "DROP",
];

/// Whether this is meant as Cypher. A question may begin with the same word ("match all classes …", "call graph of …"), but
/// has no pattern in brackets after it and no clause that gives rows.
pub fn is_cypher(text: &str) -> bool {
    if cypher::parse(text).is_ok() {
        return true;
    }
    let text = without_comments(text);
    let first = text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    FIRST_WORDS.iter().any(|word| first.eq_ignore_ascii_case(word)) && has_syntax(&text[first.len()..])
}

fn has_syntax(rest: &str) -> bool {
    let has_word = |word: &str| {
        rest.split(|character: char| !character.is_alphanumeric() && character != '_').any(|found| found == word)
    };
    let follows = rest.trim_start().chars().next();
    matches!(follows, Some('(' | '[' | '{' | '*' | '$'))
        || rest.contains("]-")
        || rest.contains(")-")
        || has_word("RETURN")
}

fn without_comments(text: &str) -> &str {
    let mut text = text.trim_start();
    loop {
        let rest = if let Some(line) = text.strip_prefix("//") {
            line.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(block) = text.strip_prefix("/*") {
            block.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return text;
        };
        text = rest.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::is_cypher;

    #[test]
    fn queries_are_told_from_questions() {
        for query in [
            "MATCH (n) RETURN n",
            "match (f:Function) where f.name = 'delete' return f.name",
            "// all\nMATCH (n RETURN n",
            "/* a */ OPTIONAL MATCH (a)-->(b) RETURN a",
            "CREATE (n:Class)",
            "DELETE n RETURN 1",
            "UNWIND [1, 2] AS x RETURN x",
            "RETURN 1",
            "MATCH p = (a)-[*]->(b) RETRUN p",
        ] {
            assert!(is_cypher(query), "{query}");
        }
        for question in [
            "",
            "match all classes that contain 'user'",
            "call graph of main()",
            "delete user: who calls it?",
            "with which parameters is f called",
            "return type of load",
            "Show me all classes",
            "谁调用了 delete 函数?",
            "set up code of the tests",
        ] {
            assert!(!is_cypher(question), "{question}");
        }
    }
}
