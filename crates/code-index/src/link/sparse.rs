//! A long list in which most items are as they were at first.

use super::program::number;

/// Items that were never changed take the room of a number.
#[derive(Debug)]
pub(super) struct Sparse<T> {
    /// Of each item: where it is among `kept`; 0 for one that was never changed.
    places: Vec<u32>,
    /// The first is what the unchanged ones are.
    kept: Vec<T>,
}

impl<T: Default + Clone> Sparse<T> {
    pub(super) fn new(length: usize) -> Self {
        Self { places: vec![0; length], kept: vec![T::default()] }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn push_unchanged(&mut self) {
        self.places.push(0);
    }

    pub(super) fn get(&self, item: u32) -> &T {
        &self.kept[self.places[item as usize] as usize]
    }

    pub(super) fn get_mut(&mut self, item: u32) -> &mut T {
        let place = &mut self.places[item as usize];
        if *place == 0 {
            *place = number(self.kept.len());
            self.kept.push(T::default());
        }
        &mut self.kept[*place as usize]
    }

    /// Leaves it as it was at first.
    pub(super) fn take(&mut self, item: u32) -> T {
        match self.places[item as usize] {
            0 => T::default(),
            place => std::mem::take(&mut self.kept[place as usize]),
        }
    }

    /// All items up to this one are as they were at first.
    pub(super) fn reset(&mut self, end: usize) {
        for place in self.places[..end].iter().filter(|place| **place != 0) {
            self.kept[*place as usize] = T::default();
        }
    }
}
