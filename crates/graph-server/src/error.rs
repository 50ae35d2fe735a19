//! What can go wrong with a graph server, and what the reader can do about it.

use std::io;

use neo4rs::{Neo4jClientErrorKind, Neo4jErrorKind, Neo4jSecurityErrorKind};

use crate::Target;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(
        "`{given}` is no address of a graph server; it is written bolt://HOST:PORT, or bolt+s://HOST:PORT with TLS"
    )]
    Address { given: String },
    #[error("an address may hold no user and no password; give the user with --user and the password by environment")]
    CredentialsInAddress,
    #[error("cannot connect to {address}: {reason}")]
    CannotConnect { address: String, reason: String },
    #[error("{address} accepts connections but does not speak Bolt 4 there: {reason}")]
    NotBolt { address: String, reason: String },
    #[error("no TLS connection to {address}: {reason}")]
    Tls { address: String, reason: String },
    #[error("{address} refuses to let `{user}` in: {reason}")]
    Authentication { address: String, user: String, reason: String },
    #[error("{address} has no such database: {reason}")]
    NoDatabase { address: String, reason: String },
    #[error("the connection to {address} was lost: {reason}")]
    Lost { address: String, reason: String },
    #[error("{address} refused a statement ({code}): {reason}")]
    Refused { address: String, code: String, reason: String },
    #[error(
        "{address} should hold {nodes} nodes and {relationships} relationships of this project, but holds {found_nodes} \
         and {found_relationships}"
    )]
    Incomplete { address: String, nodes: u64, relationships: u64, found_nodes: u64, found_relationships: u64 },
    #[error("the project cannot be read: {0}")]
    Source(#[source] io::Error),
}

impl Error {
    /// What the reader can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::CannotConnect { .. } => Some("start the server, or correct the host and port"),
            Self::NotBolt { .. } => Some(
                "give the Bolt port (7687 by default, not that of HTTP); where the server asks for TLS, use bolt+s://",
            ),
            Self::Tls { .. } => Some(
                "use bolt:// where the server has no TLS, or bolt+ssc:// where it has a certificate that nobody signed",
            ),
            Self::Authentication { .. } => Some("set --user and TRAILMARK_BOLT_PASSWORD"),
            Self::NoDatabase { .. } => Some("leave --database out for the default one, or create it on the server"),
            Self::Lost { .. } => Some("run the same command again: it goes on where this one stopped"),
            Self::Incomplete { .. } => Some("run the same command again, with nothing else importing this project"),
            Self::Address { .. } | Self::CredentialsInAddress | Self::Refused { .. } | Self::Source(_) => None,
        }
    }
}

/// Whether doing the same again may help.
#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
pub(crate) fn may_pass(error: &neo4rs::Error) -> bool {
    match error {
        neo4rs::Error::Neo4j(refusal) => refusal.kind() == Neo4jErrorKind::Transient,
        other => is_loss(other),
    }
}

/// What the driver's error means for the very first connection.
#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
pub(crate) fn of_first_connection(target: &Target, error: neo4rs::Error) -> Error {
    let (address, reason) = (target.address.clone(), error.to_string());
    match &error {
        neo4rs::Error::IOError { detail } if is_silent_end(detail.kind()) && !target.is_encrypted => {
            Error::NotBolt { address, reason: format!("it ended the conversation ({detail})") }
        }
        neo4rs::Error::IOError { detail } if target.is_encrypted && !is_unreachable(detail.kind()) => {
            Error::Tls { address, reason: detail.to_string() }
        }
        neo4rs::Error::IOError { detail } => Error::CannotConnect { address, reason: detail.to_string() },
        neo4rs::Error::ProtocolMismatch(_) | neo4rs::Error::UnsupportedVersion(..) => {
            Error::NotBolt { address, reason }
        }
        neo4rs::Error::InvalidDnsName(_) => Error::Tls { address, reason },
        neo4rs::Error::UrlParseError(_) | neo4rs::Error::UnsupportedScheme(_) => Error::Address { given: address },
        other if is_loss(other) => Error::CannotConnect { address, reason },
        _ => of_statement(target, error),
    }
}

/// What the driver's error means once a connection stood.
#[expect(clippy::wildcard_enum_match_arm, reason = "the driver's list of errors is open")]
pub(crate) fn of_statement(target: &Target, error: neo4rs::Error) -> Error {
    let address = target.address.clone();
    let refusal = match error {
        neo4rs::Error::Neo4j(refusal) => refusal,
        neo4rs::Error::AuthenticationError(reason) => {
            return Error::Authentication { address, user: target.user.clone(), reason };
        }
        other if is_loss(&other) => return Error::Lost { address, reason: other.to_string() },
        other => return Error::Refused { address, code: "no code".to_owned(), reason: other.to_string() },
    };
    let reason = refusal.message().to_owned();
    match refusal.kind() {
        Neo4jErrorKind::Client(Neo4jClientErrorKind::Security(Neo4jSecurityErrorKind::Authentication)) => {
            Error::Authentication { address, user: target.user.clone(), reason }
        }
        Neo4jErrorKind::Client(Neo4jClientErrorKind::FatalDiscovery) => Error::NoDatabase { address, reason },
        Neo4jErrorKind::Client(_) | Neo4jErrorKind::Transient | Neo4jErrorKind::Database | Neo4jErrorKind::Unknown => {
            Error::Refused { address, code: refusal.code().to_owned(), reason }
        }
    }
}

fn is_loss(error: &neo4rs::Error) -> bool {
    matches!(
        error,
        neo4rs::Error::IOError { .. }
            | neo4rs::Error::ConnectionError
            | neo4rs::Error::ConnectionTimedOut
            | neo4rs::Error::IncompleteBoltExchange
            | neo4rs::Error::ServerUnavailableError(_)
    )
}

fn is_silent_end(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
}

fn is_unreachable(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::TimedOut
            | io::ErrorKind::NotFound
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable
            | io::ErrorKind::AddrNotAvailable
    )
}
