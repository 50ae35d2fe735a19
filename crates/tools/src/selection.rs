//! Which tools are switched on: toolsets, single tools, exclusions, read-only.

use crate::FAMILIES;
use crate::registry::Family;
use crate::suggest::nearest;
use crate::tool::ToolFacts;

/// What the operator asked for. Exclusion wins over inclusion; read-only wins over both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Families to switch on; empty or `all` means every family.
    pub toolsets: Vec<String>,
    /// Single tools to switch on in addition to the toolsets.
    pub tools: Vec<String>,
    pub exclude_tools: Vec<String>,
    pub read_only: bool,
}

/// A name in the selection that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectionError {
    #[error("unknown toolset `{name}`{}; known toolsets are all, {known}", did_you_mean(near.as_deref()))]
    UnknownToolset { name: String, near: Option<String>, known: String },
    #[error("unknown tool `{name}` in {setting}{}; `trailmark tools --all` lists every tool", did_you_mean(near.as_deref()))]
    UnknownTool { name: String, setting: &'static str, near: Option<String> },
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

impl Selection {
    /// Fails on the first name that nothing has: a typing error must not silently hide a tool.
    pub(crate) fn check(&self, at_run_time: &[&str]) -> Result<(), SelectionError> {
        self.toolsets.iter().try_for_each(|name| check_toolset(name))?;
        self.tools.iter().try_for_each(|name| check_tool(name, "tools", at_run_time))?;
        self.exclude_tools.iter().try_for_each(|name| check_tool(name, "exclude-tools", at_run_time))
    }

    pub(crate) fn keeps(&self, family: &Family, info: &ToolFacts) -> bool {
        let names = |list: &[String], name: &str| list.iter().any(|item| item == name);
        let included = (self.toolsets.is_empty() && self.tools.is_empty())
            || names(&self.toolsets, "all")
            || names(&self.toolsets, family.name)
            || names(&self.tools, &info.name);
        included && !names(&self.exclude_tools, &info.name) && (info.effect.read_only || !self.read_only)
    }
}

fn check_toolset(name: &str) -> Result<(), SelectionError> {
    let known = || FAMILIES.iter().map(|family| family.name);
    if name == "all" || known().any(|family| family == name) {
        return Ok(());
    }
    let list: Vec<&str> = known().collect();
    Err(SelectionError::UnknownToolset {
        name: name.to_owned(),
        near: nearest(name, known()).map(str::to_owned),
        known: list.join(", "),
    })
}

fn check_tool(name: &str, setting: &'static str, at_run_time: &[&str]) -> Result<(), SelectionError> {
    let of_build: Vec<_> = FAMILIES.iter().flat_map(|family| family.tool_names()).collect();
    let known = || of_build.iter().map(|tool| &**tool).chain(at_run_time.iter().copied());
    if known().any(|tool| tool == name) {
        return Ok(());
    }
    let near = nearest(name, known()).map(str::to_owned);
    Err(SelectionError::UnknownTool { name: name.to_owned(), setting, near })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn names(selection: Selection) -> Vec<String> {
        Registry::new(&selection).unwrap().entries().iter().map(|entry| entry.info.name.to_string()).collect()
    }

    fn list(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_single_tool_switches_the_other_toolsets_off() {
        assert_eq!(names(Selection { tools: list(&["mongo_find_all"]), ..Selection::default() }), ["mongo_find_all"]);
    }

    #[test]
    fn exclusion_wins_over_inclusion() {
        let selection = Selection {
            toolsets: list(&["documents"]),
            exclude_tools: list(&["mongo_delete_document"]),
            ..Selection::default()
        };
        assert!(!names(selection).contains(&"mongo_delete_document".to_owned()));
    }

    #[test]
    fn a_mistyped_name_is_an_error_that_names_the_near_one() {
        let error = Registry::new(&Selection { toolsets: list(&["document"]), ..Selection::default() }).unwrap_err();
        assert!(error.to_string().starts_with("unknown toolset `document`; did you mean `documents`?"), "{error}");
        let error = Registry::new(&Selection { tools: list(&["mongo_findall"]), ..Selection::default() }).unwrap_err();
        assert!(error.to_string().contains("did you mean `mongo_find_all`?"), "{error}");
    }
}
