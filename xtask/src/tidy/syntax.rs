//! Is any test ignored, or any code left to be written?
//!
//! Looks at tokens, not at text, so that a comment or a string may name what code may not use; and into the arguments
//! of macros, where a syntax tree ends.

use std::str::FromStr;

use proc_macro2::{TokenStream, TokenTree};

use super::Violation;
use super::tree::Tree;

const UNFINISHED: &[&str] = &["todo", "unimplemented"];

pub(super) fn check(tree: &Tree) -> Vec<Violation> {
    let mut violations = Vec::new();
    for path in tree.files_ending(".rs") {
        // What cannot be parsed is reported with the sizes.
        if let Ok(tokens) = TokenStream::from_str(&tree.text(path).unwrap_or_default()) {
            check_tokens(path, tokens, &mut violations);
        }
    }
    violations
}

fn check_tokens(path: &str, tokens: TokenStream, violations: &mut Vec<Violation>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let line = token.span().start().line;
        match token {
            TokenTree::Ident(name) if is_punctuation(tokens.get(index + 1), '!') => {
                if let Some(name) = UNFINISHED.iter().find(|unfinished| name == *unfinished) {
                    let fix = "write it, or leave out what needs it";
                    violations.push(Violation::new(path, line, format!("`{name}!` is not an implementation"), fix));
                }
            }
            TokenTree::Group(group) => {
                let is_attribute = index > 0 && is_punctuation(tokens.get(index - 1), '#');
                if is_attribute && ignores(&group.stream()) {
                    let fix = "delete the test, or assert today's behaviour and say why";
                    violations.push(Violation::new(path, line, "an ignored test proves nothing", fix));
                }
                check_tokens(path, group.stream(), violations);
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// `#[ignore]`, with or without a reason, also under `cfg_attr`.
fn ignores(attribute: &TokenStream) -> bool {
    let mut tokens = attribute.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(name)), _) if name == "ignore" => true,
        (Some(TokenTree::Ident(name)), Some(TokenTree::Group(arguments))) if name == "cfg_attr" => {
            arguments.stream().into_iter().any(|token| matches!(&token, TokenTree::Ident(name) if name == "ignore"))
        }
        _ => false,
    }
}

fn is_punctuation(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punctuation)) if punctuation.as_char() == character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree::fixture;

    #[test]
    fn code_that_is_left_to_do_fails_even_inside_a_macro() {
        let source = "fn a() { todo!() }\nfn b() { select! { _ = x => {\n std::unimplemented!(\"later\") } } }\n";
        let expected =
            ["a.rs:1: `todo!` is not an implementation", "a.rs:3: `unimplemented!` is not an implementation"];
        fixture::check(check, &[("a.rs", source)], &expected);
    }

    #[test]
    fn an_ignored_test_fails_in_every_spelling() {
        let source =
            "#[test]\n#[ignore]\nfn a() {}\n#[ignore = \"slow\"]\nfn b() {}\n#[cfg_attr(unix, ignore)]\nfn c() {}\n";
        let expected = [2, 4, 6].map(|line| format!("a.rs:{line}: an ignored test proves nothing"));
        fixture::check(check, &[("a.rs", source)], &expected.each_ref().map(String::as_str));
    }

    #[test]
    fn words_in_comments_strings_and_names_pass() {
        let source = "//! todo!() #[ignore]\nfn todo() { let ignore = \"unimplemented!()\"; todo(); }\n#[serde(ignore)]\nstruct X;\n";
        fixture::check(check, &[("a.rs", source)], &[]);
    }
}
