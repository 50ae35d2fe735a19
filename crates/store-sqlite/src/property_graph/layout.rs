//! Labels in a table of their own and properties in JSON, as a filter sees them.

use graph::{LabelKey, PropertyKey};

use crate::filter::{Kind, Layout};

#[derive(Debug, Clone, Copy)]
pub(super) struct JsonLayout;

impl Layout for JsonLayout {
    fn has_label(&self, labels: &[LabelKey]) -> String {
        let labels: Vec<_> = labels.iter().map(|label| label.0.to_string()).collect();
        format!(
            "EXISTS (SELECT 1 FROM node_label WHERE node_label.node = node.id AND label IN ({}))",
            labels.join(", ")
        )
    }

    /// What is an object is a value that SQL cannot compare, so it always may fit.
    fn holds(&self, property: PropertyKey, kind: Kind, predicate: &dyn Fn(&str) -> String) -> Option<String> {
        let path = format!("'$.\"{}\"'", property.0);
        let kind_of = format!("json_type(node.properties, {path})");
        let expression = format!("(node.properties ->> {path})");
        let typed = match kind {
            Kind::GivenText | Kind::Text => "text",
            Kind::Number => "integer",
            Kind::Any => return Some(format!("{kind_of} IS NOT NULL")),
        };
        let fits = predicate(&expression);
        Some(format!("CASE {kind_of} WHEN '{typed}' THEN ({fits}) WHEN 'object' THEN TRUE ELSE FALSE END"))
    }
}
