//! What can go wrong with a server, and what it means to the caller.

use mongodb::error::{CommandError, ErrorKind as MongoKind, WriteFailure};
use store::{ErrorKind, ServerAddress, StoreError};

pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// An unauthorized command.
pub(crate) const UNAUTHORIZED: i32 = 13;
/// An id, or another value that must be unique, is there already.
pub(crate) const DUPLICATE: i32 = 11_000;

#[derive(Debug)]
pub(crate) enum Failure {
    Driver(mongodb::error::Error),
    Store(StoreError),
}

impl Failure {
    pub(crate) fn into_error(self, address: &ServerAddress) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Driver(error) => of_driver(&error, address),
        }
    }
}

impl From<mongodb::error::Error> for Failure {
    fn from(error: mongodb::error::Error) -> Self {
        Self::Driver(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What is stored cannot be read back.
pub(crate) fn unreadable(reason: impl std::fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::Corrupt, format!("a document in MongoDB cannot be read: {reason}"))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
fn of_driver(error: &mongodb::error::Error, address: &ServerAddress) -> StoreError {
    match &*error.kind {
        MongoKind::Authentication { .. } => {
            let user = address.user().unwrap_or_default();
            address.unavailable(format!("it refuses to let `{user}` in; user or password is wrong"))
        }
        MongoKind::ServerSelection { message, .. } => address.unavailable(cause(message)),
        MongoKind::Command(CommandError { code: UNAUTHORIZED, message, .. }) => {
            address.unavailable(format!("the user may not do that: {message}"))
        }
        MongoKind::Command(refused) => refusal(address, refused.code, &refused.message),
        MongoKind::Write(WriteFailure::WriteError(refused)) => refusal(address, refused.code, &refused.message),
        MongoKind::Bson(reason) => unreadable(reason),
        _ => address.unavailable(error),
    }
}

/// Whatever a server refuses for reasons of its own may pass: it steps down, it starts, it is full.
fn refusal(address: &ServerAddress, code: i32, message: &str) -> StoreError {
    address.unavailable(format!("{message} (code {code})"))
}

/// Of a description of all servers, what was wrong with the first.
fn cause(message: &str) -> &str {
    let Some((_, after)) = message.split_once("Error: ") else { return message };
    let after = after.strip_prefix("Kind: ").unwrap_or(after);
    after.split(", labels").next().unwrap_or(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_taken_out_of_a_description_of_servers() {
        let message = "Server selection timeout: No available servers. Topology: { Type: Unknown, Servers: [ { Address: \
                       127.0.0.1:1, Type: Unknown, Error: Kind: I/O error: Connection refused (os error 111), labels: {} } ] }";
        assert_eq!(cause(message), "I/O error: Connection refused (os error 111)");
        assert_eq!(cause("something else"), "something else");
    }
}
