//! The vectors of one file as bytes.

use search::embed::Vector;
use search::file_words::{PartVector, number, put};

/// All have the same number of dimensions; what has another is left out.
pub(super) fn encode(vectors: &[PartVector]) -> Vec<u8> {
    let dimensions = vectors.first().map_or(0, |first| first.vector.dimensions());
    let fits = |vector: &Vector| vector.dimensions() == dimensions;
    let vectors: Vec<&PartVector> = vectors.iter().filter(|part| fits(&part.vector)).collect();
    let mut bytes = Vec::with_capacity(vectors.len() * (dimensions + 8) + 4);
    put(&mut bytes, dimensions as u32);
    put(&mut bytes, vectors.len() as u32);
    for part in vectors {
        put(&mut bytes, part.start_line);
        put(&mut bytes, part.end_line.saturating_sub(part.start_line));
        bytes.extend(part.vector.factor().to_le_bytes());
        bytes.extend(part.vector.values().iter().map(|value| value.cast_unsigned()));
    }
    bytes
}

/// One vector, as it is read.
#[derive(Debug)]
pub(super) struct Stored<'a> {
    pub(super) start_line: u32,
    pub(super) end_line: u32,
    pub(super) factor: f32,
    pub(super) values: &'a [u8],
}

/// Calls back with each; `None` where the bytes were not written by [`encode`].
pub(super) fn each(mut bytes: &[u8], mut each: impl FnMut(Stored<'_>)) -> Option<()> {
    let dimensions = number(&mut bytes)? as usize;
    for _ in 0..number(&mut bytes)? {
        let start_line = number(&mut bytes)?;
        let end_line = start_line.checked_add(number(&mut bytes)?)?;
        let (factor, rest) = bytes.split_first_chunk::<4>()?;
        let (values, rest) = rest.split_at_checked(dimensions)?;
        each(Stored { start_line, end_line, factor: f32::from_le_bytes(*factor), values });
        bytes = rest;
    }
    bytes.is_empty().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_come_back_as_they_were() {
        let part = |start_line: u32, numbers: &[f32]| PartVector {
            start_line,
            end_line: start_line + 3,
            vector: Vector::new(numbers).unwrap(),
        };
        let parts = [part(0, &[1.0, -0.5]), part(4, &[0.25, 0.5]), part(9, &[1.0])];
        let bytes = encode(&parts);
        let mut read = Vec::new();
        let whole = each(&bytes, |stored| {
            let values: Vec<i8> = stored.values.iter().map(|byte| byte.cast_signed()).collect();
            let vector = Vector::of_values(&values).unwrap();
            assert!((vector.factor() - stored.factor).abs() < 1e-6);
            read.push(PartVector { start_line: stored.start_line, end_line: stored.end_line, vector });
        });
        assert_eq!((whole, read.as_slice()), (Some(()), &parts[..2]));
        assert_eq!(each(&bytes[..bytes.len() - 1], |_| {}), None);
        assert_eq!(each(&encode(&[]), |_| panic!("there is none")), Some(()));
    }
}
