//! Every error code a client can see: what it means, who can fix it, whether trying again helps.

use crate::error::ErrorKind;
use crate::styles::Style;

/// A row of the table of codes.
#[derive(Debug, Clone, Copy)]
pub struct ErrorCode {
    pub code: &'static str,
    pub style: Style,
    pub meaning: &'static str,
    pub fixed_by: FixedBy,
    /// Whether the same call may succeed later.
    pub retry: bool,
}

/// Who can make the error go away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixedBy {
    Caller,
    Operator,
    Upstream,
    Us,
}

/// All codes, family by family.
pub const ERROR_CODES: &[ErrorCode] = &[
    knowledge("INVALID_ARGUMENT", "an argument is missing, of the wrong kind or out of range", FixedBy::Caller, false),
    knowledge("NOT_FOUND", "nothing has the id that was asked for", FixedBy::Caller, false),
    knowledge("FORBIDDEN", "the change is not allowed, whatever the values", FixedBy::Caller, false),
    knowledge(
        "DB_ERROR",
        "the store could not answer: locked, full, read-only, too slow, busy or damaged",
        FixedBy::Operator,
        true,
    ),
    knowledge("UPSTREAM_ERROR", "a service outside of Trailmark failed or is not configured", FixedBy::Upstream, true),
    experience("INVALID_KEYWORDS", "the keywords to search for are missing or blank", FixedBy::Caller, false),
    experience("INVALID_LIMIT", "limit or offset is out of range", FixedBy::Caller, false),
    experience("TIMEOUT", "the call took longer than its deadline", FixedBy::Operator, true),
    experience("MISSING_REQUIRED_FIELDS", "a required field is absent or blank", FixedBy::Caller, false),
    experience("INVALID_TITLE", "the title is too long", FixedBy::Caller, false),
    experience("CONTEXT_NOT_SANITIZED", "the context holds a secret or personal data", FixedBy::Caller, false),
    experience("VALIDATION_ERROR", "fields break their rules", FixedBy::Caller, false),
    experience("DATABASE_ERROR", "the store could not answer", FixedBy::Operator, true),
];

const fn knowledge(code: &'static str, meaning: &'static str, fixed_by: FixedBy, retry: bool) -> ErrorCode {
    ErrorCode { code, style: Style::Knowledge, meaning, fixed_by, retry }
}

const fn experience(code: &'static str, meaning: &'static str, fixed_by: FixedBy, retry: bool) -> ErrorCode {
    ErrorCode { code, style: Style::Experience, meaning, fixed_by, retry }
}

/// The code a kind of failure has in a style when the tool gave none; the styles without codes use it in the audit log only.
pub(super) fn default_code(style: Style, kind: ErrorKind) -> &'static str {
    match (style, kind) {
        (Style::Experience, ErrorKind::InvalidArgument | ErrorKind::NotFound | ErrorKind::Forbidden) => {
            "VALIDATION_ERROR"
        }
        (Style::Experience, ErrorKind::Timeout) => "TIMEOUT",
        (Style::Experience, ErrorKind::Storage | ErrorKind::Upstream | ErrorKind::Overloaded | ErrorKind::Internal) => {
            "DATABASE_ERROR"
        }
        (_, ErrorKind::InvalidArgument) => "INVALID_ARGUMENT",
        (_, ErrorKind::NotFound) => "NOT_FOUND",
        (_, ErrorKind::Forbidden) => "FORBIDDEN",
        (_, ErrorKind::Upstream) => "UPSTREAM_ERROR",
        (_, ErrorKind::Storage | ErrorKind::Timeout | ErrorKind::Overloaded | ErrorKind::Internal) => "DB_ERROR",
    }
}
