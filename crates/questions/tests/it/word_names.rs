//! Words of the lexicon that are also names: a word is a name where nothing else makes sense of the question.

use graph::Label;
use questions::{Hit, Intent, MemoryNames, translate};

/// Functions whose names mean something in a question.
const WORDS: &[&str] = &[
    "total",
    "list",
    "count",
    "find",
    "path",
    "parent",
    "main",
    "test",
    "file",
    "delete",
    "call",
    "method",
    "get",
    "different",
    "usage",
    "number",
];

fn names() -> MemoryNames {
    let hit = |label, name: &str, qualified_name: String| Hit {
        label,
        name: name.to_owned(),
        qualified_name,
        file_path: "src/till.py".to_owned(),
        start_line: 1,
    };
    let functions = WORDS.iter().map(|word| hit(Label::Function, word, format!("shop.till.{word}")));
    let others = [
        hit(Label::Class, "Till", "shop.till.Till".to_owned()),
        hit(Label::Function, "a", "shop.till.a".to_owned()),
        hit(Label::File, "till.py", "src/till.py".to_owned()),
    ];
    MemoryNames::new(functions.chain(others))
}

fn translated(question: &str) -> Result<(String, Intent), String> {
    let translation = translate(question, &names(), 50).map_err(|unclear| unclear.to_string())?;
    let body = translation.cypher.split(" RETURN ").next().unwrap_or_default().to_owned();
    Ok((body, translation.intent))
}

/// Every question that is not read as this intent about this very word.
fn misread(patterns: &[&str], intent: Intent) -> Vec<String> {
    let mut misread = Vec::new();
    for word in WORDS {
        for pattern in patterns {
            let question = pattern.replace("WORD", word);
            let found = translated(&question);
            let name = format!("name = '{word}'");
            if !found.as_ref().is_ok_and(|(body, found)| body.contains(&name) && *found == intent) {
                misread.push(format!("{question}: {found:?}"));
            }
        }
    }
    misread
}

#[test]
fn any_word_can_be_what_is_called() {
    let patterns = [
        "who calls WORD?",
        "what calls WORD",
        "which functions call WORD?",
        "callers of WORD",
        "who calls the WORD function?",
        "where is WORD called?",
        "谁调用了 WORD？",
        "哪些函数调用了 WORD?",
        "WORD 被谁调用",
    ];
    assert_eq!(misread(&patterns, Intent::Callers), Vec::<String>::new());
}

#[test]
fn any_word_can_be_what_calls() {
    let patterns = [
        "what does WORD call?",
        "which functions does WORD call",
        "functions called by WORD",
        "WORD 调用了哪些函数？",
        "WORD 函数调用了哪些函数",
    ];
    assert_eq!(misread(&patterns, Intent::Callees), Vec::<String>::new());
}

#[test]
fn any_word_can_be_what_is_sought() {
    let patterns = ["where is WORD defined?", "WORD 在哪里定义"];
    assert_eq!(misread(&patterns, Intent::Definition), Vec::<String>::new());
}

#[test]
fn words_keep_their_meaning_where_the_question_needs_it() {
    let cases = [
        ("list functions", "MATCH (f:Function) WHERE NOT 'anonymous' IN coalesce(f.modifiers, [])"),
        ("count classes", "MATCH (c:Class)"),
        (
            "list all functions in till.py",
            "MATCH (f:Function) WHERE f.file_path = 'src/till.py' AND NOT 'anonymous' IN coalesce(f.modifiers, [])",
        ),
        ("find all classes", "MATCH (c:Class)"),
        ("total number of classes", "MATCH (c:Class)"),
        ("which different classes are there", "MATCH (c:Class)"),
        ("find class Till", "MATCH (c:Class) WHERE c.name = 'Till'"),
        ("which file defines Till", "MATCH (c:Class) WHERE c.name = 'Till'"),
    ];
    for (question, expected) in cases {
        assert_eq!(translated(question).map(|(body, _)| body), Ok(expected.to_owned()), "{question}");
    }
    assert_eq!(translated("call path from main to total").unwrap().1, Intent::Path);
    assert_eq!(translated("what is the parent of Till").unwrap().1, Intent::Superclasses);
}

#[test]
fn a_word_that_binds_is_no_name_in_a_question_that_means_nothing() {
    assert!(translated("how does a customer pay for a coffee").is_err());
    assert!(translated("who calls a frobnicator").is_err());
}
