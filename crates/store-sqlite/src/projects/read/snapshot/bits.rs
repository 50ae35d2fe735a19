//! A set of small numbers.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(super) fn all(count: usize) -> Self {
        Self(vec![u64::MAX; count.div_ceil(64)])
    }

    pub(super) fn set(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Numbers outside of the set's range are not in it.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
    }

    pub(super) fn keep(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }
}
