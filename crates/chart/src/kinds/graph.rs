//! Graphs: nodes and what links them.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::{Drawing, Kind, Thinning, note_unused, number_value};
use crate::chart::Marks;
use crate::error::Invalid;
use crate::graph_input::{self, Graph, Node};
use crate::notes::Notes;
use crate::request::{Data, Request};
use crate::{layout, look};

pub(super) const KIND: Kind =
    Kind { name: "graph", summary: "show nodes and their links, from `graph`", build, thinning: Thinning::Never };

/// The smallest and the largest node, in pixels.
const SIZES: (f64, f64) = (8.0, 60.0);
/// Nodes that say no value grow with their links, and shrink where there are many of them.
const PLAIN_SIZES: (f64, f64) = (12.0, 40.0);
const SHRINKING: f64 = 240.0;
/// More labels than that are shown only where one points.
const MOST_LABELS: usize = 150;
const MOST_LINK_LABELS: usize = 80;
/// Letters are a little wider than those of the text itself, for fonts that are.
const LABEL_SIZE: f64 = 14.0;
const LABEL_WIDTH: f64 = 160.0;
/// Room at the sides for the largest node.
const MARGIN: f64 = 40.0;

fn build(request: &Request<'_>, notes: &mut Notes) -> Result<Drawing, Invalid> {
    note_unused(request, false, false, notes);
    let given = match request.data {
        Data::Graph(given) => given,
        Data::Rows(_) => return Err(Invalid::new("data", "is for charts of rows; a graph is drawn from `graph`")),
        Data::Nothing => {
            return Err(Invalid::new(
                "graph",
                "is required but missing: {nodes: [{id, name}], links: [{source, target}]}",
            ));
        }
    };
    let graph = graph_input::read(given, notes)?;
    let categories = Categories::of(&graph);
    let mut option = look::base(request, categories.names.len());
    let mut top = look::below_title(request);
    if request.options.unit().is_some() {
        notes.add("`options.unit` has no effect on a graph chart.");
    }
    option.insert("tooltip".into(), json!({"trigger": "item", "confine": true}));
    if !categories.names.is_empty() {
        let (mut legend, height) = look::legend(top, &categories.names);
        legend["data"] = json!(categories.names);
        option.insert("legend".into(), legend);
        top += height;
    }
    let marks = vec![Marks { items: graph.nodes.len(), links: graph.links.len() }];
    option.insert("series".into(), json!([series(&graph, &categories, top, notes)]));
    Ok(Drawing { option: Value::Object(option), marks })
}

fn series(graph: &Graph, categories: &Categories, top: f64, notes: &mut Notes) -> Value {
    let labels = graph.nodes.len() <= MOST_LABELS;
    let labelled_links = graph.links.iter().filter(|link| link.label.is_some()).count();
    let link_labels = labelled_links > 0 && labelled_links <= MOST_LINK_LABELS;
    if !labels {
        notes.add(format!("More than {MOST_LABELS} nodes: their names are shown where labels do not overlap."));
    }
    let loops = graph.links.iter().filter(|link| link.source == link.target).count();
    if loops > 0 {
        let what = if loops == 1 { "1 link leads".to_owned() } else { format!("{loops} links lead") };
        notes.add(format!("{what} from a node to itself, which ECharts hides under the node."));
    }
    if labelled_links > MOST_LINK_LABELS {
        notes
            .add(format!("More than {MOST_LINK_LABELS} links have labels: each is shown when one points at its link."));
    }
    // In columns, what stands beside a node would lie on its links.
    let below = graph.nodes.iter().all(|node| node.layer.is_some());
    let widest = graph.nodes.iter().map(|node| look::text_width(&node.name, LABEL_SIZE)).fold(0.0, f64::max);
    let widest = widest.min(LABEL_WIDTH).round();
    let (position, left, right) = if below {
        ("bottom", MARGIN + widest / 2.0, MARGIN + widest / 2.0)
    } else {
        ("right", MARGIN, MARGIN + widest)
    };
    let mut series = json!({
        "type": "graph", "layout": "none", "left": number_value(left), "right": number_value(right), "top": top + 30.0, "bottom": 40,
        "preserveAspect": "contain", "roam": true, "draggable": true,
        "categories": categories.names.iter().map(|name| json!({"name": name})).collect::<Value>(),
        "label": {"show": true, "position": position, "color": "#333333", "width": LABEL_WIDTH, "overflow": "truncate"},
        "edgeSymbol": ["none", "arrow"], "edgeSymbolSize": [0, 8],
        "edgeLabel": {"show": link_labels, "fontSize": 10, "color": "#666666"},
        "lineStyle": {"color": "#999999", "width": 1.2, "opacity": 0.8},
        "emphasis": {"focus": "adjacency", "edgeLabel": {"show": labelled_links > 0}},
        "data": nodes(graph, categories),
        "links": links(graph),
    });
    if runs_beside(graph) {
        series["autoCurveness"] = json!(true);
    }
    // ECharts misplaces the labels of links when it also moves those of nodes.
    if !link_labels {
        series["labelLayout"] = json!({"hideOverlap": true});
    }
    series
}

/// Whether links would lie on each other: there and back, or twice the same.
fn runs_beside(graph: &Graph) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    !graph.links.iter().all(|link| seen.insert((link.source.min(link.target), link.source.max(link.target))))
}

fn nodes(graph: &Graph, categories: &Categories) -> Value {
    let sizes = sizes(graph);
    let places = layout::places(graph);
    let one = |(at, node): (usize, &Node)| {
        let (x, y) = places[at];
        let mut value = json!({
            "id": node.id, "name": node.name, "x": number_value(x), "y": number_value(y), "symbolSize": number_value(sizes[at]),
        });
        if let Some(number) = node.value {
            value["value"] = number_value(number);
        }
        if let Some(category) = node.category.as_ref().and_then(|name| categories.positions.get(name)) {
            value["category"] = json!(category);
        }
        value
    };
    graph.nodes.iter().enumerate().map(one).collect()
}

/// By value, or by how many links there are; the area of a node is what grows.
fn sizes(graph: &Graph) -> Vec<f64> {
    let valued = graph.nodes.iter().any(|node| node.value.is_some());
    let mut degrees = vec![0.0_f64; graph.nodes.len()];
    for link in &graph.links {
        degrees[link.source] += 1.0;
        degrees[link.target] += 1.0;
    }
    let value = |(node, degree): (&Node, f64)| if valued { node.value.unwrap_or_default().max(0.0) } else { degree };
    let values: Vec<f64> = graph.nodes.iter().zip(degrees).map(value).collect();
    #[expect(clippy::cast_precision_loss, reason = "a graph has few nodes")]
    let room = SHRINKING / (graph.nodes.len() as f64).sqrt();
    let plain = room.clamp(PLAIN_SIZES.0, PLAIN_SIZES.1);
    let (smallest, largest) = if valued { SIZES } else { ((plain * 0.4).max(SIZES.0), plain) };
    let most = values.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return vec![20.0; values.len()];
    }
    values.iter().map(|value| (smallest + (largest - smallest) * (value / most).sqrt()).round()).collect()
}

fn links(graph: &Graph) -> Value {
    let one = |link: &graph_input::Link| {
        let mut value = json!({"source": graph.nodes[link.source].id, "target": graph.nodes[link.target].id});
        match &link.label {
            Some(label) => value["label"] = json!({"formatter": look::as_template(label)}),
            // Without one ECharts would show both ends.
            None => value["label"] = json!({"show": false}),
        }
        value
    };
    graph.links.iter().map(one).collect()
}

/// The categories in first-seen order.
struct Categories {
    names: Vec<String>,
    positions: FxHashMap<String, usize>,
}

impl Categories {
    fn of(graph: &Graph) -> Self {
        let (mut names, mut positions) = (Vec::new(), FxHashMap::default());
        for name in graph.nodes.iter().filter_map(|node| node.category.as_ref()) {
            positions.entry(name.clone()).or_insert_with(|| {
                names.push(name.clone());
                names.len() - 1
            });
        }
        Self { names, positions }
    }
}
