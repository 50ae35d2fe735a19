//! Python without errors, read by hand: the tree that tree-sitter would give, in a fraction of the time.
//!
//! Whatever this parser is not sure of (errors, Python 2, `match` statements, signs of other scripts in names) it leaves to
//! tree-sitter by giving up. Of tokens only those are kept that patterns ask for; of texts only how they begin and what is
//! interpolated. Where the grammar is wrong (`[*a.b]`, `type(x).y = z`, lines in brackets that stand further left than their block)
//! it reads what Python means. `tests/it/own_parsers.rs` compares facts both ways, `examples/both_ways.rs` does so for any folder.

mod annotations;
mod compound;
mod expressions;
mod lexer;
mod numbers;
mod parameters;
mod simple;
mod strings;
mod targets;

use crate::tree::{Entry, Forest, Growing};
use lexer::{Kind, Lexer, Token};
pub(crate) use numbers::Numbers;
use numbers::{Fields, Kinds};

/// Deeper than people nest.
const DEEPEST: u32 = 100;

/// The tree of a text, if nothing in it is in doubt.
pub(crate) fn parse(source: &str, numbers: &Numbers) -> Option<Forest> {
    let lexer = Lexer::new(source.as_bytes())?;
    let mut parser = Parser {
        lexer,
        token: Token::default(),
        end: 0,
        end_row: 0,
        numbers,
        tree: Growing::of_text(source),
        depth: 0,
        interpolation: None,
    };
    parser.read()?;
    // Comments above everything else are in it as well.
    let begin = Begin { mark: 0, ..parser.begin() };
    while parser.token.kind != Kind::End {
        parser.statement()?;
    }
    (parser.end, parser.end_row) = parser.lexer.end_of_text();
    parser.close_whole(begin, numbers.kinds.module);
    Some(parser.tree.grown())
}

struct Parser<'s> {
    lexer: Lexer<'s>,
    /// What comes next.
    token: Token,
    /// Where the last token has ended.
    end: u32,
    end_row: u32,
    numbers: &'s Numbers,
    tree: Growing,
    depth: u32,
    /// How many brackets are open right within the expression in a text that is read now.
    interpolation: Option<u32>,
}

/// Where a node begins.
#[derive(Debug, Clone, Copy)]
struct Begin {
    mark: usize,
    start: u32,
    row: u32,
}

/// What is put back where something was tried in vain.
struct Before<'s> {
    lexer: Lexer<'s>,
    token: Token,
    end: (u32, u32),
    tree: (usize, usize),
    depth: u32,
    interpolation: Option<u32>,
}

impl<'s> Parser<'s> {
    fn kinds(&self) -> &'s Kinds {
        &self.numbers.kinds
    }

    fn fields(&self) -> &'s Fields {
        &self.numbers.fields
    }

    /// Reads the next token; comments on the way to it become nodes.
    fn read(&mut self) -> Option<()> {
        self.token = self.lexer.next(&mut self.tree, &self.numbers.kinds)?;
        Some(())
    }

    fn advance(&mut self) -> Option<()> {
        (self.end, self.end_row) = (self.token.end, self.token.row);
        self.lexer.note_bracket(self.token.kind);
        self.read()
    }

    fn is(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    /// Goes past a token of this kind if there is one.
    fn take(&mut self, kind: Kind) -> Option<bool> {
        let is = self.is(kind);
        if is {
            self.advance()?;
        }
        Some(is)
    }

    /// Goes past a token that has to be there.
    fn expect(&mut self, kind: Kind) -> Option<()> {
        if self.is(kind) { self.advance() } else { None }
    }

    fn word(&self) -> &'s [u8] {
        self.lexer.text(self.token.start, self.token.end)
    }

    fn begin(&self) -> Begin {
        Begin { mark: self.tree.mark(), start: self.token.start, row: self.token.row }
    }

    /// The token as a node of its own.
    fn leaf(&mut self, kind: u16) -> Option<()> {
        let Token { start, end, row, .. } = self.token;
        self.tree.push(Entry::leaf(kind, start, end, row, row));
        self.advance()
    }

    fn name(&mut self) -> Option<()> {
        if self.is(Kind::Name) { self.leaf(self.kinds().identifier) } else { None }
    }

    /// Ends a node; comments behind its last token are not in it.
    fn close(&mut self, begin: Begin, kind: u16) {
        let node = Entry::leaf(kind, begin.start, self.end, begin.row, self.end_row);
        self.tree.close(begin.mark, node);
    }

    /// Ends a node with all that was found so far.
    fn close_whole(&mut self, begin: Begin, kind: u16) {
        let node = Entry::leaf(kind, begin.start, self.end, begin.row, self.end_row);
        self.tree.close_whole(begin.mark, node);
    }

    /// Ends a node before the sign of a line or block that ends here and has no length.
    fn close_before_sign(&mut self, begin: Begin, kind: u16) {
        (self.end, self.end_row) = (self.token.end, self.token.row);
        self.close_whole(begin, kind);
    }

    /// Says in which field the last node stands.
    fn field(&mut self, field: u16) {
        if let Some(node) = self.tree.last_mut() {
            node.field = field;
        }
    }

    /// The kind of the last node, if it is all that came since.
    fn only_since(&self, begin: Begin) -> Option<u16> {
        self.tree.only_since(begin.mark).map(|node| node.kind)
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        read(self)?;
        self.depth -= 1;
        Some(())
    }

    fn before(&self) -> Before<'s> {
        Before {
            lexer: self.lexer.clone(),
            token: self.token,
            end: (self.end, self.end_row),
            tree: self.tree.size(),
            depth: self.depth,
            interpolation: self.interpolation,
        }
    }

    fn put_back(&mut self, before: Before<'s>) {
        self.lexer = before.lexer;
        self.token = before.token;
        (self.end, self.end_row) = before.end;
        self.tree.cut(before.tree);
        self.depth = before.depth;
        self.interpolation = before.interpolation;
    }
}
