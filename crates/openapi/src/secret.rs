//! What must never be seen: it goes into requests, and into nothing else.

use std::fmt;

use crate::request::{Part, encoded};

const MASK: &str = "[redacted]";
/// Shorter ones would be found in any text.
const SHORTEST_MASKED: usize = 6;

#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The value without the line end that files and shells leave on it.
    pub fn new(value: &str) -> Self {
        Self(value.trim().to_owned())
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without this secret, should a service repeat it as it is, as a part of an address, or as JSON.
    pub(crate) fn mask(&self, text: &mut String) {
        if self.0.len() < SHORTEST_MASKED {
            return;
        }
        let in_address = encoded(&self.0, Part::Query { allow_reserved: false });
        let in_json = serde_json::Value::from(self.0.as_str()).to_string();
        // Without the quotes around it.
        let in_json = &in_json[1..in_json.len() - 1];
        for written in [self.0.as_str(), &in_address, &encoded(&self.0, Part::FormBody), in_json] {
            if text.contains(written) {
                *text = text.replace(written, MASK);
            }
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}
