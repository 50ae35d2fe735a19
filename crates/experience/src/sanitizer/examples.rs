//! What do the examples of the rules stand for?
//!
//! A real-looking token in a source file wakes every scanner that reads it. So examples name the random part: `{n36}` is 36
//! letters and digits. The letters: `n` both cases and digits, `l` small letters and digits, `U` capitals and digits, `u`
//! capitals and 2 to 7, `h` hexadecimal, `d` digits, `a` letters, `w` letters, digits, `-` and `_`.

/// The text of an example, the same at every run.
pub(super) fn expand(example: &str) -> String {
    let mut out = String::new();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut rest = example;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        match random_part(rest) {
            Some((alphabet, length, end)) => {
                for _ in 0..length {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    out.push(char::from(alphabet[(state >> 33) as usize % alphabet.len()]));
                }
                rest = &rest[end..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn random_part(text: &str) -> Option<(&'static [u8], usize, usize)> {
    let end = text.find('}')?;
    let alphabet: &[u8] = match text.as_bytes().get(1)? {
        b'n' => b"aB3cD4eF5gH6iJ7kL8mN9oP1qR2sT0uVwXyZ",
        b'l' => b"a3b4c5d6e7f8g9h0jklmnpqrstuvwxyz",
        b'U' => b"A3B4C5D6E7F8G9H0JKLMNPQRSTUVWXYZ",
        b'u' => b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
        b'h' => b"0123456789abcdef",
        b'd' => b"1234567890",
        b'a' => b"aBcDeFgHiJkLmNoPqRsTuVwXyZ",
        b'w' => b"aB3cD4eF5gH6iJ7kL8mN9oP1qR2sT0uVwXyZ-_7Q2",
        _ => return None,
    };
    let length = text.get(2..end)?.parse().ok()?;
    Some((alphabet, length, end + 1))
}
