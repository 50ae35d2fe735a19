//! Where do words, names, numbers and marks begin and end?

/// A piece of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// It stood in quotation marks or backticks.
    Quoted,
    /// It looks like code: a path, a dotted or underscored name, inner capitals, a call, a glob.
    Code,
    /// A word of letters.
    Word,
    Number,
    /// A run of Chinese characters.
    Chinese,
    /// `'s`.
    Possessive,
    /// A comma or the like.
    Mark,
}

/// The pieces of a normalised question.
pub(crate) fn scan(question: &str) -> Vec<Token> {
    let characters: Vec<char> = question.chars().collect();
    let mut scanner = Scanner { characters, position: 0, tokens: Vec::new() };
    while scanner.position < scanner.characters.len() {
        scanner.step();
    }
    scanner.tokens
}

struct Scanner {
    characters: Vec<char>,
    position: usize,
    tokens: Vec<Token>,
}

impl Scanner {
    fn step(&mut self) {
        let character = self.characters[self.position];
        let after_letter = self.position > 0 && self.characters[self.position - 1].is_alphanumeric();
        if character == '`' || character == '"' || (character == '\'' && !after_letter) {
            self.quotation(character);
        } else if is_chinese(character) {
            let end = self.run_end(is_chinese);
            self.push(TokenKind::Chinese, self.position, end, end);
        } else if begins_name(character) {
            self.name();
        } else {
            if matches!(character, ',' | ';' | ':' | '(' | ')') {
                self.push(TokenKind::Mark, self.position, self.position + 1, self.position + 1);
            } else {
                self.position += 1;
            }
        }
    }

    /// A quotation ends at the same mark. An apostrophe only opens one when it follows no letter.
    fn quotation(&mut self, mark: char) {
        let start = self.position + 1;
        let close = (start..self.characters.len()).find(|&at| {
            self.characters[at] == mark
                && (mark != '\'' || !self.characters.get(at + 1).is_some_and(|c| c.is_alphanumeric()))
        });
        match close {
            Some(end) if end > start && self.characters[start..end].iter().any(|c| !c.is_whitespace()) => {
                self.push(TokenKind::Quoted, start, end, end + 1);
                let last = self.tokens.len() - 1;
                let text = self.tokens[last].text.trim();
                self.tokens[last].text = text.strip_suffix("()").unwrap_or(text).to_owned();
            }
            Some(_) | None => self.position += 1,
        }
    }

    fn name(&mut self) {
        let start = self.position;
        let mut end = self.run_end(in_name);
        while end > start && ends_sentence(self.characters[end - 1]) {
            end -= 1;
        }
        if end == start {
            self.position += 1;
            return;
        }
        if self.contraction(start, end) {
            return;
        }
        let called = self.call_end(end);
        let text: String = self.characters[start..end].iter().collect();
        let kind = kind_of(&text, called.is_some());
        let tail = called.unwrap_or(end);
        self.push(kind, start, end, tail);
        if self.characters[tail..].starts_with(&['\'', 's'])
            && !self.characters.get(tail + 2).is_some_and(|c| in_name(*c))
        {
            self.push(TokenKind::Possessive, tail, tail + 2, tail + 2);
        }
    }

    /// `don't` is `do` and `not`; other shortened words lose their end.
    fn contraction(&mut self, start: usize, end: usize) -> bool {
        if self.characters.get(end) != Some(&'\'') {
            return false;
        }
        let tail: String =
            self.characters[end + 1..].iter().take_while(|c| c.is_alphabetic() && !is_chinese(**c)).collect();
        let next = end + 1 + tail.len();
        match tail.as_str() {
            "t" if self.characters[end - 1] == 'n' && end - start > 1 => {
                self.push(TokenKind::Word, start, end - 1, next);
                self.tokens.push(Token { kind: TokenKind::Word, text: "not".to_owned() });
                true
            }
            "re" | "ve" | "ll" | "d" | "m" => {
                self.push(TokenKind::Word, start, end, next);
                true
            }
            _ => false,
        }
    }

    /// Where the brackets of `name()` or `name(a, b)` end.
    fn call_end(&self, from: usize) -> Option<usize> {
        if self.characters.get(from) != Some(&'(') {
            return None;
        }
        let close = (from..self.characters.len().min(from + 80)).find(|&at| self.characters[at] == ')')?;
        Some(close + 1)
    }

    fn run_end(&self, belongs: fn(char) -> bool) -> usize {
        let rest = &self.characters[self.position..];
        self.position + rest.iter().take_while(|&&character| belongs(character)).count()
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize, next: usize) {
        let text = self.characters[start..end].iter().collect();
        self.tokens.push(Token { kind, text });
        self.position = next;
    }
}

fn kind_of(text: &str, is_call: bool) -> TokenKind {
    if text.chars().all(|character| character.is_ascii_digit()) {
        return TokenKind::Number;
    }
    let inner_capital =
        text.chars().zip(text.chars().skip(1)).any(|(left, right)| !left.is_uppercase() && right.is_uppercase());
    let shouted = text.chars().count() > 1 && text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    let marked = text.chars().any(|character| !character.is_alphanumeric() && character != '-' && character != '+');
    let digits = text.chars().any(|character| character.is_ascii_digit());
    if is_call || inner_capital || marked || shouted || digits { TokenKind::Code } else { TokenKind::Word }
}

fn begins_name(character: char) -> bool {
    (character.is_alphanumeric() && !is_chinese(character))
        || matches!(character, '_' | '@' | '*' | '.' | '/' | '$' | '~')
}

fn in_name(character: char) -> bool {
    begins_name(character) || matches!(character, '-' | ':' | '#' | '+')
}

fn ends_sentence(character: char) -> bool {
    matches!(character, '.' | ':' | '-' | '/' | '+')
}

fn is_chinese(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{323AF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &[(TokenKind, &str)]) {
        let found = scan(question);
        let found: Vec<_> = found.iter().map(|token| (token.kind, token.text.as_str())).collect();
        assert_eq!(found, expected, "{question}");
    }

    #[test]
    fn names_are_told_from_words() {
        use TokenKind::{Chinese, Code, Mark, Number, Possessive, Quoted, Word};
        check("Who calls `_split()`?", &[(Word, "Who"), (Word, "calls"), (Quoted, "_split")]);
        check("functions in src/a.py.", &[(Word, "functions"), (Word, "in"), (Code, "src/a.py")]);
        check("Where is f(a, b) called", &[(Word, "Where"), (Word, "is"), (Code, "f"), (Word, "called")]);
        check("Session's get_all", &[(Word, "Session"), (Possessive, "'s"), (Code, "get_all")]);
        check("哪些函数调用了get_netrc_auth", &[(Chinese, "哪些函数调用了"), (Code, "get_netrc_auth")]);
        check("top 5, a::b", &[(Word, "top"), (Number, "5"), (Mark, ","), (Code, "a::b")]);
        check("they don't call 'x'", &[(Word, "they"), (Word, "do"), (Word, "not"), (Word, "call"), (Quoted, "x")]);
        check("named 'user'", &[(Word, "named"), (Quoted, "user")]);
    }
}
