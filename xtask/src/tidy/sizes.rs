//! Are files and functions small enough to be read in one go?

use syn::visit::{self, Visit};

use super::Violation;
use super::tree::Tree;

const FILE: usize = 600;
const FILE_WITH_TESTS: usize = 900;
const LIB: usize = 150;
const FUNCTION: usize = 60;

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let sources = tree.files_ending(".rs").map(|path| (path, tree.text(path).unwrap_or_default()));
    sources.flat_map(|(path, text)| check_file(path, &text)).collect()
}

fn check_file(path: &str, text: &str) -> Vec<Violation> {
    let file = match syn::parse_file(text) {
        Ok(file) => file,
        Err(error) => {
            let line = error.span().start().line;
            return vec![Violation::new(path, line, format!("not readable as Rust: {error}"), "correct the file")];
        }
    };
    let mut violations = check_length(path, text.lines().count(), inline_test_lines(&file));
    let mut functions = Functions { path, violations: Vec::new() };
    functions.visit_file(&file);
    violations.append(&mut functions.violations);
    violations
}

fn check_length(path: &str, total: usize, in_tests: usize) -> Vec<Violation> {
    let without_tests = if is_test_file(path) { 0 } else { total - in_tests };
    let name = path.rsplit('/').next().unwrap_or(path);
    let limits = [
        (total, FILE_WITH_TESTS, "", "move the tests to a file of their own, or split the file"),
        (without_tests, FILE, " without its tests", "split the file by the questions it answers"),
        (
            if name == "lib.rs" { total } else { 0 },
            LIB,
            ", and is a lib.rs",
            "keep docs, `mod` and `pub use`; move the rest",
        ),
    ];
    let over = limits.into_iter().filter(|(lines, limit, _, _)| lines > limit);
    over.map(|(lines, limit, what, fix)| {
        Violation::new(path, limit + 1, format!("the file has {lines} lines{what}; the limit is {limit}"), fix)
    })
    .collect()
}

/// Files that hold tests and nothing else have no part "without tests".
fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.split('/').any(|part| part == "tests")
}

fn inline_test_lines(file: &syn::File) -> usize {
    let modules =
        file.items.iter().filter_map(|item| if let syn::Item::Mod(module) = item { Some(module) } else { None });
    modules.filter(|module| is_for_tests(&module.attrs)).map(inline_lines).sum()
}

/// From the first attribute to the closing brace; none for a module in a file of its own.
fn inline_lines(module: &syn::ItemMod) -> usize {
    let Some((brace, _)) = &module.content else { return 0 };
    let start = module.attrs.first().map_or(module.mod_token.span, |attribute| attribute.pound_token.span);
    brace.span.close().end().line - start.start().line + 1
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

#[derive(Debug)]
struct Functions<'a> {
    path: &'a str,
    violations: Vec<Violation>,
}

impl Functions<'_> {
    /// From the line of `fn` to that of the closing brace; attributes and doc comments do not count.
    fn measure(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let start = signature.fn_token.span.start().line;
        let length = block.brace_token.span.close().end().line - start + 1;
        if length > FUNCTION {
            let problem = format!("the function `{}` has {length} lines; the limit is {FUNCTION}", signature.ident);
            let fix = "name its parts and make them functions";
            self.violations.push(Violation::new(self.path, start, problem, fix));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.measure(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.measure(&function.sig, block);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    fn comments(count: usize) -> String {
        "// x\n".repeat(count)
    }

    fn function(lines: usize) -> String {
        format!("fn f() {{\n{}}}\n", comments(lines - 2))
    }

    fn inline_tests(lines: usize) -> String {
        format!("#[cfg(test)]\nmod tests {{\n{}}}\n", comments(lines - 3))
    }

    #[test]
    fn inline_tests_do_not_count_towards_the_smaller_limit() {
        fixture::check(check, &[("a.rs", &(comments(600) + &inline_tests(300)))], &[]);
        let expected = ["a.rs:601: the file has 601 lines without its tests; the limit is 600"];
        fixture::check(check, &[("a.rs", &(comments(601) + &inline_tests(100)))], &expected);
    }

    #[test]
    fn inline_tests_count_towards_the_larger_limit() {
        let expected = ["a.rs:901: the file has 901 lines; the limit is 900"];
        fixture::check(check, &[("a.rs", &(comments(500) + &inline_tests(401)))], &expected);
    }

    #[test]
    fn a_module_that_is_not_for_tests_counts() {
        let module = inline_tests(300).replace("cfg(test)", "cfg(unix)");
        let expected = ["a.rs:601: the file has 700 lines without its tests; the limit is 600"];
        fixture::check(check, &[("a.rs", &(comments(400) + &module))], &expected);
    }

    #[test]
    fn a_file_of_tests_has_only_the_larger_limit() {
        fixture::check(check, &[("crates/a/tests/it/b.rs", &comments(900)), ("a/tests.rs", &comments(900))], &[]);
        let expected = ["a/tests.rs:901: the file has 901 lines; the limit is 900"];
        fixture::check(check, &[("a/tests.rs", &comments(901))], &expected);
    }

    #[test]
    fn a_lib_file_that_holds_more_than_the_outline_fails() {
        fixture::check(check, &[("src/lib.rs", &comments(150))], &[]);
        let expected = ["src/lib.rs:151: the file has 151 lines, and is a lib.rs; the limit is 150"];
        fixture::check(check, &[("src/lib.rs", &comments(151))], &expected);
    }

    #[test]
    fn a_long_function_fails_wherever_it_is() {
        fixture::check(check, &[("a.rs", &function(60))], &[]);
        let long = "the function `f` has 61 lines; the limit is 60";
        fixture::check(check, &[("a.rs", &function(61))], &[&format!("a.rs:1: {long}")]);
        let nested = format!("mod m {{\nimpl X {{\n#[x]\n{}}}\n}}\n", function(61));
        fixture::check(check, &[("a.rs", &nested)], &[&format!("a.rs:4: {long}")]);
        let default = format!("trait T {{\n{}}}\n", function(61));
        fixture::check(check, &[("a.rs", &default)], &[&format!("a.rs:2: {long}")]);
    }

    #[test]
    fn a_file_that_is_not_rust_fails() {
        fixture::check(
            check,
            &[("a.rs", "fn\n")],
            &["a.rs:1: not readable as Rust: unexpected end of input, expected identifier"],
        );
    }
}
