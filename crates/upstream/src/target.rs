//! Which server is meant, and how it is reached.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// A server to be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A program that speaks on its standard input and output.
    Program(Program),
    /// A server that speaks streamable HTTP.
    Address(Address),
}

impl Target {
    /// What messages call it: the name of the program, or the address without what may be secret in it.
    pub(crate) fn label(&self) -> String {
        match self {
            Self::Program(program) => program.command.display().to_string(),
            Self::Address(address) => address.label(),
        }
    }
}

/// A program and all it is started with. It inherits the environment except for variables that are meant for Trailmark.
#[derive(Clone, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked for as the shell would.
    pub command: PathBuf,
    pub arguments: Vec<OsString>,
    /// The working directory; `None` is ours.
    pub folder: Option<PathBuf>,
    /// Variables beside those that it inherits.
    pub environment: Vec<(OsString, OsString)>,
}

impl Program {
    pub fn new(command: impl Into<PathBuf>) -> Self {
        Self { command: command.into(), arguments: Vec::new(), folder: None, environment: Vec::new() }
    }
}

/// Values of variables may be secrets, so only their names are shown.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command, arguments, folder, environment } = self;
        let names: Vec<_> = environment.iter().map(|(name, _)| name).collect();
        let mut shown = f.debug_struct("Program");
        shown.field("command", command).field("arguments", arguments).field("folder", folder);
        shown.field("environment", &names).finish()
    }
}

/// Where a server listens, and how one is let in.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    /// Such as `http://localhost:3000/mcp`.
    pub url: String,
    /// Sent as a bearer token.
    pub token: Option<String>,
}

impl Address {
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), token: None }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.url.starts_with("https:")
    }

    /// Scheme, host and port: credentials, path and query stay out of messages.
    fn label(&self) -> String {
        let Some((scheme, rest)) = self.url.split_once("://") else { return "the address".to_owned() };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}")
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token.as_ref().map(|_| "[token]");
        f.debug_struct("Address").field("url", &self.label()).field("token", &token).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_secret_is_not_shown() {
        let address = Address {
            url: "https://me:secret@host.example:8/mcp?key=secret".to_owned(),
            token: Some("secret".to_owned()),
        };
        let program = Program { environment: vec![("KEY".into(), "secret".into())], ..Program::new("server") };
        for target in [Target::Address(address), Target::Program(program)] {
            let shown = format!("{target:?} {}", target.label());
            assert!(!shown.contains("secret"), "{shown}");
        }
        assert_eq!(Target::Address(Address::new("http://host:1/mcp?x")).label(), "http://host:1");
    }
}
