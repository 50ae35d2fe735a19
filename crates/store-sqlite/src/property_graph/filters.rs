//! Any values in any properties: a filter leaves out no node that fits.

#[path = "../../tests/it/graph_read/matching.rs"]
mod matching;

use std::sync::Arc;

use graph::{Bound, Condition, GraphRead as _, LabelKey, NodeFilter, PropertyKey, Test, TextRelation, Value};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use self::matching::fits;
use super::{NewNode, PropertyGraph};

const NAMES: [&str; 4] = ["a", "name", "with \"quotes\" and 'more'", "索引"];
const WORDS: [&str; 12] =
    ["", "a", "A", "user", "User", "ÜSER", "\u{212A}", "\u{130}", "x\0user", "\\0", "\"'", "\u{10FFFF}"];
const NUMBERS: [i64; 8] = [0, 1, -1, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MIN];
const FRACTIONS: [f64; 9] = [0.0, -0.0, 1.0, 1.5, 9_007_199_254_740_992.0, 9.3e18, f64::NAN, f64::INFINITY, -1e300];

fn any_plain() -> impl Strategy<Value = Value> {
    let text = vec(select(&WORDS[..]), 0..3).prop_map(|words| Value::Text(Arc::from(words.concat())));
    prop_oneof![
        4 => text,
        3 => select(&NUMBERS[..]).prop_map(Value::Int),
        2 => select(&FRACTIONS[..]).prop_map(Value::Float),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let list = vec(any_plain(), 0..3).prop_map(|values| Value::List(values.into()));
    prop_oneof![6 => any_plain(), 1 => list]
}

fn any_node() -> impl Strategy<Value = NewNode> {
    let properties = vec((select(&NAMES[..]).prop_map(str::to_owned), any_value()), 0..4);
    (vec(select(&NAMES[..]).prop_map(str::to_owned), 0..3), properties)
        .prop_map(|(labels, properties)| NewNode { labels, properties })
}

fn any_test() -> impl Strategy<Value = Test> {
    const RELATIONS: [TextRelation; 4] =
        [TextRelation::Is, TextRelation::Contains, TextRelation::StartsWith, TextRelation::EndsWith];
    let bound = || option::of((any_value(), any::<bool>()).prop_map(|(value, inclusive)| Bound { value, inclusive }));
    let text = (select(&RELATIONS[..]), vec(select(&WORDS[..]), 0..2), any::<bool>());
    prop_oneof![
        any_value().prop_map(Test::Equals),
        vec(any_value(), 0..5).prop_map(Test::OneOf),
        text.prop_map(|(relation, words, lower_case)| Test::Text {
            relation,
            wanted: words.concat().into(),
            lower_case
        }),
        (bound(), bound()).prop_map(|(low, high)| Test::Between { low, high }),
        Just(Test::Exists),
    ]
}

fn any_filter() -> impl Strategy<Value = NodeFilter> {
    let labels = vec(vec((0..4_u32).prop_map(LabelKey), 0..3), 0..3);
    let condition = (0..4_u32, any_test()).prop_map(|(key, test)| Condition { property: PropertyKey(key), test });
    (labels, vec(condition, 0..3)).prop_map(|(labels, conditions)| NodeFilter { labels, conditions })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_filter_leaves_out_no_node_that_fits(nodes in vec(any_node(), 0..30), filters in vec(any_filter(), 40)) {
        let [with, without] = [true, false].map(|uses_filters| PropertyGraph::new(&nodes, &[], uses_filters).unwrap());
        for filter in &filters {
            let [found, all] = [&with, &without].map(|graph| {
                let mut found = Vec::new();
                graph.scan(filter, None, usize::MAX, &mut found).unwrap();
                found
            });
            prop_assert_eq!(all.len(), nodes.len());
            let fitting = |keys: &[graph::NodeKey]| {
                keys.iter().copied().filter(|node| fits(&with, *node, filter)).collect::<Vec<_>>()
            };
            prop_assert_eq!(fitting(&found), fitting(&all), "{:?}", filter);
        }
    }

    #[test]
    fn values_read_back_unchanged(nodes in vec(any_node(), 1..10)) {
        let graph = PropertyGraph::new(&nodes, &[], true).unwrap();
        for (key, node) in (0..).zip(&nodes) {
            for name in NAMES {
                let stored = node.properties.iter().rfind(|(known, value)| known == name && *value != Value::Null);
                let expected = stored.map_or(Value::Null, |(_, value)| value.clone());
                let found = graph.property(name).map(|property| graph.node_property(graph::NodeKey(key), property).unwrap());
                prop_assert_eq!(format!("{:?}", found.unwrap_or(Value::Null)), format!("{expected:?}"));
            }
        }
    }
}

#[test]
fn a_fraction_to_which_whole_numbers_are_rounded_is_left_to_the_engine() {
    let nodes = [NewNode { labels: vec![], properties: vec![("a".to_owned(), Value::Int((1 << 53) + 1))] }];
    let graph = PropertyGraph::new(&nodes, &[], true).unwrap();
    let filter = NodeFilter {
        labels: vec![],
        conditions: vec![Condition {
            property: PropertyKey(0),
            test: Test::Equals(Value::Float(9_007_199_254_740_992.0)),
        }],
    };
    let mut found = Vec::new();
    graph.scan(&filter, None, 10, &mut found).unwrap();
    assert_eq!(found.len(), 1);
}
