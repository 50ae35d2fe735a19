//! Does every module have a name that says what is in it?

use syn::visit::{self, Visit};

use super::Violation;
use super::tree::Tree;

const FORBIDDEN: &[&str] = &["utils", "common", "helpers", "misc", "types", "manager"];
const FIX: &str = "name it after what it holds, or put the items with their owner";

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for path in tree.files_ending(".rs") {
        let parts = path.trim_end_matches(".rs").split('/');
        violations.extend(
            parts
                .filter(|part| FORBIDDEN.contains(part))
                .map(|part| Violation::new(path, 1, format!("`{part}` is no name for a module"), FIX)),
        );
        // What cannot be parsed is reported with the sizes.
        if let Ok(file) = syn::parse_file(&tree.text(path).unwrap_or_default()) {
            let mut modules = InlineModules { path, violations: Vec::new() };
            modules.visit_file(&file);
            violations.append(&mut modules.violations);
        }
    }
    violations
}

#[derive(Debug)]
struct InlineModules<'a> {
    path: &'a str,
    violations: Vec<Violation>,
}

impl<'ast> Visit<'ast> for InlineModules<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let name = module.ident.to_string();
        if module.content.is_some() && FORBIDDEN.contains(&name.as_str()) {
            let line = module.ident.span().start().line;
            self.violations.push(Violation::new(self.path, line, format!("`{name}` is no name for a module"), FIX));
        }
        visit::visit_item_mod(self, module);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    #[test]
    fn names_that_say_nothing_fail_as_files_folders_and_inline_modules() {
        let files = [
            ("crates/a/src/limits.rs", "mod inner {\n  mod misc {}\n}\n"),
            ("crates/a/src/utils.rs", ""),
            ("crates/a/tests/common/mod.rs", ""),
            ("crates/types/src/lib.rs", ""),
            ("docs/common/x.md", ""),
        ];
        let expected = [
            "crates/a/src/limits.rs:2: `misc` is no name for a module",
            "crates/a/src/utils.rs:1: `utils` is no name for a module",
            "crates/a/tests/common/mod.rs:1: `common` is no name for a module",
            "crates/types/src/lib.rs:1: `types` is no name for a module",
        ];
        fixture::check(check, &files, &expected);
    }
}
