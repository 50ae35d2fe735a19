//! `submit_experience`: keep what was learned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{NewExperience, Submitted};

use super::gate::{self, FieldFinding};
use super::{DEADLINE, LONGEST_KEYWORD, LONGEST_TEXT, LONGEST_TITLE, MOST_KEYWORDS};
use crate::arguments::Violation;
use crate::context::ToolContext;
use crate::error::{FieldError, ToolError};
use crate::output::Json;
use crate::tool::{Effect, ToolInfo, TypedTool};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Params {
    /// The problem in one line.
    #[schemars(length(max = LONGEST_TITLE), regex(pattern = r"\S"))]
    title: String,
    /// What went wrong: the error message, what was expected, what happened.
    #[schemars(length(max = LONGEST_TEXT), regex(pattern = r"\S"))]
    problem_description: String,
    /// Why it went wrong.
    #[schemars(length(max = LONGEST_TEXT), regex(pattern = r"\S"))]
    root_cause: Option<String>,
    /// What solved it.
    #[schemars(length(max = LONGEST_TEXT), regex(pattern = r"\S"))]
    solution: String,
    /// Versions, surroundings, code. No secrets and no personal data: use placeholders.
    #[schemars(length(max = LONGEST_TEXT))]
    context: Option<String>,
    /// Words to find it by, at most 100 characters each; made from the text when absent.
    #[schemars(length(max = MOST_KEYWORDS), inner(regex(pattern = r"\S")))]
    keywords: Option<Vec<String>>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Published {
    id: String,
    status: Status,
    message: String,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Published,
}

pub(super) struct SubmitExperience;

impl TypedTool for SubmitExperience {
    type Params = Params;
    type Output = Json<Published>;

    const INFO: ToolInfo = ToolInfo {
        name: "submit_experience",
        title: "Submit experience",
        summary: "Keep a problem, its cause and its solution for later and for other agents. Texts that hold secrets or \
                  personal data are refused, with a cleaned proposal.",
        effect: Effect::WRITE,
        deadline: DEADLINE,
        records: None,
    };

    async fn run(context: &ToolContext, params: Params) -> Result<Json<Published>, ToolError> {
        let content = read(params)?;
        let content = crate::blocking::off_runtime(move || inspected(content)).await?;
        let submitted = context.experiences().submit(content).await?;
        Ok(Json(Published { id: submitted.id.to_string(), status: Status::Published, message: message(&submitted) }))
    }

    fn refuse(violations: &[Violation], arguments: &Value) -> Option<ToolError> {
        let faults = violations.iter().map(|violation| Fault::of(violation, arguments)).collect();
        Some(refused(faults, &gate::inspect_arguments(arguments)))
    }
}

fn message(submitted: &Submitted) -> String {
    const DONE: &str = "Experience record created and published successfully";
    match &submitted.twin {
        Some(twin) => format!("{DONE}. It nearly repeats {} \"{}\".", twin.id, twin.title),
        None => DONE.to_owned(),
    }
}

/// The experience as it is to be kept.
fn read(params: Params) -> Result<NewExperience, ToolError> {
    let Params { title, problem_description, root_cause, solution, context, keywords } = params;
    let context = context.filter(|context| !context.trim().is_empty());
    let mut faults = Vec::new();
    let texts = [
        ("title", Some(&title)),
        ("problem_description", Some(&problem_description)),
        ("root_cause", root_cause.as_ref()),
        ("solution", Some(&solution)),
        ("context", context.as_ref()),
    ];
    for (field, text) in texts {
        faults.extend(
            text.filter(|text| text.contains('\0')).map(|_| Fault::other(field, "must not hold a null character")),
        );
    }
    let keywords = read_keywords(keywords.unwrap_or_default(), &mut faults);
    let content = NewExperience { title, problem_description, root_cause, solution, context, keywords };
    if faults.is_empty() { Ok(content) } else { Err(refused(faults, &super::inspect_experience(&content))) }
}

/// Trimmed, in lower case, none of them twice.
fn read_keywords(given: Vec<String>, faults: &mut Vec<Fault>) -> Vec<String> {
    let mut keywords: Vec<String> = Vec::new();
    for (at, keyword) in given.iter().enumerate() {
        let keyword = keyword.trim().to_lowercase();
        let length = keyword.chars().count();
        if length > LONGEST_KEYWORD {
            let message = format!("must have at most {LONGEST_KEYWORD} characters, but has {length}");
            faults.push(Fault::other(&format!("keywords[{at}]"), &message));
        } else if keyword.contains('\0') {
            faults.push(Fault::other(&format!("keywords[{at}]"), "must not hold a null character"));
        } else if !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    keywords
}

/// The experience, once the gate has let it through, with keywords.
fn inspected(mut content: NewExperience) -> Result<NewExperience, ToolError> {
    let findings = super::inspect_experience(&content);
    if !findings.is_empty() {
        return Err(refused(Vec::new(), &findings));
    }
    if content.keywords.is_empty() {
        content.keywords = generated_keywords(&content);
    }
    Ok(content)
}

fn generated_keywords(content: &NewExperience) -> Vec<String> {
    let NewExperience { title, problem_description, root_cause, solution, .. } = content;
    let texts = [Some(title), Some(problem_description), root_cause.as_ref(), Some(solution)];
    experience::keywords::generate(&texts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("\n"))
}

/// A field at fault and the code of that fault alone.
struct Fault {
    error: FieldError,
    code: &'static str,
}

impl Fault {
    fn other(field: &str, message: &str) -> Self {
        Self { error: FieldError { field: field.to_owned(), message: message.to_owned() }, code: OTHER }
    }

    fn of(violation: &Violation, arguments: &Value) -> Self {
        let Violation { field, keyword, message } = violation;
        let required = ["title", "problem_description", "solution"].contains(&field.as_str());
        let absent =
            ["required", "pattern"].contains(&keyword.as_str()) || arguments.get(field).is_some_and(Value::is_null);
        let code = match (field.as_str(), keyword.as_str()) {
            _ if required && absent => "MISSING_REQUIRED_FIELDS",
            ("title", "maxLength") => "INVALID_TITLE",
            _ => OTHER,
        };
        Self { error: FieldError { field: field.clone(), message: message.clone() }, code }
    }
}

const OTHER: &str = "VALIDATION_ERROR";

/// In the order in which they are named.
const FIELDS: [&str; 5] = ["title", "problem_description", "root_cause", "solution", "context"];

/// One kind of fault has a code of its own; several, or a finding outside of the context, have the general one.
fn refused(mut faults: Vec<Fault>, findings: &[FieldFinding]) -> ToolError {
    faults.sort_by_key(|fault| FIELDS.iter().position(|field| *field == fault.error.field).unwrap_or(FIELDS.len()));
    let context_alone = faults.is_empty() && findings.iter().all(|finding| finding.field == "context");
    let code = match faults.first() {
        None if context_alone => "CONTEXT_NOT_SANITIZED",
        Some(first) if findings.is_empty() && faults.iter().all(|fault| fault.code == first.code) => first.code,
        _ => OTHER,
    };
    let mut error = ToolError::invalid(summary(code)).with_code(code);
    error.fields =
        faults.into_iter().map(|fault| fault.error).chain(findings.iter().map(FieldFinding::error)).collect();
    if findings.is_empty() {
        return error;
    }
    let (found, proposal) = gate::details(findings);
    error
        .with_detail("findings", found)
        .with_detail("proposal", proposal)
        .with_hint("replace these fields by those of the proposal, or use placeholders of your own, and submit again")
}

fn summary(code: &str) -> &'static str {
    match code {
        "MISSING_REQUIRED_FIELDS" => "Required fields are missing or blank",
        "INVALID_TITLE" => "The title must have 1 to 500 characters",
        "CONTEXT_NOT_SANITIZED" => "The context holds a secret or personal data",
        _ => "Validation failed",
    }
}
