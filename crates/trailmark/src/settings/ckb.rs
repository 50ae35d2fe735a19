//! How CKB is used: the command and whether, by flag, file and environment; the rest by the variables that S0 names.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use upstream::CkbSettings;

use super::{Given, SettingsError, secret};

/// Named by S0; everything but the command is for tests and scripts.
const UNAVAILABLE: &str = "CKB_UNAVAILABLE";
const MOCK_DELAY: &str = "CKB_MOCK_DELAY_MS";
const TIMEOUT: &str = "CKB_TIMEOUT";
const COOLDOWN: &str = "CKB_COOLDOWN";

/// What an answer can say is left of a cooldown, at most.
const LONGEST_COOLDOWN: u64 = 60;
/// Half of what a call may take.
const LONGEST_TIMEOUT: u64 = 7;

/// `[ckb_integration]` in the settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CkbIntegration {
    pub(crate) enabled: Option<bool>,
}

impl CkbIntegration {
    pub(super) fn is_off(&self) -> bool {
        self.enabled == Some(false)
    }
}

pub(super) fn resolve(given: &Given) -> Result<CkbSettings, SettingsError> {
    let defaults = CkbSettings::default();
    let is_off = given.ckb_integration.as_ref().is_some_and(CkbIntegration::is_off);
    let is_unavailable = secret(UNAVAILABLE).is_some_and(|value| !matches!(value.as_str(), "0" | "false"));
    let command = given.ckb.clone().filter(|command| *command != PathBuf::new());
    let seconds = |number: u64| Duration::from_secs(number);
    Ok(CkbSettings {
        enabled: !is_off && !is_unavailable,
        command: command.unwrap_or(defaults.command),
        timeout: number(TIMEOUT, 1..=LONGEST_TIMEOUT, "from 1 to 7 seconds")?.map_or(defaults.timeout, seconds),
        cooldown: number(COOLDOWN, 0..=LONGEST_COOLDOWN, "from 0 to 60 seconds")?.map_or(defaults.cooldown, seconds),
        mock_delay: number(MOCK_DELAY, 0..=u64::MAX, "a number of milliseconds")?.map(Duration::from_millis),
        arguments: defaults.arguments,
    })
}

fn number(
    variable: &'static str,
    allowed: std::ops::RangeInclusive<u64>,
    words: &'static str,
) -> Result<Option<u64>, SettingsError> {
    let Some(given) = secret(variable) else { return Ok(None) };
    match given.trim().parse() {
        Ok(number) if allowed.contains(&number) => Ok(Some(number)),
        _ => Err(SettingsError::Variable { variable, given, allowed: words }),
    }
}
