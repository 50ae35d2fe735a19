//! The table of rules, in the order in which they give their name to a finding.

mod assigned;
mod clouds;
mod credentials;
mod development;
mod personal;
mod services;

use super::Rule;

/// Every rule: the most telling first.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [clouds::RULES, development::RULES, services::RULES, credentials::RULES, assigned::RULES, personal::RULES]
        .into_iter()
        .flatten()
}
