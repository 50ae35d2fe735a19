//! What is kept of a vector: its direction, in one byte for each dimension.

/// The direction of a vector. Two of them say how near they are by [`Vector::nearness`].
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    values: Box<[i8]>,
    /// What a step of the values is worth, such that the vector has length 1.
    factor: f32,
}

impl Vector {
    /// `None` of a vector without length, or one that holds what is no number.
    pub fn new(numbers: &[f32]) -> Option<Self> {
        let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        if !(largest > 0.0 && largest.is_finite() && numbers.iter().all(|number| number.is_finite())) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is between -127 and 127")]
        let values: Box<[i8]> = numbers.iter().map(|number| (number / largest * 127.0).round() as i8).collect();
        Some(Self { factor: factor(&values)?, values })
    }

    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    pub fn values(&self) -> &[i8] {
        &self.values
    }

    pub fn factor(&self) -> f32 {
        self.factor
    }

    /// From values as [`Vector::values`] gave them.
    pub fn of_values(values: &[i8]) -> Option<Self> {
        Some(Self { factor: factor(values)?, values: values.into() })
    }

    /// The cosine of the angle between the two: 1 where they point the same way.
    pub fn nearness(&self, other: &Self) -> f32 {
        product(&self.values, &other.values) as f32 * self.factor * other.factor
    }
}

fn factor(values: &[i8]) -> Option<f32> {
    let squared = product(values, values);
    (squared > 0).then(|| 1.0 / (squared as f32).sqrt())
}

/// How many numbers are multiplied at a time: the compiler makes a few instructions of it.
const AT_A_TIME: usize = 16;

/// The sum of products. Exact: 127² times the dimensions of any model is far below the largest number.
pub(super) fn product(one: &[i8], other: &[i8]) -> i32 {
    let mut sums = [0_i32; AT_A_TIME];
    let (ones, others) = (one.chunks_exact(AT_A_TIME), other.chunks_exact(AT_A_TIME));
    let rest: i32 =
        ones.remainder().iter().zip(others.remainder()).map(|(one, other)| i32::from(*one) * i32::from(*other)).sum();
    for (one, other) in ones.zip(others) {
        for place in 0..AT_A_TIME {
            sums[place] += i32::from(i16::from(one[place]) * i16::from(other[place]));
        }
    }
    sums.iter().sum::<i32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_near_as_their_numbers_are() {
        let numbers = |seed: u32| -> Vec<f32> {
            let mut state = seed;
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 8) as f32 / 8_388_608.0 - 1.0
            };
            (0..250).map(|_| next()).collect()
        };
        let cosine = |one: &[f32], other: &[f32]| {
            let product = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
            product(one, other) / (product(one, one) * product(other, other)).sqrt()
        };
        for seed in 1..20 {
            let (one, other) = (numbers(seed), numbers(seed * 31));
            let found = Vector::new(&one).unwrap().nearness(&Vector::new(&other).unwrap());
            assert!((found - cosine(&one, &other)).abs() < 0.01, "{found} {}", cosine(&one, &other));
            let itself = Vector::new(&one).unwrap();
            assert!((itself.nearness(&itself) - 1.0).abs() < 1e-4);
            assert_eq!(Vector::of_values(itself.values()), Some(itself));
        }
    }

    #[test]
    fn what_points_nowhere_is_no_vector() {
        assert_eq!(Vector::new(&[]), None);
        assert_eq!(Vector::new(&[0.0; 8]), None);
        assert_eq!(Vector::new(&[1.0, f32::NAN]), None);
        assert_eq!(Vector::new(&[1.0, f32::INFINITY]), None);
        assert_eq!(Vector::of_values(&[0; 4]), None);
    }
}
