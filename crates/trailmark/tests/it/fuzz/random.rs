//! A small seeded generator: the same seed gives the same messages on every machine.

/// Xorshift with a multiplication at the end (`xorshift64*`).
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        // Neighbouring seeds must not give neighbouring numbers, and a state of zero would stay zero.
        let mut random = Self((seed ^ 0x9E37_79B9_7F4A_7C15).max(1));
        for _ in 0..8 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number from 0 up to, but not including, `end`; 0 where `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next() >> 32) * end as u128;
        usize::try_from(wide >> 32).expect("it is below a usize")
    }

    /// True once in `times`, on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[7]
    }
}
