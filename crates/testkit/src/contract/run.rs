//! Every contract of a folder against a client, whichever way that client reaches the tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jsonschema::Validator;
use serde_json::Value;

use super::parse::{Case, Expected, Step, parse};
use super::pattern::Bindings;

/// One way to the tools, on a store that was empty when it was made.
pub trait Client {
    /// The folder that file tools work in: empty, named `root`, and alone in the folder above it.
    fn root(&self) -> &Path;

    /// The published schemas of structured answers, by tool.
    fn output_schemas(&mut self) -> BTreeMap<String, Value>;

    fn call(&mut self, tool: &str, arguments: &Value) -> Reply;
}

/// What came back.
#[derive(Debug)]
pub enum Reply {
    /// `content`, `structuredContent` and `isError`.
    Answer(Value),
    /// A call without an answer: its message, and the whole error where there is a protocol to carry it.
    Failure { message: String, error: Option<Value> },
}

/// Runs every contract below the folder, each case with a new client; what is wrong, one line each, and how many cases ran.
pub fn problems<C: Client>(folder: &Path, mut start: impl FnMut() -> C) -> (Vec<String>, usize) {
    let schemas = start().output_schemas();
    let compile = |schema: &Value| jsonschema::draft202012::new(schema).expect("a published schema compiles");
    let validators = schemas.iter().map(|(tool, schema)| (tool.clone(), compile(schema))).collect();
    let mut problems = Vec::new();
    let mut cases_run = 0;
    for file in files(folder) {
        let tool = file.file_stem().and_then(|stem| stem.to_str()).expect("a contract is named after its tool");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let cases = parse(tool, &text).unwrap_or_else(|problem| {
            problems.push(format!("{tool}.md:{problem}"));
            Vec::new()
        });
        for case in cases {
            cases_run += 1;
            problems.extend(run(&case, &mut start(), &validators).map(|problem| format!("{tool}.md:{problem}")));
        }
    }
    (problems, cases_run)
}

/// Contracts are `<family>/<tool>.md`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        read.map(|entry| entry.expect("a folder can be listed").path()).collect()
    };
    let mut files: Vec<PathBuf> =
        entries(folder).iter().filter(|path| path.is_dir()).flat_map(|family| entries(family)).collect();
    files.sort();
    files
}

/// The first thing that is wrong in a case; what follows from it would only repeat it.
fn run(case: &Case, client: &mut impl Client, validators: &BTreeMap<String, Validator>) -> Option<String> {
    let root = client.root().to_owned();
    let around = root.parent().expect("the root is in a folder");
    case.files.write(around);
    let mut files = &case.files;
    let mut bindings = Bindings::default();
    bindings.bind("root", root.to_string_lossy());
    bindings.bind("CR", "\r");
    case.steps.iter().find_map(|step| {
        let problem = (1..=step.times).find_map(|number| {
            bindings.bind("number", number.to_string());
            let reply = client.call(&step.tool, &bindings.fill(&step.arguments));
            judge(step, reply, &mut bindings, validators.get(&step.tool))
        });
        files = step.files_after.as_ref().unwrap_or(files);
        let problem = problem.or_else(|| files.difference(around));
        problem.map(|problem| format!("{}: {}: {problem}", step.line, case.name))
    })
}

fn judge(step: &Step, reply: Reply, bindings: &mut Bindings, validator: Option<&Validator>) -> Option<String> {
    match (&step.expected, reply) {
        (Expected::Body(body), Reply::Answer(answer)) => {
            inconsistency(&answer, validator).or_else(|| bindings.difference(body, &answer["structuredContent"]))
        }
        (Expected::Text(text), Reply::Answer(answer)) => inconsistency(&answer, validator)
            .or_else(|| bindings.difference(&Value::from(text.as_str()), &answer["content"][0]["text"])),
        (Expected::Error(error), Reply::Failure { message, error: given }) => match given {
            Some(given) => bindings.difference(error, &given),
            None => bindings.difference(&error["message"], &Value::String(message)),
        },
        (Expected::Error(_), Reply::Answer(answer)) => Some(format!("answered, though it must fail: {answer}")),
        (Expected::Body(_) | Expected::Text(_), Reply::Failure { message, .. }) => Some(format!("failed: {message}")),
    }
}

/// What every answer must be in itself, whatever it says.
fn inconsistency(answer: &Value, validator: Option<&Validator>) -> Option<String> {
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    let is_error = answer["isError"] == true;
    let Some(body) = answer.get("structuredContent") else {
        let says_so = text.starts_with("Error: ");
        return (is_error != says_so).then(|| format!("isError is {is_error}, but the text is `{text}`"));
    };
    let printed = serde_json::to_string_pretty(body).expect("JSON can be printed");
    if text != printed {
        return Some(format!("the text is not the structured content, indented: {text}"));
    }
    let succeeded = body.get("ok").or(body.get("success")).and_then(Value::as_bool);
    if succeeded.is_some_and(|succeeded| succeeded == is_error) {
        return Some(format!("isError is {is_error}, but the body says {succeeded:?}"));
    }
    let Some(validator) = validator else { return Some("structured content without a published schema".to_owned()) };
    let broken = validator.iter_errors(body).next();
    broken.map(|error| format!("breaks the published schema at {}: {error}", error.instance_path()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(answer: Value, expected: Option<&str>) {
        let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let found = inconsistency(&answer, Some(&validator));
        assert_eq!(found.as_deref().map(|found| found.split(':').next().unwrap_or_default()), expected);
    }

    fn answer(text: &str, body: Value, is_error: bool) -> Value {
        json!({"content": [{"type": "text", "text": text}], "structuredContent": body, "isError": is_error})
    }

    #[test]
    fn an_answer_that_contradicts_itself_is_found() {
        let printed = "{\n  \"ok\": true\n}";
        check(answer(printed, json!({"ok": true}), false), None);
        check(answer(printed, json!({"ok": true}), true), Some("isError is true, but the body says Some(true)"));
        check(answer("{}", json!({"ok": true}), false), Some("the text is not the structured content, indented"));
        check(answer("{}", json!({}), false), Some("breaks the published schema at "));
        let text = |text: &str, is_error| json!({"content": [{"type": "text", "text": text}], "isError": is_error});
        check(text("Error: no", true), None);
        check(text("Error: no", false), Some("isError is false, but the text is `Error"));
    }
}
