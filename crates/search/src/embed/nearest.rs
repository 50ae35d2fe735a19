//! Which of many vectors are nearest to one? Every one is compared.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::vector::{Vector, product};

/// Vectors of one embedder, side by side in memory.
#[derive(Debug, Default)]
pub struct Nearest {
    dimensions: usize,
    values: Vec<i8>,
    factors: Vec<f32>,
}

/// One that is near: its place in the order in which they were added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    pub place: usize,
    /// The cosine of the angle.
    pub nearness: f32,
}

impl Nearest {
    /// For so many vectors with so many dimensions.
    pub fn new(dimensions: usize, capacity: usize) -> Self {
        Self { dimensions, values: Vec::with_capacity(dimensions * capacity), factors: Vec::with_capacity(capacity) }
    }

    pub fn len(&self) -> usize {
        self.factors.len()
    }

    pub fn is_empty(&self) -> bool {
        self.factors.is_empty()
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Adds one, if it has as many dimensions as the others. Whether it was added.
    pub fn add(&mut self, values: &[i8], factor: f32) -> bool {
        let fits = values.len() == self.dimensions && self.dimensions > 0;
        if fits {
            self.values.extend_from_slice(values);
            self.factors.push(factor);
        }
        fits
    }

    /// Calls back with the place and the nearness of each.
    pub fn each(&self, to: &Vector, mut each: impl FnMut(usize, f32)) {
        if to.dimensions() != self.dimensions || self.dimensions == 0 {
            return;
        }
        for (place, (values, factor)) in self.values.chunks_exact(self.dimensions).zip(&self.factors).enumerate() {
            each(place, product(values, to.values()) as f32 * factor * to.factor());
        }
    }

    /// The nearest that point at all the same way, best first; equally near ones in their order.
    pub fn nearest(&self, to: &Vector, limit: usize) -> Vec<Near> {
        if limit == 0 {
            return Vec::new();
        }
        let mut best: BinaryHeap<Least> = BinaryHeap::with_capacity(limit + 1);
        let mut floor = 0.0_f32;
        self.each(to, |place, nearness| {
            if nearness > floor {
                best.push(Least(Near { place, nearness }));
                if best.len() > limit {
                    best.pop();
                }
                if best.len() == limit {
                    floor = best.peek().map_or(0.0, |least| least.0.nearness);
                }
            }
        });
        best.into_sorted_vec().into_iter().map(|Least(near)| near).collect()
    }
}

/// Ordered such that the one to leave first is the greatest.
#[derive(Debug, PartialEq)]
struct Least(Near);

impl Eq for Least {}

impl Ord for Least {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.nearness.total_cmp(&self.0.nearness).then(self.0.place.cmp(&other.0.place))
    }
}

impl PartialOrd for Least {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_those_that_point_away_not_at_all() {
        let vectors = [[1.0, 0.0], [0.7, 0.7], [-1.0, 0.0], [0.9, 0.1], [0.0, 1.0]];
        let mut nearest = Nearest::new(2, vectors.len());
        for numbers in &vectors {
            let vector = Vector::new(numbers).unwrap();
            assert!(nearest.add(vector.values(), vector.factor()));
        }
        assert!(!nearest.add(&[1, 2, 3], 1.0), "it has another number of dimensions");
        let question = Vector::new(&[1.0, 0.05]).unwrap();
        let places = |limit| nearest.nearest(&question, limit).iter().map(|near| near.place).collect::<Vec<_>>();
        assert_eq!(places(2), [0, 3]);
        assert_eq!(places(9), [0, 3, 1, 4]);
        assert_eq!(places(0), [0; 0]);
        assert_eq!(nearest.nearest(&Vector::new(&[1.0]).unwrap(), 3), []);
    }
}
