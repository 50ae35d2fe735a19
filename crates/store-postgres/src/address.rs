//! Where is the server, and which part of it is ours?

use std::fmt;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The schema that is used when an address names none.
const DEFAULT_SCHEMA: &str = "trailmark";
/// The parameter of an address that names the schema.
const SCHEMA: &str = "schema";

/// A PostgreSQL database and a schema in it: `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`, with the parameters of
/// the driver (`sslmode`, `connect_timeout` and others) where they are wanted.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    config: Config,
    schema: String,
}

/// Why a text is no address. Never holds any of the text, which may hold a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError(String);

impl Address {
    /// The same database, another schema in it.
    pub fn with_schema(mut self, schema: &str) -> Result<Self, AddressError> {
        self.schema = checked_schema(schema)?;
        Ok(self)
    }

    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Fit to be put into SQL as it is.
    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    pub(crate) fn user(&self) -> &str {
        self.config.get_user().unwrap_or("postgres")
    }

    pub(crate) fn database(&self) -> &str {
        self.config.get_dbname().unwrap_or_else(|| self.user())
    }

    /// Host and port of each server that is named.
    pub(crate) fn servers(&self) -> String {
        let ports = self.config.get_ports();
        let hosts = self.config.get_hosts().iter().enumerate().map(|(at, host)| {
            let port = ports.get(at).or(ports.first()).copied().unwrap_or(5432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                #[cfg(unix)]
                Host::Unix(folder) => format!("{}:{port}", folder.display()),
            }
        });
        hosts.collect::<Vec<_>>().join(",")
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let (rest, schema) = without_schema(text);
        if !["postgres://", "postgresql://"].iter().any(|scheme| rest.starts_with(scheme)) {
            return Err(AddressError("it must begin with postgres:// or postgresql://".to_owned()));
        }
        let mut config = Config::from_str(&rest).map_err(|_| {
            AddressError(
                "it must look like postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters in percent code"
                    .to_owned(),
            )
        })?;
        if config.get_hosts().is_empty() {
            return Err(AddressError("it names no host".to_owned()));
        }
        config.application_name(config.get_application_name().unwrap_or("trailmark").to_owned());
        Ok(Self { config, schema: checked_schema(&schema.unwrap_or_else(|| DEFAULT_SCHEMA.to_owned()))? })
    }
}

/// The address without our own parameter, which the driver does not know, and its value.
fn without_schema(text: &str) -> (String, Option<String>) {
    let Some((base, query)) = text.split_once('?') else { return (text.to_owned(), None) };
    let mut schema = None;
    let others: Vec<&str> = query
        .split('&')
        .filter(|parameter| match parameter.split_once('=') {
            Some((SCHEMA, value)) => {
                schema = Some(value.to_owned());
                false
            }
            _ => true,
        })
        .collect();
    let rest = if others.is_empty() { base.to_owned() } else { format!("{base}?{}", others.join("&")) };
    (rest, schema)
}

fn checked_schema(schema: &str) -> Result<String, AddressError> {
    let mut characters = schema.chars();
    let begins = characters.next().is_some_and(|first| first.is_ascii_lowercase() || first == '_');
    let goes_on = characters.all(|other| other.is_ascii_lowercase() || other.is_ascii_digit() || other == '_');
    if begins && goes_on && schema.len() <= 63 && !schema.starts_with("pg_") {
        return Ok(schema.to_owned());
    }
    let allowed = "the schema must be 1 to 63 lower-case letters, digits and underscores, not begin with a digit, and not with pg_";
    Err(AddressError(allowed.to_owned()))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postgres://{}@{}/{}?schema={}", self.user(), self.servers(), self.database(), self.schema)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AddressError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        let address: Address = "postgresql://ann:s3cret@db.example.com:6000/notes?sslmode=require".parse().unwrap();
        assert_eq!(address.to_string(), "postgres://ann@db.example.com:6000/notes?schema=trailmark");
        assert!(!format!("{address:?}").contains("s3cret"));
    }

    #[test]
    fn an_address_may_name_a_schema_of_its_own() {
        for text in ["postgres://a@h/d?schema=team_1", "postgres://a@h/d?sslmode=disable&schema=team_1"] {
            assert_eq!(text.parse::<Address>().unwrap().schema(), "team_1");
        }
        for schema in ["", "Team", "a-b", "a\"b", "1a", "pg_x", &"x".repeat(64)] {
            let error = format!("postgres://a@h/d?schema={schema}").parse::<Address>().unwrap_err();
            assert!(error.to_string().contains("schema must be"), "{error}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_without_being_repeated() {
        for text in
            ["mysql://a:s3cret@h/d", "postgres://a:s3cret@h:port/d", "postgres://a:s3cret@h/d?s3cret=1", "s3cret", ""]
        {
            let error = text.parse::<Address>().unwrap_err();
            assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
        }
        assert!("postgres:///d".parse::<Address>().is_err());
    }
}
