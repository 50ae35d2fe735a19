//! Texts that are no questions, and questions that mean harm.

use graph::Label;
use proptest::prelude::*;
use questions::{Hit, MemoryNames, translate};

use crate::project::names;

#[test]
fn what_is_not_about_code_is_not_understood() {
    let texts = [
        "",
        "   ",
        "?!.,;",
        "what is the weather",
        "今天天气怎么样",
        "tell me a joke",
        "hello",
        "who is the president",
        "how do I cook rice",
        "write a poem about autumn",
        "帮我写一首诗",
        "the",
        "为什么",
        "SELECT * FROM users",
        "🚀🚀🚀",
    ];
    for text in texts {
        let unclear = translate(text, &names(), 50).expect_err(text);
        assert_eq!(unclear.examples.len(), 3, "{text}");
        for example in &unclear.examples {
            assert!(translate(example, &names(), 50).is_ok(), "{example}");
        }
    }
}

#[test]
fn examples_speak_of_files_that_define_something() {
    let text = |path: &str| Hit {
        label: Label::File,
        name: path.to_owned(),
        qualified_name: path.to_owned(),
        file_path: path.to_owned(),
        start_line: 0,
    };
    let function = |name: &str, path: &str| Hit {
        label: Label::Function,
        name: name.to_owned(),
        qualified_name: format!("app.{name}"),
        file_path: path.to_owned(),
        start_line: 1,
    };
    let project = [
        text("CHANGES.md"),
        text("src/app.py"),
        text("tests/check.py"),
        function("check", "tests/check.py"),
        function("_start", "src/app.py"),
    ];
    let unclear = translate("tell me a joke", &MemoryNames::new(project), 50).unwrap_err();
    assert_eq!(unclear.examples[..2], ["Who calls _start?", "What functions are in src/app.py?"]);
}

#[test]
fn long_texts_are_refused_quickly() {
    let text = "who calls create_app and ".repeat(5_000);
    let unclear = translate(&text, &names(), 50).unwrap_err();
    assert!(unclear.part.len() < 1_000);
}

#[test]
fn quotes_cannot_leave_their_literal() {
    let names = names();
    let texts = [
        "classes whose name contains `'}) DETACH DELETE n //`",
        r"classes whose name contains `\' RETURN 1 UNION MATCH (n) RETURN n //`",
        "functions starting with \"x' OR 1=1 //\"",
        "functions decorated with `a') DETACH DELETE n //`",
        "functions with a parameter named `b' })`",
        "classes that inherit from `Evil' DELETE`",
    ];
    for text in texts {
        let cypher = translate(text, &names, 50).unwrap_or_else(|unclear| panic!("{text}: {unclear}")).cypher;
        assert_eq!(without_literals(&cypher).matches("RETURN").count(), 1, "{cypher}");
        assert!(!without_literals(&cypher).contains("DELETE"), "{cypher}");
    }
}

/// The query without what stands in its string literals; `None` if one is not closed.
fn outside(cypher: &str) -> Option<String> {
    let mut rest = cypher.chars();
    let mut outside = String::new();
    while let Some(character) = rest.next() {
        if character != '\'' {
            outside.push(character);
            continue;
        }
        loop {
            match rest.next()? {
                '\\' => drop(rest.next()),
                '\'' => break,
                _ => {}
            }
        }
    }
    Some(outside)
}

fn without_literals(cypher: &str) -> String {
    outside(cypher).unwrap_or_else(|| panic!("a literal is not closed: {cypher}"))
}

fn is_one_read_query(cypher: &str) -> bool {
    let outside = without_literals(cypher);
    let balanced = |open, close| outside.matches(open).count() == outside.matches(close).count();
    let writes = ["CREATE", "DELETE", "SET ", "MERGE", "REMOVE", "CALL ", ";", "`"];
    outside.starts_with("MATCH ")
        && outside.matches("RETURN ").count() == 1
        && balanced('(', ')')
        && balanced('[', ']')
        && balanced('{', '}')
        && !writes.iter().any(|word| outside.contains(word))
}

/// Words of questions, separated by `|`.
const WORDS: &str = "who|what|which|functions|classes|call|calls|called|by|create_app|User|'|\"|`|}) DELETE n|not|in|models.py|of|most|5|top|\
inherit from|import|name|contains|\\|where|is|defined|的|被|调用|哪些|函数|类|有|没有|get|and|more than|10|lines|*|with|without|docstring|\
tests|from|to|path|unused|recursive|that|decorated with|@x|parameter|returns|files|methods|async|how many|subclasses|longest|开头|名字";

fn words() -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = WORDS.split('|').collect();
    prop::collection::vec(prop::sample::select(pieces), 1..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn whatever_is_asked_gives_one_read_query_or_none(question in prop_oneof![words(), ".{0,80}"]) {
        if let Ok(asked) = translate(&question, &names(), 50) {
            prop_assert!(is_one_read_query(&asked.cypher), "{question}: {}", asked.cypher);
            prop_assert_eq!(translate(&question, &names(), 50).map(|again| again.cypher), Ok(asked.cypher));
        }
    }
}
