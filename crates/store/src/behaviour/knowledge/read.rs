//! A step as words and values.

use serde_json::Value as Json;

use crate::behaviour::Problem;

/// What stands in a step, from left to right.
#[derive(Debug)]
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        (!word.is_empty()).then_some(word)
    }

    pub(super) fn word(&mut self, what: &str) -> Result<&'a str, Problem> {
        self.next().ok_or_else(|| Problem::new(format!("{what} is missing in the step")))
    }

    /// A value written as JSON.
    pub(super) fn json(&mut self) -> Result<Json, Problem> {
        let mut values = serde_json::Deserializer::from_str(self.rest).into_iter::<Json>();
        let value = values.next().ok_or_else(|| Problem::new("a value is missing in the step"))?;
        let value = value.map_err(|error| Problem::new(format!("not JSON: {error}")))?;
        self.rest = self.rest[values.byte_offset()..].trim_start();
        Ok(value)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

/// `create leaf<n> Entity {} × 3` is three steps, in which `<n>` is 1, 2 and 3.
pub(super) fn repeated(step: &str) -> Vec<String> {
    let written = step.rsplit_once(" × ").and_then(|(step, times)| Some((step, times.parse::<usize>().ok()?)));
    match written {
        Some((step, times)) => (1..=times).map(|number| step.replace("<n>", &number.to_string())).collect(),
        None => vec![step.to_owned()],
    }
}

/// What is wanted beside the names: `depth 3 types A,B budget 10 labels A,B limit 5 after NAME`.
#[derive(Debug)]
pub(super) struct Options<'a> {
    pub(super) depth: usize,
    pub(super) budget: usize,
    pub(super) limit: usize,
    pub(super) after: Option<&'a str>,
    /// Types or labels.
    pub(super) names: Vec<&'a str>,
}

impl<'a> Options<'a> {
    pub(super) fn read(words: &mut Words<'a>) -> Result<Self, Problem> {
        let mut options = Self { depth: 4, budget: 1_000, limit: 10, after: None, names: Vec::new() };
        while let Some(word) = words.next() {
            let value = words.word(word)?;
            let number = || value.parse().map_err(|_| Problem::new(format!("`{value}` is no number")));
            match word {
                "depth" => options.depth = number()?,
                "budget" => options.budget = number()?,
                "limit" => options.limit = number()?,
                "after" => options.after = Some(value),
                "types" | "labels" => options.names = value.split(',').collect(),
                _ => return Err(Problem::new(format!("`{word}` is no option"))),
            }
        }
        Ok(options)
    }
}
