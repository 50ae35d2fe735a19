//! Scenarios that are known to fail, each with the reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

#[derive(Debug, Default)]
pub struct KnownGaps {
    reasons: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    gap: Vec<Gap>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Gap {
    scenario: String,
    reason: String,
}

impl KnownGaps {
    pub fn read(path: &Path) -> Result<KnownGaps, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let file: File = toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(KnownGaps { reasons: file.gap.into_iter().map(|gap| (gap.scenario, gap.reason)).collect() })
    }

    pub fn contains(&self, id: &str) -> bool {
        self.reasons.contains_key(id)
    }

    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.reasons.keys().map(String::as_str)
    }
}
