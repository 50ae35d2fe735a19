//! A query as the text of an SQLite FTS5 `MATCH` expression.
//!
//! Every token is quoted, so nothing a user types is ever read as an operator.

use crate::expression::Expression;
use crate::query::Query;

/// Matches texts that contain every term.
pub fn match_all(query: &Query) -> String {
    text_of(&query.all(), true)
}

/// Matches texts that contain any token of any term: the fallback when too few contain them all.
pub fn match_any(query: &Query) -> String {
    text_of(&query.any(), true)
}

fn text_of(expression: &Expression, is_outermost: bool) -> String {
    let joined = |parts: &[Expression], operator: &str| {
        let texts: Vec<String> = parts.iter().map(|part| text_of(part, false)).collect();
        let text = texts.join(operator);
        if is_outermost || parts.len() == 1 { text } else { format!("({text})") }
    };
    match expression {
        Expression::All(parts) => joined(parts, " AND "),
        Expression::Any(parts) => joined(parts, " OR "),
        Expression::Token(token) => quote(token),
        Expression::Prefix(token) => prefix(token),
    }
}

fn quote(token: &str) -> String {
    format!("\"{}\"", token.replace('"', "\"\""))
}

fn prefix(token: &str) -> String {
    format!("{}*", quote(token))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, all: &str, any: &str) {
        let query = Query::parse(text).expect("the text holds a word");
        assert_eq!(match_all(&query), all, "all of {text:?}");
        assert_eq!(match_any(&query), any, "any of {text:?}");
    }

    #[test]
    fn words_are_quoted_and_the_last_may_be_incomplete() {
        check("index", r#"("index" OR "index"*)"#, r#""index" OR "index"*"#);
        check("Fast Index", r#""fast" AND ("index" OR "index"*)"#, r#""fast" OR "index" OR "index"*"#);
        check("C", r#""c""#, r#""c""#);
        check("a a b", r#""a" AND "b""#, r#""a" OR "b""#);
    }

    #[test]
    fn identifiers_match_whole_or_in_parts() {
        check(
            "userName set",
            r#"("username" OR ("user" AND "name")) AND ("set" OR "set"*)"#,
            r#""username" OR "user" OR "name" OR "set" OR "set"*"#,
        );
        check(
            "user_name",
            r#"("user_name" OR "user_name"* OR ("user" AND ("name" OR "name"*)))"#,
            r#""user_name" OR "user_name"* OR "user" OR "name""#,
        );
    }

    #[test]
    fn cjk_runs_are_pairs_and_one_character_is_a_prefix() {
        check("索引", r#""索引""#, r#""索引""#);
        check("索引优化", r#""索引" AND "引优" AND "优化""#, r#""索引" OR "引优" OR "优化""#);
        check("索", r#""索"*"#, r#""索"*"#);
        check(
            "MongoDB索引",
            r#"("mongodb" OR "mongodb"* OR ("mongo" AND ("db" OR "db"*))) AND "索引""#,
            r#""mongodb" OR "mongodb"* OR "mongo" OR "db" OR "索引""#,
        );
        check("Ｒｕｓｔ 用", r#"("rust" OR "rust"*) AND "用"*"#, r#""rust" OR "rust"* OR "用"*"#);
    }

    #[test]
    fn operators_are_words_or_nothing() {
        check(
            r#"a" OR b* NEAR(c, 2) -x topic: ^y"#,
            r#""a" AND "or" AND "b" AND "near" AND "c" AND "2" AND "x" AND "topic" AND "y""#,
            r#""a" OR "or" OR "b" OR "near" OR "c" OR "2" OR "x" OR "topic" OR "y""#,
        );
    }

    #[test]
    fn a_text_without_words_asks_for_nothing() {
        for text in ["", " \t\n", "!?*\"'()-:^", "🚀", "___", "\u{0}"] {
            assert_eq!(Query::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_very_long_text_is_a_bounded_query() {
        let text: String = (0..100_000).map(|number| format!("word{number} 索引 ")).collect();
        let query = Query::parse(&text).expect("the text holds words");
        assert_eq!(query.terms().len(), 64);
        assert!(match_all(&query).len() < 10_000);

        let identifier = "aB1_".repeat(1_000);
        let query = Query::parse(&identifier).expect("the text is an identifier");
        assert!(match_all(&query).len() < 2 * identifier.len() + 500);
    }
}
