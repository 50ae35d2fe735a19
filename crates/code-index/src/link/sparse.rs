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

impl<T> Default for Sparse<T>
where
    T: Default,
{
    fn default() -> Self {
        Self { places: Vec::new(), kept: vec![T::default()] }
    }
}

impl<T: Default + Clone> Sparse<T> {
    /// Makes it at least so long.
    pub(super) fn grow(&mut self, length: usize) {
        self.places.resize(length.max(self.places.len()), 0);
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
}
