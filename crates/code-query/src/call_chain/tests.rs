//! Chains as text: `<` is a caller, `>` what is called, with the lines of the calls.

use cypher_tck::{Backend, Hints, InMemory, NodeData, RelationshipData};

use super::*;

/// Symbols are named by their place, edges are (from, type, to, line).
fn graph(names: &[&str], edges: &[(&str, &str, &str, i64)]) -> Box<dyn GraphRead> {
    let text = |text: &str| Value::Text(text.into());
    let node = |name: &str| NodeData {
        labels: vec!["Function".into()],
        properties: vec![("qualified_name".into(), text(name)), ("file_path".into(), text(&format!("{name}.py")))],
    };
    let place = |name: &str| names.iter().position(|known| *known == name).unwrap();
    let edge = |(from, kind, to, line): &(&str, &str, &str, i64)| RelationshipData {
        from: place(from),
        kind: (*kind).into(),
        to: place(to),
        properties: vec![("line".into(), Value::Int(*line))],
    };
    let nodes: Vec<_> = names.iter().map(|name| node(name)).collect();
    let edges: Vec<_> = edges.iter().map(edge).collect();
    InMemory(Hints::Honoured).graph(&nodes, &edges)
}

fn calls<'a>(pairs: &[(&'a str, &'a str, i64)]) -> Vec<(&'a str, &'static str, &'a str, i64)> {
    pairs.iter().map(|(from, to, line)| (*from, "CALLS", *to, *line)).collect()
}

fn print(link: &Link, sign: &str, lines: &mut Vec<String>) {
    let numbers: Vec<String> = link.call_lines.iter().map(u32::to_string).collect();
    let mark = match (link.is_cycle, link.is_repeated) {
        (true, _) => " cycle",
        (_, true) => " repeated",
        (false, false) => "",
    };
    let indent = "  ".repeat(link.depth as usize);
    lines.push(format!("{indent}{sign}{} {}{mark}", link.symbol, numbers.join(",")).trim_end().to_owned());
    link.callers.iter().for_each(|link| print(link, "<", lines));
    link.callees.iter().for_each(|link| print(link, ">", lines));
}

#[track_caller]
fn check(graph: &dyn GraphRead, depth: u32, most: usize, expected: &[&str]) -> CallChain {
    let following = Following { callers: true, callees: true, depth, most };
    let chain = call_chain(graph, NodeId(0), following).unwrap();
    let mut lines = Vec::new();
    print(&chain.target, "", &mut lines);
    assert_eq!(lines, expected);
    chain
}

#[test]
fn both_directions_are_followed_to_the_depth_and_no_further() {
    let edges = calls(&[("b", "a", 3), ("c", "b", 4), ("d", "c", 5), ("a", "e", 7), ("e", "f", 8)]);
    let graph = graph(&["a", "b", "c", "d", "e", "f"], &edges);
    let chain = check(&*graph, 2, 100, &["a", "  <b 3", "    <c 4", "  >e 7", "    >f 8"]);
    assert!(!chain.has_cycle && !chain.is_cut);
    check(&*graph, 1, 100, &["a", "  <b 3", "  >e 7"]);
}

#[test]
fn several_calls_of_one_symbol_are_one_link_with_all_their_lines() {
    let graph = graph(&["a", "b"], &calls(&[("a", "b", 9), ("a", "b", 2)]));
    check(&*graph, 3, 100, &["a", "  >b 2,9"]);
}

#[test]
fn what_is_called_stands_in_the_order_of_the_calls() {
    let graph = graph(&["a", "b", "c"], &calls(&[("a", "b", 9), ("a", "c", 2)]));
    check(&*graph, 1, 100, &["a", "  >c 2", "  >b 9"]);
}

#[test]
fn recursion_is_a_cycle_and_ends_there() {
    let alone = graph(&["a"], &calls(&[("a", "a", 2)]));
    assert!(check(&*alone, 5, 100, &["a", "  <a 2 cycle", "  >a 2 cycle"]).has_cycle);
    let mutual = graph(&["a", "b"], &calls(&[("a", "b", 2), ("b", "a", 5)]));
    let expected = ["a", "  <b 5", "    <a 2 cycle", "  >b 2", "    >a 5 cycle"];
    assert!(check(&*mutual, 5, 100, &expected).has_cycle);
    let further = graph(&["a", "b", "c"], &calls(&[("a", "b", 2), ("b", "c", 5), ("c", "b", 6)]));
    assert!(check(&*further, 5, 100, &["a", "  >b 2", "    >c 5", "      >b 6 cycle"]).has_cycle);
}

#[test]
fn what_two_ways_lead_to_is_followed_once_and_is_no_cycle() {
    let edges = calls(&[("a", "b", 1), ("a", "c", 2), ("b", "d", 3), ("c", "d", 4), ("d", "e", 5)]);
    let graph = graph(&["a", "b", "c", "d", "e"], &edges);
    let expected = ["a", "  >b 1", "    >d 3", "      >e 5", "  >c 2", "    >d 4 repeated"];
    assert!(!check(&*graph, 5, 100, &expected).has_cycle);
}

#[test]
fn the_calls_of_a_class_are_those_of_its_methods_as_far_as_they_leave_it() {
    let edges = [
        ("C", "DEFINES_METHOD", "C.m", 0),
        ("C", "DEFINES_METHOD", "C.n", 0),
        ("C.m", "CALLS", "C.n", 3),
        ("C.n", "CALLS", "out", 4),
        ("make", "INSTANTIATES", "C", 8),
        ("use", "CALLS", "C.m", 9),
    ];
    let graph = graph(&["C", "C.m", "C.n", "out", "make", "use"], &edges);
    check(&*graph, 2, 100, &["C", "  <make 8", "  <use 9", "  >out 4"]);
}

#[test]
fn a_chain_with_too_many_symbols_is_cut_and_says_so() {
    let graph = graph(&["a", "b", "c", "d"], &calls(&[("a", "b", 1), ("a", "c", 2), ("a", "d", 3)]));
    assert!(check(&*graph, 1, 2, &["a", "  >b 1", "  >c 2"]).is_cut);
    assert!(!check(&*graph, 1, 3, &["a", "  >b 1", "  >c 2", "  >d 3"]).is_cut);
}
