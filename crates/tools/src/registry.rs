//! The tools that are switched on, each with its published description and its compiled schema.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

use crate::FAMILIES;
use crate::api::{self, Apis};
use crate::selection::{Selection, SelectionError};
use crate::styles::Style;
use crate::tool::{Tool, ToolFacts};

/// Tools that belong together: one toolset, one style of answers.
pub struct Family {
    /// The name used by `--toolsets`.
    pub name: &'static str,
    pub title: &'static str,
    /// What the family is for, in the overview of tools.
    pub purpose: &'static str,
    /// What a model should know to use these tools together; part of the server's instructions.
    pub advice: &'static [Advice],
    pub style: Style,
    pub(crate) tools: &'static [&'static dyn Tool],
}

/// A sentence for the model, given only when every tool it speaks of is switched on.
#[derive(Debug, Clone, Copy)]
pub struct Advice {
    pub needs: &'static [&'static str],
    pub text: &'static str,
}

impl Family {
    /// The names of its tools.
    pub fn tool_names(&self) -> impl Iterator<Item = Cow<'static, str>> {
        self.tools.iter().map(|tool| tool.facts().name)
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Family").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The enabled tools, sorted by name.
#[derive(Debug)]
pub struct Registry {
    entries: Vec<Arc<Entry>>,
}

impl Registry {
    /// The tools of this build that the selection leaves switched on.
    pub fn new(selection: &Selection) -> Result<Self, SelectionError> {
        selection.check(&[])?;
        let of_build =
            FAMILIES.iter().flat_map(|family| family.tools.iter().map(|tool| Entry::of_build(family, *tool)));
        Ok(Self::of(of_build.collect(), selection))
    }

    /// The same with the tools that these APIs give, which may be none.
    pub fn with_apis(selection: &Selection, apis: &Arc<Apis>) -> Result<Self, SelectionError> {
        let at_run_time = api::entries(apis);
        let names: Vec<&str> = at_run_time.iter().map(|entry| &*entry.info.name).collect();
        selection.check(&names)?;
        let others = FAMILIES.iter().filter(|family| family.name != api::FAMILY.name);
        let of_build = others.flat_map(|family| family.tools.iter().map(|tool| Entry::of_build(family, *tool)));
        Ok(Self::of(of_build.chain(at_run_time).collect(), selection))
    }

    fn of(mut entries: Vec<Entry>, selection: &Selection) -> Self {
        entries.retain(|entry| selection.keeps(entry.family, &entry.info));
        entries.sort_by(|left, right| left.info.name.cmp(&right.info.name));
        Self { entries: entries.into_iter().map(Arc::new).collect() }
    }

    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    pub fn get(&self, name: &str) -> Option<&Arc<Entry>> {
        let at = self.entries.binary_search_by(|entry| (*entry.info.name).cmp(name)).ok()?;
        Some(&self.entries[at])
    }

    /// The families with at least one enabled tool, in listing order.
    pub fn families(&self) -> impl Iterator<Item = &'static Family> + '_ {
        FAMILIES.iter().copied().filter(|family| self.entries.iter().any(|entry| entry.family.name == family.name))
    }
}

/// One enabled tool.
pub struct Entry {
    pub family: &'static Family,
    pub info: ToolFacts,
    pub(crate) tool: Held,
    schemas: OnceLock<Schemas>,
}

/// A tool of this build, or one that was made at run time.
pub(crate) enum Held {
    OfBuild(&'static dyn Tool),
    AtRunTime(Box<dyn Tool>),
}

impl Deref for Held {
    type Target = dyn Tool;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::OfBuild(tool) => *tool,
            Self::AtRunTime(tool) => &**tool,
        }
    }
}

struct Schemas {
    input: Arc<Value>,
    output: Option<Arc<Value>>,
    validator: OnceLock<Validator>,
}

impl Entry {
    fn of_build(family: &'static Family, tool: &'static dyn Tool) -> Self {
        Self { family, info: tool.facts(), tool: Held::OfBuild(tool), schemas: OnceLock::new() }
    }

    pub(crate) fn at_run_time(family: &'static Family, tool: Box<dyn Tool>) -> Self {
        Self { family, info: tool.facts(), tool: Held::AtRunTime(tool), schemas: OnceLock::new() }
    }

    /// The published schema of the arguments.
    pub fn input_schema(&self) -> &Arc<Value> {
        &self.schemas().input
    }

    /// The published schema of the structured answer, for tools that speak JSON.
    pub fn output_schema(&self) -> Option<&Arc<Value>> {
        self.schemas().output.as_ref()
    }

    pub(crate) fn validator(&self) -> &Validator {
        let schemas = self.schemas();
        schemas.validator.get_or_init(|| {
            jsonschema::draft202012::new(&schemas.input).unwrap_or_else(|error| {
                // A test compiles the schema of every tool of this build; that of an API is made of a document of others.
                tracing::warn!(tool = %self.info.name, %error, "the arguments of this tool are not checked");
                jsonschema::draft202012::new(&Value::Bool(true)).expect("this schema allows everything")
            })
        })
    }

    /// Built at first use: the first answer of a new process should not wait for thirty schemas.
    fn schemas(&self) -> &Schemas {
        self.schemas.get_or_init(|| Schemas {
            input: Arc::new(self.tool.input_schema()),
            output: self.family.style.output_schema(self.tool.output_schema()).map(Arc::new),
            validator: OnceLock::new(),
        })
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.info.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Registry {
        Registry::new(&Selection::default()).unwrap()
    }

    #[test]
    fn every_schema_compiles_and_is_portable() {
        for entry in all().entries() {
            entry.validator();
            assert_portable(&entry.info.name, entry.input_schema());
            assert_eq!(entry.input_schema()["additionalProperties"], false, "{}", entry.info.name);
            if let Some(output) = entry.output_schema() {
                assert_eq!(output["type"], "object", "{}", entry.info.name);
                assert_portable(&entry.info.name, output);
            }
        }
    }

    fn assert_portable(tool: &str, schema: &Value) {
        match schema {
            Value::Object(keywords) => {
                for unwanted in ["$ref", "$schema", "$defs", "format"] {
                    assert!(!keywords.contains_key(unwanted), "{tool}: {unwanted}");
                }
                assert!(!keywords.get("type").is_some_and(Value::is_array), "{tool}: a list of types");
                keywords.values().for_each(|value| assert_portable(tool, value));
            }
            Value::Array(items) => items.iter().for_each(|item| assert_portable(tool, item)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    #[test]
    fn names_are_unique_snake_case_and_short() {
        let registry = all();
        for pair in registry.entries().windows(2) {
            assert_ne!(pair[0].info.name, pair[1].info.name);
        }
        for entry in registry.entries() {
            let name = &entry.info.name;
            assert!(
                name.len() <= 40 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
                "{name}"
            );
        }
    }

    #[test]
    fn read_only_mode_leaves_only_tools_that_change_nothing() {
        let registry = Registry::new(&Selection { read_only: true, ..Selection::default() }).unwrap();
        assert!(!registry.entries().is_empty());
        assert!(registry.entries().iter().all(|entry| entry.info.effect.read_only));
        assert!(registry.get("mongo_delete_document").is_none());
    }
}
