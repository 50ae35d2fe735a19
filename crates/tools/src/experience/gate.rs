//! What may not be kept: secrets and personal data, in every text field of an experience.

use experience::sanitizer::{self, Finding};
use serde_json::{Map, Value, json};
use store::NewExperience;

use crate::error::FieldError;

/// The longest cleaned texts that a rejection repeats, in bytes.
const LONGEST_PROPOSAL: usize = 100_000;
/// As many findings of one field as a message names.
const MOST_NAMED: usize = 5;

/// What was found in one field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldFinding {
    /// `context`, or `keywords[2]`.
    pub field: String,
    pub findings: Vec<Finding>,
    /// The text with placeholders in the places of what was found.
    pub sanitised: String,
}

/// Everything in an experience that may not be kept.
pub fn inspect_experience(content: &NewExperience) -> Vec<FieldFinding> {
    let NewExperience { title, problem_description, root_cause, solution, context, keywords } = content;
    let texts = [
        ("title", Some(title)),
        ("problem_description", Some(problem_description)),
        ("root_cause", root_cause.as_ref()),
        ("solution", Some(solution)),
        ("context", context.as_ref()),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?.as_str())));
    let keywords = keywords.iter().enumerate().map(|(at, keyword)| (format!("keywords[{at}]"), keyword.as_str()));
    texts.chain(keywords).filter_map(|(field, text)| inspect(field, text)).collect()
}

/// The same for arguments that may break the schema in other ways.
pub(super) fn inspect_arguments(arguments: &Value) -> Vec<FieldFinding> {
    let mut found = Vec::new();
    for (name, value) in arguments.as_object().into_iter().flatten() {
        match value {
            Value::String(text) => found.extend(inspect(name.clone(), text)),
            Value::Array(items) => {
                let texts =
                    items.iter().enumerate().filter_map(|(at, item)| Some((format!("{name}[{at}]"), item.as_str()?)));
                found.extend(texts.filter_map(|(field, text)| inspect(field, text)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
    }
    found
}

fn inspect(field: String, text: &str) -> Option<FieldFinding> {
    let findings = sanitizer::check(text);
    (!findings.is_empty()).then(|| FieldFinding { field, findings, sanitised: sanitizer::sanitise(text) })
}

impl FieldFinding {
    /// What was found and where, without the thing itself.
    pub fn message(&self) -> String {
        let named: Vec<String> = self.findings.iter().take(MOST_NAMED).map(sentence).collect();
        let more = self.findings.len().saturating_sub(MOST_NAMED);
        let more = if more > 0 { format!("; and {more} more") } else { String::new() };
        let opening = if self.field == "context" {
            "Context contains unsanitized code snippet"
        } else {
            "Contains what must not be kept"
        };
        format!("{opening}: {}{more}", named.join("; "))
    }

    pub(super) fn error(&self) -> FieldError {
        FieldError { field: self.field.clone(), message: self.message() }
    }
}

fn sentence(finding: &Finding) -> String {
    let Finding { rule, finds, line, column, preview, .. } = finding;
    format!("{finds} ({rule}) at line {line}, column {column}: {preview}")
}

/// Findings and a cleaned form of each field, for programs.
pub(super) fn details(fields: &[FieldFinding]) -> (Value, Value) {
    let finding = |field: &str, finding: &Finding| {
        let Finding { rule, finds, line, column, preview, .. } = finding;
        json!({"field": field, "rule": rule, "finds": finds, "line": line, "column": column, "preview": preview})
    };
    let findings = fields.iter().flat_map(|at| at.findings.iter().take(20).map(|found| finding(&at.field, found)));
    let mut room = LONGEST_PROPOSAL;
    let mut proposal = Map::new();
    for at in fields {
        if at.sanitised.len() <= room {
            room -= at.sanitised.len();
            proposal.insert(at.field.clone(), json!(at.sanitised));
        }
    }
    (findings.take(50).collect(), Value::Object(proposal))
}
