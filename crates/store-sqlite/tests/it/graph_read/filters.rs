//! Whatever a filter asks for, looking at it beforehand leaves out no node that fits.

use graph::{
    Bound, Condition, Confidence, Edge, Label, LabelKey, Node, NodeFilter, NodeId, PropertyKey, Relation, Resolution,
    Test, TextRelation, Value,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use store::projects::file_id;
use store::{FileUpdate, GraphUpdate, Part};

use super::matching::fits;
use super::{SNAPSHOT, SQL, Sample, WITHOUT_FILTERS, scan};
use crate::sample::record;

/// With letters whose lower case is ASCII though they are not, that grow when they change case, and a zero character.
const WORDS: [&str; 16] = [
    "",
    "a",
    "A",
    "user",
    "User",
    "getUser",
    "user_id",
    "ÜSER",
    "üser",
    "索引",
    "\u{212A}ey",
    "\u{130}d",
    "x\0user",
    "σς",
    "\u{10FFFF}",
    "ΣΑΣ",
];
const PATHS: [&str; 4] = ["a.py", "src/User.py", "Üb/x.py", "src/deep/b.py"];
const PROPERTIES: u32 = 14;

fn any_text() -> impl Strategy<Value = String> {
    vec(select(&WORDS[..]), 0..3).prop_map(|words| words.concat())
}

fn any_node() -> impl Strategy<Value = Node> {
    let texts = (any_text(), any_text(), option::of(any_text()), option::of(any_text()));
    let lists = (vec(any_text(), 0..2), vec(any_text(), 0..2));
    (select(&Label::ALL[..]), option::of(select(&PATHS[..])), texts, lists, (0..4_u32, 0..4_u32)).prop_map(
        |(label, path, (name, qualified_name, signature, docstring), (decorators, modifiers), lines)| Node {
            id: NodeId::of(label, &qualified_name),
            label,
            name,
            qualified_name,
            file: path.map(file_id),
            start_line: lines.0,
            end_line: lines.1,
            own_line: lines.0,
            signature,
            docstring,
            decorators,
            modifiers,
        },
    )
}

/// The update that stores these nodes, each related to the next.
fn update(nodes: Vec<Node>) -> GraphUpdate {
    let part_of = |file: Option<NodeId>| {
        let nodes: Vec<_> = nodes.iter().filter(|node| node.file == file).cloned().collect();
        let edges = nodes.windows(2).map(|pair| edge(pair[0].id, pair[1].id)).collect();
        Part { nodes, edges }
    };
    let file = |path: &str| FileUpdate {
        record: record(path),
        facts: None,
        part: Some(part_of(Some(file_id(path)))),
        words: None,
    };
    GraphUpdate { files: PATHS.map(file).into(), structure: Some(part_of(None)), ..GraphUpdate::default() }
}

fn edge(from: NodeId, to: NodeId) -> Edge {
    Edge {
        from,
        relation: Relation::Calls,
        to,
        line: 1,
        resolution: Resolution::Scope,
        confidence: Confidence::CERTAIN,
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let whole = prop_oneof![-1..5_i64, Just(i64::MAX), Just(i64::MIN)];
    let fraction = select(&[0.0, 1.0, 1.5, -0.0, f64::NAN, f64::INFINITY, 1e300][..]);
    let texts = prop_oneof![any_text(), select(&PATHS[..]).prop_map(str::to_owned)];
    prop_oneof![
        4 => texts.prop_map(|text| Value::Text(text.into())),
        3 => whole.prop_map(Value::Int),
        1 => fraction.prop_map(Value::Float),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => any_text().prop_map(|text| Value::List([Value::Text(text.into())].into())),
    ]
}

fn any_bound() -> impl Strategy<Value = Option<Bound>> {
    option::of((any_value(), any::<bool>()).prop_map(|(value, inclusive)| Bound { value, inclusive }))
}

fn any_test() -> impl Strategy<Value = Test> {
    const RELATIONS: [TextRelation; 4] =
        [TextRelation::Is, TextRelation::Contains, TextRelation::StartsWith, TextRelation::EndsWith];
    let part = prop_oneof![
        any_text(),
        select(&["use", "ser", "i", "k", ".py", "src/", "ss", "ü"][..]).prop_map(str::to_owned)
    ];
    prop_oneof![
        3 => any_value().prop_map(Test::Equals),
        2 => vec(any_value(), 0..5).prop_map(Test::OneOf),
        6 => (select(&RELATIONS[..]), part, any::<bool>()).prop_map(|(relation, wanted, lower_case)| Test::Text {
            relation,
            wanted: wanted.into(),
            lower_case,
        }),
        3 => (any_bound(), any_bound()).prop_map(|(low, high)| Test::Between { low, high }),
        1 => Just(Test::Exists),
    ]
}

fn any_filter() -> impl Strategy<Value = NodeFilter> {
    let labels = vec(vec((0..14_u32).prop_map(LabelKey), 0..10), 0..2);
    let condition = (0..PROPERTIES, any_test()).prop_map(|(key, test)| Condition { property: PropertyKey(key), test });
    (labels, vec(condition, 0..3)).prop_map(|(labels, conditions)| NodeFilter { labels, conditions })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_filter_leaves_out_no_node_that_fits(nodes in vec(any_node(), 0..40), filters in vec(any_filter(), 40)) {
        let sample = Sample::new();
        sample.project.apply(&update(nodes)).unwrap();
        let projects = [SQL, SNAPSHOT, WITHOUT_FILTERS].map(|reading| sample.read(reading));
        let readers: Vec<_> = projects.iter().map(|project| project.reader().unwrap()).collect();
        let all = scan(&*readers[2], &NodeFilter::default(), usize::MAX);
        for filter in &filters {
            let expected: Vec<_> = all.iter().copied().filter(|node| fits(&*readers[2], *node, filter)).collect();
            for reader in &readers {
                let found = scan(&**reader, filter, 3);
                prop_assert!(found.is_sorted(), "{filter:?}");
                let fitting: Vec<_> = found.iter().copied().filter(|node| fits(&**reader, *node, filter)).collect();
                prop_assert_eq!(&fitting, &expected, "{:?}", filter);
            }
            prop_assert_eq!(scan(&*readers[2], filter, usize::MAX), &all[..]);
        }
    }
}

#[test]
fn what_sql_and_snapshots_know_is_used() {
    let sample = Sample::new();
    let node = |name: &str, line| Node {
        name: name.to_owned(),
        start_line: line,
        ..crate::sample::node(Label::Function, &format!("some.{name}"), None)
    };
    let nodes = vec![node("one", 1), node("Two", 2), node("three", 3)];
    sample
        .project
        .apply(&GraphUpdate { structure: Some(Part { nodes, edges: vec![] }), ..GraphUpdate::default() })
        .unwrap();
    for reading in [SQL, SNAPSHOT] {
        let project = sample.read(reading);
        let reader = project.reader().unwrap();
        let check = |property: &str, test: Test, expected: usize| {
            let condition = Condition { property: reader.property(property).unwrap(), test };
            let filter =
                NodeFilter { labels: vec![vec![reader.label("Function").unwrap()]], conditions: vec![condition] };
            assert_eq!(scan(&*reader, &filter, 10).len(), expected, "{filter:?}");
        };
        let text = |relation, wanted: &str, lower_case| Test::Text { relation, wanted: wanted.into(), lower_case };
        check("name", Test::Equals(super::text("one")), 1);
        check("qualified_name", Test::Equals(super::text("some.one")), 1);
        check("name", Test::OneOf(vec![super::text("one"), super::text("three"), Value::Int(1)]), 2);
        check("name", text(TextRelation::Contains, "t", false), 1);
        check("name", text(TextRelation::Contains, "t", true), 2);
        check("qualified_name", text(TextRelation::StartsWith, "some.t", false), 1);
        check("file_path", text(TextRelation::Contains, "o", false), 0);
        check(
            "line_start",
            Test::Between { low: Some(Bound { value: Value::Int(1), inclusive: false }), high: None },
            2,
        );
        check("line", Test::Exists, 0);
    }
}
