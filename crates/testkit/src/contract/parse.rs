//! A contract file as cases and steps.

use serde_json::Value;

use super::files::Files;

/// A heading and what stands under it.
#[derive(Debug, PartialEq)]
pub(super) struct Case {
    pub(super) name: String,
    /// What is in the folder of the file tools before the first call.
    pub(super) files: Files,
    pub(super) steps: Vec<Step>,
}

/// A call and the answer it must get.
#[derive(Debug, PartialEq)]
pub(super) struct Step {
    /// The line of the call.
    pub(super) line: usize,
    pub(super) tool: String,
    pub(super) arguments: Value,
    pub(super) times: usize,
    pub(super) expected: Expected,
    /// What is in that folder then, if the call changes it.
    pub(super) files_after: Option<Files>,
}

/// What a call must come to.
#[derive(Debug, PartialEq)]
pub(super) enum Expected {
    Body(Value),
    Text(String),
    Error(Value),
}

/// A block between fences.
#[derive(Debug)]
struct Block {
    line: usize,
    kind: String,
    text: String,
}

/// A call whose answer has not come yet.
#[derive(Debug)]
struct OpenCall {
    line: usize,
    tool: String,
    arguments: Value,
    times: usize,
}

/// Reads the contract of `tool`; what is wrong with it is told with its line.
pub(super) fn parse(tool: &str, text: &str) -> Result<Vec<Case>, String> {
    let mut reader = Reader { tool, cases: Vec::new(), open: None };
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            reader.begin_case(name.trim(), number)?;
        } else if let Some(kind) = line.strip_prefix("```") {
            let content: Vec<&str> = lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```").collect();
            reader.take_block(Block { line: number, kind: kind.trim().to_owned(), text: content.join("\n") })?;
        }
    }
    reader.finish()
}

struct Reader<'a> {
    tool: &'a str,
    cases: Vec<Case>,
    open: Option<OpenCall>,
}

impl Reader<'_> {
    fn begin_case(&mut self, name: &str, line: usize) -> Result<(), String> {
        self.end_case()?;
        if self.cases.iter().any(|case| case.name == name) {
            return Err(format!("{line}: the case `{name}` is there twice"));
        }
        self.cases.push(Case { name: name.to_owned(), files: Files::default(), steps: Vec::new() });
        Ok(())
    }

    fn end_case(&self) -> Result<(), String> {
        if let Some(open) = &self.open {
            return Err(format!("{}: the call has no result", open.line));
        }
        match self.cases.last() {
            Some(case) if case.steps.is_empty() => Err(format!("the case `{}` calls nothing", case.name)),
            Some(_) | None => Ok(()),
        }
    }

    fn take_block(&mut self, block: Block) -> Result<(), String> {
        let expected = match block.kind.as_str() {
            "json result" => Expected::Body(block.json()?),
            "json error" => Expected::Error(block.json()?),
            "text result" => Expected::Text(block.text),
            "files" | "files after" => return self.take_files(&block),
            _ => return self.take_call(&block),
        };
        let case = self.cases.last_mut().ok_or_else(|| format!("{}: a block before the first case", block.line))?;
        let call = self.open.take().ok_or_else(|| format!("{}: a result without a call", block.line))?;
        let OpenCall { line, tool, arguments, times } = call;
        case.steps.push(Step { line, tool, arguments, times, expected, files_after: None });
        Ok(())
    }

    fn take_files(&mut self, block: &Block) -> Result<(), String> {
        let files = Files::parse(&block.text).map_err(|problem| format!("{}: {problem}", block.line))?;
        let case = self.cases.last_mut().ok_or_else(|| format!("{}: a block before the first case", block.line))?;
        match (block.kind.as_str(), case.steps.last_mut(), &self.open) {
            ("files", None, None) => case.files = files,
            ("files after", Some(step), None) if step.files_after.is_none() => step.files_after = Some(files),
            _ => return Err(format!("{}: `{}` does not belong here", block.line, block.kind)),
        }
        Ok(())
    }

    fn take_call(&mut self, block: &Block) -> Result<(), String> {
        let Some(rest) = block.kind.strip_prefix("json call") else {
            return Err(format!("{}: `{}` is no block of a contract", block.line, block.kind));
        };
        if let Some(open) = &self.open {
            return Err(format!("{}: the call has no result", open.line));
        }
        let (tool, times) = match rest.split_once('×') {
            Some((tool, times)) => (tool, times.trim().parse().map_err(|_| format!("{}: how often?", block.line))?),
            None => (rest, 1),
        };
        let tool = if tool.trim().is_empty() { self.tool } else { tool.trim() };
        self.open = Some(OpenCall { line: block.line, tool: tool.to_owned(), arguments: block.json()?, times });
        Ok(())
    }

    fn finish(self) -> Result<Vec<Case>, String> {
        self.end_case()?;
        if self.cases.is_empty() { Err("the contract has no case".to_owned()) } else { Ok(self.cases) }
    }
}

impl Block {
    fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.text).map_err(|error| format!("{}: not JSON: {error}", self.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_contract_is_cases_of_calls_and_results() {
        let text = "# Title\n\n## first\n\n```json call\n{}\n```\n```json result\n{\"a\": 1}\n```\n\n## second\n\
                    ```json call other × 3\n{}\n```\n```json error\n{}\n```\n```json call\n{}\n```\n```text result\nx\ny\n```\n";
        let cases = parse("own", text).unwrap();
        let steps: Vec<_> = cases.iter().flat_map(|case| &case.steps).collect();
        let tools: Vec<_> = steps.iter().map(|step| (step.tool.as_str(), step.times, step.line)).collect();
        assert_eq!(tools, [("own", 1, 5), ("other", 3, 13), ("own", 1, 19)]);
        assert_eq!(steps[0].expected, Expected::Body(json!({"a": 1})));
        assert_eq!(steps[1].expected, Expected::Error(json!({})));
        assert_eq!(steps[2].expected, Expected::Text("x\ny".to_owned()));
    }

    #[test]
    fn a_case_may_have_files() {
        let text = "## first\n```files\n//- /a\nx\n```\n```json call\n{}\n```\n```text result\n```\n\
                    ```files after\n//- /a\ny\n```\n";
        let cases = parse("own", text).unwrap();
        assert_eq!(cases[0].files, Files::parse("//- /a\nx").unwrap());
        assert_eq!(cases[0].steps[0].files_after, Some(Files::parse("//- /a\ny").unwrap()));
    }

    #[test]
    fn a_contract_that_would_check_less_than_it_seems_to_is_refused() {
        for (text, problem) in [
            ("", "the contract has no case"),
            ("## a\n", "the case `a` calls nothing"),
            ("## a\n```json call\n{}\n```\n", "2: the call has no result"),
            ("## a\n```json call\n{}\n```\n```json call\n{}\n```\n", "2: the call has no result"),
            ("## a\n```json result\n{}\n```\n", "2: a result without a call"),
            ("## a\n```json result\n{\n```\n", "2: not JSON: EOF while parsing an object at line 1 column 1"),
            ("## a\n```jsn call\n{}\n```\n", "2: `jsn call` is no block of a contract"),
            ("## a\n```files after\n```\n", "2: `files after` does not belong here"),
            ("## a\n```json call\n{}\n```\n```files\n```\n", "5: `files` does not belong here"),
            ("## a\n```files\nx\n```\n", "2: `x` belongs to no file"),
            ("## a\n```json call × many\n{}\n```\n", "2: how often?"),
            ("## a\n```json call\n{}\n```\n```json result\n1\n```\n## a\n", "8: the case `a` is there twice"),
        ] {
            assert_eq!(parse("own", text), Err(problem.to_owned()), "{text}");
        }
    }
}
