//! How the text of a file is written as bytes, so that it can be written the same way again.

/// The encodings that a file is read and written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf8WithMark,
    Utf16LittleEndian,
    Utf16BigEndian,
    /// Where nothing else fits: every byte is a character, so that no byte gets lost.
    Latin1,
}

/// Encodings that say what they are in their first bytes.
const MARKED: [(Encoding, &[u8]); 3] = [
    (Encoding::Utf8WithMark, b"\xef\xbb\xbf"),
    (Encoding::Utf16LittleEndian, b"\xff\xfe"),
    (Encoding::Utf16BigEndian, b"\xfe\xff"),
];

impl Encoding {
    /// The encoding that the first bytes of a file name.
    pub(super) fn marked(head: &[u8]) -> Option<Self> {
        MARKED.iter().find(|(_, mark)| head.starts_with(mark)).map(|(encoding, _)| *encoding)
    }

    /// The bytes in front of the text.
    pub(super) fn mark(self) -> &'static [u8] {
        MARKED.iter().find(|(encoding, _)| *encoding == self).map(|(_, mark)| *mark).unwrap_or_default()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Utf8 | Self::Utf8WithMark => "UTF-8",
            Self::Utf16LittleEndian | Self::Utf16BigEndian => "UTF-16",
            Self::Latin1 => "Latin-1",
        }
    }

    /// The text of these bytes, without a mark, or nothing if they are not in this encoding.
    pub(super) fn decode(self, bytes: &[u8]) -> Option<String> {
        match self {
            Self::Utf8 | Self::Utf8WithMark => std::str::from_utf8(bytes).ok().map(str::to_owned),
            Self::Utf16LittleEndian => decode_utf16(bytes, u16::from_le_bytes),
            Self::Utf16BigEndian => decode_utf16(bytes, u16::from_be_bytes),
            Self::Latin1 => Some(bytes.iter().map(|byte| char::from(*byte)).collect()),
        }
    }

    /// The text as a whole file, or a character that this encoding does not have.
    pub(super) fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        let mut bytes = self.mark().to_vec();
        match self {
            Self::Utf8 | Self::Utf8WithMark => bytes.extend_from_slice(text.as_bytes()),
            Self::Utf16LittleEndian => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16BigEndian => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Latin1 => {
                for character in text.chars() {
                    bytes.push(u8::try_from(u32::from(character)).map_err(|_| character)?);
                }
            }
        }
        Ok(bytes)
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<_, _>>().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(encoding: Encoding, text: &str, bytes: &[u8]) {
        assert_eq!(encoding.encode(text).unwrap(), bytes);
        assert_eq!(encoding.decode(&bytes[encoding.mark().len()..]).as_deref(), Some(text));
        let marked = (!encoding.mark().is_empty()).then_some(encoding);
        assert_eq!(Encoding::marked(bytes), marked);
    }

    #[test]
    fn every_encoding_reads_what_it_wrote() {
        check(Encoding::Utf8, "a字\r\n", b"a\xe5\xad\x97\r\n");
        check(Encoding::Utf8WithMark, "a", b"\xef\xbb\xbfa");
        check(Encoding::Utf16LittleEndian, "a字\u{1f642}", b"\xff\xfea\0\x57\x5b\x3d\xd8\x42\xde");
        check(Encoding::Utf16BigEndian, "a\n", b"\xfe\xff\0a\0\n");
        check(Encoding::Latin1, "café", b"caf\xe9");
    }

    #[test]
    fn what_is_not_in_an_encoding_is_found() {
        assert_eq!(Encoding::Utf8.decode(b"caf\xe9"), None);
        assert_eq!(Encoding::Utf16LittleEndian.decode(b"a"), None, "half a unit");
        assert_eq!(Encoding::Utf16LittleEndian.decode(b"\x3d\xd8"), None, "half a character");
        assert_eq!(Encoding::Latin1.encode("a字"), Err('字'));
    }
}
