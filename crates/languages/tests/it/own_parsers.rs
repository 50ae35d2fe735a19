//! What a parser of this crate reads is what the grammar says, or nothing; where the grammar is wrong, it is what the language says.

use languages::facts::{FileFacts, Term};
use languages::{Language, Languages};
use proptest::prelude::*;

use crate::fixtures;

/// Statements of every kind, to be put together.
const STATEMENTS: &[&str] = &[
    "import os, sys as system",
    "from . import a",
    "from ..b.c import (d as e, f,)",
    "from __future__ import annotations",
    "from x import *",
    "x = y = 1, 2",
    "x: int = 1",
    "x: dict[str, list[int]] | None",
    "x.y[0], (*z, w) = 1, [2, 3]",
    "[a, [b, c]] = value",
    "x += f(a, *b, c=1, **d)",
    "x @= y // z % 3 << 2 >> 1 & 4 | 5 ^ ~6 ** -7",
    "print(f'{a!r:>{width}} {b=} {{c}} {d[\"e\"]}' 'more' rb\"raw\\\"\")",
    "text = \"\"\"one\n  'two' \\\n three\"\"\"",
    "g(x for x in y if x if not x)",
    "l = [x async for x, in y for z in x]",
    "d = {**a, 'k': v, (1, 2): [*b]}",
    "d = {k: v for k, v in items.items()}",
    "s = {1, *c}",
    "t = (), (1,), (2)",
    "n = 0x1F + 0b1 + 0o7 + 1_000 + 1.5e-3 + .5 + 2j",
    "v = a if b else c or d and not e",
    "v = a < b <= c is not d not in e in f",
    "f = lambda a, *b, c=1, **d: (yield)",
    "f = lambda: 0",
    "(y := f(x))",
    "a[1:2, ::3, ...]",
    "a[:]",
    "assert a, 'b'",
    "del a, b[0]",
    "raise E('x') from e",
    "return",
    "return *a, b",
    "global g, h",
    "pass; continue; break",
    "type Alias[T] = list[T]",
    "match = match(x)",
    "print = 1",
    "yield from f()",
    "x = yield a, b",
    "await f()",
    "a.b.c(1)(2)[3].d\\\n    .e",
    "# a remark\npass  # another",
    "(a,  # in brackets\n b)",
    "x = (\n    # above\n    y\n)",
    "'documentation'",
];

/// What comes before a block.
const HEADS: &[&str] = &[
    "if a:",
    "if a and (b or c):  # why",
    "for i, (j, *k) in enumerate(l):",
    "for x in 1, 2:",
    "while not done():",
    "with open(a) as b, c as (d, e):",
    "with (open(a) as b, c as d):",
    "with (a):",
    "try:",
    "def f(a, b: int = 1, /, *c: str, d=2, **e: Any) -> list[int]:",
    "async def f(*, a):",
    "@decorated(1)\n@other.one\ndef f(self):",
    "class A:",
    "class A(B, metaclass=C):",
    "@d\nclass A[T: int](Generic[T]):",
    "async def f():",
];

/// What may follow the block.
fn after(head: &str) -> &'static str {
    match head.split([' ', ':']).next() {
        Some("if") => "elif x:\n    y()\nelse:\n    z()\n",
        Some("for" | "while") => "else:\n    z()\n",
        Some("try") => "except (A, B) as e:\n    e.f()\nexcept C:\n    pass\nelse:\n    z()\nfinally:\n    close()\n",
        _ => "",
    }
}

fn python() -> &'static Language {
    Languages::builtin().get("python").unwrap()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

fn readings(text: &str) -> (FileFacts, FileFacts) {
    (python().extract(text).unwrap(), python().extract_by_grammar(text).unwrap())
}

/// That the parser of this crate reads it, and as the grammar does.
fn check(text: &str) {
    assert!(python().reads_itself(text), "left to the grammar:\n{text}");
    let (own, other) = readings(text);
    assert_eq!(own, other, "\n{text}");
}

#[test]
fn statements_of_every_kind_are_read_alike() {
    for statement in STATEMENTS {
        check(&format!("{statement}\n"));
        for head in HEADS {
            check(&format!("{head}\n{}{}", indented(statement), after(head)));
        }
    }
    for head in HEADS.iter().filter(|head| head.ends_with(':')) {
        check(&format!("{head} pass\n"));
    }
}

#[test]
fn fixtures_are_read_alike() {
    let files = fixtures("python");
    assert!(!files.is_empty());
    for file in files {
        check(&std::fs::read_to_string(file).unwrap());
    }
}

#[test]
fn what_is_in_doubt_is_left_to_the_grammar() {
    for text in [
        "print 'old'\n",
        "exec code in scope\n",
        "match x:\n    case 1:\n        pass\n",
        "é = 1\n",
        "x = 1\r\ny = 2\r\n",
        "def f(:\n    pass\n",
        "  x = 1\n",
        "if a:\nb\n",
        "x = (1\n",
        "x = 'open\n",
        "x = 0x\n",
        "`x`\n",
        "a <> b\n",
        "\\\n",
    ] {
        assert!(!python().reads_itself(text), "{text}");
    }
    assert!(!python().reads_itself(&format!("x = {}1{}\n", "(".repeat(1_000), ")".repeat(1_000))));
}

/// Whether a member of something of that name is asked for.
fn asks_for_member(facts: &FileFacts, of: &str, member: &str) -> bool {
    facts.terms.iter().any(|term| {
        let Term::Member(of_term, name) = *term else { return false };
        facts.text(name) == member && matches!(facts.term(of_term), Term::Free(name, _) if facts.text(name) == of)
    })
}

#[test]
fn what_the_grammar_takes_wrongly_is_read_as_python_means_it() {
    // The grammar makes an alias of a type of it.
    let (own, other) = readings("type(self).x = y\n");
    let is_call = |facts: &FileFacts| {
        facts
            .calls
            .iter()
            .any(|call| matches!(facts.term(call.callee), Term::Free(name, _) if facts.text(name) == "type"))
    };
    assert!(is_call(&own) && own.writes.len() == 1);
    assert_ne!(own, other);
    // The grammar spreads `a`, and takes `b` from that.
    for text in ["x = [*a.b]\n", "*a.b, c = d\n"] {
        let (own, other) = readings(text);
        assert!(asks_for_member(&own, "a", "b"), "{text}");
        assert_ne!(own, other, "{text}");
    }
}

fn program() -> impl Strategy<Value = String> {
    let statement = proptest::sample::select(STATEMENTS).prop_map(|statement| format!("{statement}\n"));
    let statements = proptest::collection::vec(statement, 1..4).prop_map(|statements| statements.concat());
    statements.prop_recursive(4, 24, 3, |inner| {
        let block = (
            proptest::sample::select(HEADS),
            proptest::collection::vec(inner, 1..3),
            "(|\n|# between\n|    # deeper\n)",
        );
        block.prop_map(|(head, body, gap)| format!("{head}\n{}{gap}{}", indented(&body.concat()), after(head)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn programs_are_read_alike(text in program()) {
        prop_assert!(python().reads_itself(&text));
        let (own, other) = readings(&text);
        prop_assert_eq!(own, other);
    }

    #[test]
    fn damaged_programs_are_read_alike_or_left(text in program(), at in 0_usize..400, length in 0_usize..6, piece in "[ -~]{0,3}") {
        let start = at.min(text.len());
        let end = (start + length).min(text.len());
        let damaged = format!("{}{piece}{}", &text[..start], &text[end..]);
        if python().reads_itself(&damaged) {
            let (own, other) = readings(&damaged);
            // The grammar is wrong about some of these.
            let is_known = damaged.contains("type") || damaged.contains('*');
            prop_assert!(is_known || own == other, "{}", damaged);
        }
    }
}
