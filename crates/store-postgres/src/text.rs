//! Which texts can PostgreSQL keep?

use store::{ErrorKind, StoreError};

/// PostgreSQL keeps every character but one.
pub(crate) fn storable<'a>(texts: impl IntoIterator<Item = &'a str>) -> store::Result<()> {
    if texts.into_iter().any(|text| text.contains('\0')) {
        let message = "a text holds a null character, which PostgreSQL cannot keep";
        return Err(StoreError::new(ErrorKind::InvalidInput, message).with_hint("leave the null character out"));
    }
    Ok(())
}

/// As many rows as SQL can be asked for.
pub(crate) fn sql_limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}
