//! Which server, and as whom.

use std::fmt;

use crate::Error;

const SCHEMES: &[Scheme] = &[
    Scheme { name: "bolt", is_encrypted: false },
    Scheme { name: "bolt+s", is_encrypted: true },
    Scheme { name: "bolt+ssc", is_encrypted: true },
    Scheme { name: "neo4j", is_encrypted: false },
    Scheme { name: "neo4j+s", is_encrypted: true },
    Scheme { name: "neo4j+ssc", is_encrypted: true },
];

#[derive(Debug, Clone, Copy)]
struct Scheme {
    name: &'static str,
    is_encrypted: bool,
}

/// A server that can be asked for a connection.
#[derive(Clone)]
pub struct Target {
    pub(crate) address: String,
    pub(crate) is_encrypted: bool,
    pub(crate) user: String,
    pub(crate) password: String,
    pub(crate) database: Option<String>,
}

impl Target {
    /// Checks the address. It may not hold a password: addresses end up in logs, histories and lists of processes.
    pub fn new(address: &str, user: &str, password: String, database: Option<String>) -> Result<Self, Error> {
        let (scheme, rest) = address.split_once("://").unwrap_or(("bolt", address));
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(Error::CredentialsInAddress);
        }
        let known = SCHEMES.iter().find(|known| known.name == scheme);
        let is_whole = authority.len() == rest.trim_end_matches('/').len() && !authority.is_empty();
        let Some(scheme) = known.filter(|_| is_whole) else {
            return Err(Error::Address { given: address.to_owned() });
        };
        let address = format!("{}://{authority}", scheme.name);
        Ok(Self { address, is_encrypted: scheme.is_encrypted, user: user.to_owned(), password, database })
    }

    /// The address as it may be shown.
    pub fn address(&self) -> &str {
        &self.address
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Target")
            .field("address", &self.address)
            .field("user", &self.user)
            .field("database", &self.database)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(address: &str) -> Result<Target, Error> {
        Target::new(address, "neo4j", "secret".to_owned(), None)
    }

    #[test]
    fn an_address_has_a_known_scheme_and_a_host_and_nothing_else() {
        for (given, expected) in [
            ("bolt://localhost:7687", "bolt://localhost:7687"),
            ("bolt://[::1]:7687/", "bolt://[::1]:7687"),
            ("neo4j+s://graph.example.com", "neo4j+s://graph.example.com"),
            ("localhost:7687", "bolt://localhost:7687"),
        ] {
            assert_eq!(target(given).unwrap().address(), expected);
        }
        for given in ["http://localhost:7474", "bolt://", "", "bolt://localhost/graph", "bolt://localhost?x=1"] {
            let error = target(given).unwrap_err();
            assert!(matches!(&error, Error::Address { given: shown } if shown == given), "{error}");
        }
    }

    #[test]
    fn a_password_is_neither_taken_from_an_address_nor_shown() {
        let error = target("bolt://neo4j:hunter2@localhost:7687").unwrap_err();
        assert!(matches!(error, Error::CredentialsInAddress));
        assert!(!format!("{error} {error:?}").contains("hunter2"));
        assert!(!format!("{:?}", target("bolt://localhost").unwrap()).contains("secret"));
    }
}
