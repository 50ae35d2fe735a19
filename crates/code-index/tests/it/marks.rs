//! How are functions marked whose name is not seen by others?

use crate::workbench::Workbench;

#[test]
fn functions_in_objects_and_expressions_are_told_from_those_that_are_declared() {
    let bench = Workbench::new(&[(
        "a.ts",
        "export const declared = () => 1;\n\
         export const handlers = { arrow: () => 2, whole: function () {}, method() {} };\n\
         export function made() { return function inner() {}; }\n\
         export interface Shape { area(): number }\n\
         handlers.given = () => 3;\n",
    )]);
    bench.index();
    let graph = bench.graph();
    let marks = |name: &str| {
        let node = graph.nodes.iter().find(|node| node.name == name && node.start_line > 0);
        node.unwrap_or_else(|| panic!("there is no {name}")).modifiers.clone()
    };
    for name in ["declared", "made"] {
        assert_eq!(marks(name), [""; 0], "{name}");
    }
    for name in ["arrow", "whole", "method"] {
        assert_eq!(marks(name), ["in_object"], "{name}");
    }
    assert_eq!(marks("given"), ["assigned"]);
    assert_eq!((marks("inner"), marks("area")), (vec!["in_expression".to_owned()], vec!["declaration".to_owned()]));
}
