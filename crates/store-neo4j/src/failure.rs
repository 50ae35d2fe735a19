//! What can go wrong with a server, what it means to the caller, and whether trying again may help.

use neo4rs::{Neo4jClientErrorKind, Neo4jErrorKind, Neo4jSecurityErrorKind};
use store::{ErrorKind, ServerAddress, StoreError};

pub(crate) type Outcome<T> = std::result::Result<T, Failure>;

/// What somebody else did meanwhile: made the same note, or removed what was just found. The next try sees it.
const OF_OTHERS: &[&str] = &["ConstraintValidationFailed", "EntityNotFound", "DatabaseError.General"];

#[derive(Debug)]
pub(crate) enum Failure {
    Driver(neo4rs::Error),
    Store(StoreError),
}

/// Whether doing the same again may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    /// Nothing was done.
    Undone,
    /// The connection was lost: what was asked for may have been done.
    Unsure,
}

impl Failure {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
    pub(crate) fn again(&self) -> Again {
        let Self::Driver(error) = self else { return Again::No };
        match error {
            neo4rs::Error::Neo4j(refusal) if refusal.kind() == Neo4jErrorKind::Transient => Again::Undone,
            neo4rs::Error::Neo4j(refusal) if OF_OTHERS.iter().any(|code| refusal.code().contains(code)) => {
                Again::Undone
            }
            neo4rs::Error::IOError { .. }
            | neo4rs::Error::ConnectionError
            | neo4rs::Error::IncompleteBoltExchange
            | neo4rs::Error::ServerUnavailableError(_) => Again::Unsure,
            _ => Again::No,
        }
    }

    pub(crate) fn into_error(self, address: &ServerAddress) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::Driver(error) => of_driver(&error, address),
        }
    }
}

impl From<neo4rs::Error> for Failure {
    fn from(error: neo4rs::Error) -> Self {
        Self::Driver(error)
    }
}

impl From<neo4rs::DeError> for Failure {
    fn from(error: neo4rs::DeError) -> Self {
        Self::Store(unreadable(error))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What is stored cannot be read back.
pub(crate) fn unreadable(reason: impl std::fmt::Display) -> StoreError {
    StoreError::new(ErrorKind::Corrupt, format!("a part of the graph cannot be read: {reason}"))
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
fn of_driver(error: &neo4rs::Error, address: &ServerAddress) -> StoreError {
    let refused_user = || {
        let user = address.user().unwrap_or_default();
        address.unavailable(format!("it refuses to let `{user}` in; user or password is wrong"))
    };
    match error {
        neo4rs::Error::AuthenticationError(_) => refused_user(),
        neo4rs::Error::Neo4j(refusal) => match refusal.kind() {
            Neo4jErrorKind::Client(Neo4jClientErrorKind::Security(Neo4jSecurityErrorKind::Authentication)) => {
                refused_user()
            }
            _ => address.unavailable(format!("{} ({})", refusal.message(), refusal.code())),
        },
        neo4rs::Error::IOError { detail } => address.unavailable(detail),
        neo4rs::Error::ProtocolMismatch(_) | neo4rs::Error::UnsupportedVersion(..) => {
            address.unavailable("it does not speak Bolt 4 there; give its Bolt port, 7687 by default")
        }
        _ => address.unavailable(error),
    }
}
