//! Tables of numbers in a safetensors file: a length, a description in JSON, and bytes.

use serde_json::Value;

/// A table of numbers, row by row.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) numbers: Vec<f32>,
}

impl Table {
    pub(crate) fn row(&self, place: usize) -> Option<&[f32]> {
        self.numbers.get(place.checked_mul(self.columns)?..)?.get(..self.columns)
    }
}

/// What a file holds.
pub(crate) struct Tables<'a> {
    description: Value,
    bytes: &'a [u8],
}

impl<'a> Tables<'a> {
    pub(crate) fn read(file: &'a [u8]) -> Result<Self, String> {
        let (length, rest) = file.split_first_chunk::<8>().ok_or("it is too short")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|error| error.to_string())?;
        let (description, bytes) = rest.split_at_checked(length).ok_or("it ends within its description")?;
        let description = serde_json::from_slice(description).map_err(|error| format!("its description: {error}"))?;
        Ok(Self { description, bytes })
    }

    /// The table of embeddings, whatever it is called: the one with two dimensions.
    pub(crate) fn embeddings(&self) -> Result<Table, String> {
        let named = ["embeddings", "embedding.weight"].into_iter().find(|name| self.description.get(name).is_some());
        let is_table = |described: &Value| described["shape"].as_array().is_some_and(|shape| shape.len() == 2);
        let any = || {
            let all = self.description.as_object()?;
            all.iter().find(|(_, described)| is_table(described)).map(|(name, _)| name.as_str())
        };
        let name = named.or_else(any).ok_or("it holds no table with two dimensions")?;
        let table = self.table(name)?.ok_or("it holds no table with two dimensions")?;
        if table.columns == 0 || table.rows == 0 { Err(format!("its table {name} is empty")) } else { Ok(table) }
    }

    /// The table or list of this name, if there is one.
    pub(crate) fn table(&self, name: &str) -> Result<Option<Table>, String> {
        let Some(described) = self.description.get(name) else { return Ok(None) };
        let numbers = |key: &str| -> Option<Vec<usize>> {
            described[key].as_array()?.iter().map(|number| usize::try_from(number.as_u64()?).ok()).collect()
        };
        let broken = || format!("its table {name} is described wrongly");
        let (shape, offsets) = (numbers("shape").ok_or_else(broken)?, numbers("data_offsets").ok_or_else(broken)?);
        let (rows, columns) = match shape[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            _ => return Err(broken()),
        };
        let [from, to] = offsets[..] else { return Err(broken()) };
        let bytes = self.bytes.get(from..to).ok_or_else(broken)?;
        let kind = described["dtype"].as_str().unwrap_or_default();
        let numbers = read_numbers(kind, bytes).ok_or_else(|| format!("its table {name} holds {kind}"))?;
        if rows.checked_mul(columns) == Some(numbers.len()) {
            Ok(Some(Table { rows, columns, numbers }))
        } else {
            Err(broken())
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a model needs no more")]
fn read_numbers(kind: &str, bytes: &[u8]) -> Option<Vec<f32>> {
    Some(match kind {
        "F32" => bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        "F64" => bytes.as_chunks::<8>().0.iter().map(|eight| f64::from_le_bytes(*eight) as f32).collect(),
        "F16" => bytes.as_chunks::<2>().0.iter().map(|two| half(u16::from_le_bytes(*two))).collect(),
        "BF16" => {
            let bits = |two: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*two)) << 16);
            bytes.as_chunks::<2>().0.iter().map(bits).collect()
        }
        "I8" => bytes.iter().map(|byte| f32::from(byte.cast_signed())).collect(),
        "I64" => bytes.as_chunks::<8>().0.iter().map(|eight| i64::from_le_bytes(*eight) as f32).collect(),
        _ => return None,
    })
}

/// A number of 16 bits: sign, 5 bits of exponent, 10 of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff) / 1_024.0);
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        31 if fraction > 0.0 => f32::NAN,
        31 => f32::INFINITY,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(description: &str, bytes: &[u8]) -> Vec<u8> {
        [&(description.len() as u64).to_le_bytes(), description.as_bytes(), bytes].concat()
    }

    #[test]
    fn halves_are_the_numbers_they_stand_for() {
        for (bits, number) in
            [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0x0001, 5.960_464_5e-8), (0, 0.0)]
        {
            assert!((half(bits) - number).abs() <= f32::EPSILON * number.abs(), "{bits:x}");
        }
        assert!(half(0x7c00).is_infinite() && half(0x7c01).is_nan());
    }

    #[test]
    fn a_table_is_read_and_what_is_none_is_refused() {
        let description =
            r#"{"some.table":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"__metadata__":{"a":"b"}}"#;
        let whole = file(description, &[0, 0, 128, 63, 0, 0, 0, 64]);
        let table = Tables::read(&whole).unwrap().embeddings().unwrap();
        assert_eq!((table.row(0), table.row(1), table.row(2)), (Some(&[1.0][..]), Some(&[2.0][..]), None));
        let cut = file(description, &[0, 0, 128, 63]);
        assert!(Tables::read(&cut).unwrap().embeddings().is_err());
        for broken in [&b""[..], b"12345678", &file("{", &[]), &u64::MAX.to_le_bytes()] {
            assert!(Tables::read(broken).is_err());
        }
        assert!(Tables::read(&file("{}", &[])).unwrap().embeddings().is_err());
    }
}
