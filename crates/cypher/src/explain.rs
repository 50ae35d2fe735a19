//! A plan as lines of text, the first operator first.

use graph::{Direction, GraphRead, Test, TextRelation};

use crate::plan::{Expand, Operator, Pipeline, Scan};

pub(crate) fn lines(pipeline: &Pipeline, graph: &dyn GraphRead) -> Vec<String> {
    let mut printer = Printer { graph, lines: Vec::new() };
    printer.pipeline(pipeline, 0);
    if printer.lines.is_empty() {
        printer.lines.push("One row".to_owned());
    }
    printer.lines
}

struct Printer<'a> {
    graph: &'a dyn GraphRead,
    lines: Vec<String>,
}

impl Printer<'_> {
    fn pipeline(&mut self, pipeline: &Pipeline, depth: usize) {
        for operator in &pipeline.operators {
            let text = self.operator(operator);
            self.lines.push(format!("{}{text}", "  ".repeat(depth)));
            match operator {
                Operator::Optional { inner, .. } | Operator::Apply { inner } => self.pipeline(inner, depth + 1),
                Operator::Union { parts, .. } => {
                    for part in parts {
                        self.lines.push(format!("{}Part", "  ".repeat(depth + 1)));
                        self.pipeline(part, depth + 2);
                    }
                }
                _ => {}
            }
        }
    }

    fn operator(&self, operator: &Operator) -> String {
        match operator {
            Operator::Scan(scan) => self.scan(scan),
            Operator::Expand(expand) => format!("Expand {}", self.expand(expand)),
            Operator::CountExpand { expand, filters, .. } if filters.is_empty() => {
                format!("CountByDegree {}", self.expand(expand))
            }
            Operator::CountExpand { expand, .. } => format!("CountExpand {}", self.expand(expand)),
            Operator::VariableExpand(expand) => {
                let kind = if expand.ends_only { "ReachableNodes" } else { "EveryPath" };
                format!("{kind} {} {}", self.expand(&expand.step), length(expand.min, expand.max))
            }
            Operator::ShortestPath(search) => {
                let kind = if search.every { "AllShortestPaths" } else { "ShortestPath" };
                let expand = &search.expand;
                format!("{kind} {} {}", self.expand(&expand.step), length(expand.min, expand.max))
            }
            Operator::CountEdges { .. } => "CountRelationships".to_owned(),
            Operator::FollowEdge { .. } => "EndsOfRelationship".to_owned(),
            Operator::BindPath { .. } => "BindPath".to_owned(),
            Operator::Filter(_) => "Filter".to_owned(),
            Operator::Assign(items) => format!("Project {} values", items.len()),
            Operator::Unwind { .. } => "Unwind".to_owned(),
            Operator::Optional { .. } => "Optional".to_owned(),
            Operator::Apply { .. } => "Subquery".to_owned(),
            Operator::Union { distinct: Some(_), .. } => "Union".to_owned(),
            Operator::Union { .. } => "UnionAll".to_owned(),
            Operator::Distinct(_) => "Distinct".to_owned(),
            Operator::Aggregate(aggregation) => {
                let late = if aggregation.late.is_some() { " read late" } else { "" };
                format!("Aggregate {} values by {} keys{late}", aggregation.aggregates.len(), aggregation.keys.len())
            }
            Operator::Sort { limit: Some(_), .. } => "SortFirst".to_owned(),
            Operator::Sort { .. } => "Sort".to_owned(),
            Operator::Skip(_) => "Skip".to_owned(),
            Operator::Limit(_) => "Limit".to_owned(),
            Operator::Names { .. } => "Names".to_owned(),
        }
    }

    fn scan(&self, scan: &Scan) -> String {
        if scan.is_empty {
            return format!("NoNodes ({})", scan.name);
        }
        let mut parts = Vec::new();
        for group in &scan.filter.labels {
            let names = self.graph.label_names();
            let name = |key: &graph::LabelKey| names.iter().find(|(known, _)| known == key).map(|(_, name)| &**name);
            parts.push(format!(":{}", group.iter().filter_map(name).collect::<Vec<_>>().join("|")));
        }
        let names = self.graph.property_names();
        let name = |key| names.iter().find(|(known, _)| *known == key).map_or("?", |(_, name)| &**name);
        for condition in &scan.filter.conditions {
            parts.push(format!("{} {}", name(condition.property), test(&condition.test)));
        }
        for condition in &scan.dynamic {
            parts.push(format!("{} from row", name(condition.property)));
        }
        let kind = if parts.iter().any(|part| !part.starts_with(':')) { "NodeLookup" } else { "NodeScan" };
        let about = scan.estimate;
        format!("{kind} ({}) [{}] about {about} nodes", scan.name, parts.join(", "))
    }

    fn expand(&self, expand: &Expand) -> String {
        let arrow = match expand.direction {
            Direction::Outgoing => "forwards",
            Direction::Incoming => "backwards",
            Direction::Either => "both ways",
        };
        let into = if expand.into { " to a known node" } else { "" };
        format!("{} {arrow}{into}", expand.label)
    }
}

fn length(min: u32, max: u32) -> String {
    if max == u32::MAX { format!("{min} steps or more") } else { format!("{min} to {max} steps") }
}

fn test(test: &Test) -> &'static str {
    match test {
        Test::Equals(_) => "=",
        Test::OneOf(_) => "IN",
        Test::Text { relation: TextRelation::Is, .. } => "=",
        Test::Text { relation: TextRelation::Contains, .. } => "CONTAINS",
        Test::Text { relation: TextRelation::StartsWith, .. } => "STARTS WITH",
        Test::Text { relation: TextRelation::EndsWith, .. } => "ENDS WITH",
        Test::Between { .. } => "range",
        Test::Exists => "IS NOT NULL",
    }
}
