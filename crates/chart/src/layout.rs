//! Where the nodes of a graph stand: near to what they are linked with, apart from everything else, the same every time.

use crate::graph_input::Graph;

/// How far apart linked nodes would like to be, in pixels.
const DISTANCE: f64 = 100.0;
/// Beyond that many distances nodes do not push each other.
const REACH: f64 = 4.0;
/// Pictures are wider than high.
const FLATNESS: f64 = 0.62;
const COLUMN: f64 = 220.0;
const LINE: f64 = 110.0;
/// How much everything is drawn to the middle.
const GRAVITY: f64 = 0.05;
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// A place for each node.
pub(crate) fn places(graph: &Graph) -> Vec<(f64, f64)> {
    if graph.nodes.iter().all(|node| node.layer.is_some()) { in_columns(graph) } else { by_forces(graph) }
}

/// One column for each layer, its nodes in the order in which they were met.
fn in_columns(graph: &Graph) -> Vec<(f64, f64)> {
    let layer = |node: usize| graph.nodes[node].layer.unwrap_or_default();
    let mut heights = std::collections::BTreeMap::<i64, usize>::new();
    let lines: Vec<usize> = (0..graph.nodes.len())
        .map(|node| {
            let height = heights.entry(layer(node)).or_default();
            *height += 1;
            *height - 1
        })
        .collect();
    #[expect(clippy::cast_precision_loss, reason = "a graph has few nodes and layers")]
    let place = |(node, line): (usize, &usize)| {
        let height = heights.get(&layer(node)).copied().unwrap_or(1) as f64;
        (layer(node) as f64 * COLUMN, (*line as f64 - (height - 1.0) / 2.0) * LINE)
    };
    lines.iter().enumerate().map(place).collect()
}

/// Nodes push each other away, links pull, and everything is drawn to the middle, less and less.
fn by_forces(graph: &Graph) -> Vec<(f64, f64)> {
    let count = graph.nodes.len();
    let mut places = spiral(graph);
    let rounds = (40_000 / count.max(1)).clamp(40, 300);
    for round in 0..rounds {
        #[expect(clippy::cast_precision_loss, reason = "rounds are few")]
        let heat = DISTANCE * (1.0 - round as f64 / rounds as f64).max(0.02);
        let mut moves = pushes(&places);
        for link in graph.links.iter().filter(|link| link.source != link.target) {
            let (dx, dy, length) = between(places[link.source], places[link.target]);
            let pull = length / DISTANCE;
            for (node, sign) in [(link.source, 1.0), (link.target, -1.0)] {
                moves[node].0 += sign * dx * pull;
                moves[node].1 += sign * dy * pull;
            }
        }
        for (place, (dx, dy)) in places.iter_mut().zip(moves) {
            let (dx, dy) = (dx - place.0 * GRAVITY, dy - place.1 * GRAVITY);
            let length = dx.hypot(dy).max(1e-9);
            let step = length.min(heat) / length;
            place.0 += dx * step;
            place.1 += dy * step;
        }
    }
    places.iter().map(|(x, y)| (x.round(), (y * FLATNESS).round())).collect()
}

/// From the middle outwards, what is linked soon after each other.
fn spiral(graph: &Graph) -> Vec<(f64, f64)> {
    let mut places = vec![(0.0, 0.0); graph.nodes.len()];
    for (position, node) in breadth_first(graph).into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a graph has few nodes")]
        let (radius, angle) = ((position as f64).sqrt() * DISTANCE * 0.7, position as f64 * GOLDEN_ANGLE);
        places[node] = (radius * angle.cos(), radius * angle.sin());
    }
    places
}

fn breadth_first(graph: &Graph) -> Vec<usize> {
    let mut neighbours = vec![Vec::new(); graph.nodes.len()];
    for link in &graph.links {
        neighbours[link.source].push(link.target);
        neighbours[link.target].push(link.source);
    }
    let mut starts: Vec<usize> = (0..graph.nodes.len()).collect();
    starts.sort_by_key(|node| std::cmp::Reverse(neighbours[*node].len()));
    let mut seen = vec![false; graph.nodes.len()];
    let mut order = Vec::with_capacity(graph.nodes.len());
    for start in starts {
        let mut next = order.len();
        if !std::mem::replace(&mut seen[start], true) {
            order.push(start);
        }
        while let Some(node) = order.get(next).copied() {
            next += 1;
            order.extend(neighbours[node].iter().copied().filter(|other| !std::mem::replace(&mut seen[*other], true)));
        }
    }
    order
}

/// Only what is near pushes: nodes are sorted into squares, and each looks at its own and those around.
fn pushes(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let reach = DISTANCE * REACH;
    #[expect(clippy::cast_possible_truncation, reason = "squares are counted in small whole numbers")]
    let square = |place: &(f64, f64)| ((place.0 / reach).floor() as i64, (place.1 / reach).floor() as i64);
    let mut squares = rustc_hash::FxHashMap::<(i64, i64), Vec<usize>>::default();
    for (node, place) in places.iter().enumerate() {
        squares.entry(square(place)).or_default().push(node);
    }
    let push_on = |(node, place): (usize, &(f64, f64))| {
        let (column, line) = square(place);
        let mut push = (0.0, 0.0);
        for near in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, line + dy))) {
            for other in squares.get(&near).into_iter().flatten().filter(|other| **other != node) {
                let (dx, dy, length) = between(*place, places[*other]);
                if length < reach {
                    let strength = DISTANCE * DISTANCE / (length * length);
                    push.0 -= dx * strength;
                    push.1 -= dy * strength;
                }
            }
        }
        push
    };
    places.iter().enumerate().map(push_on).collect()
}

fn between(one: (f64, f64), other: (f64, f64)) -> (f64, f64, f64) {
    let (dx, dy) = (other.0 - one.0, other.1 - one.1);
    (dx, dy, dx.hypot(dy).max(1.0))
}
