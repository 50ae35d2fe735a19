//! What can be wrong with a query or with running it, and where in its text.

use std::fmt;

use graph::ReadError;

/// A place in the text of a query. Lines and columns count from 1, the column in characters; the offset is in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub line: usize,
    pub column: usize,
    pub offset: usize,
}

/// When a query turned out to be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Before any row was read.
    Compile,
    /// While rows were made.
    Run,
}

/// What kind of mistake it is; names follow those of the openCypher conformance suite where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    UnexpectedSyntax,
    InvalidNumberLiteral,
    IntegerOverflow,
    FloatingPointOverflow,
    InvalidUnicodeLiteral,
    InvalidUnicodeCharacter,
    InvalidClauseComposition,
    InvalidRelationshipPattern,
    InvalidParameterUse,
    WritingClause,
    NotSupported,
    TooComplex,
    UndefinedVariable,
    VariableAlreadyBound,
    VariableTypeConflict,
    RelationshipUniquenessViolation,
    MissingParameter,
    UnknownFunction,
    ProcedureNotFound,
    InvalidNumberOfArguments,
    InvalidArgumentType,
    InvalidArgumentValue,
    NumberOutOfRange,
    NegativeIntegerArgument,
    NonConstantExpression,
    InvalidAggregation,
    NestedAggregation,
    AmbiguousAggregationExpression,
    ColumnNameConflict,
    NoExpressionAlias,
    NoVariablesInScope,
    DifferentColumnsInUnion,
    MapElementAccessByNonString,
    /// A label, type or property that the graph does not have; only when the caller asked for strictness.
    UnknownName,
    DeadlineExceeded,
    Cancelled,
    TooManyRows,
    OutOfMemory,
    /// The graph could not be read.
    Graph,
}

/// Where a piece of syntax begins and ends, in bytes. Two trees are equal wherever their pieces stand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn to(self, last: Span) -> Span {
        Span { start: self.start, end: last.end.max(self.start) }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

/// Why a query was not answered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub struct Error(Box<Detail>);

#[derive(Debug, Clone, PartialEq)]
struct Detail {
    kind: ErrorKind,
    phase: Phase,
    message: String,
    hint: Option<String>,
    span: Option<Span>,
    position: Option<Position>,
    partial_rows: Option<u64>,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(kind: ErrorKind, phase: Phase, message: impl Into<String>) -> Error {
        let message = message.into();
        Error(Box::new(Detail { kind, phase, message, hint: None, span: None, position: None, partial_rows: None }))
    }

    pub fn compile(kind: ErrorKind, span: Span, message: impl Into<String>) -> Error {
        Error::new(kind, Phase::Compile, message).at(span)
    }

    pub fn run(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error::new(kind, Phase::Run, message)
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.0.hint = Some(hint.into());
        self
    }

    pub fn hint_if(self, hint: Option<String>) -> Error {
        match hint {
            Some(hint) => self.hint(hint),
            None => self,
        }
    }

    /// Says where, unless an inner piece of syntax has said so already.
    pub fn at(mut self, span: Span) -> Error {
        self.0.span.get_or_insert(span);
        self
    }

    pub fn with_phase(mut self, phase: Phase) -> Error {
        self.0.phase = phase;
        self
    }

    pub fn with_partial_rows(mut self, rows: u64) -> Error {
        self.0.partial_rows = Some(rows);
        self
    }

    /// Turns the span into a line and a column of this text.
    pub fn locate(mut self, source: &str) -> Error {
        if let (Some(span), None) = (self.0.span, self.0.position) {
            self.0.position = Some(position_of(source, span.start as usize));
        }
        self
    }

    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    pub fn phase(&self) -> Phase {
        self.0.phase
    }

    /// What is wrong, without place and hint.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it.
    pub fn hint_text(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// How many rows there were when a limit stopped the query.
    pub fn partial_rows(&self) -> Option<u64> {
        self.0.partial_rows
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Error {
        Error::run(ErrorKind::Graph, format!("the graph could not be read: {error}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Position { line, column, .. }) = self.0.position {
            write!(formatter, "line {line}, column {column}: ")?;
        }
        formatter.write_str(&self.0.message)?;
        match &self.0.hint {
            Some(hint) => write!(formatter, "; {hint}"),
            None => Ok(()),
        }
    }
}

fn position_of(source: &str, offset: usize) -> Position {
    let mut offset = offset.min(source.len());
    while !source.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &source[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1, offset }
}
